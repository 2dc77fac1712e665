// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_SPLIT_CUH_
#define RDP_KERNELS_RDP_QUEUE_SPLIT_CUH_

#include <cstdint>

#include "kernels/primitives/compaction.cuh"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/queue_layout.h"
#include "kernels/rdp/segment_arguments.h"

// The queues of a block of segment_queues.cu and their tasks, and the split by warps, octets and
// threads.
namespace rdp::cuda {

// A segment that may have to be split, in one word that is never 0: 14 bits for each row, the
// column above them.
struct Task {
  int column, first, last;

  __device__ unsigned pack() const {
    return static_cast<unsigned>(column << 28 | first << 14 | last);
  }
  __device__ static Task unpack(unsigned packed) {
    return {static_cast<int>(packed >> 28), static_cast<int>(packed >> 14 & 0x3FFF),
            static_cast<int>(packed & 0x3FFF)};
  }
};

// The workers for a segment: a single thread; a warp; else an octet.
__device__ __forceinline__ bool is_for_thread(int first, int last) {
  return last - first <= kThreadLength;
}
__device__ __forceinline__ bool is_for_warp(int first, int last) {
  return (last >> 3) - (first >> 3) >= kOctet;
}

// A queue of tasks that is read while it is written. Each waiting worker has a place of its own, so
// nobody contends for a task. The work ends when `done` reaches `put`.
struct Queue {
  int put;    // tasks so far
  int taken;  // places given to workers
  int done;   // tasks that are done
};

// Atomic, because queues are read and written without a barrier in between.
__device__ __forceinline__ unsigned peek(unsigned* place) { return atomicOr(place, 0U); }
__device__ __forceinline__ bool all_done(Queue* queue) {
  // `done` first: tasks that are put in between only turn the answer into false.
  const int done = atomicOr(&queue->done, 0);
  return done == atomicOr(&queue->put, 0);
}
__device__ __forceinline__ void put(Queue* queue, unsigned* tasks, const Task& task) {
  atomicExch(tasks + atomicAdd(&queue->put, 1), task.pack());
}
// Ends the work on a task; returns the place to wait at for another one.
__device__ __forceinline__ int finish(Queue* queue) {
  atomicAdd(&queue->done, 1);
  return atomicAdd(&queue->taken, 1);
}
// Waits before polling again; leaves the multiprocessor to working warps.
__device__ __forceinline__ void pause() { __nanosleep(64); }

// Shared memory of a block's threads, besides the arrays.
struct Shared {
  Queue warp_queue;
  Queue octet_queue;
  unsigned vertex_counts[4];  // of each column
  LookBack look_back;
};

// The arrays of a block's columns.
struct Columns {
  QueueLayout layout;
  unsigned char* memory;

  __device__ std::uint16_t* samples(int column) const {
    return reinterpret_cast<std::uint16_t*>(memory + layout.samples + column * layout.column_bytes);
  }
  // A bit for each row: whether its sample is known; whether it is a vertex.
  __device__ unsigned* known(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.known) + column * layout.words;
  }
  __device__ unsigned* vertices(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.vertices) + column * layout.words;
  }
  // The vertices that single threads find.
  __device__ unsigned* thread_vertices(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.thread_vertices) + column * layout.words;
  }
  __device__ unsigned* octet_tasks() const {
    return reinterpret_cast<unsigned*>(memory + layout.octet_tasks);
  }
  __device__ unsigned* warp_tasks() const {
    return reinterpret_cast<unsigned*>(memory + layout.warp_tasks);
  }
};

// The line through both ends of a segment, times its length: the exact integers of reference.h.
struct Line {
  int first, length, rise, origin;  // origin = y[first] * length

