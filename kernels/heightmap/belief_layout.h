// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_BELIEF_LAYOUT_H_
#define RDP_KERNELS_HEIGHTMAP_BELIEF_LAYOUT_H_

#include <cstdint>

#include "common/host_device.h"

namespace rdp::cuda {

// Layout of the costs and messages of a height map in device memory.
//
// Pixels are coloured like a chess board: colour 0 has the first pixel of row 0, and messages go
// from one colour to the other. Pixel x of a row has number x >> 1 in its colour. A group is 32
// numbers, one for each thread of a warp. Word k of all 32 takes 128 contiguous bytes; their
// next words follow. A word has four heights, the first one in its lowest byte. A group has
//   costs: words of heights, then a word with the pixel's links (its lower half, see
//     HeightLinkArguments) and the cost of `unknown` (the byte above it);
//   incoming messages: words of heights from the left, from the right, from above and from below,
//     then a word with a byte for each direction: its message about `unknown`.
// The kernel sets the number of words. Beyond the last height, costs are kHeightBeyond and messages
// are 0.
struct BeliefLayout {
  static constexpr int kGroup = 32;  // pixels
  static constexpr int kWordBytes = 4 * kGroup;
  static constexpr int kDirections = 4;   // left, right, above, below
  static constexpr int kUnknownByte = 2;  // of the word after the heights' costs

  std::int32_t width;
  std::int32_t height;
  std::int32_t heights;  // labels without `unknown`
  std::int32_t words;
  std::int32_t groups;  // of a row

  // Bytes of a group.
  RDP_HOST_DEVICE static constexpr int cost_bytes(int words) { return (words + 1) * kWordBytes; }
  RDP_HOST_DEVICE static constexpr int message_bytes(int words) {
    return (kDirections * words + 1) * kWordBytes;
  }
  // Byte offset of a pixel's word `number` from its first word.
  RDP_HOST_DEVICE static constexpr int word(int number) { return number * kWordBytes; }

  // Byte offset of a pixel's first word.
  RDP_HOST_DEVICE std::int64_t place(int row, int number, int group_bytes) const {
    return (static_cast<std::int64_t>(row) * groups + number / kGroup) * group_bytes +
           4 * (number % kGroup);
  }
  RDP_HOST_DEVICE std::int64_t costs(int row, int number) const {
    return place(row, number, cost_bytes(words));
  }
  RDP_HOST_DEVICE std::int64_t messages(int row, int number) const {
    return place(row, number, message_bytes(words));
  }
  // True if the pixels of a colour have odd columns.
  RDP_HOST_DEVICE static int is_odd(int row, int colour) { return (row + colour) & 1; }
};

constexpr unsigned char kHeightBeyond = 255;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_BELIEF_LAYOUT_H_
