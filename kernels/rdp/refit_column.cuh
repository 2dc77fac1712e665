// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_REFIT_COLUMN_CUH_
#define RDP_KERNELS_RDP_REFIT_COLUMN_CUH_

#include <cstdint>

#include "common/rdp/robust_line.h"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/segment_list_view.h"

// Fit::kAbsolute of one column, by one warp: reference::refit(). An octet of threads has a segment:
// its cut to the next one, and its line. The whole warp sums one segment after the other, so that a
// long one does not delay its octet. Sums are of integers, so threads may share them in any way.
namespace rdp::cuda {

constexpr int kOctet = 8;
constexpr int kOctets = 32 / kOctet;
// The rows around a cut that a thread looks at.
constexpr int kCutRows = 4;
static_assert(2 * kCutReach + 1 <= kOctet * kCutRows);

// The samples of a column in shared memory.
struct RefitColumn {
  unsigned* known;  // a bit for each row
  std::uint16_t* samples;

  __device__ __forceinline__ bool is_known(int row) const {
    return (known[row / 32] >> row % 32 & 1) != 0;
  }
  // The first known row that is not above `row`, and the last one above it. There is one.
  __device__ __forceinline__ int at_or_below(int row) const {
    int word = row / 32;
    unsigned bits = known[word] & bits_from(row % 32);
    while (bits == 0) bits = known[++word];
    return word * 32 + __ffs(static_cast<int>(bits)) - 1;
  }
  __device__ __forceinline__ int above(int row) const {
    int word = row / 32;
    unsigned bits = known[word] & ~bits_from(row % 32);
    while (bits == 0) bits = known[--word];
    return word * 32 + 31 - __clz(static_cast<int>(bits));
  }
};

// The minimum over an octet.
__device__ __forceinline__ std::int64_t octet_min(std::int64_t v) {
#pragma unroll
  for (int i = 1; i < kOctet; i *= 2) {
    const std::int64_t other = __shfl_xor_sync(kAll, static_cast<long long>(v), i);
    if (other < v) v = other;
  }
  return v;
}
__device__ __forceinline__ WeightedSums from_other(const WeightedSums& v, int by) {
  const auto of = [by](std::int64_t theirs) -> std::int64_t {
    return __shfl_xor_sync(kAll, static_cast<long long>(theirs), by);
  };
  return {of(v.weights), of(v.rows), of(v.values), of(v.rows_rows), of(v.rows_values)};
}
// Selects a or b, number by number: an address that depends on the thread would put both into local
// memory.
__device__ __forceinline__ WeightedSums chosen(bool second, const WeightedSums& a,
                                               const WeightedSums& b) {
  return {second ? b.weights : a.weights, second ? b.rows : a.rows, second ? b.values : a.values,
          second ? b.rows_rows : a.rows_rows, second ? b.rows_values : a.rows_values};
}
// Adds this thread's part of a sum and that of the thread `by` lanes away, in the other half. The
// upper half keeps the second sum, the lower half the first one.
__device__ __forceinline__ WeightedSums keep_one(const WeightedSums& first,
                                                 const WeightedSums& second, int lane, int by) {
  const bool upper = (lane & by) != 0;
  return chosen(upper, first, second) + from_other(chosen(!upper, first, second), by);
}

// Adds up what all threads have of four segments; each octet gets its own segment's sums.
__device__ __forceinline__ WeightedSums octet_sums(const WeightedSums (&parts)[kOctets], int lane) {
  static_assert(kOctets == 4);
  const WeightedSums even = keep_one(parts[0], parts[2], lane, 16);
  const WeightedSums odd = keep_one(parts[1], parts[3], lane, 16);
  WeightedSums sums = keep_one(even, odd, lane, 8);
#pragma unroll 1
  for (int i = 1; i < kOctet; i *= 2) sums = sums + from_other(sums, i);
  return sums;
}

// The best first row of `lower`, for all threads of an octet. Octets with `moves` false must take
// part, too.
__device__ __forceinline__ int best_cut(const RefitColumn& column, const DeviceSegment& upper,
                                        const DeviceSegment& lower, bool moves, int thread) {
  const int was = lower.first_row;
  int first = was;
  int last = was;
  if (moves) {
    first = column.at_or_below((upper.first_row + upper.last_row) / 2) + 1;
    last = column.at_or_below((lower.first_row + lower.last_row) / 2);
  }
  const RowLine above = line_of(upper);
  const RowLine below = line_of(lower);
  const int top = was - kCutReach + thread * kCutRows;
  // Extra cost of each row if it is above the cut instead of below it.
  int more[kCutRows];
  int sum = 0;
#pragma unroll
  for (int i = 0; i < kCutRows; ++i) {
    const int row = top + i;
    more[i] = 0;
    if (row >= first && row < last && column.is_known(row)) {
      const int sample = column.samples[row];
      more[i] =
          distance_cost(above.distance(row, sample)) - distance_cost(below.distance(row, sample));
    }
    sum += more[i];
  }
  int cost = sum;  // of the threads before this one
#pragma unroll
  for (int i = 1; i < kOctet; i *= 2) {
    const int other = __shfl_up_sync(kAll, cost, i);
    if (thread >= i) cost += other;
  }
  cost -= sum;
  // Order: cost, then distance from the old cut, then the upper row.
  std::int64_t best = INT64_MAX;
#pragma unroll
  for (int i = 0; i < kCutRows; ++i) {
    const int row = top + i;
    const int moved = abs(row - was);
    if (row >= first && row <= last && moved <= kCutReach && column.is_known(row)) {
      const std::int64_t key = std::int64_t{cost} * 64 + moved * 2 + (row > was ? 1 : 0);
      if (key < best) best = key;
    }
    cost += more[i];
  }
  const auto place = static_cast<int>(octet_min(best) & 63);
  return moves ? ((place & 1) != 0 ? was + place / 2 : was - place / 2) : was;
}

// This thread's part of the sums over an octet's segment.
__device__ __forceinline__ WeightedSums part_of(const RefitColumn& column, int first_row,
                                                int last_row, const RowLine& line, float near,
                                                int lane) {
  WeightedSums sums;
  // Without a branch, so that two rows are worked on at once.
#pragma unroll 2
  for (int row = first_row + lane; row <= last_row; row += 32) {
    const int sample = column.samples[row];
    const int weight = robust_weight(line.distance(row, sample), near);
    sums.add(row - first_row, sample, column.is_known(row) ? weight : 0);
  }
  return sums;
}

// The line of the known samples from one row to another, near `line`, for each octet its own.
__device__ __forceinline__ DeviceSegment lay_line(const RefitColumn& column, int first_row,
                                                  int last_row, RowLine line, float near,
                                                  int lane) {
  float value = 0.0F;  // of the first row in even threads, of the last one in odd ones
#pragma unroll 1
  for (int pass = 0; pass < kRobustPasses; ++pass) {
    WeightedSums parts[kOctets];
#pragma unroll
    for (int o = 0; o < kOctets; ++o) {
      const int from = o * kOctet;
      parts[o] = part_of(column, __shfl_sync(kAll, first_row, from),
                         __shfl_sync(kAll, last_row, from), warp_shuffle(line, from), near, lane);
    }
    const RobustLine fitted(octet_sums(parts, lane));
    line = fitted.from_row(first_row);
    value = fitted.rounded_value(lane % 2 == 0 ? 0 : last_row - first_row);
  }
  const float other = __shfl_xor_sync(kAll, value, 1);
  return {static_cast<std::uint16_t>(first_row), static_cast<std::uint16_t>(last_row), value,
          other};
}

// Moves the cuts between a column's segments, at least one, and fits their lines anew. In place, in
// shared or global memory.
__device__ __forceinline__ void refit_segments(const RefitColumn& column, DeviceSegment* segments,
                                               int count, int max_gap, float near, int lane) {
  const int octet = lane / kOctet;
  const int thread = lane % kOctet;
  int next_first = -1;  // where the first segment of the next round begins
#pragma unroll 1
  for (int base = 0; base < count; base += kOctets) {
    // Octets behind the last segment do its work once more.
    const int s = min(base + octet, count - 1);
    const bool is_last = s == count - 1;
    const DeviceSegment segment = segments[s];
    const DeviceSegment next = segments[is_last ? s : s + 1];
    __syncwarp();
    const bool moves =
        !is_last && (max_gap == 0 || next.first_row - segment.last_row - 1 <= max_gap);
    const int cut = best_cut(column, segment, next, moves, thread);
    const int last_row = moves ? column.above(cut) : segment.last_row;
    const int from_before = __shfl_up_sync(kAll, cut, kOctet);
    int first_row = octet > 0 ? from_before : next_first;
    if (first_row < 0) first_row = segment.first_row;
    next_first = __shfl_sync(kAll, cut, 31);
    const bool writes = base + octet < count;
    if (!writes) first_row = last_row;
    const DeviceSegment fitted =
        lay_line(column, first_row, last_row, line_of(segment), near, lane);
    if (writes && thread == 0) segments[s] = fitted;
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_REFIT_COLUMN_CUH_
