// SPDX-License-Identifier: LGPL-2.1-or-later
// The segments of Fit::kAbsolute: reference::refit(), in the list that the segmentation has left. A
// warp takes a column, an octet of it a segment: the cut to the next one, then the sums, for which
// the whole warp takes long segments, one after the other. All sums are of integers, so that
// threads may share them out in any way.
#include <cstdint>

#include "common/rdp/robust_line.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/refit_arguments.h"

namespace rdp::cuda {
namespace {

constexpr int kOctet = 8;
constexpr int kOctets = 32 / kOctet;
// Segments of more rows are long: a thread of an octet would take too many of them.
constexpr int kLongRows = 6 * kOctet;
// Rows of a thread that are on their way from memory at once.
constexpr int kRowsAtOnce = 6;
// The rows around a cut that a thread looks at.
constexpr int kCutRows = 4;
static_assert(2 * kCutReach + 1 <= kOctet * kCutRows);

// The samples of a column in shared memory.
struct RefitColumn {
  unsigned* known;  // a bit for each row
  std::uint16_t* samples;

  __device__ RefitColumn(unsigned char* memory, int height, int index) {
    const int words = refit_words(height);
    known = reinterpret_cast<unsigned*>(memory + index * refit_column_bytes(height));
    samples = reinterpret_cast<std::uint16_t*>(known + words);
  }

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

template <typename Sample>
__device__ __forceinline__ void load(const RefitArguments& a, const RefitColumn& column, int x,
                                     int lane) {
  const std::int64_t pitch = a.frames.pitch[blockIdx.y];
  const unsigned char* const top = a.frames.data[blockIdx.y] + x * sizeof(Sample);
  const unsigned range = a.known_last - a.known_first;
  const bool empty = a.known_first > a.known_last;
  for (int first = 0; first < a.height; first += 32 * kRowsAtOnce) {
    unsigned samples[kRowsAtOnce];
#pragma unroll
    for (int i = 0; i < kRowsAtOnce; ++i) {
      const int row = min(first + i * 32 + lane, a.height - 1);
      samples[i] = __ldg(reinterpret_cast<const Sample*>(top + row * pitch));
    }
#pragma unroll
    for (int i = 0; i < kRowsAtOnce; ++i) {
      const int row = first + i * 32 + lane;
      if (row - lane >= a.height) break;
      const bool known = row < a.height && !empty && samples[i] - a.known_first <= range;
      column.samples[row] = static_cast<std::uint16_t>(samples[i]);
      const unsigned word = __ballot_sync(kAll, known);
      if (lane == 0) column.known[row / 32] = word;
    }
  }
}

// The smallest of what an octet has.
__device__ __forceinline__ std::int64_t octet_min(std::int64_t v) {
#pragma unroll
  for (int i = 1; i < kOctet; i *= 2) {
    const std::int64_t other = __shfl_xor_sync(kAll, static_cast<long long>(v), i);
    if (other < v) v = other;
  }
  return v;
}
// The sum of what neighbouring threads have, as many as that.
template <int kThreads>
__device__ __forceinline__ std::int64_t sum_of(std::int64_t v) {
#pragma unroll
  for (int i = 1; i < kThreads; i *= 2) v += __shfl_xor_sync(kAll, static_cast<long long>(v), i);
  return v;
}

// The row with which `lower` is to begin, for all threads of an octet; octets that do not move
// theirs take part.
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
  // What it costs more to have these rows above the cut than below it.
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
  // By cost, then by how far it is, the upper one first.
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

// The line of the known samples from one row to another, near `line`, for kThreads threads, each of
// which is `thread` of them.
template <int kThreads>
__device__ __forceinline__ DeviceSegment fit(const RefitColumn& column, int first_row, int last_row,
                                             RowLine line, float near, int thread) {
  DeviceSegment result{static_cast<std::uint16_t>(first_row), static_cast<std::uint16_t>(last_row),
                       0.0F, 0.0F};
  for (int pass = 0; pass < kRobustPasses; ++pass) {
    WeightedSums sums;
    // Without a branch, so that some rows are worked on at once.
#pragma unroll 4
    for (int row = first_row + thread; row <= last_row; row += kThreads) {
      const int sample = column.samples[row];
      const int weight = robust_weight(line.distance(row, sample), near);
      sums.add(row - first_row, sample, column.is_known(row) ? weight : 0);
    }
    sums.weights = sum_of<kThreads>(sums.weights);
    sums.rows = sum_of<kThreads>(sums.rows);
    sums.values = sum_of<kThreads>(sums.values);
    sums.rows_rows = sum_of<kThreads>(sums.rows_rows);
    sums.rows_values = sum_of<kThreads>(sums.rows_values);
    const RobustLine fitted(sums);
    line = fitted.from_row(first_row);
    result.first_value = fitted.rounded_value(0);
    result.last_value = fitted.rounded_value(last_row - first_row);
  }
  return result;
}

template <typename Sample>
__device__ void refit(const RefitArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int x = static_cast<int>(blockIdx.x * (blockDim.x / 32)) + warp;
  const SegmentListView list = a.list.of_frame(blockIdx.y);
  const RefitColumn column(memory, a.height, warp);
  // While the kernel before this one, which writes no frame, may still be at work.
  if (x < a.width) load<Sample>(a, column, x, lane);
  wait_for_grid_before();
  if (x >= a.width || list.offsets[list.columns] > list.capacity) return;
  __syncwarp();

  DeviceSegment* const segments = list.segments + list.offsets[x];
  const int count = static_cast<int>(list.offsets[x + 1] - list.offsets[x]);
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
        !is_last && (a.max_gap == 0 || next.first_row - segment.last_row - 1 <= a.max_gap);
    const int cut = best_cut(column, segment, next, moves, thread);
    const int last_row = moves ? column.above(cut) : segment.last_row;
    const int from_before = __shfl_up_sync(kAll, cut, kOctet);
    int first_row = octet > 0 ? from_before : next_first;
    if (first_row < 0) first_row = segment.first_row;
    next_first = __shfl_sync(kAll, cut, 31);
    const bool writes = base + octet < count;
    if (!writes) first_row = last_row;
    const RowLine line = line_of(segment);
    DeviceSegment fitted{};
    if (__any_sync(kAll, last_row - first_row >= kLongRows)) {
#pragma unroll 1
      for (int o = 0; o < min(kOctets, count - base); ++o) {
        const RowLine shared_line = warp_shuffle(line, o * kOctet);
        const int from = __shfl_sync(kAll, first_row, o * kOctet);
        const int to = __shfl_sync(kAll, last_row, o * kOctet);
        const DeviceSegment found = fit<32>(column, from, to, shared_line, a.near, lane);
        if (o == octet) fitted = found;
      }
    } else {
      fitted = fit<kOctet>(column, first_row, last_row, line, a.near, thread);
    }
    if (writes && thread == 0) segments[s] = fitted;
  }
}

}  // namespace

#define RDP_REFIT_KERNEL(name, Sample)                             \
  extern "C" __global__ void __launch_bounds__(kRefitColumns * 32) \
      rdp_refit_##name(const __grid_constant__ RefitArguments a) { \
    refit<Sample>(a);                                              \
  }
RDP_REFIT_KERNEL(u8, std::uint8_t)
RDP_REFIT_KERNEL(u16, std::uint16_t)

}  // namespace rdp::cuda
