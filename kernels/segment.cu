// SPDX-License-Identifier: LGPL-2.1-or-later
// The Ramer-Douglas-Peucker split of all columns of a frame, exact, in one launch.
#include <cstdint>

#include "kernels/segment_arguments.h"
#include "kernels/segment_layout.h"

namespace rdp::cuda {
namespace {

constexpr unsigned kAll = 0xFFFFFFFFU;
constexpr int kWarps = kSegmentThreads / 32;

// Reductions over a whole warp, in every thread. From compute capability 8.0 they are one
// instruction.
#if __CUDA_ARCH__ >= 800
__device__ int warp_max(int v) { return __reduce_max_sync(kAll, v); }
__device__ int warp_min(int v) { return __reduce_min_sync(kAll, v); }
__device__ unsigned warp_sum(unsigned v) { return __reduce_add_sync(kAll, v); }
#else
__device__ int warp_max(int v) {
  for (int i = 16; i > 0; i /= 2) v = max(v, __shfl_xor_sync(kAll, v, i));
  return v;
}
__device__ int warp_min(int v) {
  for (int i = 16; i > 0; i /= 2) v = min(v, __shfl_xor_sync(kAll, v, i));
  return v;
}
__device__ unsigned warp_sum(unsigned v) {
  for (int i = 16; i > 0; i /= 2) v += __shfl_xor_sync(kAll, v, i);
  return v;
}
#endif

// A segment that may have to be split, in one word: 14 bits for each row and 4 for the column.
struct Task {
  int column, first, last;

  __device__ static unsigned pack(int column, int first, int last) {
    return static_cast<unsigned>(column << 28 | first << 14 | last);
  }
  __device__ explicit Task(unsigned packed)
      : column(static_cast<int>(packed >> 28)),
        first(static_cast<int>(packed >> 14 & 0x3FFF)),
        last(static_cast<int>(packed & 0x3FFF)) {}
};

struct Counters {
  int long_tasks[3];
  int short_tasks[3];
  unsigned vertices[8];  // of each column
  unsigned warp_sums[kWarps];
};

// The line through both ends of a segment, times its length: the exact integers of reference.h.
struct Line {
  int first, length, rise, origin;  // origin = y[first] * length

  __device__ Line(int f, int l, int yf, int yl)
      : first(f), length(l - f), rise(yl - yf), origin(yf * (l - f)) {}
  // c of the sample y in `row`.
  __device__ int distance(int row, int y) const {
    return rise * (row - first) + origin - y * length;
  }
};

__device__ int threshold_of(unsigned eps256, int length) {
  const unsigned long long threshold =
      static_cast<unsigned long long>(eps256) * static_cast<unsigned>(length) >> 8;
  return threshold > 0x7FFFFFFFULL ? 0x7FFFFFFF : static_cast<int>(threshold);
}

template <typename Sample, int kColumns>
struct Block {
  const SegmentArguments& a;
  SegmentLayout layout;
  unsigned char* memory;
  Counters& counters;

  __device__ std::uint16_t* samples(int column) const {
    return reinterpret_cast<std::uint16_t*>(memory + layout.samples + column * layout.column_bytes);
  }
  __device__ unsigned* summaries(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.summaries) + column * layout.chunks;
  }
  __device__ unsigned* known(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.known) + column * layout.words;
  }
  __device__ unsigned char* known_bytes(int column) const {
    return reinterpret_cast<unsigned char*>(known(column));
  }
  __device__ unsigned* cuts(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.cuts) + column * layout.words;
  }
  // The cuts that single threads find, in the memory of the summaries.
  __device__ unsigned* fresh(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.summaries) + column * layout.words;
  }
  __device__ unsigned* long_tasks(int buffer) const {
    return reinterpret_cast<unsigned*>(memory + layout.long_tasks) + buffer * layout.long_capacity;
  }
  __device__ unsigned* short_tasks(int buffer) const {
    return reinterpret_cast<unsigned*>(memory + layout.short_tasks) +
           buffer * layout.short_capacity;
  }

  __device__ void load();
  __device__ void start();
  __device__ void split_levels();
  __device__ void split_long(const Task& task, int next_buffer, int next_counter, int lane);
  __device__ void split_short(unsigned packed, bool valid, int next_buffer, int next_counter,
                              int lane);
  __device__ void split_tiny();
  __device__ void write();

  __device__ void push(int column, int first, int last, int buffer, int counter) {
    if (last - first <= kTinyLength) return;
    const bool is_short = (last / kChunkRows) - (first / kChunkRows) < kShortChunks;
    int* const count = is_short ? counters.short_tasks + counter : counters.long_tasks + counter;
    unsigned* const list = is_short ? short_tasks(buffer) : long_tasks(buffer);
    list[atomicAdd(count, 1)] = Task::pack(column, first, last);
  }
};

