// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/klt/state.h"

#include <utility>

namespace rdp::cuda {

void KltState::commit() {
  if (!std::exchange(pending_, false)) return;
  current_ ^= 1;
  Moment& now = moments_[current_];
  // Written by the device.
  const auto* const report = reinterpret_cast<const volatile Report*>(report_.get());
  now.count = report->tracks;
  now.next_id = report->next_id;
  now.is_template = true;
  now.predicts = true;
}

void KltState::end_prediction() { moments_[current_].predicts = false; }

void KltState::end_tracks() {
  moments_[current_].count = 0;
  moments_[current_].is_template = false;
  pending_ = false;
}

void KltState::restart() { begin_at(1); }

// Begins with the first moment again, so that the same frames find the same memory.
void KltState::begin_at(std::uint32_t next_id) {
  current_ = 0;
  end_tracks();
  moments_[current_].next_id = next_id;
}

}  // namespace rdp::cuda
