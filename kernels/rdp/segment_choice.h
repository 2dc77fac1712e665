// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_CHOICE_H_
#define RDP_KERNELS_RDP_SEGMENT_CHOICE_H_

#include <cstdint>
#include <span>

#include "kernels/rdp/segment_work.h"

namespace rdp::cuda {

// Chooses the kernel that segments the next frames: the one with a warp for each column, which is
// faster for columns with few segments, or the one with queues, which is faster on noise. Results
// are bit-identical. The content of the last frames decides, not the kernel that did them, so the
// choice does not swing to and fro. Content that changes costs the frames until the first result is
// known.
//
// A warp takes a round for each segment of its column, and the column with most segments keeps its
// frame. Where a launch has more columns than the device holds at a time, the others hide that one,
// and what counts is all segments together.
class SegmentChoice {
 public:
  // A warp does as many rounds before queues are faster (measured on an H200).
  static constexpr std::uint32_t kMaxRounds = 64;

  // `resident_columns`: as many warps run at a time on the device.
  explicit SegmentChoice(int resident_columns) : resident_columns_(resident_columns) {}

  // Takes the results of the last launch, and the number of columns of each of its frames. `most`
  // is the most segments of a column that the kernel with warps has room for.
  void learn(std::span<const SegmentWork> frames, int columns, std::uint32_t most);

  bool takes_queues() const { return takes_queues_; }

 private:
  int resident_columns_;
  bool takes_queues_ = false;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_CHOICE_H_
