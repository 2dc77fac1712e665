// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_WARP_CUH_
#define RDP_KERNELS_RDP_FIT_WARP_CUH_

#include "kernels/rdp/fit_merge.cuh"
#include "kernels/rdp/fit_warp_pieces.cuh"
#include "kernels/rdp/segment_list_view.h"

// The steps after the split of a column of at most 1024 rows with max_gap, refine and merge. The
// warp that has split it does them, while the samples are in shared memory. Bit-identical to
// reference::segment().
//
//   FitWarp fit(column, stack, samples, run_begins, run_ends);
//   const int count = fit.find_segments(rules);   // all threads of the warp
//   if (count == kTooManyPieces) ...              // fit.cu has to do it
//   fit.find_lines(count);                        // any time later, before:
//   for (int i = lane; i < 3 * count; i += 32) to[i] = fit.word(i);
namespace rdp::cuda {

// SegmentRules of common/rdp/parameters.h.
struct FitWarpRules {
  int max_gap;
  bool refine, merge;
  float price;
  MergeLimits limits;
};

class FitWarp {
 public:
  // `scratch` has kFitWarpScratchBytes, and `lines` kFitWarpSampleBytes; both are aligned to 16
  // bytes. The samples may lie in `lines`, if they are not needed afterwards. `run_begins` and
  // `run_ends` are needed with max_gap and without refine only: which rows of this thread's word a
  // run of samples begins or ends with.
  __device__ __forceinline__ FitWarp(const FitWarpColumn& column, unsigned char* scratch,
                                     unsigned char* lines, unsigned run_begins, unsigned run_ends)
      : column_(column), memory_{scratch, lines, 0}, run_begins_(run_begins), run_ends_(run_ends) {}

  // Returns the number of segments in all threads, or kTooManyPieces.
  __device__ __forceinline__ int find_segments(const FitWarpRules& rules) {
    const int lane = column_.lane;
    refines_ = rules.refine;
    if (!rules.refine) return pieces_ = list_lines();
    const int pieces = pieces_ = find_pieces(column_, memory_, rules.max_gap);
    if (pieces <= 0) return pieces;
    sum_pieces(column_, memory_, pieces);
    for (int p = lane; p <= pieces; p += 32) {
      memory_.segments()[p] = static_cast<std::uint8_t>(p);
    }
    if (!rules.merge || pieces == 1) {
      __syncwarp();
      return pieces;
    }
    make_pieces(pieces, rules.limits.truncation2);
    if (rules.max_gap > 0) find_runs(pieces);
    __syncwarp();
    int count = pieces;
#pragma unroll 1
    for (int pass = 0; pass < kMaxMergePasses; ++pass) {
      find_errors(memory_, count, rules.limits.truncation2, lane);
      __syncwarp();
      if (rules.limits.bound_ends()) {
        refuse_far_ends(memory_, count, rules.limits, lane, 32);
        __syncwarp();
      }
      find_cheapest(memory_, count, rules.price, lane);
      __syncwarp();
      const int before = count;
      count = keep_cheapest(memory_, count, lane);
      if (!needs_pass(before, count)) break;
    }
    return count;
  }

  // The number of segments before any merge; once they have been found.
  __device__ __forceinline__ int pieces() const { return pieces_; }

  // Finds the lines of the segments.
  __device__ __forceinline__ void find_lines(int count) const {
    if (!refines_) return;
#pragma unroll 1
    for (int s = column_.lane; s < count; s += 32) {
      const int first_piece = memory_.segments()[s];
      const int end_piece = memory_.segments()[s + 1];
      const SampleSums sums = memory_.sums_of(first_piece, end_piece);
      const unsigned first = memory_.starts()[first_piece] & ~kBeginsRun;
      const unsigned last = memory_.lasts()[end_piece - 1];
      unsigned* const to = memory_.result() + s * 3;
      to[0] = last << 16 | first;
      to[1] = value_in(sums, first);
      to[2] = value_in(sums, last);
    }
    __syncwarp();
  }

