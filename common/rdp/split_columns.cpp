// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/split_columns.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/rdp/split_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"
#include "common/rdp/farthest-inl.h"

// The split of a whole group of columns, breadth first: Algorithm 2, the iterative segmentation, of
// P. Cebrian and J. C. Moure, "GPU-accelerated RDP Algorithm for Data Segmentation", ICCS 2020. But
// each step takes segments of similar length, and those that are done are not looked at again.
//
// A depth-first split of one column waits for each result before it knows what to do next, and its
// branches (split or not? how many vectors?) are as unpredictable as the data. Here the segments to
// be looked at stand in lists, each list for one range of lengths:
// - the next segment does not depend on the last one, so the processor overlaps their latencies;
// - a list's loop has a fixed number of vectors and no branch on the data: whether a segment splits
//   only decides how many of its halves, which are always written, are counted in;
// - the vertices are marks on the samples, so they come out in order whatever the order of work.
//
// The result does not depend on the order, because each segment is looked at on its own.
HWY_BEFORE_NAMESPACE();
namespace rdp {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The largest number of vectors that the samples between a segment's ends fill, for each list. It
// grows from list to list.
inline constexpr int kVectors[ColumnSplitter::kLists] = {1, 2, 4, 6, 8, 12, 16, kMaxSide};
inline constexpr int kLongestList = ColumnSplitter::kLists - 1;

// Segments to be looked at, first | last << 16: indices into the group's samples.
struct Lists {
  std::uint32_t* begin[ColumnSplitter::kLists];
  std::uint32_t* end[ColumnSplitter::kLists];

  explicit Lists(const ColumnSplitter::Memory& memory) {
    for (int i = 0; i < ColumnSplitter::kLists; ++i) {
      begin[i] = end[i] = memory.lists + static_cast<std::size_t>(i) * memory.list_stride;
    }
  }

  // Adds one segment that has samples between its ends.
  void put(std::uint32_t first, std::uint32_t last) {
    const int between = static_cast<int>(last - first) - 1;
    int list = 0;
    for (int i = 0; i < kLongestList; ++i) list += between > kVectors[i] * kLanes ? 1 : 0;
    *end[list]++ = first | last << 16;
  }