// Four neighbouring samples of a row as 16-bit halves.
template <typename Sample>
__device__ uint2 load_four(const unsigned char* from, int valid, bool aligned) {
  if (sizeof(Sample) == 2) {
    if (aligned) return *reinterpret_cast<const uint2*>(from);
    const auto* s = reinterpret_cast<const std::uint16_t*>(from);
    uint2 four = make_uint2(0, 0);
    if (valid > 0) four.x = s[0];
    if (valid > 1) four.x |= static_cast<unsigned>(s[1]) << 16;
    if (valid > 2) four.y = s[2];
    if (valid > 3) four.y |= static_cast<unsigned>(s[3]) << 16;
    return four;
  }
  unsigned bytes = 0;
  if (aligned) {
    bytes = *reinterpret_cast<const unsigned*>(from);
  } else {
    for (int i = 0; i < valid; ++i) bytes |= static_cast<unsigned>(from[i]) << (8 * i);
  }
  return make_uint2(__byte_perm(bytes, 0, 0x4140), __byte_perm(bytes, 0, 0x4342));
}

// What the rest of the kernel wants to know of a chunk: its samples' range, over the known ones
// only, and which are known. `missing` has all bits set in the halves that are not rows.
__device__ void summarise(const unsigned (&v)[4], const unsigned (&missing)[4], unsigned first2,
                          unsigned last2, unsigned* summary, unsigned* mask) {
  unsigned smallest = kAll;
  unsigned largest = 0;
  unsigned flags = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    // A sample is known when limiting it to the known range does not change it.
    const unsigned difference = (__vminu2(__vmaxu2(v[i], first2), last2) ^ v[i]) | missing[i];
    const unsigned unknown =
        (((difference & 0x7FFF7FFFU) + 0x7FFF7FFFU) | difference) & 0x80008000U;
    const unsigned all = (unknown >> 15) * 0xFFFFU;
    smallest = __vminu2(smallest, v[i] | all);
    largest = __vmaxu2(largest, v[i] & ~all);
    flags |= unknown >> (15 - 2 * i);
  }
  smallest = min(smallest & 0xFFFFU, smallest >> 16);
  largest = max(largest & 0xFFFFU, largest >> 16);
  *summary = smallest | largest << 16;
  *mask = ~(flags | flags >> 15) & 0xFFU;
}

