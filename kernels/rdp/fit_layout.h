// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_LAYOUT_H_
#define RDP_KERNELS_RDP_FIT_LAYOUT_H_

#include <cstdint>

#include "common/host_device.h"

// The layout of the memory of a block of fit.cu, for the kernel and for the host code that starts
// it.
namespace rdp::cuda {

// Two warps bring a column in, sum it up and find the errors of its segments; one chooses.
inline constexpr int kFitColumnThreads = 64;
// A block takes so many columns, or one where the shared memory does not suffice for more.
inline constexpr int kFitColumns = 4;

inline constexpr int kFitWordRows = 32;
// Sums are known up to each part of a group, which is half a word or, in tall columns, a word.
inline constexpr int kFitGroupRows = 512;

// As many pieces of a column are kept in shared memory. More would leave less of it to the cache,
// through which those of other columns are read.
inline constexpr int kFewPieces = 58;

// The arrays of a column's pieces, one after the other. There is room for one more piece than there
// are, where the last one ends.
struct PiecesLayout {
  static constexpr int kBytesOfPiece = 104;

  std::int64_t capacity;
  std::int64_t bytes;

  // An even number keeps the arrays of 64-bit numbers aligned, and two columns' apart from each
  // other.
  RDP_HOST_DEVICE constexpr explicit PiecesLayout(std::int64_t pieces)
      : capacity((pieces + 2) / 2 * 2), bytes((capacity * kBytesOfPiece + 7) / 8 * 8) {}
};

struct FitLayout {
  int words;         // of a column
  int column_bytes;  // from the samples of a column to those of the next
  int part_rows;     // of rows between sums
  int parts;         // of a column
  int groups;

  int few_pieces;    // the offsets of the arrays, in bytes
  int part_squares;  // 64-bit sums up to each part, and of each group
  int group_squares;
  int part_sums;
  int group_sums;
  int samples;
  int known;
  int vertices;
  int begins;
  int bytes;

  RDP_HOST_DEVICE constexpr FitLayout(int height, int columns)
      : words((height + kFitWordRows - 1) / kFitWordRows),
        column_bytes(words * kFitWordRows * 2),
        part_rows(columns > 1 ? kFitWordRows / 2 : kFitWordRows),
        parts(words * kFitWordRows / part_rows),
        groups((words * kFitWordRows + kFitGroupRows - 1) / kFitGroupRows),
        few_pieces(0),
        part_squares(few_pieces + (columns > 1
                                       ? columns * static_cast<int>(PiecesLayout(kFewPieces).bytes)
                                       : 0)),
        group_squares(part_squares + columns * parts * 24),
        part_sums(group_squares + columns * groups * 24),
        group_sums(part_sums + columns * parts * 12),
        samples(group_sums + columns * groups * 12),
        known(samples + columns * column_bytes),
        vertices(known + columns * words * 4),
        begins(vertices + columns * words * 4),
        bytes(begins + columns * words * 4) {}
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_LAYOUT_H_