  // Adds those segments of a mask that have samples between their ends. All belong to lists up to
  // kList.
  template <int kList>
  HWY_INLINE void put(Vi32 first, Vi32 last, hn::Mask<Di32> mask) {
    const Di32 di32;
    const Vi32 segment = hn::Or(first, hn::ShiftLeft<16>(last));
    const Vi32 length = hn::Sub(last, first);
    // Segments of this list and the longer ones.
    auto rest = hn::And(mask, hn::Gt(length, hn::Set(di32, 1)));
    RDP_UNROLL
    for (int list = 0; list < kList; ++list) {
      const auto longer = hn::Gt(length, hn::Set(di32, kVectors[list] * kLanes + 1));
      end[list] += store_selected(segment, hn::AndNot(longer, rest), end[list]);
      rest = hn::And(longer, rest);
    }
    end[kList] += store_selected(segment, rest, end[kList]);
  }
};

// The result of a look at a segment: the index of its farthest sample, plus kSplits if it splits
// there.
inline constexpr std::uint32_t kSplits = 1U << 16;

inline std::uint32_t finding(const Farthest& farthest, Chord chord, std::uint64_t eps256) {
  return farthest.index + kSplits * must_split(farthest.magnitude, chord.length, eps256);
}

// A look at a segment of list kList, whose line fits Distance.
template <int kList>
HWY_INLINE Farthest look_at(const PackedSample* samples, std::uint32_t first, std::uint32_t last,
                            Chord chord) {
  const Distance distance(chord, samples[first]);
  if constexpr (kList == 0) {
    return farthest_of_few(distance, samples, first + 1, last);
  } else if constexpr (kList < kLongestList) {
    return farthest_of_some<kVectors[kList]>(distance, samples, first + 1, last);
  } else {
    return farthest_of_many(distance, samples, first + 1, last);
  }
}

// Looks at all segments of a list, including those added meanwhile. A split marks its vertex and
// puts its halves into this and the shorter lists.
//
// Findings decide the addresses of stores, and a store with an unknown address may delay later
// loads. Hence findings are first stored in batches, and then acted on together.
template <int kList>
HWY_NOINLINE void split_list(const PackedSample* HWY_RESTRICT samples, std::uint64_t eps256,
                             std::uint8_t* HWY_RESTRICT is_vertex,
                             Lists* HWY_RESTRICT lists_of_all) {
  const Di32 di32;
  constexpr std::ptrdiff_t kBatch = 32;
  HWY_ALIGN std::uint32_t found[kBatch];
  std::ptrdiff_t steep[kBatch];
  Lists lists = *lists_of_all;
  const std::uint32_t* next = lists.begin[kList];
  while (next != lists.end[kList]) {
    const std::ptrdiff_t count = std::min(lists.end[kList] - next, kBatch);
    // Lines that do not fit are looked at again afterwards: in noise, a branch here would be
    // mispredicted.
    std::ptrdiff_t steep_count = 0;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::uint32_t first = next[i] & 0xFFFF;
      const std::uint32_t last = next[i] >> 16;
      const Chord chord(samples[first], samples[last]);
      found[i] = finding(look_at<kList>(samples, first, last, chord), chord, eps256);
      steep[steep_count] = i;
      steep_count += Distance::fits(chord) ? 0 : 1;
    }
    for (std::ptrdiff_t k = 0; k < steep_count; ++k) {
      const std::ptrdiff_t i = steep[k];
      const std::uint32_t first = next[i] & 0xFFFF;
      const std::uint32_t last = next[i] >> 16;
      const Chord chord(samples[first], samples[last]);
      found[i] = finding(farthest_from_steep(chord, samples, first, last), chord, eps256);
    }
    for (std::ptrdiff_t i = 0; i < count; i += kLanes) {
      const Vi32 low_half = hn::Set(di32, 0xFFFF);
      const Vi32 segment = hn::BitCast(di32, hn::LoadU(Du32(), next + i));
      const Vi32 first = hn::And(segment, low_half);
      const Vi32 last = hn::BitCast(di32, hn::ShiftRight<16>(hn::BitCast(Du32(), segment)));
      const Vi32 finding = hn::BitCast(di32, hn::Load(Du32(), found + i));
      const Vi32 farthest = hn::And(finding, low_half);
      const auto splits =
          hn::And(hn::Gt(finding, low_half), hn::FirstN(di32, static_cast<std::size_t>(count - i)));
      lists.put<kList>(first, farthest, splits);
      lists.put<kList>(farthest, last, splits);
    }
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      // This sample was no vertex before, so writing 0 loses nothing.
      is_vertex[found[i] & 0xFFFF] = static_cast<std::uint8_t>(found[i] >> 16);
    }
    next += count;
  }
  lists.end[kList] = lists.begin[kList];
  *lists_of_all = lists;
}

// ColumnSplitter::pack() of kColumns columns. Each store's address depends on the store before:
// several columns at a time keep the processor busy.
template <int kColumns>
HWY_INLINE void pack_columns(const std::uint16_t* columns, std::ptrdiff_t stride, int first_row,
                             int rows, const KnownRange& known, ColumnSplitter::Known* out) {
  const Di32 di32;
  const hn::Rebind<std::uint16_t, Di32> du16;
  // first <= y <= last in one comparison of signed numbers: the range is moved down to INT32_MIN.
  const auto span = static_cast<std::int32_t>(std::min(known.last, 65535U) - known.first);
  // Unsigned, because the difference wraps.
  const Vi32 shift = hn::Set(di32, static_cast<std::int32_t>(0x80000000U - known.first));
  const Vi32 end = hn::Set(di32, INT32_MIN + span + 1);
  Vi32 row = hn::Or(hn::ShiftLeft<16>(hn::Iota(di32, first_row)), hn::Set(di32, kPackedValueBias));
  const Vi32 next_rows = hn::Set(di32, kLanes << 16);
  PackedSample* place[kColumns];
  RDP_UNROLL
  for (int c = 0; c < kColumns; ++c) place[c] = out[c].end;
  const auto pack = [&](int r, auto is_last) HWY_ATTR {
    RDP_UNROLL
    for (int c = 0; c < kColumns; ++c) {
      const Vi32 value = hn::PromoteTo(di32, hn::LoadU(du16, columns + c * stride + r));
      auto is_known = hn::Gt(end, hn::Add(value, shift));
      if constexpr (is_last.value) {
        is_known = hn::And(is_known, hn::FirstN(di32, static_cast<std::size_t>(rows - r)));
      }
      place[c] += store_selected(hn::Xor(value, row), is_known, place[c]);
    }
    row = hn::Add(row, next_rows);
  };
  int r = 0;
  for (; r + kLanes <= rows; r += kLanes) pack(r, std::false_type());
  if (r < rows) pack(r, std::true_type());
  RDP_UNROLL
  for (int c = 0; c < kColumns; ++c) out[c].end = place[c];
}

