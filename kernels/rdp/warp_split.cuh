// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_WARP_SPLIT_CUH_
#define RDP_KERNELS_RDP_WARP_SPLIT_CUH_

#include <cstdint>

#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/warp_layout.h"

// The split of one column of at most kWarpRows rows by one warp.
//
// A node is a segment (first, last) with the vertex `middle` at which it was split. A round looks
// at both of its parts at once: threads that have a chunk of 8 rows of the upper part and threads
// that have one of the lower part. The chunk of `middle` itself belongs to both and is taken twice.
// Of the longest nodes a thread has pairs of chunks: what it works out for each line counts for
// more rows. Short nodes are left for the end, where each half of the warp takes one. Each part
// gives its farthest sample, and where that is too far, a vertex. The warp goes on with one part
// and puts the other on its stack: there is nobody to wait for.
//
// Why 32 bits suffice, with rows below 1024 and samples below 65536:
// - A line's ends are samples, so that a sample is no farther from it than 65535, and a distance,
//   which is |c| = |rise (row - first) - (sample - value of first) length|, is at most
//   65535 length <= 65535 * 1023 < 2^26. Words in between may wrap around: the sum is exact modulo
//   2^32, and so are 8 |c| < 2^29 and 16 |c| < 2^30.
// - In up to 31 chunks, length <= 247: |c| < 2^24, which leaves 8 bits for the row's place, 5 of
//   them for the thread's.
// - Else |c| < 2^26 leaves 6 bits, 4 of them for the row in its pair, 2 for which of the thread's
//   up to 3 pairs it is.
// - The largest distance that is not split is eps256 * length / 256. Of eps256 not more than
//   2^24 - 1 counts, because 65535 length is below that. Its two bytes and the lowest one are
//   multiplied apart.
namespace rdp::cuda {

// A segment that was split at `middle`; of a segment that has not been looked at yet, `middle` is
// `first`. Rows below 1024.
struct Node {
  int first, middle, last;

  __device__ __forceinline__ unsigned pack() const {
    return static_cast<unsigned>(first << 20 | middle << 10 | last);
  }
  __device__ __forceinline__ static Node unpack(unsigned packed) {
    return {static_cast<int>(packed >> 20), static_cast<int>(packed >> 10 & 1023),
            static_cast<int>(packed & 1023)};
  }
};

// largest = max(largest, |c| + kTag), where bit kBit of `rows` is set. In PTX, because the compiler
// finds the predicated instructions only in this form.
template <int kBit, int kTag>
__device__ __forceinline__ void take_row(unsigned rows, int c, int* largest) {
#ifdef RDP_EMULATED
  if ((rows >> kBit & 1) != 0) *largest = max(*largest, abs(c) + kTag);
#else
  asm("{\n"
      "  .reg .pred p;\n"
      "  .reg .s32 bit, size;\n"
      "  and.b32 bit, %1, %3;\n"
      "  setp.ne.s32 p, bit, 0;\n"
      "  abs.s32 size, %2;\n"
      "  @p add.s32 size, size, %4;\n"
      "  @p max.s32 %0, %0, size;\n"
      "}"
      : "+r"(*largest)
      : "r"(rows), "r"(c), "n"(1 << kBit), "n"(kTag));
#endif
}

// The samples of kChunks neighbouring chunks, which begin at a multiple of as many, and a bit for
// each row that counts.
template <int kChunks>
struct Samples {
  uint4 chunks[kChunks];
  unsigned rows;
};

// One part of a node: the line through its ends.
struct Part {
  int first, last;              // rows
  int first_value, last_value;  // samples there

  // The rows strictly between the ends, of a word of which the first one is `row`.
  __device__ __forceinline__ unsigned inside(int row) const {
    return bits_from(max(first + 1 - row, 0)) & ~bits_from(max(last - row, 0));
  }

