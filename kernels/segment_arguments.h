// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_SEGMENT_ARGUMENTS_H_
#define RDP_KERNELS_SEGMENT_ARGUMENTS_H_

#include <cstdint>

#include "kernels/segment_list_view.h"

namespace rdp::cuda {

// What the kernels of segment.cu take. Pointers are device pointers.
struct SegmentArguments {
  const unsigned char* frame;
  std::int64_t pitch;
  std::int32_t width;
  std::int32_t height;
  std::int32_t sample_bytes;  // 1 or 2
  std::uint32_t known_first;  // known samples: known_first <= sample <= known_last
  std::uint32_t known_last;
  std::uint32_t eps256;
  // Scratch of the segmenter, all zero before and after each frame: one word for each block, and
  // one that counts the blocks that are done.
  unsigned long long* tiles;
  std::uint32_t* done;
  SegmentListView list;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_SEGMENT_ARGUMENTS_H_