void pack(const ColumnBlock& block, int count, int first_row, int rows, const KnownRange& known,
          const ColumnSplitter::Memory& memory) {
  const auto some = [&](int c, auto at_once) HWY_ATTR {
    pack_columns<at_once.value>(block.data + c * block.stride, block.stride, first_row, rows, known,
                                memory.known + c);
  };
  constexpr int kAtOnce = 4;
  int c = 0;
  for (; c + kAtOnce <= count; c += kAtOnce) some(c, std::integral_constant<int, kAtOnce>());
  for (; c < count; ++c) some(c, std::integral_constant<int, 1>());
}

// A bit for each of 64 bytes that are 0 or 1.
HWY_INLINE std::uint64_t bits_of_64(const std::uint8_t* bytes) {
  const hn::CappedTag<std::uint8_t, 64> d;
  constexpr int kBytes = static_cast<int>(hn::MaxLanes(d));
  std::uint8_t bits[64 / 8 + 8];
  RDP_UNROLL
  for (int i = 0; i < 64; i += kBytes) {
    hn::StoreMaskBits(d, hn::Ne(hn::Load(d, bytes + i), hn::Zero(d)), bits + i / 8);
  }
  std::uint64_t result;
  std::memcpy(&result, bits, sizeof result);
  return result;
}

// Writes the vertices among `count` samples, a multiple of 64, to `out` and returns their number.
HWY_INLINE std::uint32_t collect_vertices(const PackedSample* samples,
                                          const std::uint8_t* is_vertex, std::ptrdiff_t count,
                                          PackedSample* out) {
  // The place of each word's vertices is worked out first: see split_list() for why.
  struct Word {
    std::uint64_t marks;
    PackedSample* out;
  };
  Word words[kMaxSide / 64 + 1];
  PackedSample* const begin = out;
  Word* last = words;
  for (std::ptrdiff_t i = 0; i < count; i += 64) {
    const std::uint64_t marks = bits_of_64(is_vertex + i);
    *last++ = {marks, out};
    out += hwy::PopCount(marks);
  }
  // The number of vertices written for each 64 samples without a branch: their true number varies,
  // and a misprediction costs more than the extra stores.
  constexpr int kAtOnce = 4;
  for (const Word* word = words; word < last; ++word, samples += 64) {
    std::uint64_t left = word->marks;
    PackedSample* to = word->out;
    RDP_UNROLL
    for (int k = 0; k < kAtOnce; ++k) {
      // The highest bit ensures that there is a bit to find once all have been taken.
      *to++ = samples[lowest_bit(left | std::uint64_t{1} << 63)];
      left &= left - 1;
    }
    for (; left != 0; left &= left - 1) *to++ = samples[lowest_bit(left)];
  }
  return static_cast<std::uint32_t>(out - begin);
}

// Marks the ends of the runs among samples [first, last] and puts them into the lists.
void put_runs(const PackedSample* samples, std::uint32_t first, std::uint32_t last, int max_gap,
              std::uint8_t* is_vertex, Lists* lists) {
  is_vertex[first] = 1;
  for (std::uint32_t i = first; i <= last; ++i) {
    if (i < last && packed_row(samples[i + 1]) - packed_row(samples[i]) - 1 <= max_gap) continue;
    is_vertex[i] = 1;
    if (i < last) is_vertex[i + 1] = 1;
    if (i - first > 1) lists->put(first, i);
    first = i + 1;
  }
}

