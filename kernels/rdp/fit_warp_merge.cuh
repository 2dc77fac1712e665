// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_WARP_MERGE_CUH_
#define RDP_KERNELS_RDP_FIT_WARP_MERGE_CUH_

#include "kernels/rdp/fit_warp_pieces.cuh"

// The merge of a column's pieces by one warp: reference::fit_pieces(), step 2.
//
// All runs of a column are merged at once. A segment across two of them has an infinite error, and
// where a run begins, the total is 0 again, so that each run gets the numbers that it would get
// alone. A run may then take part in more passes than its own: these change nothing. After a pass
// that started with at most kMergeReach segments, or joined none, the next one finds again, cut by
// cut, the same totals and the same longest of the cheapest segments among fewer candidates.
namespace rdp::cuda {

constexpr int kWarpReach = static_cast<int>(kMergeReach);
// There are memory.errors() for each first segment and each number of joined ones.
static_assert(kWarpReach == 8);

__device__ __forceinline__ float infinite_error() { return __int_as_float(0x7F800000); }

// What merging needs to know of each piece, and the errors of the pieces alone: from their own
// lines, from which no line can be nearer, so that nothing is added to them.
__device__ __forceinline__ void make_pieces(const FitWarpMemory& memory, int count,
                                            float truncation2, int lane) {
  float alone[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int p = lane + 32 * i;
    if (p >= count) continue;
    const Piece piece =
        make_piece(memory.sums_of(p, p + 1),
                   static_cast<std::int64_t>(memory.square_sums()[p + 1] - memory.square_sums()[p]),
                   truncation2);
    memory.piece_lines()[p] =
        make_float4(piece.line.slope, piece.line.row, piece.line.value, piece.spread);
    memory.piece_errors()[p] = make_float2(piece.error, piece.count);
    alone[i] = truncated_error(piece, piece.line);
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int p = lane + 32 * i;
    if (p < count) memory.errors()[p * kWarpReach] = alone[i];
  }
}

// The pieces that begin runs, as bits.
__device__ __forceinline__ std::uint64_t runs_of(const FitWarpMemory& memory, int count, int lane) {
  const auto begins = [&](int p) { return p < count && memory.starts()[p] >= kBeginsRun; };
  const std::uint64_t low = __ballot_sync(kAll, begins(lane));
  return static_cast<std::uint64_t>(__ballot_sync(kAll, begins(32 + lane))) << 32 | low;
}

// The truncated errors of all segments that join two to kWarpReach neighbours of `count`. Long ones
// come first, so that threads next to each other have equally much to do.
__device__ __forceinline__ void find_errors(const FitWarpMemory& memory, int count,
                                            std::uint64_t runs, float truncation2, int lane) {
  const int longest = min(count, kWarpReach);
  const int fewest = count - longest + 1;  // of the longest
  // (fewest) + (fewest + 1) + ... + (count - 1)
  const int segments = (longest - 1) * (fewest + count - 1) / 2;
#pragma unroll 1
  for (int i = lane; i < segments; i += 32) {
    int first = i;
    int joined = longest;
#pragma unroll
    for (int shorter = 0; shorter < kWarpReach - 2; ++shorter) {
      if (first >= fewest + shorter) {
        first -= fewest + shorter;
        --joined;
      }
    }
    const int first_piece = memory.segments()[first];
    const int end_piece = memory.segments()[first + joined];
    float error = 0.0F;
    // Pieces after the first one that begin runs.
    if ((runs >> first_piece >> 1 & ((std::uint64_t{1} << (end_piece - first_piece - 1)) - 1)) !=
        0) {
      error = infinite_error();
    } else {
      const FittedLine line = fit_line(memory.sums_of(first_piece, end_piece));
#pragma unroll 1
      for (int p = first_piece; p < end_piece; ++p) {
        const float4 l = memory.piece_lines()[p];
        const float2 e = memory.piece_errors()[p];
        error += truncated_error({{l.x, l.y, l.z}, e.y, l.w, e.x, e.y * truncation2}, line);
      }
    }
    memory.errors()[first * kWarpReach + joined - 1] = error;
  }
}

// One pass of the dynamic program over `count` segments. Leaves in memory.joined() how many of them
// the last one up to each cut joins.
__device__ __forceinline__ void find_cheapest(const FitWarpMemory& memory, int count,
                                              std::uint64_t runs, float price, int lane) {
  float earlier_total = 0.0F;
#pragma unroll 1
  for (int base = 0; base < count; base += 32) {
    // This thread's cut, and the cheapest way there: segments from above it on come one after the
    // other, the longest first, which wins where they are equally cheap.
    const int end = base + lane + 1;
    float total = infinite_error();
    int joined = 0;
    const bool is_run = end < count && (runs >> memory.segments()[min(end, count)] & 1) != 0;
    const auto take = [&](int first, float first_total) {
      const int length = end - first;
      if (length > 0 && length <= kWarpReach && end <= count) {
        const float sum = (first_total + price) + memory.errors()[first * kWarpReach + length - 1];
        if (joined == 0 || sum < total) {
          total = sum;
          joined = length;
        }
      }
    };
    if (base == 0) {
      take(0, 0.0F);
    } else {
#pragma unroll 1
      for (int first = base - kWarpReach + 1; first <= base; ++first) {
        take(first, __shfl_sync(kAll, earlier_total, first - 1));
      }
    }
    const int last = min(count, base + 32);
#pragma unroll 1
    for (int first = base + 1; first < last; ++first) {
      // Where a run begins, nothing has been paid yet.
      take(first, __shfl_sync(kAll, is_run ? 0.0F : total, first - 1));
    }
    if (end <= count) memory.joined()[end] = static_cast<std::uint8_t>(joined);
    earlier_total = is_run ? 0.0F : total;
  }
}

// Follows the cheapest segments back from the last cut. Afterwards memory.segments() and the errors
// of single segments are those that are left. Returns how many there are.
__device__ __forceinline__ int keep_cheapest(const FitWarpMemory& memory, int count, int lane) {
  int kept = 0;
#pragma unroll 1
  for (int end = count; end > 0; ++kept) {
    end -= memory.joined()[end];
    if (lane == 0) memory.kept()[kept] = static_cast<std::uint8_t>(end);
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
      const int begin = memory.kept()[kept - 1 - s];
      const int end = s + 1 < kept ? memory.kept()[kept - 2 - s] : count;
      piece = memory.segments()[begin];
      error = memory.errors()[begin * kWarpReach + end - begin - 1];
    }
    __syncwarp();
    if (s < kept) {
      memory.segments()[s] = static_cast<std::uint8_t>(piece);
      memory.errors()[s * kWarpReach] = error;
    }
    __syncwarp();
  }
  return kept;
}

// Merges `count` pieces. Afterwards memory.segments() has the piece that each segment begins with,
// as it has before for segments of one piece, and at their end the number of pieces. Returns the
// number of segments.
__device__ __forceinline__ int merge_pieces(const FitWarpMemory& memory, int count,
                                            std::uint64_t runs, float truncation2, float price,
                                            int lane) {
  const int pieces = count;
#pragma unroll 1
  for (int pass = 0; pass < kMaxMergePasses; ++pass) {
    find_errors(memory, count, runs, truncation2, lane);
    __syncwarp();
    find_cheapest(memory, count, runs, price, lane);
    __syncwarp();
    const int before = count;
    count = keep_cheapest(memory, count, lane);
    if (lane == 0) memory.segments()[count] = static_cast<std::uint8_t>(pieces);
    __syncwarp();
    if (before <= kWarpReach || count == before) break;
  }
  return count;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_WARP_MERGE_CUH_
