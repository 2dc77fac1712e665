// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FIT_MERGE_CUH_
#define RDP_KERNELS_FIT_MERGE_CUH_

#include <cstdint>

#include "common/rdp/fitted_line.h"
#include "kernels/primitives/warp.cuh"

// The merge of a column's pieces: reference::fit_pieces(), step 2.
//
// All runs of a column are merged at once. A segment across two runs has an infinite error, and the
// total is 0 again at the begin of a run. So each run gets the same numbers as alone. A run may
// take part in more passes than its own; these change nothing. After a pass that started with at
// most kMergeReach segments, or joined none, another one changes nothing. At every cut it finds the
// same total and the same longest of the cheapest segments, among fewer candidates.
//
// The functions take the arrays of a column's pieces as a `Pieces`, which has
//   segments()              the piece that each segment begins with, and the end of the last one
//   errors()                kReach for each segment: of it and those that join more after it
//   joined()                of each cut, how many segments the last one up to there joins
//   kept()                  the cuts that are left, the last one first
//   piece(p, truncation2)   a Piece
//   sums_of(first, end)     over all samples from one piece to the one before another
//   begins_run(p)           whether piece p is the first one of a run, but not of the column
//   crosses_runs(first, end)  whether any piece from first + 1 to end - 1 is
//   ends_of(line, first, end)  the EndRange of a line from the first known row of piece `first` to
//                              the last one of the piece before `end`; with a margin alone
namespace rdp::cuda {

constexpr int kReach = static_cast<int>(kMergeReach);
static_assert((kReach & (kReach - 1)) == 0 && kReach <= 16);

__device__ __forceinline__ float infinite_error() { return __int_as_float(0x7F800000); }

// The limits of a merge, from SegmentRules: no distance costs more than truncation2; no line ends
// farther out than its pieces' by more than `margin`, if that is not infinite.
struct MergeLimits {
  float truncation2, margin;

