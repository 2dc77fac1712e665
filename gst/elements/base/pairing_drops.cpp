// SPDX-License-Identifier: LGPL-2.1-or-later
// Buffers of a Pairing without a pair: they are dropped, or stay on their pads.
#include "gst/elements/base/pairing.h"

namespace rdp::gst {

// Keeps the others' heads although a main buffer goes alone. If a head came for a pair, another
// buffer may wait for room behind it and block upstream. Then this function drops the head, or the
// thread that brings the next buffer does.
void Pairing::keep_heads() {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    notes_[i]->keep(streams_[i], latest_);
  }
}

// Drops a main buffer that is in no set, or null after a flush (transfer full).
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

// Drops a buffer of another stream that is in no set (transfer full).
void Pairing::drop_other(InputCounters* input, GstBuffer* buffer) {
  ++counts_.dropped;
  ++input->dropped;
  gst_buffer_unref(buffer);
}

// Drops all heads, which are too far apart.
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