// Brings the block's columns into shared memory, each contiguous, with what summarise() says of
// each chunk. A thread takes four columns of eight rows.
template <typename Sample, int kColumns>
__device__ void Block<Sample, kColumns>::load() {
  constexpr int kGroup = kColumns < 4 ? kColumns : 4;
  constexpr int kGroups = kColumns / kGroup;
  const int first_column = blockIdx.x * kColumns;
  const unsigned known_last = min(a.known_last, sizeof(Sample) == 1 ? 255U : 65535U);
  // An empty range: every sample is unknown, which limiting to it would not tell.
  const bool none = a.known_first > known_last;
  const unsigned first2 = a.known_first * 0x10001U;
  const unsigned last2 = known_last * 0x10001U;
  const bool can_be_aligned =
      kGroup == 4 &&
      ((reinterpret_cast<std::uintptr_t>(a.frame) | static_cast<std::uintptr_t>(a.pitch)) &
       (4 * sizeof(Sample) - 1)) == 0;
  for (int unit = threadIdx.x; unit < layout.chunks * kGroups; unit += kSegmentThreads) {
    const int chunk = unit / kGroups;
    const int column = unit % kGroups * kGroup;
    const int valid = min(kGroup, a.width - first_column - column);
    const bool aligned = can_be_aligned && valid == 4;
    const int rows = min(kChunkRows, a.height - chunk * kChunkRows);
    const unsigned char* from = a.frame + static_cast<std::int64_t>(chunk) * kChunkRows * a.pitch +
                                (first_column + column) * static_cast<int>(sizeof(Sample));
    uint2 row[kChunkRows];
#pragma unroll
    for (int r = 0; r < kChunkRows; ++r) {
      row[r] = r < rows ? load_four<Sample>(from + r * a.pitch, valid, aligned) : make_uint2(0, 0);
    }
    unsigned missing[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      missing[i] =
          (2 * i < rows && !none ? 0 : 0xFFFFU) | (2 * i + 1 < rows && !none ? 0 : 0xFFFF0000U);
    }
#pragma unroll
    for (int c = 0; c < kGroup; ++c) {
      unsigned v[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const unsigned upper = c < 2 ? row[2 * i].x : row[2 * i].y;
        const unsigned lower = c < 2 ? row[2 * i + 1].x : row[2 * i + 1].y;
        v[i] = __byte_perm(upper, lower, c % 2 == 0 ? 0x5410 : 0x7632);
      }
      unsigned summary, mask;
      summarise(v, missing, first2, last2, &summary, &mask);
      if (c >= valid) mask = 0;
      reinterpret_cast<uint4*>(samples(column + c))[chunk] = make_uint4(v[0], v[1], v[2], v[3]);
      summaries(column + c)[chunk] = summary;
      known_bytes(column + c)[chunk] = static_cast<unsigned char>(mask);
    }
  }
  // The bytes of the masks' last words that belong to no chunk, and the cuts.
  const int spare = layout.words * 4 - layout.chunks;
  for (int i = threadIdx.x; i < spare * kColumns; i += kSegmentThreads) {
    known_bytes(i / spare)[layout.chunks + i % spare] = 0;
  }
  for (int i = threadIdx.x; i < layout.words * kColumns; i += kSegmentThreads) cuts(0)[i] = 0;
  if (threadIdx.x < 3) {
    counters.long_tasks[threadIdx.x] = 0;
    counters.short_tasks[threadIdx.x] = 0;
  }
}

// Each column's first task: from its first known row to its last.
template <typename Sample, int kColumns>
__device__ void Block<Sample, kColumns>::start() {
  const int lane = threadIdx.x % 32;
  for (int column = threadIdx.x / 32; column < kColumns; column += kWarps) {
    const unsigned* mask = known(column);
    int first = -1;
    int last = -1;
    for (int w = 0; w < layout.words && first < 0; w += 32) {
      const unsigned word = w + lane < layout.words ? mask[w + lane] : 0;
      const unsigned some = __ballot_sync(kAll, word != 0);
      if (some != 0) {
        const int at = __ffs(some) - 1;
        first = (w + at) * 32 + __ffs(__shfl_sync(kAll, word, at)) - 1;
      }
    }
    if (first < 0) continue;
    for (int w = (layout.words - 1) / 32 * 32; last < 0; w -= 32) {
      const unsigned word = w + lane < layout.words ? mask[w + lane] : 0;
      const unsigned some = __ballot_sync(kAll, word != 0);
      if (some != 0) {
        const int at = 31 - __clz(some);
        last = (w + at) * 32 + 31 - __clz(__shfl_sync(kAll, word, at));
      }
    }
    if (lane == 0) {
      cuts(column)[first / 32] = 1U << first % 32;
      cuts(column)[last / 32] |= 1U << last % 32;
      push(column, first, last, 0, 0);
    }
  }
}

