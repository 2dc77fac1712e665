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

// The main head is dropped for want of one of `other`.
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

// The head of `other` is dropped, which is too early. Of one that has met its main buffer, and
// stays behind since another stream had none, that says nothing.
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
