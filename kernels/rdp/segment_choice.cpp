// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/rdp/segment_choice.h"

#include <algorithm>

namespace rdp::cuda {

void SegmentChoice::learn(std::span<const SegmentWork> frames, int columns, std::uint32_t most) {
  std::uint64_t largest = 0;
  std::uint64_t segments = 0;
  for (const SegmentWork& frame : frames) {
    largest = std::max<std::uint64_t>(largest, frame.most);
    segments += frame.segments;
  }
  const std::uint64_t all = static_cast<std::uint64_t>(columns) * frames.size();
  const auto resident = static_cast<std::uint64_t>(resident_columns_);
  // The slowest column is hidden where the device has so much else to do.
  const std::uint64_t hidden = kMaxRounds * all * 3 / 4 / resident;
  const std::uint64_t most_rounds =
      std::min<std::uint64_t>(most, std::max<std::uint64_t>(kMaxRounds, hidden));
  const std::uint64_t most_segments = kMaxRounds * all;
  // Back only well below the limits.
  const auto above = [this](std::uint64_t value, std::uint64_t limit) {
    return value > (takes_queues_ ? limit * 3 / 4 : limit);
  };
  takes_queues_ = above(largest, most_rounds) || above(segments, most_segments);
}

}  // namespace rdp::cuda