// Finds the farthest sample of a long segment with a whole warp. Most chunks are never looked at:
// with the slope of the line, a chunk's smallest and largest sample bound the distances in it from
// above, and tell from below what at least one of its samples has.
template <typename Sample, int kColumns>
__device__ void Block<Sample, kColumns>::split_long(const Task& task, int next_buffer,
                                                    int next_counter, int lane) {
  const std::uint16_t* const y = samples(task.column);
  const unsigned* const summary = summaries(task.column);
  const unsigned char* const mask = known_bytes(task.column);
  const Line line(task.first, task.last, y[task.first], y[task.last]);
  const int threshold = threshold_of(a.eps256, line.length);
  const int first_chunk = task.first / kChunkRows;
  const int last_chunk = task.last / kChunkRows;
  // What the line rises and falls within a chunk.
  const int up = max((kChunkRows - 1) * line.rise, 0);
  const int down = max(-(kChunkRows - 1) * line.rise, 0);
  const auto bound = [&](int chunk) {
    const unsigned range = summary[chunk];
    const int base = line.rise * (chunk * kChunkRows - line.first) + line.origin;
    const int above = base + up - static_cast<int>(range & 0xFFFFU) * line.length;
    const int below = static_cast<int>(range >> 16) * line.length - base + down;
    return max(above, below);
  };
  // The chunks at both ends have rows that are not of this segment: they say nothing of it.
  int highest = -1;
  for (int chunk = first_chunk + 1 + lane; chunk < last_chunk; chunk += 32) {
    highest = max(highest, bound(chunk));
  }
  highest = warp_max(highest);
  const int least = max(highest - up - down, threshold + 1);
  int largest = 0;
  int farthest = 0;
  for (int chunk = first_chunk; chunk <= last_chunk; chunk += 32) {
    const int mine = chunk + lane;
    bool look = mine == first_chunk || mine == last_chunk;
    if (!look && mine < last_chunk) look = bound(mine) >= least;
    unsigned some = __ballot_sync(kAll, look);
    while (some != 0) {
      // Four chunks at a time, eight threads each.
      int pick = -1;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (lane / 8 == i) pick = __ffs(some) - 1;
        some &= some - 1;
      }
      if (pick >= 0) {
        const int row = (chunk + pick) * kChunkRows + lane % 8;
        const int distance = abs(line.distance(row, y[row]));
        const bool counts =
            (mask[chunk + pick] >> lane % 8 & 1) != 0 && row > task.first && row < task.last;
        if (counts && distance > largest) {
          largest = distance;
          farthest = row;
        }
      }
    }
  }
  const int most = warp_max(largest);
  if (most <= threshold) return;
  const int at = warp_min(largest == most ? farthest : 0x7FFFFFFF);
  if (lane < 2) {
    if (lane == 0) atomicOr(&cuts(task.column)[at / 32], 1U << at % 32);
    push(task.column, lane == 0 ? task.first : at, lane == 0 ? at : task.last, next_buffer,
         next_counter);
  }
}

// Finds the farthest sample of a short segment with eight threads, a chunk each. All threads of a
// warp take part, with a segment of their own or (valid = false) none.
template <typename Sample, int kColumns>
__device__ void Block<Sample, kColumns>::split_short(unsigned packed, bool valid, int next_buffer,
                                                     int next_counter, int lane) {
  const Task task(packed);
  const std::uint16_t* const y = samples(task.column);
  const Line line(task.first, task.last, y[task.first], y[task.last]);
  const int first_chunk = task.first / kChunkRows;
  const int last_chunk = task.last / kChunkRows;
  const int chunk = first_chunk + lane % 8;
  // The distance above, and how far from the end of the segment below, so that of equal distances
  // the first row has the largest key. Distances of so few rows take 23 bits.
  int largest = 0;
  if (valid && chunk <= last_chunk) {
    unsigned mask = known_bytes(task.column)[chunk];
    if (chunk == first_chunk) mask &= 0xFFU << task.first % kChunkRows;
    if (chunk == last_chunk) mask &= 0xFFU >> (kChunkRows - 1 - task.last % kChunkRows);
    const uint4 v = reinterpret_cast<const uint4*>(y)[chunk];
    const unsigned words[4] = {v.x, v.y, v.z, v.w};
    int base = (line.rise * (chunk * kChunkRows - line.first) + line.origin) * 128;
    const int length = line.length * 128;
    const int rest = 127 - (chunk * kChunkRows - line.first);
#pragma unroll
    for (int i = 0; i < kChunkRows; ++i) {
      const int sample = static_cast<int>(i % 2 == 0 ? words[i / 2] & 0xFFFFU : words[i / 2] >> 16);
      const int key = abs(base - sample * length) + rest - i;
      if ((mask >> i & 1) != 0) largest = max(largest, key);
      base += line.rise * 128;
    }
  }
#pragma unroll
  for (int i = 4; i > 0; i /= 2) largest = max(largest, __shfl_xor_sync(kAll, largest, i));
  if (!valid || (largest >> 7) <= threshold_of(a.eps256, line.length)) return;
  const int at = task.first + 127 - (largest & 127);
  if (lane % 8 < 2) {
    if (lane % 8 == 0) atomicOr(&cuts(task.column)[at / 32], 1U << at % 32);
    push(task.column, lane % 8 == 0 ? task.first : at, lane % 8 == 0 ? at : task.last, next_buffer,
         next_counter);
  }
}