  // The segments in shared memory, with refine.
  __device__ __forceinline__ DeviceSegment* segments() const {
    return reinterpret_cast<DeviceSegment*>(memory_.result());
  }

  // Word `index` of the segments, which are DeviceSegments of three words each.
  __device__ __forceinline__ unsigned word(int index) const {
    if (refines_) return memory_.result()[index];
    const unsigned rows = memory_.result()[index / 3];
    const int field = index % 3;
    if (field == 0) return rows;
    const std::uint16_t sample = column_.samples[field == 1 ? rows & 0xFFFF : rows >> 16];
    return __float_as_uint(static_cast<float>(sample));
  }

 private:
  // Prepares each piece for merging, and the errors of the pieces alone: from their own lines, so
  // that nothing is added to them.
  __device__ __forceinline__ void make_pieces(int count, float truncation2) const {
    static_assert(kFitWarpPieces <= 64);
    float alone[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int p = column_.lane + 32 * i;
      if (p >= count) continue;
      const std::uint64_t* const squares = memory_.square_sums() + p;
      const Piece piece =
          make_piece(memory_.sums_of(p, p + 1), static_cast<std::int64_t>(squares[1] - squares[0]),
                     truncation2);
      memory_.piece_lines()[p] =
          make_float4(piece.line.slope, piece.line.row, piece.line.value, piece.spread);
      memory_.piece_errors()[p] = make_float2(piece.error, piece.count);
      alone[i] = truncated_error(piece, piece.line);
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int p = column_.lane + 32 * i;
      if (p < count) memory_.errors()[p * kReach] = alone[i];
    }
  }
  __device__ __forceinline__ void find_runs(int count) {
    const auto begins = [&](int p) {
      return p > 0 && p < count && memory_.starts()[p] >= kBeginsRun;
    };
    const std::uint64_t low = __ballot_sync(kAll, begins(column_.lane));
    memory_.runs =
        static_cast<std::uint64_t>(__ballot_sync(kAll, begins(32 + column_.lane))) << 32 | low;
  }
  __device__ __forceinline__ static unsigned value_in(const SampleSums& sums, unsigned row) {
    return __float_as_uint(
        static_cast<float>(fitted_value256(sums, static_cast<std::int32_t>(row))) / 256.0F);
  }

  // The lines between the vertices of each run: lists their first and last rows.
  __device__ __forceinline__ int list_lines() const {
    const int lane = column_.lane;
    const unsigned vertices = column_.vertices;
    const unsigned lasts = vertices & (~run_begins_ | run_ends_);
    const unsigned up_to = warp_inclusive_sum(static_cast<unsigned>(__popc(lasts)));
    const int count = static_cast<int>(__shfl_sync(kAll, up_to, 31));
    if (count > kFitWarpSegments) return kTooManyPieces;
    const unsigned words_above = __ballot_sync(kAll, vertices != 0) & ((1U << lane) - 1);
    const int above = __shfl_sync(kAll, lane * 32 + 31 - __clz(static_cast<int>(vertices)),
                                  31 - __clz(static_cast<int>(words_above)));
    unsigned* to = memory_.result() + (up_to - __popc(lasts));
    for (unsigned rest = lasts; rest != 0; rest &= rest - 1) {
      const int bit = __ffs(static_cast<int>(rest)) - 1;
      const int last = lane * 32 + bit;
      int first = last;  // of a run of one sample
      if ((run_begins_ & run_ends_ & 1U << bit) == 0) {
        const unsigned earlier = vertices & ~bits_from(bit);
        first = earlier != 0 ? lane * 32 + 31 - __clz(static_cast<int>(earlier)) : above;
      }
      *to++ = static_cast<unsigned>(last) << 16 | static_cast<unsigned>(first);
    }
    __syncwarp();
    return count;
  }

  FitWarpColumn column_;
  FitWarpMemory memory_;
  unsigned run_begins_, run_ends_;
  bool refines_ = false;
  int pieces_ = 0;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_WARP_CUH_