  __device__ __forceinline__ Line(int f, int l, int yf, int yl)
      : first(f), length(l - f), rise(yl - yf), origin(yf * (l - f)) {}
  // length times the line's value in `row`. Fits for every row of the segment's chunks.
  __device__ __forceinline__ int scaled_value(int row) const {
    return rise * (row - first) + origin;
  }
  // The largest |c| that is not split: split_threshold() of common/rdp/parameters.h.
  __device__ __forceinline__ int threshold(unsigned eps256) const {
    const unsigned long long t =
        static_cast<unsigned long long>(eps256) * static_cast<unsigned>(length) >> 8;
    return t > 0x7FFFFFFFULL ? 0x7FFFFFFF : static_cast<int>(t);
  }
};

// The distances of a chunk's samples to the line. Rows that are not between the ends of the line,
// or unknown, have 0.
struct ChunkDistances {
  int values[kChunkRows];

  // Chunks beyond `last_chunk`, the segment's last one, are not read and have distances of 0.
  __device__ __forceinline__ ChunkDistances(const Line& line, const std::uint16_t* samples,
                                            const unsigned char* known, int chunk, int last_chunk) {
    const int place = min(chunk, last_chunk);
    const uint4 v = reinterpret_cast<const uint4*>(samples)[place];
    const unsigned words[4] = {v.x, v.y, v.z, v.w};
    const int from = line.first - chunk * kChunkRows;
    const unsigned rows =
        known[place] & bits_from(max(from + 1, 0)) & ~bits_from(max(from + line.length, 0));
    const int base = line.scaled_value(chunk * kChunkRows);
#pragma unroll
    for (int i = 0; i < kChunkRows; ++i) {
      const int sample = static_cast<int>(i % 2 == 0 ? words[i / 2] & 0xFFFFU : words[i / 2] >> 16);
      const int distance = abs(base + i * line.rise - sample * line.length);
      values[i] = (rows >> i & 1) != 0 ? distance : 0;
    }
  }

  // The largest distance, which must be below 2^29, times 8, and in the lowest bits the place of
  // its first row, counted from the end of the chunk: of equal distances the first row has the
  // largest key.
  __device__ __forceinline__ unsigned key() const {
    unsigned keys[kChunkRows];
#pragma unroll
    for (int i = 0; i < kChunkRows; ++i) {
      keys[i] = static_cast<unsigned>(values[i]) * 8 + (kChunkRows - 1 - i);
    }
#pragma unroll
    for (int n = kChunkRows / 2; n > 0; n /= 2) {
#pragma unroll
      for (int i = 0; i < n; ++i) keys[i] = max(keys[i], keys[i + n]);
    }
    return keys[0];
  }
};

// The farthest sample of a segment and its distance, in all threads. Of equally far ones it is the
// first.
struct FarthestOfSegment {
  int max_distance, row;
};

// Searches a segment with a warp: each thread takes a chunk of every 32. kShort: the frame has no
// more than kShortHeight rows.
template <bool kShort>
__device__ __forceinline__ FarthestOfSegment find_farthest(const unsigned char* known,
                                                           const std::uint16_t* samples,
                                                           const Line& line, int lane) {
  const int last_chunk = (line.first + line.length) >> 3;
  int largest = 0;
  int row = 0;
  unsigned best = 0;
  int best_chunk = 0;
#pragma unroll 2
  for (int chunk = (line.first >> 3) + lane; chunk - lane <= last_chunk; chunk += 32) {
    const ChunkDistances distances(line, samples, known, chunk, last_chunk);
    if (kShort) {
      const unsigned key = distances.key();
      if (key > (best | 7)) {
        best = key;
        best_chunk = chunk;
      }
    } else {
#pragma unroll
      for (int i = 0; i < kChunkRows; ++i) {
        if (distances.values[i] <= largest) continue;
        largest = distances.values[i];
        row = chunk * kChunkRows + i;
      }
    }
  }
  if (kShort) {
    largest = static_cast<int>(best >> 3);
    row = best_chunk * kChunkRows + kChunkRows - 1 - static_cast<int>(best & 7);
  }
  const int max_distance = warp_max(largest);
  return {max_distance, warp_min(largest == max_distance ? row : 0x7FFFFFFF)};
}

