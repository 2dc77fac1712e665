// SPDX-License-Identifier: LGPL-2.1-or-later
// Medians of 3x3 and 5x5 windows by exchange networks in registers; the networks are those of
// common/image/median.cpp. A warp takes 256 neighbouring columns, each thread eight of them in four
// rows. A thread gets the columns beside its own from its neighbours, without shared memory. A
// column is sorted once for all of its windows. Two rows share the sorting of their common samples,
// two columns that of their common columns.
#include <cooperative_groups.h>

#include <cstdint>

#include "kernels/filters/filter_rows.cuh"
#include "kernels/primitives/wide_samples.cuh"

namespace rdp::cuda {
namespace {

// Two samples that are worked on at a time: column x in the lower half of a word and column x + 4
// in the upper one, so that the columns beside a pair are the pair beside it. Samples of 8 bits are
// in the upper half of their 16; what is below them decides nothing.
//
// Minima and maxima of halves of words are single instructions from compute capability 9.0 on, but
// for 11.0, for which ptxas makes many of each.
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ != 1100
struct Pair {
  std::uint32_t both;
};
__device__ Pair pair_of(std::uint32_t word) { return {word}; }
__device__ std::uint32_t word_of(Pair p) { return p.both; }
__device__ Pair smaller(Pair a, Pair b) { return {__vminu2(a.both, b.both)}; }
__device__ Pair larger(Pair a, Pair b) { return {__vmaxu2(a.both, b.both)}; }
#else
struct Pair {
  std::uint32_t low, high;
};
__device__ Pair pair_of(std::uint32_t word) { return {word & 0xFFFF, word >> 16}; }
__device__ std::uint32_t word_of(Pair p) { return __byte_perm(p.low, p.high, 0x5410); }
__device__ Pair smaller(Pair a, Pair b) { return {min(a.low, b.low), min(a.high, b.high)}; }
__device__ Pair larger(Pair a, Pair b) { return {max(a.low, b.low), max(a.high, b.high)}; }
#endif

__device__ void exchange(Pair& low, Pair& high) {
  const Pair least = smaller(low, high);
  high = larger(low, high);
  low = least;
}

// The pairs of a thread.
constexpr int kPairs = kWide / 2;

// The pairs of a row as words, with `kReach` more at both sides.
template <int kReach>
struct PairRow {
  std::uint32_t words[kPairs + 2 * kReach];

  __device__ std::uint32_t& at(int pair) { return words[kReach + pair]; }
  __device__ Pair operator[](int index) const { return pair_of(words[index]); }
};

// The places of samples within words, for __byte_perm(). `left` and `right` are the words beside a
// thread's own: their nearest samples are at the upper and at the lower end.
template <typename Sample>
struct Places;

template <>
struct Places<std::uint16_t> {
  static constexpr std::uint32_t kLeft1 = 0x5432, kLeft2 = 0x5410;
  static constexpr std::uint32_t kRight1 = 0x5432, kRight2 = 0x7632;

  template <int kReach>
  __device__ static void pair(const Wide<std::uint16_t>& in, PairRow<kReach>* row) {
    row->at(0) = __byte_perm(in.words[0], in.words[2], 0x5410);
    row->at(1) = __byte_perm(in.words[0], in.words[2], 0x7632);
    row->at(2) = __byte_perm(in.words[1], in.words[3], 0x5410);
    row->at(3) = __byte_perm(in.words[1], in.words[3], 0x7632);
  }
  __device__ static Wide<std::uint16_t> unpair(const std::uint32_t* pairs) {
    return {{__byte_perm(pairs[0], pairs[1], 0x5410), __byte_perm(pairs[2], pairs[3], 0x5410),
             __byte_perm(pairs[0], pairs[1], 0x7632), __byte_perm(pairs[2], pairs[3], 0x7632)}};
  }
};

template <>
struct Places<std::uint8_t> {
  static constexpr std::uint32_t kLeft1 = 0x5433, kLeft2 = 0x5422;
  static constexpr std::uint32_t kRight1 = 0x4432, kRight2 = 0x5532;