  // The largest kRows |c| + kRows - 1 - place of the rows that count, of which the first one is
  // `row`: place is a row's, counted from there, so that the first of equally far rows counts. 0
  // where there is none.
  template <int kChunks>
  __device__ __forceinline__ unsigned farthest(const Samples<kChunks>& samples, int row) const {
    // kRows c = at + rise * place + sample * length, where these are kRows times what they say.
    constexpr int kRows = 8 * kChunks;
    const unsigned length = static_cast<unsigned>(first - last) * kRows;
    const unsigned rise = static_cast<unsigned>(last_value - first_value) * kRows;
    const unsigned at =
        rise * static_cast<unsigned>(row - first) - static_cast<unsigned>(first_value) * length;
    // A word times length is too large for its lower sample by what the upper one adds to it.
    const unsigned without_upper = 0U - (length << 16);
    // A maximum for each other row of each chunk: what is worked out does not wait for the rows
    // before.
    int largest[2 * kChunks] = {};
    const auto two = [&](auto place, unsigned word, unsigned line) {
      constexpr int kPlace = decltype(place)::value;
      const unsigned upper = word >> 16;
      const unsigned c0 = upper * without_upper + (word * length + line);
      const unsigned c1 = upper * length + (line + rise);
      int* const of_chunk = largest + kPlace / 8 * 2;
      take_row<kPlace, kRows - 1 - kPlace>(samples.rows, static_cast<int>(c0), of_chunk);
      take_row<kPlace + 1, kRows - 2 - kPlace>(samples.rows, static_cast<int>(c1), of_chunk + 1);
    };
    two(Place<0>{}, samples.chunks[0].x, at);
    two(Place<2>{}, samples.chunks[0].y, at + 2 * rise);
    two(Place<4>{}, samples.chunks[0].z, at + 4 * rise);
    two(Place<6>{}, samples.chunks[0].w, at + 6 * rise);
    if constexpr (kChunks == 2) {
      two(Place<8>{}, samples.chunks[1].x, at + 8 * rise);
      two(Place<10>{}, samples.chunks[1].y, at + 10 * rise);
      two(Place<12>{}, samples.chunks[1].z, at + 12 * rise);
      two(Place<14>{}, samples.chunks[1].w, at + 14 * rise);
    }
#pragma unroll
    for (int i = 1; i < 2 * kChunks; ++i) largest[0] = max(largest[0], largest[i]);
    return static_cast<unsigned>(largest[0]);
  }

 private:
  template <int kPlace>
  struct Place {
    static constexpr int value = kPlace;
  };
};

// The farthest sample of a part, in all threads: its distance and its row, which means nothing
// where the distance is 0.
struct Farthest {
  int max_distance, row;
};

// A column in shared memory, and where its warp works.
struct WarpColumn {
  const std::uint16_t* samples;  // 16-byte aligned
  const unsigned char* known;    // a bit for each row, 4-byte aligned
  unsigned* stack;
  unsigned* marks;  // a word for each thread: vertices of short nodes
  int lane;

  // The stacks of long and of short nodes.
  __device__ __forceinline__ unsigned* longs() const { return stack; }
  __device__ __forceinline__ unsigned* shorts() const { return stack + WarpLayout::kLongNodes; }

