// SPDX-License-Identifier: LGPL-2.1-or-later
// Notes of a Pairing about buffers that met none of another input's.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "gst/elements/base/pairing.h"

namespace rdp::gst {

using State = StreamHead::State;

// A buffer is dropped for which there is none in the other stream, as far as the heads show.
void Pairing::note_missed(const StreamHead& main, std::size_t other) {
  ++missed_;
  if (other >= heads_.size()) return;
  missed_pad_ = streams_[other];
  const StreamHead& head = heads_[other];
  if (head.state != State::kBuffer || main.state != State::kBuffer || !main.time || !head.time) {
    return;
  }
  const auto distance = static_cast<guint64>(std::abs(*main.time - *head.time));
  nearest_missed_ = std::min(nearest_missed_.value_or(distance), distance);
}

// The main head is dropped for want of one of `other`.
void Pairing::note_main_missed(const StreamHead& main, std::size_t other, std::int64_t tolerance) {
  note_missed(main, other);
  const bool stalls = other < heads_.size() && heads_[other].state == State::kNothing;
  stalled_pad_ = stalls ? streams_[other] : nullptr;
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    const StreamHead& head = heads_[i];
    if (head.state != State::kBuffer || !main.time || !head.time) continue;
    if (std::abs(*main.time - *head.time) <= tolerance) was_near_[i] = 1;
  }
}

// The head of `other` is dropped, which is too early. Of one that has met its main buffer, and
// stays behind since another stream had none, that says nothing.
void Pairing::note_other_missed(const StreamHead& main, std::size_t other) {
  if (std::exchange(was_near_[other], 0) == 0) {
    note_missed(main, other);
  } else {
    ++missed_;
  }
}

void Pairing::forget_misses() {
  missed_ = 0;
  nearest_missed_.reset();
  missed_pad_ = stalled_pad_ = nullptr;
  std::fill(was_near_.begin(), was_near_.end(), 0);
  wide_ = {};
}

PairingMisses Pairing::misses() const {
  PairingMisses misses;
  misses.count = missed_;
  misses.nearest = nearest_missed_;
  misses.tolerance = tolerance();
  misses.pad = missed_pad_;
  misses.stalled = stalled_pad_;
  misses.earliest = wide_.earliest;
  misses.latest = wide_.latest;
  misses.spread = wide_.time;
  return misses;
}

}  // namespace rdp::gst