  template <int kReach>
  __device__ static void pair(const Wide<std::uint8_t>& in, PairRow<kReach>* row) {
    row->at(0) = __byte_perm(in.words[0], in.words[1], 0x4400);
    row->at(1) = __byte_perm(in.words[0], in.words[1], 0x5511);
    row->at(2) = __byte_perm(in.words[0], in.words[1], 0x6622);
    row->at(3) = __byte_perm(in.words[0], in.words[1], 0x7733);
  }
  __device__ static Wide<std::uint8_t> unpair(const std::uint32_t* pairs) {
    const std::uint32_t even = __byte_perm(pairs[0], pairs[1], 0x7351);
    const std::uint32_t odd = __byte_perm(pairs[2], pairs[3], 0x7351);
    return {{__byte_perm(even, odd, 0x5410), __byte_perm(even, odd, 0x7632)}};
  }
};

// Two neighbouring samples as one word has them at its lower end.
template <typename Sample>
__device__ std::uint32_t two_samples(const Sample* row, int x, int width) {
  const std::uint32_t first = __ldg(row + min(max(x, 0), width - 1));
  const std::uint32_t second = __ldg(row + min(max(x + 1, 0), width - 1));
  return first | second << 8 * sizeof(Sample);
}

// Loads the pairs of kRows rows from row y on, around column x. Rows outside of the frame repeat
// the first or last one. All threads of the warp take part.
template <typename Sample, int kReach, int kRows>
__device__ void load_pairs(const MedianArguments& a, int x, int y, PairRow<kReach>* rows) {
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned lane = threadIdx.x % 32;
  const auto row = [&](int i) { return in_row<Sample>(a, min(max(y + i, 0), a.height - 1)); };
  // All loads from memory come first, so that they overlap.
  Wide<Sample> in[kRows];
  if (is_wide<Sample>(row(0), a.in.pitch[blockIdx.z]) && x + kWide <= a.width) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) in[i] = load_wide_aligned(row(i) + x);
  } else {
#pragma unroll
    for (int i = 0; i < kRows; ++i) in[i] = load_wide_clamped(row(i), x, a.width);
  }
  // The samples beside the warp's columns.
  std::uint32_t beside[kRows] = {};
  if (lane == 0 || lane == 31) {
    const int column = lane == 0 ? x - 2 : x + kWide;
#pragma unroll
    for (int i = 0; i < kRows; ++i) beside[i] = two_samples(row(i), column, a.width);
  }
  using P = Places<Sample>;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    constexpr int kLastWord = sizeof(Wide<Sample>) / 4 - 1;
    std::uint32_t left = warp.shfl_up(in[i].words[kLastWord], 1);
    std::uint32_t right = warp.shfl_down(in[i].words[0], 1);
    if (lane == 0) left = beside[i] << (32 - 16 * sizeof(Sample));
    if (lane == 31) right = beside[i];
    PairRow<kReach>& pairs = rows[i];
    P::pair(in[i], &pairs);
    pairs.at(-1) = __byte_perm(left, pairs.at(3), P::kLeft1);
    pairs.at(4) = __byte_perm(pairs.at(0), right, P::kRight1);
    if constexpr (kReach == 2) {
      pairs.at(-2) = __byte_perm(left, pairs.at(2), P::kLeft2);
      pairs.at(5) = __byte_perm(pairs.at(1), right, P::kRight2);
    }
  }
}

// Columns whose samples are sorted: line[k][c] is the k-th smallest of column c.
template <int kSide>
struct Sorted {
  static constexpr int kReach = kSide / 2;
  static constexpr int kColumns = kPairs + 2 * kReach;
  Pair line[kSide][kColumns];
};

// The kSide - 1 samples in the middle of each column are sorted; adds those of one more row.
template <int kSide>
__device__ Sorted<kSide> insert(const Sorted<kSide>& middle, const PairRow<kSide / 2>& row) {
  Sorted<kSide> result;
#pragma unroll
  for (int c = 0; c < Sorted<kSide>::kColumns; ++c) {
    const Pair v = row[c];
    result.line[0][c] = smaller(middle.line[0][c], v);
#pragma unroll
    for (int k = 1; k < kSide - 1; ++k) {
      result.line[k][c] = larger(middle.line[k - 1][c], smaller(middle.line[k][c], v));
    }
    result.line[kSide - 1][c] = larger(middle.line[kSide - 2][c], v);
  }
  return result;
}

__device__ Sorted<3> sort_middle(const PairRow<1>* rows) {
  Sorted<3> result;
#pragma unroll
  for (int c = 0; c < Sorted<3>::kColumns; ++c) {
    Pair a = rows[1][c], b = rows[2][c];
    exchange(a, b);
    result.line[0][c] = a;
    result.line[1][c] = b;
  }
  return result;
}

__device__ void sort_four(Pair& a, Pair& b, Pair& c, Pair& d) {
  exchange(a, b);
  exchange(c, d);
  exchange(a, c);
  exchange(b, d);
  exchange(b, c);
}

__device__ Sorted<5> sort_middle(const PairRow<2>* rows) {
  Sorted<5> result;
#pragma unroll
  for (int c = 0; c < Sorted<5>::kColumns; ++c) {
    Pair s[4] = {rows[1][c], rows[2][c], rows[3][c], rows[4][c]};
    sort_four(s[0], s[1], s[2], s[3]);
#pragma unroll
    for (int k = 0; k < 4; ++k) result.line[k][c] = s[k];
  }
  return result;
}

// The medians of the windows around columns c and c + 1: the middle one of the largest minimum, the
// middle median and the smallest maximum of three sorted columns.
__device__ void medians_of_two(const Sorted<3>& sorted, int c, std::uint32_t* out) {
  const auto& line = sorted.line;
  const Pair low = larger(line[0][c], line[0][c + 1]);
  const Pair high = smaller(line[2][c], line[2][c + 1]);
  Pair a = line[1][c], b = line[1][c + 1];
  exchange(a, b);
  const auto median = [&](int other) {
    const Pair l = larger(low, line[0][other]);
    const Pair m = larger(a, smaller(b, line[1][other]));
    const Pair h = smaller(high, line[2][other]);
    return word_of(larger(smaller(l, m), smaller(larger(l, m), h)));
  };
  out[0] = median(c - 1);
  out[1] = median(c + 2);
}

