// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_WARP_LAYOUT_H_
#define RDP_KERNELS_RDP_FIT_WARP_LAYOUT_H_

// The memory in which one warp fits one column (fit_warp.cuh), for the kernel and for whoever
// starts it. There are two parts, because by then a column's stack and, unless they are weighted
// afterwards, its samples are free.
namespace rdp::cuda {

// The most rows: a word of 32 for each thread.
inline constexpr int kFitWarpRows = 1024;

// The most pieces. Columns of recorded frames have up to 50 with a tolerance of 1 px, up to 38 with
// 2 px; noise has hundreds. What has more is left to fit.cu.
inline constexpr int kFitWarpPieces = 51;
// The most segments, if they are not refined.
inline constexpr int kFitWarpSegments = 512;

// Offsets in the first part, in bytes: where the split has had its stack.
struct FitWarpScratch {
  // For each first segment and each number of segments that are joined, an error. Before: the rows
  // of vertices, then sums over parts of words, then sums of squares. Afterwards: the result.
  static constexpr int kErrors = 0;
  // 16-bit rows: the first and the last one of each piece.
  static constexpr int kStarts = kErrors + kFitWarpPieces * 32;
  static constexpr int kLasts = kStarts + (kFitWarpPieces + 1) * 2;
  // Bytes: of each segment the piece that it begins with; how many segments the last one up to
  // each cut joins; the cuts that are left.
  static constexpr int kSegments = kLasts + (kFitWarpPieces + 1) * 2;
  static constexpr int kJoined = kSegments + kFitWarpPieces + 1;
  static constexpr int kKept = kJoined + kFitWarpPieces + 1;
  static constexpr int kBytes = kKept + kFitWarpPieces + 1;
};

// Offsets in the second part: where the samples have been, if they are not needed any more.
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

#endif  // RDP_KERNELS_RDP_FIT_WARP_LAYOUT_H_