// Below every row.
constexpr int kNoRow = 0xFFFF;

// The first and last known row of a column, in all threads of a warp; the first is after the last
// where there is none.
__device__ __forceinline__ void find_ends(const unsigned* known, int words, int lane, int* first,
                                          int* last) {
  int low = kNoRow;
  int high = -1;
  for (int w = lane; w < words; w += 32) {
    const unsigned word = known[w];
    if (word == 0) continue;
    low = min(low, w * kWordRows + __ffs(static_cast<int>(word)) - 1);
    high = w * kWordRows + 31 - __clz(static_cast<int>(word));
  }
  *first = warp_min(low);
  *last = warp_max(high);
}

// Queues a column's runs, between which more than max_gap rows are unknown, with a warp, and marks
// the vertices at which they begin and end. The beginnings are noted where single threads note
// vertices later: nobody else works on that mask meanwhile.
__device__ __forceinline__ void put_runs(const Columns& block, int column, int max_gap, int lane,
                                         Shared* shared) {
  const int words = block.layout.words;
  const unsigned* const known = block.known(column);
  unsigned* const vertices = block.vertices(column);
  unsigned* const begins = block.thread_vertices(column);
  int before = -1;  // the last known row above the words at hand
  for (int w = 0; w < words; w += 32) {
    const unsigned word = w + lane < words ? known[w + lane] : 0;
    const int row = (w + lane) * kWordRows;
    const int last = row + 31 - __clz(static_cast<int>(word));
    const unsigned some = __ballot_sync(kAll, word != 0);
    if (some == 0) continue;
    int previous = warp_from_before(some, last, before);
    before = __shfl_sync(kAll, last, 31 - __clz(static_cast<int>(some)));
    unsigned found = 0;
    for (unsigned rest = word; rest != 0;) {
      const int first = __ffs(static_cast<int>(rest)) - 1;
      if (previous < 0 || row + first - previous - 1 > max_gap) found |= 1U << first;
      // On to the end of these known rows.
      const unsigned unknown = ~rest & bits_from(first);
      const int end = unknown != 0 ? __ffs(static_cast<int>(unknown)) - 1 : 32;
      previous = row + end - 1;
      rest &= bits_from(end);
    }
    if (w + lane < words) begins[w + lane] = found;
  }
  __syncwarp();
  for (int w = lane; w < words; w += 32) {
    for (unsigned rest = begins[w]; rest != 0; rest &= rest - 1) {
      const int bit = __ffs(static_cast<int>(rest)) - 1;
      // The last known row above the next run.
      int end = w;
      unsigned next = rest & (rest - 1);
      while (next == 0 && ++end < words) next = begins[end];
      unsigned above = 0;
      if (next != 0) above = known[end] & ((next & (0U - next)) - 1);
      while (above == 0) above = known[--end];
      const int first = w * kWordRows + bit;
      const int last = end * kWordRows + 31 - __clz(static_cast<int>(above));
      atomicOr(&vertices[w], 1U << bit);
      atomicOr(&vertices[end], 1U << (last & 31));
      if (is_for_thread(first, last)) continue;
      const bool for_warp = is_for_warp(first, last);
      put(for_warp ? &shared->warp_queue : &shared->octet_queue,
          for_warp ? block.warp_tasks() : block.octet_tasks(), {column, first, last});
    }
  }
  // All runs are counted before a thread ends the column's task. Else all work would seem to be
  // done, and the warps that return would leave tasks to nobody.
  __syncwarp();
}