// The same of five sorted columns. Which samples can still be the median of 25, and the network
// that finds it among them: see median_5() in common/image/median.cpp.
__device__ void medians_of_two(const Sorted<5>& sorted, int c, std::uint32_t* out) {
  const auto& line = sorted.line;
  // The samples of both windows: the larger two, all four in order, or the smaller two of each
  // line.
  Pair a[4], b[4], m[4], d[4], e[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    a[i] = line[0][c - 1 + i];
    b[i] = line[1][c - 1 + i];
    m[i] = line[2][c - 1 + i];
    d[i] = line[3][c - 1 + i];
    e[i] = line[4][c - 1 + i];
  }
  sort_four(a[0], a[1], a[2], a[3]);
  sort_four(b[0], b[1], b[2], b[3]);
  sort_four(m[0], m[1], m[2], m[3]);
  sort_four(d[0], d[1], d[2], d[3]);
  sort_four(e[0], e[1], e[2], e[3]);
  const auto median = [&](int other) {
    const Pair va = line[0][other], vb = line[1][other], vc = line[2][other];
    const Pair vd = line[3][other], ve = line[4][other];
    // Number k of the four and one more.
    const auto of_five = [](const Pair* four, const Pair& v, int k) {
      if (k == 0) return smaller(four[0], v);
      if (k == 4) return larger(four[3], v);
      return larger(four[k - 1], smaller(four[k], v));
    };
    const Pair a3 = of_five(a, va, 3);
    Pair a4 = of_five(a, va, 4);
    Pair b2 = of_five(b, vb, 2), b3 = of_five(b, vb, 3), b4 = of_five(b, vb, 4);
    Pair c1 = of_five(m, vc, 1), c2 = of_five(m, vc, 2), c3 = of_five(m, vc, 3);
    Pair d0 = of_five(d, vd, 0), d1 = of_five(d, vd, 1), d2 = of_five(d, vd, 2);
    Pair e0 = of_five(e, ve, 0);
    Pair e1 = of_five(e, ve, 1);
    exchange(b3, d0);
    exchange(d0, e1);
    exchange(a4, d0);
    exchange(b2, d1);
    exchange(c3, e0);
    exchange(a4, d2);
    exchange(c2, c3);
    exchange(a4, c2);
    exchange(c3, d0);
    exchange(c1, c3);
    exchange(c2, c3);
    c2 = larger(a3, c2);
    exchange(b4, d1);
    exchange(b4, c2);
    exchange(c2, c3);
    return word_of(c2);
  };
  out[0] = median(c - 2);
  out[1] = median(c + 3);
}

template <typename Sample, int kSide>
__device__ void store_medians(const Sorted<kSide>& sorted, const MedianArguments& a, int x, int y) {
  std::uint32_t pairs[kPairs];
#pragma unroll
  for (int i = 0; i < kPairs; i += 2) medians_of_two(sorted, kSide / 2 + i, pairs + i);
  Sample* const row = out_row<Sample>(a, y);
  store_wide(Places<Sample>::unpair(pairs), row, x, a.width, is_wide<Sample>(row, 0));
}

template <typename Sample, int kSide>
__device__ void median(const MedianArguments& a) {
  constexpr int kReach = kSide / 2;
  constexpr int kRows = kMedianRowsOfThread;
  static_assert(kMedianColumns == 32 * kWide && kRows % 2 == 0);
  const int x =
      static_cast<int>(blockIdx.x) * kMedianColumns + static_cast<int>(threadIdx.x % 32) * kWide;
  const int y =
      static_cast<int>(blockIdx.y) * kMedianRows + static_cast<int>(threadIdx.x / 32) * kRows;
  if (y >= a.height) return;  // all threads of the warp
  PairRow<kReach> rows[kRows + 2 * kReach];
  load_pairs<Sample, kReach, kRows + 2 * kReach>(a, x, y - kReach, rows);
#pragma unroll
  for (int i = 0; i < kRows; i += 2) {
    const Sorted<kSide> middle = sort_middle(rows + i);
    if (y + i < a.height) {
      store_medians<Sample>(insert(middle, rows[i]), a, x, y + i);
    }
    if (y + i + 1 < a.height) {
      store_medians<Sample>(insert(middle, rows[i + kSide]), a, x, y + i + 1);
    }
  }
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_MEDIAN(side, name, sample)                                    \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kMedianThreads) \
      rdp_median_##side##_##name(const rdp::cuda::MedianArguments a) {    \
    rdp::cuda::median<sample, side>(a);                                   \
  }
RDP_MEDIAN(3, u8, std::uint8_t)
RDP_MEDIAN(3, u16, std::uint16_t)
RDP_MEDIAN(5, u8, std::uint8_t)
RDP_MEDIAN(5, u16, std::uint16_t)