  __device__ __forceinline__ bool bound_ends() const { return margin < infinite_error(); }
};

// The range of the ends of piece `p`'s own line.
template <typename Pieces>
__device__ __forceinline__ EndRange ends_of_piece(const Pieces& pieces, int p,
                                                  const MergeLimits& limits) {
  return pieces.ends_of(pieces.piece(p, limits.truncation2).line, p, p + 1);
}

// A segment that joins two to kReach neighbours.
struct JoinedSegment {
  int first, joined;
};

// Joined segment number `index`, the long ones first, so that neighbouring threads have equally
// much to do.
__device__ __forceinline__ JoinedSegment joined_segment(int index, int count) {
  const int longest = min(count, kReach);
  const int fewest = count - longest + 1;  // of the longest
  JoinedSegment segment{index, longest};
#pragma unroll
  for (int shorter = 0; shorter < kReach - 2; ++shorter) {
    if (segment.first >= fewest + shorter) {
      segment.first -= fewest + shorter;
      --segment.joined;
    }
  }
  return segment;
}
// The number of joined segments: fewest + (fewest + 1) + ... + (count - 1).
__device__ __forceinline__ int joined_segments(int count) {
  const int longest = min(count, kReach);
  return (longest - 1) * (2 * count - longest) / 2;
}

// True if a line over pieces [first, end) ends near the ends of these pieces.
template <typename Pieces>
__device__ __forceinline__ bool ends_near(const Pieces& pieces, int first, int end,
                                          const FittedLine& line, const MergeLimits& limits) {
  EndRange range = ends_of_piece(pieces, first, limits);
#pragma unroll 1
  for (int p = first + 1; p < end; ++p) range.add(ends_of_piece(pieces, p, limits));
  return range.holds(pieces.ends_of(line, first, end), limits.margin);
}

// The truncated error of a segment over pieces [first, end).
template <typename Pieces>
__device__ __forceinline__ float error_of(const Pieces& pieces, int first, int end,
                                          float truncation2) {
  if (pieces.crosses_runs(first, end)) return infinite_error();
  const FittedLine line = fit_line(pieces.sums_of(first, end));
  float error = 0.0F;
#pragma unroll Pieces::kUnrolled
  for (int p = first; p < end; ++p) {
    error += truncated_error(pieces.piece(p, truncation2), line);
  }
  return error;
}

// Finds the truncated errors of all segments that join two to kReach of `count` neighbours, by a
// warp. Errors of single segments are there already.
template <typename Pieces>
__device__ __forceinline__ void find_errors(const Pieces& pieces, int count, float truncation2,
                                            int lane) {
  const int segments = joined_segments(count);
#pragma unroll 1
  for (int i = lane; i < segments; i += 32) {
    const auto [first, joined] = joined_segment(i, count);
    pieces.errors()[first * kReach + joined - 1] =
        error_of(pieces, pieces.segments()[first], pieces.segments()[first + joined], truncation2);
  }
}

// The same for many pieces, each of them a segment, by `threads` threads. Neighbouring threads take
// neighbouring segments of one length, and then shorter ones, whose pieces are in the cache.
template <typename Pieces>
__device__ __forceinline__ void find_errors_of_pieces(const Pieces& pieces, int count,
                                                      float truncation2, int thread, int threads) {
  constexpr int kLengths = kReach - 1;
  const int end = (count + 31) / 32 * kLengths * 32;
#pragma unroll 1
  for (int i = thread; i < end; i += threads) {
    const int first = i / (kLengths * 32) * 32 + i % 32;
    const int joined = kReach - i / 32 % kLengths;
    if (first + joined > count) continue;
    pieces.errors()[first * kReach + joined - 1] =
        error_of(pieces, first, first + joined, truncation2);
  }
}

// The same for segments of several pieces: eight threads take all lengths from one first segment,
// so that they read the same pieces together.
template <typename Pieces>
__device__ __forceinline__ void find_errors_by_first(const Pieces& pieces, int count,
                                                     float truncation2, int thread, int threads) {
#pragma unroll 1
  for (int i = thread; i < count * kReach; i += threads) {
    const int first = i / kReach;
    const int joined = kReach - i % kReach;
    if (joined == 1 || first + joined > count) continue;
    pieces.errors()[first * kReach + joined - 1] =
        error_of(pieces, pieces.segments()[first], pieces.segments()[first + joined], truncation2);
  }
}

// The same for few segments of many pieces: eight threads take neighbouring pieces of one, and add
// up their errors one after the other.
template <typename Pieces>
__device__ __forceinline__ void find_long_errors(const Pieces& pieces, int count, float truncation2,
                                                 int thread, int threads) {
  constexpr int kMembers = 8;
  const int member = thread % kMembers;
  const unsigned members = 0xFFU << (thread % 32 - member);
  const int segments = joined_segments(count);
#pragma unroll 1
  for (int i = thread / kMembers; i < segments; i += threads / kMembers) {
    const auto [first, joined] = joined_segment(i, count);
    const int first_piece = pieces.segments()[first];
    const int end_piece = pieces.segments()[first + joined];
    float error = infinite_error();
    if (!pieces.crosses_runs(first_piece, end_piece)) {
      Piece piece = pieces.piece(min(first_piece + member, end_piece - 1), truncation2);
      const FittedLine line = fit_line(pieces.sums_of(first_piece, end_piece));
      error = 0.0F;
#pragma unroll 1
      for (int p = first_piece + member; p - member < end_piece; p += kMembers) {
        // Adding nothing leaves a sum that is not negative as it is.
        const float own = p < end_piece ? truncated_error(piece, line) : 0.0F;
        // Asked for before it is needed.
        piece = pieces.piece(min(p + kMembers, end_piece - 1), truncation2);
#pragma unroll
        for (int k = 0; k < kMembers; ++k) error += __shfl_sync(members, own, k, kMembers);
      }
    }
    if (member == 0) pieces.errors()[first * kReach + joined - 1] = error;
  }
}

// With bounded ends, makes errors infinite for segments whose lines end too far out. Runs after all
// errors are found, because finding them needs all registers.
template <typename Pieces>
__device__ __forceinline__ void refuse_far_ends(const Pieces& pieces, int count,
                                                const MergeLimits& limits, int thread,
                                                int threads) {
  const int segments = joined_segments(count);
#pragma unroll 1
  for (int i = thread; i < segments; i += threads) {
    const auto [first, joined] = joined_segment(i, count);
    const int first_piece = pieces.segments()[first];
    const int end_piece = pieces.segments()[first + joined];
    const FittedLine line = fit_line(pieces.sums_of(first_piece, end_piece));
    if (!ends_near(pieces, first_piece, end_piece, line, limits)) {
      pieces.errors()[first * kReach + joined - 1] = infinite_error();
    }
  }
}

// One pass of the dynamic program over `count` segments, by one warp. Leaves in pieces.joined() how
// many of them the last one up to each cut joins.
template <typename Pieces>
__device__ __forceinline__ void find_cheapest(const Pieces& pieces, int count, float price,
                                              int lane) {
  float earlier_paid = 0.0F;
#pragma unroll 1
  for (int base = 0; base < count; base += 32) {
    // This thread's cut, and the errors of segments that end there. errors[i] belongs to the one
    // whose first cut has i as its lowest bits.
    const int end = base + lane + 1;
    const bool is_cut = end <= count;
    float errors[kReach];
#pragma unroll
    for (int i = 0; i < kReach; ++i) {
      const int length = ((end - 1 - i) & (kReach - 1)) + 1;
      errors[i] = is_cut && length <= end ? pieces.errors()[(end - length) * kReach + length - 1]
                                          : infinite_error();
    }
    const bool begins_run = end < count && pieces.begins_run(pieces.segments()[end]);
    // The cheapest way to this thread's cut. Segments come from the top, the longest first, which
    // wins if they are equally cheap.
    float total = infinite_error();
    int from = 0;
    const auto take = [&](int first, float paid, float error) {
      // Only this thread's segments count.
      const bool counts = static_cast<unsigned>(end - 1 - first) < kReach;
      const float sum = paid + (counts ? error : infinite_error());
      if (sum < total) from = first;
      total = fminf(total, sum);
    };
    // With the price of the next segment. Where a run begins, nothing has been paid before.
    const auto paid = [&] { return (begins_run ? 0.0F : total) + price; };
    if (base > 0) {
      // From cuts of the round before, whose threads are the last kReach - 1 ones, and from `base`.
#pragma unroll
      for (int i = 0; i < kReach; ++i) {
        const int first = base - kReach + 1 + i;
        take(first, __shfl_sync(kAll, earlier_paid, 32 - kReach + i), errors[(i + 1) % kReach]);
      }
    } else {
      take(0, 0.0F + price, errors[0]);
    }
    const int last = min(count, base + 32);
#pragma unroll 1
    for (int first = base + 1; first < last; first += kReach) {
      // Beyond the last cut, nobody takes it.
#pragma unroll
      for (int i = 0; i < kReach; ++i) {
        take(first + i, __shfl_sync(kAll, paid(), first + i - 1), errors[(i + 1) % kReach]);
      }
    }
    if (is_cut) pieces.joined()[end] = static_cast<std::uint8_t>(end - from);
    earlier_paid = paid();
  }
}

// Follows the cheapest segments back from the last cut, by one warp. Afterwards pieces.segments()
// and the errors of single segments are those that are left. Returns how many there are.
template <typename Pieces>
__device__ __forceinline__ int keep_cheapest(const Pieces& pieces, int count, int lane) {
  const int end_piece = pieces.segments()[count];
  int kept = 0;
  int end = count;
#pragma unroll 1
  for (int base = (count - 1) & ~31; base >= 0; base -= 32) {
    const int cut = base + 1 + lane;
    const int joined = cut <= count ? pieces.joined()[cut] : 0;
#pragma unroll 1
    for (; end > base; ++kept) {
      end -= __shfl_sync(kAll, joined, end - base - 1);
      if (lane == 0) pieces.kept()[kept] = end;
    }
  }
  if (kept == count) return kept;
  __syncwarp();
  // Each is written where one that has been read stood.
#pragma unroll 1
  for (int first = 0; first < kept; first += 32) {
    const int s = first + lane;
    int piece = 0;
    float error = 0.0F;
    if (s < kept) {
      const int begin = pieces.kept()[kept - 1 - s];
      const int after = s + 1 < kept ? pieces.kept()[kept - 2 - s] : count;
      piece = pieces.segments()[begin];
      error = pieces.errors()[begin * kReach + after - begin - 1];
    }
    __syncwarp();
    if (s < kept) {
      pieces.segments()[s] = piece;
      pieces.errors()[s * kReach] = error;
    }
    __syncwarp();
  }
  if (lane == 0) pieces.segments()[kept] = end_piece;
  __syncwarp();
  return kept;
}

// True if a pass that started with `before` segments and left `after` is followed by another one.
__device__ __forceinline__ bool needs_pass(int before, int after) {
  return before > kReach && after < before;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FIT_MERGE_CUH_