  // Chunk `index`, or both of pair `index`; with all known rows.
  __device__ __forceinline__ Samples<1> chunk(int index) const {
    return {{reinterpret_cast<const uint4*>(samples)[index]}, known[index]};
  }
  __device__ __forceinline__ Samples<2> pair(int index) const {
    const uint4* const from = reinterpret_cast<const uint4*>(samples) + 2 * index;
    return {{from[0], from[1]}, reinterpret_cast<const std::uint16_t*>(known)[index]};
  }
};

__device__ __forceinline__ Part choose(bool is_lower, const Part& upper, const Part& lower) {
  return {is_lower ? lower.first : upper.first, is_lower ? lower.last : upper.last,
          is_lower ? lower.first_value : upper.first_value,
          is_lower ? lower.last_value : upper.last_value};
}

// Looks at a node of up to 31 chunks: each thread takes one.
__device__ __forceinline__ void look_at_few(const WarpColumn& column, const Part& upper,
                                            const Part& lower, Farthest* of_upper,
                                            Farthest* of_lower) {
  const int lane = column.lane;
  const int first_chunk = upper.first >> 3;
  const int last_chunk = lower.last >> 3;
  const bool is_lower = lane > (upper.last >> 3) - first_chunk;
  // Threads beyond the last chunk look at that one again, and are not the first to have found it.
  const int chunk = min(first_chunk + lane - (is_lower ? 1 : 0), last_chunk);
  const Part part = choose(is_lower, upper, lower);
  Samples<1> samples = column.chunk(chunk);
  samples.rows &= part.inside(chunk * 8);
  const unsigned found = part.farthest(samples, chunk * 8);
  const unsigned key = (found & ~7U) * 32 + static_cast<unsigned>(31 - lane) * 8 + (found & 7);
  const unsigned key0 = warp_max_unsigned(is_lower ? 0 : key);
  const unsigned key1 = warp_max_unsigned(is_lower ? key : 0);
  *of_upper = {static_cast<int>(key0 >> 8), first_chunk * 8 + 255 - static_cast<int>(key0 & 255)};
  *of_lower = {static_cast<int>(key1 >> 8), first_chunk * 8 + 247 - static_cast<int>(key1 & 255)};
}

// Looks at a node of more chunks: each thread takes up to three pairs of them, 32 apart.
__device__ __forceinline__ void look_at_many(const WarpColumn& column, const Part& upper,
                                             const Part& lower, Farthest* of_upper,
                                             Farthest* of_lower) {
  const int lane = column.lane;
  const int first_pair = upper.first >> 4;
  const int last_pair = lower.last >> 4;
  // Nothing is taken twice where there is no upper part.
  const int twice = upper.last > upper.first ? 1 : 0;
  const int upper_pairs = twice != 0 ? (upper.last >> 4) - first_pair + 1 : 0;
  const int pairs = last_pair - first_pair + 1 + twice;
  unsigned key0 = 0;
  unsigned key1 = 0;
  unsigned earlier = 3 * 16;
#pragma unroll 1
  for (int index = lane; index - lane < pairs; index += 32, earlier -= 16) {
    const bool is_lower = index >= upper_pairs;
    const int pair = min(first_pair + index - (is_lower ? twice : 0), last_pair);
    const Part part = choose(is_lower, upper, lower);
    Samples<2> samples = column.pair(pair);
    samples.rows &= part.inside(pair * 16);
    const unsigned found = part.farthest(samples, pair * 16);
    const unsigned key = (found & ~15U) * 4 + earlier + (found & 15);
    if (is_lower) {
      key1 = max(key1, key);
    } else {
      key0 = max(key0, key);
    }
  }
  const unsigned max0 = warp_max_unsigned(key0);
  const unsigned max1 = warp_max_unsigned(key1);
  // The row that a thread's key says.
  const auto row = [&](unsigned key, int skipped) {
    const int index = lane + 32 * (3 - static_cast<int>(key >> 4 & 3));
    return (first_pair + index - skipped) * 16 + 15 - static_cast<int>(key & 15);
  };
  constexpr int kNone = 0x7FFF;
  const int row0 = warp_min(key0 >> 6 == max0 >> 6 ? row(key0, 0) : kNone);
  const int row1 = warp_min(key1 >> 6 == max1 >> 6 ? row(key1, twice) : kNone);
  *of_upper = {static_cast<int>(max0 >> 6), row0};
  *of_lower = {static_cast<int>(max1 >> 6), row1};
}

// What is not split when it is no farther away: eps256 * length / 256, rounded down.
struct Tolerance {
  int eps256;

  __device__ __forceinline__ explicit Tolerance(unsigned eps)
      : eps256(static_cast<int>(min(eps, (1U << 24) - 1))) {}
  __device__ __forceinline__ int of_length(int length) const {
    return (eps256 >> 8) * length + ((eps256 & 255) * length >> 8);
  }
};

// Nodes of so few chunks, one of them taken twice, are left to half a warp.
__device__ __forceinline__ bool is_short(int first, int last) {
  return (last >> 3) - (first >> 3) < 15;
}

// Nodes in shared memory, of which one thread writes each and all read.
class NodeStack {
 public:
  __device__ __forceinline__ NodeStack(unsigned* memory, int count)
      : memory_(memory), count_(count) {}

  __device__ __forceinline__ int count() const { return count_; }
  __device__ __forceinline__ void push(const Node& node, int lane) {
    if (lane == 0) memory_[count_] = node.pack();
    ++count_;
  }
  // Two nodes at once, or one of them, or none.
  __device__ __forceinline__ void push(const Node& a, bool has_a, const Node& b, bool has_b,
                                       int lane) {
    const Node& mine = lane == 0 ? a : b;
    const bool pushes = lane == 0 ? has_a : lane == 1 && has_b;
    if (pushes) memory_[count_ + (lane == 1 && has_a ? 1 : 0)] = mine.pack();
    count_ += (has_a ? 1 : 0) + (has_b ? 1 : 0);
  }
  __device__ __forceinline__ Node pop() {
    __syncwarp();
    const unsigned packed = memory_[--count_];
    __syncwarp();
    return Node::unpack(packed);
  }