// Splits, level by level, what is longer than kTinyLength. The tasks of all columns are spread over
// all warps of the block.
template <typename Sample, int kColumns>
__device__ void Block<Sample, kColumns>::split_levels() {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // The lists alternate; a third counter is cleared while one is read and one is written.
  for (int level = 0;; ++level) {
    __syncthreads();
    const int counter = level % 3;
    const int next_counter = (level + 1) % 3;
    const int buffer = level % 2;
    const int long_count = counters.long_tasks[counter];
    const int short_count = counters.short_tasks[counter];
    if (long_count + short_count == 0) break;
    if (threadIdx.x == 0) {
      counters.long_tasks[(level + 2) % 3] = 0;
      counters.short_tasks[(level + 2) % 3] = 0;
    }
    const int items = long_count + (short_count + 3) / 4;
    for (int item = warp; item < items; item += kWarps) {
      if (item < long_count) {
        split_long(Task(long_tasks(buffer)[item]), 1 - buffer, next_counter, lane);
      } else {
        const int task = (item - long_count) * 4 + lane / 8;
        const bool valid = task < short_count;
        split_short(valid ? short_tasks(buffer)[task] : 0, valid, 1 - buffer, next_counter, lane);
      }
    }
  }
}

// Splits the short rest: each thread those segments that start in its 32 rows. The cuts found so
// far serve as the stack: whatever is left between two of them is looked at next.
template <typename Sample, int kColumns>
__device__ void Block<Sample, kColumns>::split_tiny() {
  for (int i = threadIdx.x; i < layout.words * kColumns; i += kSegmentThreads) fresh(0)[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < layout.words * kColumns; i += kSegmentThreads) {
    const int column = i / layout.words;
    const int w = i % layout.words;
    const unsigned low = cuts(column)[w];
    if (low == 0) continue;
    const bool has_next = w + 1 < layout.words;
    const unsigned high = has_next ? cuts(column)[w + 1] : 0;
    const std::uint16_t* const y = samples(column) + w * 32;
    const unsigned long long mask =
        known(column)[w] | static_cast<unsigned long long>(has_next ? known(column)[w + 1] : 0)
                               << 32;
    unsigned long long vertices = low | static_cast<unsigned long long>(high) << 32;
    unsigned long long found = 0;
    int first = __ffs(low) - 1;
    const int end = high != 0 ? 31 + __ffs(high) : 64;
    while (first < end) {
      const unsigned long long later = vertices & (~0ULL << first << 1);
      if (later == 0) break;
      const int last = __ffsll(static_cast<long long>(later)) - 1;
      int at = -1;
      if (last - first <= kTinyLength && last - first > 1) {
        const Line line(first, last, y[first], y[last]);
        int largest = threshold_of(a.eps256, line.length);
        for (int row = first + 1; row < last; ++row) {
          const int distance = abs(line.distance(row, y[row]));
          if ((mask >> row & 1) != 0 && distance > largest) {
            largest = distance;
            at = row;
          }
        }
      }
      if (at >= 0) {
        vertices |= 1ULL << at;
        found |= 1ULL << at;
      } else {
        first = last;
      }
    }
    if (static_cast<unsigned>(found) != 0) {
      atomicOr(&fresh(column)[w], static_cast<unsigned>(found));
    }
    if (found >> 32 != 0) atomicOr(&fresh(column)[w + 1], static_cast<unsigned>(found >> 32));
  }
  __syncthreads();
}

__device__ unsigned segments_of(unsigned vertices) {
  return vertices > 1 ? vertices - 1 : vertices;
}

__device__ DeviceSegment make_segment(const std::uint16_t* y, int first, int last) {
  return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last),
          static_cast<float>(y[first]), static_cast<float>(y[last])};
}

