// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_CHOICE_H_
#define RDP_KERNELS_RDP_SEGMENT_CHOICE_H_

#include <cstdint>
#include <span>

#include "kernels/rdp/segment_work.h"

namespace rdp::cuda {

// Chooses the kernel for the next frames. A warp for each column is faster for columns with few
// segments, queues are faster on noise. Results are bit-identical. The content of the last frames
// decides, not the kernel that did them, so the choice does not oscillate. After a change of
// content, frames may use the slower kernel until the first result is known.
//
// A warp takes a round for each segment of its column, so the column with most segments delays its
// frame. If a launch has more columns than the device holds at a time, the others hide that delay,
// and the number of all segments counts.
class SegmentChoice {
 public:
  // Most rounds of a warp before queues are faster (measured on an H200).
  static constexpr std::uint32_t kMaxRounds = 64;

  // `resident_columns`: number of warps that run on the device at a time.
  explicit SegmentChoice(int resident_columns) : resident_columns_(resident_columns) {}

  // Takes the results of the last launch, and the number of columns of each of its frames. `most`:
  // room of the kernel with warps, in segments of a column.
  void learn(std::span<const SegmentWork> frames, int columns, std::uint32_t most);

  bool takes_queues() const { return takes_queues_; }

 private:
  int resident_columns_;
  bool takes_queues_ = false;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_CHOICE_H_
