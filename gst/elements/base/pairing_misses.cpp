// SPDX-License-Identifier: LGPL-2.1-or-later
// Notes of a Pairing about buffers without a partner.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "gst/elements/base/pairing.h"

namespace rdp::gst {

using State = StreamHead::State;

// Notes a dropped buffer, without a partner among the heads of the other stream.
void Pairing::note_missed(const StreamHead& main, std::size_t other) {
  ++misses_.count;
  if (other >= heads_.size()) return;
  misses_.pad = streams_[other];
  const StreamHead& head = heads_[other];
  if (head.state != State::kBuffer || main.state != State::kBuffer || !main.time || !head.time) {
    return;
  }
  const auto distance = static_cast<guint64>(std::abs(*main.time - *head.time));
  misses_.nearest = std::min(misses_.nearest.value_or(distance), distance);
}

// Notes that the main head is dropped for lack of a partner in `other`.
void Pairing::note_main_missed(const StreamHead& main, std::size_t other, std::int64_t tolerance) {
  note_missed(main, other);
  const bool stalls = other < heads_.size() && heads_[other].state == State::kNothing;
  misses_.stalled = stalls ? streams_[other] : nullptr;
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    const StreamHead& head = heads_[i];
    if (head.state != State::kBuffer || !main.time || !head.time) continue;
    if (std::abs(*main.time - *head.time) <= tolerance) was_near_[i] = 1;
  }
}

// Notes that the head of `other` is dropped as too early. If it was near a main buffer that was
// dropped because of a third stream, it is only counted.
void Pairing::note_other_missed(const StreamHead& main, std::size_t other) {
  if (std::exchange(was_near_[other], 0) == 0) {
    note_missed(main, other);
  } else {
    ++misses_.count;
  }
}

void Pairing::forget_misses() {
  misses_ = {.tolerance = misses_.tolerance};
  std::fill(was_near_.begin(), was_near_.end(), 0);
}

}  // namespace rdp::gst
