// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_LAYOUT_H_
#define RDP_KERNELS_RDP_FIT_LAYOUT_H_

#include <cstdint>

#include "common/host_device.h"

// The layouts of the memory in which fit.cu and fit_warp.cuh work, for the kernels and for the host
// code that starts them.
namespace rdp::cuda {

// Two warps bring a column in, sum it up and find the errors of its segments; one chooses.
inline constexpr int kFitColumnThreads = 64;
// Columns of a block, or one if the shared memory does not suffice for more.
inline constexpr int kFitColumns = 4;

inline constexpr int kFitWordRows = 32;
// Sums of a group are kept up to each part; a part is half a word or, in tall columns, a word.
inline constexpr int kFitGroupRows = 512;

// Most pieces of a column in shared memory. More would shrink the cache, through which the other
// columns' pieces are read.
inline constexpr int kFewPieces = 58;

// Arrays of a column's pieces, one after the other. One extra entry marks the end of the last
// piece.
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
  int part_rows;     // rows between sums
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

// Memory in which one warp fits one column (fit_warp.cuh), for the kernel and its host code. There
// are two parts: one reuses the column's stack; the other reuses its samples, unless they are
// weighted afterwards.

// The most rows: a word of 32 for each thread.
inline constexpr int kFitWarpRows = 1024;

// Most pieces. Columns of recorded frames have up to 50 with a tolerance of 1 px, and up to 38 with
// 2 px. Noise has hundreds. fit.cu takes columns with more.
inline constexpr int kFitWarpPieces = 51;
// The most segments, if they are not refined.
inline constexpr int kFitWarpSegments = 512;

// Offsets in the first part, in bytes: where the split has had its stack.
struct FitWarpScratch {
  // Errors by first segment and number of joined segments. Before: rows of vertices, then sums over
  // parts of words, then sums of squares. Afterwards: the result.
  static constexpr int kErrors = 0;
  // 16-bit rows: the first and the last one of each piece.
  static constexpr int kStarts = kErrors + kFitWarpPieces * 32;
  static constexpr int kLasts = kStarts + (kFitWarpPieces + 1) * 2;
  // Bytes: first piece of each segment; number of segments that the last one up to each cut joins;
  // remaining cuts.
  static constexpr int kSegments = kLasts + (kFitWarpPieces + 1) * 2;
  static constexpr int kJoined = kSegments + kFitWarpPieces + 1;
  static constexpr int kKept = kJoined + kFitWarpPieces + 1;
  static constexpr int kBytes = kKept + kFitWarpPieces + 1;
};

// Offsets in the second part, which overwrites the samples if they are not needed any more.
struct FitWarpLines {
  // The sums up to each piece, and to the end.
  static constexpr int kSums = 0;
  // For each piece: its line and spread; its error and count.
  static constexpr int kLines = kSums + (kFitWarpPieces + 1) * 16;
  static constexpr int kOwnErrors = kLines + kFitWarpPieces * 16;
  static constexpr int kBytes = kOwnErrors + kFitWarpPieces * 8;
};

// The bytes that a column needs of each, for any height, aligned to 16 bytes.
inline constexpr int kFitWarpScratchBytes = 2064;
inline constexpr int kFitWarpSampleBytes = (kFitWarpRows + 8) * 2;
static_assert(FitWarpScratch::kBytes <= kFitWarpScratchBytes);
static_assert(kFitWarpSegments * 4 <= kFitWarpScratchBytes);
static_assert(FitWarpLines::kBytes <= kFitWarpSampleBytes);

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_LAYOUT_H_
