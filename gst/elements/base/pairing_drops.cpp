// SPDX-License-Identifier: LGPL-2.1-or-later
// Buffers of a Pairing that are in no pair: they are dropped, or stay on their pads.
#include "gst/elements/base/pairing.h"

namespace rdp::gst {

// The heads of the others stay although a main buffer goes. Behind one that came for a pair another
// may wait for room, and so its upstream, or does so soon: this function drops the head, or whoever
// brings the next one.
void Pairing::keep_heads() {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    notes_[i]->keep(streams_[i], latest_);
  }
}

// One that is in no set, or null after a flush. Takes the reference.
void Pairing::drop_main(GstBuffer* buffer) {
  if (buffer == nullptr) return;
  ++counts_.unpaired;
  ++main_notes_->dropped;
  if (rules_.gaps) {
    hand_on_gap(buffer);
  } else {
    gst_buffer_unref(buffer);
  }
}

// One of another stream that is in no set. Takes the reference.
void Pairing::drop_other(InputCounters* input, GstBuffer* buffer) {
  ++counts_.dropped;
  ++input->dropped;
  gst_buffer_unref(buffer);
}

// All heads, which are too far apart.
void Pairing::drop_set(const StreamHead& main) {
  misses_.wide = find_spread(main);
  ++misses_.count;
  ++counts_.wide;
  for (std::size_t i = 0; i < streams_.size(); ++i) pop_other(i, false);
  drop_main(gst_aggregator_pad_pop_buffer(main_));
}

void Pairing::drop_head(GstAggregatorPad* pad) {
  InputCounters* input = InputCounters::of(pad);
  GstBuffer* buffer = input->pop(pad);
  if (buffer == nullptr) return;
  if (is_main(pad)) {
    drop_main(buffer);
  } else {
    drop_other(input, buffer);
  }
}

void Pairing::drop_pair(bool wide) {
  --(complete_ ? counts_.paired : counts_.unpaired);
  --main_notes_->used;
  if (wide) ++counts_.wide;
  for (std::size_t i = 0; i < pair_others_.size(); ++i) {
    if (choices_[i] != PairingChoice::kHead) continue;
    --notes_[i]->used;
    ++notes_[i]->dropped;
    ++counts_.dropped;
  }
  drop_main(take_main());
  release();
}

}  // namespace rdp::gst