// Finds the ends of the block's columns, and splits segments longer than an octet's chunks, each
// task with a warp; queues other parts for split_by_octets(). A warp goes on with one part and
// queues the other. A warp without work waits at its place in the queue, until a task is put there
// or all work is done.
template <int kColumns, bool kShort>
__device__ __forceinline__ void split_by_warps(const SegmentArguments& a, const Columns& block,
                                               Shared* shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  static_assert(kColumns <= kQueueWarps);
  Queue* const queue = &shared->warp_queue;
  unsigned* const tasks = block.warp_tasks();
  int place = warp;
  bool working = false;
  Task task{0, 0, 0};
  if (warp < kColumns) {
    task.column = warp;
    if (a.max_gap > 0) {
      // Without a segment of its own: its runs are tasks like others.
      put_runs(block, warp, a.max_gap, lane, shared);
      task.first = kNoRow;
      task.last = -1;
    } else {
      find_ends(block.known(warp), block.layout.words, lane, &task.first, &task.last);
    }
    working = is_for_warp(task.first, task.last);
    if (lane < 2 && task.first <= task.last) {
      const int vertex = lane == 0 ? task.first : task.last;
      atomicOr(&block.vertices(warp)[vertex >> 5], 1U << (vertex & 31));
    }
    if (lane == 0 && !working) {
      if (!is_for_thread(task.first, task.last)) {
        put(&shared->octet_queue, block.octet_tasks(), task);
      }
      place = finish(queue);
    }
  }
  for (;;) {
    while (!working) {
      unsigned packed = 0;
      bool done = false;
      if (lane == 0) {
        if (place < block.layout.warp_capacity) packed = peek(tasks + place);
        if (packed == 0) done = all_done(queue);
      }
      packed = __shfl_sync(kAll, packed, 0);
      working = packed != 0;
      task = Task::unpack(packed);
      if (working) break;
      if (__shfl_sync(kAll, done, 0)) return;
      pause();
    }
    const auto* const known = reinterpret_cast<const unsigned char*>(block.known(task.column));
    const std::uint16_t* const samples = block.samples(task.column);
    unsigned* const vertices = block.vertices(task.column);
    int first_value = samples[task.first];
    int last_value = samples[task.last];
    do {
      const Line line(task.first, task.last, first_value, last_value);
      const auto [max_distance, row] = find_farthest<kShort>(known, samples, line, lane);
      working = max_distance > line.threshold(a.eps256);
      if (!working) break;
      const bool above = is_for_warp(task.first, row);
      const bool below = is_for_warp(row, task.last);
      const int value = samples[row];
      // The first thread sees to the part above, the second to the one below, unless the warp goes
      // on with it; the third marks the vertex.
      const Task part{task.column, lane == 0 ? task.first : row, lane == 0 ? row : task.last};
      const bool for_warp = lane == 0 ? above : below;
      const bool kept = lane == 0 ? above : below && !above;
      if (lane == 2) atomicOr(&vertices[row >> 5], 1U << (row & 31));
      if (lane < 2 && !kept && !is_for_thread(part.first, part.last)) {
        put(for_warp ? queue : &shared->octet_queue, for_warp ? tasks : block.octet_tasks(), part);
      }
      working = above || below;
      task.first = above ? task.first : row;
      first_value = above ? first_value : value;
      task.last = above ? row : task.last;
      last_value = above ? value : last_value;
    } while (working);
    if (lane == 0) place = finish(queue);
  }
}