// Counts the segments, finds out how many the blocks before this one have, and writes offsets and
// segments.
template <typename Sample, int kColumns>
__device__ void Block<Sample, kColumns>::write() {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const unsigned frame = *a.frames + 1;
  for (int column = warp; column < kColumns; column += kWarps) {
    unsigned vertices = 0;
    for (int w = lane; w < layout.words; w += 32) {
      const unsigned all = cuts(column)[w] | fresh(column)[w];
      cuts(column)[w] = all;
      vertices += __popc(all);
    }
    vertices = warp_sum(vertices);
    if (lane == 0) counters.vertices[column] = vertices;
  }
  __syncthreads();
  unsigned total = 0;
#pragma unroll
  for (int c = 0; c < kColumns; ++c) total += segments_of(counters.vertices[c]);
  if (threadIdx.x == 0) {
    const unsigned long long word = static_cast<unsigned long long>(frame) << 32 | total;
    *const_cast<volatile unsigned long long*>(&a.tiles[blockIdx.x]) = word;
  }
  // Blocks start in the order of their numbers, so that those before this one are done or running.
  unsigned before = 0;
  for (unsigned tile = threadIdx.x; tile < blockIdx.x; tile += kSegmentThreads) {
    unsigned long long word;
    do {
      word = *const_cast<const volatile unsigned long long*>(&a.tiles[tile]);
    } while (word >> 32 != frame);
    before += static_cast<unsigned>(word);
  }
  before = warp_sum(before);
  if (lane == 0) counters.warp_sums[warp] = before;
  __syncthreads();
  before = 0;
#pragma unroll
  for (int i = 0; i < kWarps; ++i) before += counters.warp_sums[i];

  const bool is_last = blockIdx.x == gridDim.x - 1;
  if (threadIdx.x == 0 && is_last) {
    // All other blocks have read the number of the frame, because they have told their totals.
    *a.frames = frame;
    a.list.offsets[a.width] = before + total;
    *a.list.report = before + total;
  }
  for (int column = warp; column < kColumns; column += kWarps) {
    const int frame_column = blockIdx.x * kColumns + column;
    if (frame_column >= a.width) break;
    unsigned offset = before;
    for (int c = 0; c < column; ++c) offset += segments_of(counters.vertices[c]);
    if (lane == 0) a.list.offsets[frame_column] = offset;
    const std::uint16_t* const y = samples(column);
    // One word after the other, a row for each thread, which writes the segment that ends there.
    int previous = -1;
    for (int w = 0; w < layout.words; w += 32) {
      const unsigned mine = w + lane < layout.words ? cuts(column)[w + lane] : 0;
      unsigned some = __ballot_sync(kAll, mine != 0);
      while (some != 0) {
        const int at = __ffs(some) - 1;
        some &= some - 1;
        const unsigned word = __shfl_sync(kAll, mine, at);
        const int base = (w + at) * 32;
        const unsigned below = word & ((1U << lane) - 1);
        const int from = below != 0 ? base + 31 - __clz(below) : previous;
        if ((word >> lane & 1) != 0 && from >= 0) {
          const unsigned index = offset + __popc(below) - (previous < 0 ? 1 : 0);
          if (index < a.list.capacity) {
            a.list.segments[index] = make_segment(y, from, base + lane);
          }
        }
        offset += __popc(word) - (previous < 0 ? 1 : 0);
        previous = base + 31 - __clz(word);
      }
    }
    // The only vertex of a column with one known row is both ends of its segment.
    if (counters.vertices[column] == 1 && lane == 0 && offset < a.list.capacity) {
      a.list.segments[offset] = make_segment(y, previous, previous);
    }
  }
}

template <typename Sample, int kColumns>
__device__ void segment(const SegmentArguments& arguments) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ Counters counters;
  Block<Sample, kColumns> block{arguments, SegmentLayout(arguments.height, kColumns), memory,
                                counters};
  block.load();
  __syncthreads();
  block.start();
  block.split_levels();
  block.split_tiny();
  block.write();
}

}  // namespace

#define RDP_SEGMENT_KERNEL(columns, name, Sample)                                  \
  extern "C" __global__ void __launch_bounds__(kSegmentThreads)                    \
      rdp_segment_##columns##_##name(const __grid_constant__ SegmentArguments a) { \
    segment<Sample, columns>(a);                                                   \
  }
RDP_SEGMENT_KERNEL(8, u8, std::uint8_t)
RDP_SEGMENT_KERNEL(8, u16, std::uint16_t)
RDP_SEGMENT_KERNEL(4, u8, std::uint8_t)
RDP_SEGMENT_KERNEL(4, u16, std::uint16_t)
RDP_SEGMENT_KERNEL(1, u8, std::uint8_t)
RDP_SEGMENT_KERNEL(1, u16, std::uint16_t)

}  // namespace rdp::cuda
