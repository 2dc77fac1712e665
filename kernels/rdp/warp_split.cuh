// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_WARP_SPLIT_CUH_
#define RDP_KERNELS_RDP_WARP_SPLIT_CUH_

#include <cstdint>

#include "kernels/primitives/warp.cuh"

// The split of one column of at most kWarpRows rows by one warp.
//
// A node is a segment (first, last) with the vertex `middle` at which it was split. A round looks
// at both of its parts at once. Each thread has a chunk of 8 rows of the upper or of the lower
// part. The chunk of `middle` itself belongs to both and is taken twice. In long nodes a thread has
// pairs of chunks, so that its work for each line serves more rows. Each part gives its farthest
// sample, and if that is too far, a vertex. The warp goes on with one part and puts the other on
// its stack: there is nobody to wait for.
namespace rdp::cuda {

// A segment that was split at `middle`; before its first search, `middle` is `first`. Rows are
// below 1024.
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

// The stack of a column's warp, in shared memory. One thread writes, all read.
class NodeStack {
 public:
  __device__ NodeStack(unsigned* memory, int count) : memory_(memory), count_(count) {}

  __device__ __forceinline__ bool empty() const { return count_ == 0; }
  __device__ __forceinline__ void push(const Node& node, int lane) {
    if (lane == 0) memory_[count_] = node.pack();
    ++count_;
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

// A warp finds the farthest samples of both parts of a node.
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

// largest = max(largest, |c| + kTag), where bit kBit of `rows` is set. In PTX, because the compiler
// finds the predicated instructions only in this form.
template <int kBit, int kTag>
__device__ __forceinline__ void compare_row(unsigned rows, int c, int* largest) {
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

  // The rows strictly between the ends, in a word that begins with `row`.
  __device__ __forceinline__ unsigned inside(int row) const {
    return bits_from(max(first + 1 - row, 0)) & ~bits_from(max(last - row, 0));
  }

  // The largest kRows |c| + kRows - 1 - place of the rows that count; 0: none do. `place` is
  // counted from `row`, so that the first of equally far rows wins.
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
    // Two maxima in turn for each chunk, so that a row does not wait for the one before.
    int largest[2 * kChunks] = {};
    const auto two = [&](auto place, unsigned word, unsigned line) {
      constexpr int kPlace = decltype(place)::value;
      const unsigned upper = word >> 16;
      const unsigned c0 = upper * without_upper + (word * length + line);
      const unsigned c1 = upper * length + (line + rise);
      int* const of_chunk = largest + kPlace / 8 * 2;
      compare_row<kPlace, kRows - 1 - kPlace>(samples.rows, static_cast<int>(c0), of_chunk);
      compare_row<kPlace + 1, kRows - 2 - kPlace>(samples.rows, static_cast<int>(c1), of_chunk + 1);
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
struct FarthestOfPart {
  int max_distance, row;
};

// A column in shared memory, and where its warp works.
struct WarpColumn {
  const std::uint16_t* samples;  // 16-byte aligned
  const unsigned char* known;    // a bit for each row, 4-byte aligned
  unsigned* stack;
  int lane;

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
                                            const Part& lower, FarthestOfPart* of_upper,
                                            FarthestOfPart* of_lower) {
  const int lane = column.lane;
  const int first_chunk = upper.first >> 3;
  const int last_chunk = lower.last >> 3;
  const bool is_lower = lane > (upper.last >> 3) - first_chunk;
  // Threads beyond the last chunk look at that one again, but are not the first to find its rows.
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

// Looks at a node of more chunks. Each thread takes pairs of them, 32 apart, up to three; the last
// 16 pairs and fewer are shared by two threads each.
__device__ __forceinline__ void look_at_many(const WarpColumn& column, const Part& upper,
                                             const Part& lower, FarthestOfPart* of_upper,
                                             FarthestOfPart* of_lower) {
  const int lane = column.lane;
  const int first_pair = upper.first >> 4;
  const int last_pair = lower.last >> 4;
  // Nothing is taken twice where there is no upper part.
  const int twice = upper.last > upper.first ? 1 : 0;
  const int upper_pairs = twice != 0 ? (upper.last >> 4) - first_pair + 1 : 0;
  const int pairs = last_pair - first_pair + 1 + twice;
  unsigned key0 = 0;
  unsigned key1 = 0;
  // Pair `index`, the one of `middle` counted twice: whose it is, and which of the column's.
  const auto is_of_lower = [&](int index) { return index >= upper_pairs; };
  const auto place = [&](int index, bool is_lower) {
    return min(first_pair + index - (is_lower ? twice : 0), last_pair);
  };
  const auto take = [&](unsigned key, bool is_lower) {
    if (is_lower) {
      key1 = max(key1, key);
    } else {
      key0 = max(key0, key);
    }
  };
  int done = 0;
  unsigned earlier = 3 * 16;
#pragma unroll 1
  for (; pairs - done > 16; done += 32, earlier -= 16) {
    const bool is_lower = is_of_lower(done + lane);
    const int pair = place(done + lane, is_lower);
    const Part part = choose(is_lower, upper, lower);
    Samples<2> samples = column.pair(pair);
    samples.rows &= part.inside(pair * 16);
    const unsigned found = part.farthest(samples, pair * 16);
    take((found & ~15U) * 4 + earlier + (found & 15), is_lower);
  }
  if (done < pairs) {
    const bool is_lower = is_of_lower(done + lane / 2);
    const int chunk = place(done + lane / 2, is_lower) * 2 + lane % 2;
    const Part part = choose(is_lower, upper, lower);
    Samples<1> samples = column.chunk(chunk);
    samples.rows &= part.inside(chunk * 8);
    const unsigned found = part.farthest(samples, chunk * 8);
    const unsigned of_first = lane % 2 == 0 ? 8 : 0;
    take((found & ~7U) * 8 + earlier + of_first + (found & 7), is_lower);
  }
  const unsigned max0 = warp_max_unsigned(key0);
  const unsigned max1 = warp_max_unsigned(key1);
  // The row that a thread's key says.
  const auto row = [&](unsigned key, int skipped) {
    const int before = 32 * (3 - static_cast<int>(key >> 4 & 3));
    const int index = before + (before < done ? lane : lane / 2);
    return (first_pair + index - skipped) * 16 + 15 - static_cast<int>(key & 15);
  };
  constexpr int kNone = 0x7FFF;
  const int row0 = warp_min(key0 >> 6 == max0 >> 6 ? row(key0, 0) : kNone);
  const int row1 = warp_min(key1 >> 6 == max1 >> 6 ? row(key1, twice) : kNone);
  *of_upper = {static_cast<int>(max0 >> 6), row0};
  *of_lower = {static_cast<int>(max1 >> 6), row1};
}

// The start of a column's split.
struct SplitStart {
  // For this thread's word of 32 rows: the ends of the segments that are to be split.
  unsigned begins = 0;
  unsigned ends = 0;
  // The first of them and how many more are on the stack, where `splits` says that there are any.
  bool splits = false;
  Node node{0, 0, 0};
  int stacked = 0;
};

// The column as a whole.
__device__ __forceinline__ SplitStart start_column(int lane, unsigned known) {
  const int row = lane * 32;
  constexpr int kNone = 0x7FFF;
  const int first = warp_min(known != 0 ? row + __ffs(static_cast<int>(known)) - 1 : kNone);
  const int last = warp_max(known != 0 ? row + 31 - __clz(static_cast<int>(known)) : -1);
  SplitStart start;
  start.splits = first <= last;
  if (start.splits && lane == first >> 5) start.begins = 1U << (first & 31);
  if (start.splits && lane == last >> 5) start.ends = 1U << (last & 31);
  start.node = {first, first, last};
  return start;
}

// The runs of a column, between which more than max_gap rows are unknown.
__device__ __forceinline__ SplitStart start_runs(const WarpColumn& column, unsigned known,
                                                 int max_gap) {
  const int lane = column.lane;
  const int row = lane * 32;
  // The last known row above this word, and the first one below it; -1 and kNone: there is none.
  constexpr int kNone = 0x7FFF;
  const unsigned some = __ballot_sync(kAll, known != 0);
  int above = warp_from_before(some, row + 31 - __clz(static_cast<int>(known)), -1);
  const int below = warp_from_after(some, row + __ffs(static_cast<int>(known)) - 1, kNone);
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
  const int begin = warp_from_before(__ballot_sync(kAll, start.begins != 0),
                                     row + 31 - __clz(static_cast<int>(start.begins)), -1);
  const auto first_of = [&](int end) {
    const unsigned own = start.begins & ~bits_from(end + 1);
    return own != 0 ? row + 31 - __clz(static_cast<int>(own)) : begin;
  };
  // Runs of three rows and more have something to split.
  unsigned split = 0;
  for (unsigned rest = start.ends; rest != 0; rest &= rest - 1) {
    const int end = __ffs(static_cast<int>(rest)) - 1;
    if (row + end - first_of(end) >= 2) split |= 1U << end;
  }
  const auto count = static_cast<unsigned>(__popc(split));
  const unsigned up_to = warp_inclusive_sum(count);
  unsigned index = up_to - count;
  for (; split != 0; split &= split - 1) {
    const int end = __ffs(static_cast<int>(split)) - 1;
    const int first = first_of(end);
    column.stack[index++] = Node{first, first, row + end}.pack();
  }
  __syncwarp();
  start.stacked = static_cast<int>(__shfl_sync(kAll, up_to, 31)) - 1;
  start.splits = start.stacked >= 0;
  if (start.splits) start.node = Node::unpack(column.stack[start.stacked]);
  __syncwarp();
  return start;
}

// Splits the nodes of the stack and `node`, and adds the vertices to those of this thread's word.
__device__ __forceinline__ unsigned split_nodes(const WarpColumn& column, unsigned eps256,
                                                Node node, NodeStack stack, unsigned vertices) {
  const int lane = column.lane;
  const int eps = static_cast<int>(min(eps256, (1U << 24) - 1));
  const auto limit = [eps](int length) {
    return (eps >> 8) * length + ((eps & 255) * length >> 8);
  };
  int first_value = column.samples[node.first];
  int middle_value = column.samples[node.middle];
  int last_value = column.samples[node.last];
  for (;;) {
    FarthestOfPart upper, lower;
    const Part above{node.first, node.middle, first_value, middle_value};
    const Part below{node.middle, node.last, middle_value, last_value};
    if ((node.last >> 3) - (node.first >> 3) < 31) {
      look_at_few(column, above, below, &upper, &lower);
    } else {
      look_at_many(column, above, below, &upper, &lower);
    }
    const bool splits_upper = upper.max_distance > limit(node.middle - node.first);
    const bool splits_lower = lower.max_distance > limit(node.last - node.middle);
    if (splits_upper && lane == upper.row >> 5) vertices |= 1U << (upper.row & 31);
    if (splits_lower && lane == lower.row >> 5) vertices |= 1U << (lower.row & 31);
    // Parts of two rows have no sample between their ends.
    const bool goes_up = splits_upper && node.middle - node.first > 2;
    const bool goes_down = splits_lower && node.last - node.middle > 2;
    if (goes_up || goes_down) {
      if (goes_up && goes_down) stack.push({node.middle, lower.row, node.last}, lane);
      if (goes_up) {
        node = {node.first, upper.row, node.middle};
        last_value = middle_value;
      } else {
        node = {node.middle, lower.row, node.last};
        first_value = middle_value;
      }
      middle_value = column.samples[node.middle];
    } else {
      if (stack.empty()) return vertices;
      node = stack.pop();
      first_value = column.samples[node.first];
      middle_value = column.samples[node.middle];
      last_value = column.samples[node.last];
    }
  }
}

// The vertices of a column, a word of 32 rows in each thread.
__device__ __forceinline__ unsigned split_column(const WarpColumn& column, unsigned eps256,
                                                 const SplitStart& start) {
  const unsigned vertices = start.begins | start.ends;
  if (!start.splits) return vertices;
  return split_nodes(column, eps256, start.node, NodeStack(column.stack, start.stacked), vertices);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_WARP_SPLIT_CUH_
