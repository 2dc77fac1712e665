// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_BELIEF_LAYOUT_H_
#define RDP_KERNELS_HEIGHTMAP_BELIEF_LAYOUT_H_

#include <cstdint>

#include "common/host_device.h"

namespace rdp::cuda {

// The layout of height maps' costs and messages in device memory.
//
// The pixels are those of a chess board: colour 0 has the first pixel of row 0, and messages go
// from one colour to the other. Pixel x of a row is number x >> 1 of its colour there. 32 numbers
// are a group, which a warp reads: words of the first one to the last one, 128 bytes, follow each
// other. A word has four heights, the first one in its lowest byte. Of a group there are
//   costs: the words of its heights, then a word of a pixel's links (its lower half, see
//     HeightLinkArguments) and what `unknown` costs (the byte above it);
//   messages that reach it: the words of heights from the left, from the right, from above and from
//     below, then a word that has what each of these says of `unknown`, in a byte each.
// The words are as many as the kernels are made for. Behind the last height lies kHeightBeyond as a
// cost, and 0 in messages.
struct BeliefLayout {
  static constexpr int kGroup = 32;  // numbers
  static constexpr int kWordBytes = 4 * kGroup;
  static constexpr int kDirections = 4;   // left, right, above, below
  static constexpr int kUnknownByte = 2;  // of the word behind the costs

  std::int32_t width;
  std::int32_t height;
  std::int32_t heights;  // labels but `unknown`
  std::int32_t words;
  std::int32_t groups;  // of a row

  // Bytes of a group.
  RDP_HOST_DEVICE static constexpr int cost_bytes(int words) { return (words + 1) * kWordBytes; }
  RDP_HOST_DEVICE static constexpr int message_bytes(int words) {
    return (kDirections * words + 1) * kWordBytes;
  }
  // From a pixel's first word to another one.
  RDP_HOST_DEVICE static constexpr int word(int number) { return number * kWordBytes; }

  // The start of a pixel's words: bytes.
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