std::size_t split(int count, std::int64_t eps256, int max_gap, const ColumnSplitter::Memory& memory,
                  PackedSample* vertices, std::uint32_t* vertex_counts) {
  const auto eps = static_cast<std::uint64_t>(eps256);
  std::uint8_t* const is_vertex = memory.is_vertex;
  Lists lists(memory);
  std::size_t total = 0;
  for (int group = 0; group < count; group += memory.group_columns) {
    const int columns = std::min(memory.group_columns, count - group);
    const PackedSample* samples = memory.samples + group * memory.stride;
    std::memset(is_vertex, 0, static_cast<std::size_t>(columns * memory.stride));
    for (int c = 0; c < columns; ++c) {
      const auto first = static_cast<std::uint32_t>(c * memory.stride);
      const ColumnSplitter::Known& known = memory.known[group + c];
      const auto samples_known = static_cast<std::uint32_t>(known.end - known.begin);
      if (samples_known == 0) continue;
      const std::uint32_t last = first + samples_known - 1;
      if (max_gap > 0) {
        put_runs(samples, first, last, max_gap, is_vertex, &lists);
        continue;
      }
      is_vertex[first] = 1;
      is_vertex[last] = 1;
      if (samples_known > 2) lists.put(first, last);
    }
    // From the longest to the shortest: what splits goes on in the same list or a later one.
    split_list<7>(samples, eps, is_vertex, &lists);
    split_list<6>(samples, eps, is_vertex, &lists);
    split_list<5>(samples, eps, is_vertex, &lists);
    split_list<4>(samples, eps, is_vertex, &lists);
    split_list<3>(samples, eps, is_vertex, &lists);
    split_list<2>(samples, eps, is_vertex, &lists);
    split_list<1>(samples, eps, is_vertex, &lists);
    split_list<0>(samples, eps, is_vertex, &lists);
    for (int c = 0; c < columns; ++c) {
      const std::ptrdiff_t first = c * memory.stride;
      vertex_counts[group + c] =
          collect_vertices(samples + first, is_vertex + first, memory.stride, vertices + total);
      total += vertex_counts[group + c];
    }
  }
  return total;
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp {

HWY_EXPORT(pack);
HWY_EXPORT(split);

void ColumnSplitter::prepare(int columns, int rows) {
  // A group has as many columns as stay in the nearer caches with their marks and lists: in larger
  // groups, lists run empty less often. 16-bit indices reach all samples of a group, which is one
  // column in tall frames.
  constexpr std::ptrdiff_t kSamples = 16384;
  // Marks are read 64 at a time.
  constexpr std::ptrdiff_t kMarks = 64;
  static_assert(kMaxSide + kPackedSlack + kMarks <= 65536);
  memory_.columns = columns;
  memory_.stride = (rows + kPackedSlack + kMarks - 1) / kMarks * kMarks;
  memory_.group_columns = static_cast<int>(std::max<std::ptrdiff_t>(1, kSamples / memory_.stride));
  const std::ptrdiff_t in_group = std::max(kSamples, memory_.stride);
  // Each split uses up a sample between ends, so no list ever takes more segments than there are
  // samples. Stores reach up to a vector further.
  memory_.list_stride = static_cast<std::size_t>(in_group + kPackedSlack);
  memory_.samples = samples_.ensure(static_cast<std::size_t>(columns * memory_.stride));
  memory_.known = known_.ensure(static_cast<std::size_t>(columns));
  memory_.is_vertex = is_vertex_.ensure(static_cast<std::size_t>(in_group));
  memory_.lists = lists_.ensure(kLists * memory_.list_stride);
  clear();
}

void ColumnSplitter::clear() {
  for (int c = 0; c < memory_.columns; ++c) {
    PackedSample* const samples = memory_.samples + c * memory_.stride;
    memory_.known[c] = {samples, samples};
  }
}

void ColumnSplitter::pack(const ColumnBlock& block, int count, int first_row, int rows,
                          const KnownRange& known) {
  if (known.first > std::min(known.last, 65535U)) return;
  HWY_DYNAMIC_DISPATCH(pack)(block, count, first_row, rows, known, memory_);
}

std::size_t ColumnSplitter::split(int count, std::int64_t eps256, int max_gap,
                                  PackedSample* vertices, std::uint32_t* vertex_counts) {
  // Vectors that reach beyond the last sample compute with these zeros before they mask them.
  for (int c = 0; c < count; ++c) std::fill_n(memory_.known[c].end, kPackedSlack, PackedSample{0});
  return HWY_DYNAMIC_DISPATCH(split)(count, eps256, max_gap, memory_, vertices, vertex_counts);
}

}  // namespace rdp
#endif  // HWY_ONCE