 private:
  unsigned* memory_;
  int count_;
};

// Splits `node`, which is long, and the long nodes of the stack, with the whole warp, and leaves
// the short ones to split_short(). Adds vertices to those of this thread's word.
__device__ __forceinline__ unsigned split_long(const WarpColumn& column, const Tolerance& tolerance,
                                               Node node, NodeStack stack, unsigned vertices,
                                               NodeStack* shorts) {
  const int lane = column.lane;
  int first_value = column.samples[node.first];
  int middle_value = column.samples[node.middle];
  int last_value = column.samples[node.last];
  for (;;) {
    Farthest upper, lower;
    const Part above{node.first, node.middle, first_value, middle_value};
    const Part below{node.middle, node.last, middle_value, last_value};
    if ((node.last >> 3) - (node.first >> 3) < 31) {
      look_at_few(column, above, below, &upper, &lower);
    } else {
      look_at_many(column, above, below, &upper, &lower);
    }
    const bool splits_upper = upper.max_distance > tolerance.of_length(node.middle - node.first);
    const bool splits_lower = lower.max_distance > tolerance.of_length(node.last - node.middle);
    if (splits_upper && lane == upper.row >> 5) vertices |= 1U << (upper.row & 31);
    if (splits_lower && lane == lower.row >> 5) vertices |= 1U << (lower.row & 31);
    // Parts of two rows have no sample between their ends.
    const Node upper_node{node.first, upper.row, node.middle};
    const Node lower_node{node.middle, lower.row, node.last};
    const bool short_upper = is_short(node.first, node.middle);
    const bool short_lower = is_short(node.middle, node.last);
    shorts->push(upper_node, splits_upper && short_upper && node.middle - node.first > 2,
                 lower_node, splits_lower && short_lower && node.last - node.middle > 2, lane);
    const bool goes_up = splits_upper && !short_upper;
    const bool goes_down = splits_lower && !short_lower;
    if (goes_up || goes_down) {
      if (goes_up && goes_down) stack.push(lower_node, lane);
      if (goes_up) {
        node = upper_node;
        last_value = middle_value;
      } else {
        node = lower_node;
        first_value = middle_value;
      }
      middle_value = column.samples[node.middle];
    } else {
      if (stack.count() == 0) return vertices;
      node = stack.pop();
      first_value = column.samples[node.first];
      middle_value = column.samples[node.middle];
      last_value = column.samples[node.last];
    }
  }
}

// The largest keys of the upper and of the lower part, in each half of a warp for itself.
__device__ __forceinline__ void half_max(unsigned key, bool is_lower, int lane, unsigned* upper,
                                         unsigned* lower) {
#if __CUDA_ARCH__ >= 800
  const bool is_first = lane < 16;
  const unsigned upper0 = warp_max_unsigned(is_first && !is_lower ? key : 0);
  const unsigned lower0 = warp_max_unsigned(is_first && is_lower ? key : 0);
  const unsigned upper1 = warp_max_unsigned(!is_first && !is_lower ? key : 0);
  const unsigned lower1 = warp_max_unsigned(!is_first && is_lower ? key : 0);
  *upper = is_first ? upper0 : upper1;
  *lower = is_first ? lower0 : lower1;
#else
  // Half of the threads go on with each part.
  const bool takes_lower = (lane & 8) != 0;
  const unsigned key0 = is_lower ? 0 : key;
  const unsigned key1 = is_lower ? key : 0;
  unsigned mine = takes_lower ? key1 : key0;
  mine = max(mine, __shfl_xor_sync(kAll, takes_lower ? key0 : key1, 8));
#pragma unroll
  for (int i = 4; i > 0; i /= 2) mine = max(mine, __shfl_xor_sync(kAll, mine, i));
  const unsigned other = __shfl_xor_sync(kAll, mine, 8);
  *upper = takes_lower ? other : mine;
  *lower = takes_lower ? mine : other;
#endif
}

// Splits the short nodes, two at a time: each half of the warp has one, and takes the next of the
// stack where it has none. Adds vertices to `marks`, a word of 32 rows each.
__device__ __forceinline__ void split_short(const WarpColumn& column, const Tolerance& tolerance,
                                            unsigned* memory, int count, unsigned* marks) {
  const int lane = column.lane;
  const int member = lane % 16;
  const bool is_second = lane >= 16;
  Node node{0, 0, 0};
  int first_value = 0;
  int middle_value = 0;
  int last_value = 0;
  bool works = false;
  for (;;) {
    const unsigned working = __ballot_sync(kAll, works);
    const int idle0 = (working & 1) == 0 ? 1 : 0;
    const int idle1 = working >> 31 == 0 ? 1 : 0;
    if (working == 0 && count == 0) return;
    if (!works) {
      const int index = count - 1 - (is_second ? idle0 : 0);
      if (index >= 0) {
        node = Node::unpack(memory[index]);
        first_value = column.samples[node.first];
        middle_value = column.samples[node.middle];
        last_value = column.samples[node.last];
        works = true;
      }
    }
    count = max(count - idle0 - idle1, 0);
    const int first_chunk = node.first >> 3;
    const bool is_lower = member > (node.middle >> 3) - first_chunk;
    const int chunk = min(first_chunk + member - (is_lower ? 1 : 0), node.last >> 3);
    const Part part = choose(is_lower, {node.first, node.middle, first_value, middle_value},
                             {node.middle, node.last, middle_value, last_value});
    Samples<1> samples = column.chunk(chunk);
    samples.rows &= part.inside(chunk * 8);
    const unsigned found = part.farthest(samples, chunk * 8);
    const unsigned key = (found & ~7U) * 16 + static_cast<unsigned>(15 - member) * 8 + (found & 7);
    unsigned upper_key, lower_key;
    half_max(key, is_lower, lane, &upper_key, &lower_key);
    const int upper_row = first_chunk * 8 + 127 - static_cast<int>(upper_key & 127);
    const int lower_row = first_chunk * 8 + 119 - static_cast<int>(lower_key & 127);
    const int upper_length = node.middle - node.first;
    const int lower_length = node.last - node.middle;
    const bool splits_upper = static_cast<int>(upper_key >> 7) > tolerance.of_length(upper_length);
    const bool splits_lower = static_cast<int>(lower_key >> 7) > tolerance.of_length(lower_length);
    // The first thread of a half marks the vertex of the upper part, the second one the other.
    const int row = member == 0 ? upper_row : lower_row;
    if (member == 0 ? splits_upper : member == 1 && splits_lower) {
      atomicOr(&marks[row >> 5], 1U << (row & 31));
    }
    const bool goes_up = splits_upper && upper_length > 2;
    const bool goes_down = splits_lower && lower_length > 2;
    const unsigned pushing = __ballot_sync(kAll, goes_up && goes_down);
    if (goes_up && goes_down && member == 0) {
      memory[count + (is_second ? static_cast<int>(pushing & 1) : 0)] =
          Node{node.middle, lower_row, node.last}.pack();
    }
    count += static_cast<int>(pushing & 1) + static_cast<int>(pushing >> 31);
    __syncwarp();
    if (goes_up) {
      node = {node.first, upper_row, node.middle};
      last_value = middle_value;
    } else if (goes_down) {
      node = {node.middle, lower_row, node.last};
      first_value = middle_value;
    } else {
      // Without rows in between nothing is found.
      works = false;
      node.middle = node.first;
      node.last = node.first;
    }
    middle_value = column.samples[node.middle];
  }
}

// Where the split of a column begins.
struct SplitStart {
  // Of this thread's word of 32 rows: the ends of the segments that are to be split.
  unsigned begins = 0;
  unsigned ends = 0;
  // How many nodes there are on the stacks of long and of short ones.
  int longs = 0;
  int shorts = 0;
};

// The column as a whole.
__device__ __forceinline__ SplitStart start_column(const WarpColumn& column, unsigned known) {
  const int lane = column.lane;
  const int row = lane * 32;
  constexpr int kNone = 0x7FFF;
  const int first = warp_min(known != 0 ? row + __ffs(static_cast<int>(known)) - 1 : kNone);
  const int last = warp_max(known != 0 ? row + 31 - __clz(static_cast<int>(known)) : -1);
  SplitStart start;
  if (first > last) return start;
  if (lane == first >> 5) start.begins = 1U << (first & 31);
  if (lane == last >> 5) start.ends = 1U << (last & 31);
  const bool is_long = !is_short(first, last);
  if (lane == 0) (is_long ? column.longs() : column.shorts())[0] = Node{first, first, last}.pack();
  start.longs = is_long ? 1 : 0;
  start.shorts = is_long ? 0 : 1;
  return start;
}

// The runs of a column, between which more than max_gap rows are unknown.
__device__ __forceinline__ SplitStart start_runs(const WarpColumn& column, unsigned known,
                                                 int max_gap) {
  const int lane = column.lane;
  const int row = lane * 32;
  // The last known row above this word, and the first one below it; -1 and kNone: there is none.
  constexpr int kNone = 0x7FFF;
  int above = known != 0 ? row + 31 - __clz(static_cast<int>(known)) : -1;
  int below = known != 0 ? row + __ffs(static_cast<int>(known)) - 1 : kNone;
#pragma unroll
  for (int i = 1; i < 32; i *= 2) {
    const int earlier = __shfl_up_sync(kAll, above, i);
    const int later = __shfl_down_sync(kAll, below, i);
    if (lane >= i) above = max(above, earlier);
    if (lane + i < 32) below = min(below, later);
  }
  above = __shfl_up_sync(kAll, above, 1);
  below = __shfl_down_sync(kAll, below, 1);
  if (lane == 0) above = -1;
  if (lane == 31) below = kNone;
  SplitStart start;
  for (unsigned rest = known; rest != 0;) {
    const int first = __ffs(static_cast<int>(rest)) - 1;
    const unsigned unknown = ~rest & bits_from(first);
    const int end = unknown != 0 ? __ffs(static_cast<int>(unknown)) - 1 : 32;
    rest &= bits_from(end);
    const int next = rest != 0 ? row + __ffs(static_cast<int>(rest)) - 1 : below;
    if (above < 0 || row + first - above - 1 > max_gap) start.begins |= 1U << first;
    above = row + end - 1;
    if (next == kNone || next - above - 1 > max_gap) start.ends |= 1U << (end - 1);
  }
  // The thread that has a run's last row puts it on the stack. Its first row is the last beginning
  // at or above that.
  int begin = start.begins != 0 ? row + 31 - __clz(static_cast<int>(start.begins)) : -1;
#pragma unroll
  for (int i = 1; i < 32; i *= 2) {
    const int earlier = __shfl_up_sync(kAll, begin, i);
    if (lane >= i) begin = max(begin, earlier);
  }
  begin = __shfl_up_sync(kAll, begin, 1);
  const auto first_of = [&](int end) {
    const unsigned own = start.begins & ~bits_from(end + 1);
    return own != 0 ? row + 31 - __clz(static_cast<int>(own)) : begin;
  };
  // Runs of three rows and more have something to split.
  unsigned long_ends = 0;
  unsigned short_ends = 0;
  for (unsigned rest = start.ends; rest != 0; rest &= rest - 1) {
    const int end = __ffs(static_cast<int>(rest)) - 1;
    const int first = first_of(end);
    if (row + end - first < 2) continue;
    (is_short(first, row + end) ? short_ends : long_ends) |= 1U << end;
  }
  // Both counts in one sum.
  const auto count = static_cast<unsigned>(__popc(long_ends) << 16 | __popc(short_ends));
  const unsigned up_to = warp_inclusive_sum(count);
  const auto put = [&](unsigned ends_here, unsigned* to, unsigned index) {
    for (; ends_here != 0; ends_here &= ends_here - 1) {
      const int end = __ffs(static_cast<int>(ends_here)) - 1;
      const int first = first_of(end);
      to[index++] = Node{first, first, row + end}.pack();
    }
  };
  put(long_ends, column.longs(), (up_to - count) >> 16);
  put(short_ends, column.shorts(), (up_to - count) & 0xFFFF);
  const unsigned all = __shfl_sync(kAll, up_to, 31);
  start.longs = static_cast<int>(all >> 16);
  start.shorts = static_cast<int>(all & 0xFFFF);
  return start;
}

// The vertices of a column, a word of 32 rows in each thread.
__device__ __forceinline__ unsigned split_column(const WarpColumn& column, unsigned eps256,
                                                 const SplitStart& start) {
  const Tolerance tolerance(eps256);
  unsigned vertices = start.begins | start.ends;
  column.marks[column.lane] = 0;
  NodeStack shorts(column.shorts(), start.shorts);
  if (start.longs > 0) {
    NodeStack longs(column.longs(), start.longs);
    const Node node = longs.pop();
    vertices = split_long(column, tolerance, node, longs, vertices, &shorts);
  }
  __syncwarp();
  split_short(column, tolerance, column.shorts(), shorts.count(), column.marks);
  __syncwarp();
  return vertices | column.marks[column.lane];
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_WARP_SPLIT_CUH_