// Splits the queued segments down to kThreadLength, as split_by_warps() does it, but with an octet
// of threads each.
__device__ __forceinline__ void split_by_octets(const SegmentArguments& a, const Columns& block,
                                                Shared* shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int member = lane % kOctet;
  Queue* const queue = &shared->octet_queue;
  unsigned* const tasks = block.octet_tasks();
  bool working = false;
  int place = static_cast<int>(threadIdx.x) / kOctet;
  Task task{0, 0, 0};
  for (;;) {
    if (!__all_sync(kAll, working)) {
      unsigned packed = 0;
      bool done = false;
      if (!working && member == 0) {
        if (place < block.layout.octet_capacity) packed = peek(tasks + place);
        if (packed == 0) done = all_done(queue);
      }
      packed = __shfl_sync(kAll, packed, lane - member);
      if (packed != 0) {
        working = true;
        task = Task::unpack(packed);
      }
      if (!__any_sync(kAll, working)) {
        if (__any_sync(kAll, done)) return;
        pause();
        continue;
      }
    }
    const std::uint16_t* const samples = block.samples(task.column);
    const auto* const known = reinterpret_cast<const unsigned char*>(block.known(task.column));
    const Line line(task.first, task.last, samples[task.first], samples[task.last]);
    // An octet without work has a segment of length 0, so nothing counts.
    unsigned key =
        ChunkDistances(line, samples, known, (task.first >> 3) + member, task.last >> 3).key();
    // Distances of so few rows leave six bits free: the places of all threads fit in.
    key = (key & ~7U) * 8 + (kOctet - 1 - member) * 8 + (key & 7);
#pragma unroll
    for (int i = kOctet / 2; i > 0; i /= 2) key = max(key, __shfl_xor_sync(kAll, key, i));
    const bool split = static_cast<int>(key >> 6) > line.threshold(a.eps256);
    const int row = (task.first & ~7) + 63 - static_cast<int>(key & 63);
    const bool above = split && !is_for_thread(task.first, row);
    const bool below = split && !is_for_thread(row, task.last);
    if (member == 1 && split) {
      atomicOr(&block.vertices(task.column)[row >> 5], 1U << (row & 31));
    }
    if (member == 0 && above && below) put(queue, tasks, {task.column, row, task.last});
    if (member == 0 && working && !above && !below) place = finish(queue);
    working = working && (above || below);
    if (!working) {
      task.last = task.first;
    } else if (above) {
      task.last = row;
    } else {
      task.first = row;
    }
  }
}

// Splits the short rest: each thread takes the segments that start in its 32 rows. The known
// vertices serve as the stack: the next two always bound the segment to split next.
template <int kColumns>
__device__ void split_by_threads(const SegmentArguments& a, const Columns& block) {
  const int words = block.layout.words;
  for (int i = static_cast<int>(threadIdx.x); i < words * kColumns; i += kQueueThreads) {
    const int column = i % kColumns;
    const int w = i / kColumns;
    const unsigned low = block.vertices(column)[w];
    if (low == 0) continue;
    const bool has_next = w + 1 < words;
    const unsigned high = has_next ? block.vertices(column)[w + 1] : 0;
    const std::uint16_t* const y = block.samples(column) + w * kWordRows;
    const unsigned long long known =
        block.known(column)[w] |
        static_cast<unsigned long long>(has_next ? block.known(column)[w + 1] : 0) << 32;
    unsigned long long vertices = low | static_cast<unsigned long long>(high) << 32;
    unsigned long long found = 0;
    int first = __ffs(static_cast<int>(low)) - 1;
    const int end = high != 0 ? 31 + __ffs(static_cast<int>(high)) : 64;
    while (first < end) {
      const unsigned long long later = vertices & (~0ULL << first << 1);
      if (later == 0) break;
      const int last = __ffsll(static_cast<long long>(later)) - 1;
      int vertex = -1;
      if (last - first <= kThreadLength && last - first > 1) {
        const Line line(first, last, y[first], y[last]);
        int largest = line.threshold(a.eps256);
        int value = line.origin;
        for (int row = first + 1; row < last; ++row) {
          value += line.rise;
          const int distance = abs(value - y[row] * line.length);
          if ((known >> row & 1) != 0 && distance > largest) {
            largest = distance;
            vertex = row;
          }
        }
      }
      if (vertex >= 0) {
        vertices |= 1ULL << vertex;
        found |= 1ULL << vertex;
      } else {
        first = last;
      }
    }
    if (static_cast<unsigned>(found) != 0) {
      atomicOr(&block.thread_vertices(column)[w], static_cast<unsigned>(found));
    }
    if (found >> 32 != 0) {
      atomicOr(&block.thread_vertices(column)[w + 1], static_cast<unsigned>(found >> 32));
    }
  }
  __syncthreads();
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_SPLIT_CUH_
