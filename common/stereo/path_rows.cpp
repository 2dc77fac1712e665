// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/path_rows.h"

#include <hwy/cache_control.h>

#include <algorithm>

#include "common/stereo/count_bits.h"
#include "common/stereo/parameters.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/stereo/path_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"
#include "common/stereo/path_vectors-inl.h"

#ifndef RDP_STEREO_CENSUS_TABLES
#define RDP_STEREO_CENSUS_TABLES
namespace rdp::stereo {

// The number of differing bits between four census bits of the left view, which choose the table,
// and four of the right view, the index. The last part has two bits. Its indices from 8 on mean
// that the right view's pixel was not seen; the other parts then have index 128, which gives 0.
struct CensusTables {
  alignas(64) std::uint8_t differ[16][16];
  alignas(64) std::uint8_t last[8][16];
};

constexpr CensusTables make_census_tables() {
  CensusTables tables{};
  for (int left = 0; left < 16; ++left) {
    for (int right = 0; right < 16; ++right) {
      int bits = 0;
      for (int b = 0; b < 4; ++b) bits += (left ^ right) >> b & 1;
      tables.differ[left][right] = static_cast<std::uint8_t>(bits);
      if (left < 8)
        tables.last[left][right] = static_cast<std::uint8_t>(right < 8 ? bits : kMaxCost);
    }
  }
  return tables;
}

inline constexpr CensusTables kCensusTables = make_census_tables();

// True if there is code for a layout. Disparities without a layout take the next larger one.
constexpr bool has_layout(int lanes, int stripes) {
  const int disparities = lanes * stripes;
  if (disparities > kMaxDisparities) return false;
  return (stripes & (stripes - 1)) == 0 || (disparities == 192 && lanes > 16);
}

}  // namespace rdp::stereo
#endif

// Many short vectors do not fit the registers: their loops are left as they are, which keeps the
// code small.
#undef RDP_STRIPE_UNROLL
#if HWY_TARGET == HWY_AVX2 || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
#define RDP_STRIPE_UNROLL RDP_UNROLL
#else
#define RDP_STRIPE_UNROLL
#endif

HWY_BEFORE_NAMESPACE();
namespace rdp::stereo {
namespace HWY_NAMESPACE {

// One step along a path: `path` has its costs at the previous pixel, minus their minimum, and
// receives those of this pixel. `costs` are the pixel's; `sums` receives the path's before the
// subtraction.
template <int K>
HWY_INLINE void step(const Bytes* costs, Bytes p1, Bytes p2, Bytes* path, Bytes* sums) {
  const Bytes before_first = from_lane_before(path[K - 1]);
  const Bytes after_last = from_next_lane(path[0]);
  RDP_STRIPE_UNROLL
  for (int k = 0; k < K; ++k) {
    const Bytes before = k == 0 ? before_first : path[k - 1];
    const Bytes after = k == K - 1 ? after_last : path[k + 1];
    const Bytes way = smaller(smaller(path[k], p2), sum_or_255(smaller(before, after), p1));
    sums[k] = sum_or_255(costs[k], way);
  }
  Bytes all = sums[0];
  RDP_STRIPE_UNROLL
  for (int k = 1; k < K; ++k) all = smaller(all, sums[k]);
  const Bytes least_of_all = least(all);
  RDP_STRIPE_UNROLL
  for (int k = 0; k < K; ++k) path[k] = less(sums[k], least_of_all);
}

// step() for a path that is kept in memory.
template <int K>
HWY_INLINE void step_in_memory(const Bytes* costs, Bytes p1, Bytes p2, std::uint8_t* memory,
                               Bytes* sums) {
  Bytes path[K];
  RDP_STRIPE_UNROLL
  for (int k = 0; k < K; ++k) path[k] = load(memory + k * kByteLanes);
  step<K>(costs, p1, p2, path, sums);
  RDP_STRIPE_UNROLL
  for (int k = 0; k < K; ++k) store(path[k], memory + k * kByteLanes);
}

// The place of a disparity's sum among those of a pixel.
template <int K>
HWY_INLINE unsigned sum_place(int disparity) {
  const auto d = static_cast<unsigned>(disparity);
  return d % (2 * K) * kWordLanes + d / (2 * K);
}

// The costs of a pixel's disparities.
template <int K>
HWY_INLINE void pixel_costs(const PathRow& row, int x, Bytes* costs) {
  constexpr int kParts = RDP_STEREO_COUNTS_BITS ? 4 : 8;
  const std::uint8_t* left = row.left + x;
#if RDP_STEREO_COUNTS_BITS
  Bytes of_left[kParts];
#else
  Table of_left[kParts];
#endif
  RDP_STRIPE_UNROLL
  for (int n = 0; n < kParts; ++n) {
    const std::uint8_t bits = left[n * row.left_part];
#if RDP_STEREO_COUNTS_BITS
    of_left[n] = all_bytes(bits);
#else
    const auto& table = n == kParts - 1 ? kCensusTables.last : kCensusTables.differ;
    of_left[n] = load_table(table[0] + bits);
#endif
  }
  const auto differ = [&](int n, const std::uint8_t* right) HWY_ATTR {
#if RDP_STEREO_COUNTS_BITS
    return hn::PopulationCount(hn::Xor(of_left[n], load(right)));
#else
    return look_up(of_left[n], load(right));
#endif
  };
  const int begin = row.right_ahead + row.width - 1 - x + row.min_disparity;
  const std::ptrdiff_t part = row.right_phase * K;
  RDP_STRIPE_UNROLL
  for (int k = 0; k < K; ++k) {
    const auto at = static_cast<unsigned>(begin + k);
    const std::uint8_t* right = row.right + at % K * row.right_phase + at / K;
    Bytes cost = differ(0, right);
    RDP_STRIPE_UNROLL
    for (int n = 1; n < kParts; ++n) cost = sum(cost, differ(n, right + n * part));
    if (RDP_STEREO_COUNTS_BITS && row.masked) cost = or_bits(cost, load(right + kParts * part));
    cost = smaller(cost, all_bytes(kMaxCost));
    costs[k] = or_bits(cost, load(row.padding + k * kByteLanes));
  }
}

// The winners of a batch of pixels, whose sums are in row.scratch.
template <int K>
HWY_INLINE void find_best(const PathRow& row, int first, int end) {
  constexpr int kStripes = 2 * K;
  constexpr int kCell = kStripes * kWordLanes;
  for (int column = first; column < end; ++column) {
    const int x = row.width - 1 - column;
    std::int16_t* sums = row.scratch + (column - first) * kCell;
    Words all = load(sums);
    RDP_STRIPE_UNROLL
    for (int q = 1; q < kStripes; ++q) all = smaller(all, load(sums + q * kWordLanes));
    const int smallest = least_number(all);
    // The first lane that has it has the smallest disparity, in the first of its stripes.
    const int lane = first_lane_of(all, smallest);
    int stripe = kStripes - 1;
    RDP_STRIPE_UNROLL
    for (int q = kStripes - 2; q >= 0; --q) {
      stripe = sums[q * kWordLanes + lane] == smallest ? q : stripe;
    }
    const int best = lane * kStripes + stripe;
    const int last = row.disparities - 1;
    const bool inside = best > 0 && best < last;
    std::int16_t* const before = sums + sum_place<K>(std::max(best - 1, 0));
    std::int16_t* const after = sums + sum_place<K>(std::min(best + 1, last));
    row.best[x] = static_cast<std::int16_t>(best);
    row.best_sum[x] = static_cast<std::int16_t>(smallest);
    row.sum_before[x] = inside ? *before : static_cast<std::int16_t>(smallest);
    row.sum_after[x] = inside ? *after : static_cast<std::int16_t>(smallest);
    // Excluded from the search for the second best. That runs after all pixels, so that whole
    // vectors are not loaded right after being stored in parts.
    *before = *after = sums[stripe * kWordLanes + lane] = INT16_MAX;
  }
  for (int column = first; column < end; ++column) {
    const std::int16_t* sums = row.scratch + (column - first) * kCell;
    Words all = load(sums);
    RDP_STRIPE_UNROLL
    for (int q = 1; q < kStripes; ++q) all = smaller(all, load(sums + q * kWordLanes));
    row.second_sum[row.width - 1 - column] = static_cast<std::int16_t>(least_number(all));
  }
}

// Finishes, after the last column, the right view's pixels whose first disparities are negative and
// would match pixels beyond it.
template <int K>
HWY_INLINE void finish_right(const PathRow& row) {
  constexpr int kStripes = 2 * K;
  for (int slot = 0; slot < kStripes; ++slot) {
    const int q = (slot + kStripes - row.width % kStripes) % kStripes;
    for (int lane = 0; lane < kWordLanes; ++lane) {
      const int in_right = -1 - row.min_disparity - q - lane * kStripes;
      if (in_right < 0 || in_right >= row.width) continue;
      row.right_disparity[in_right] = row.right_best[slot * kWordLanes + lane];
    }
  }
}

// Merges the sums of a batch of the left view's pixels, in row.scratch, into those of the right
// view's pixels that they may match.
//
// The pixel of the right view that stripe q's lane j belongs to is x - min_disparity - q - j *
// stripes. At the next pixel, x - 1, stripe q - 1 belongs to the same pixels. So results stay in
// place, in one of as many slots as there are stripes. After stripe 0 comes the last one, moved by
// a lane: there one pixel is done, and another one begins.
template <int K>
HWY_INLINE void find_right(const PathRow& row, int first, int end) {
  constexpr int kStripes = 2 * K;
  constexpr int kCell = kStripes * kWordLanes;
  const Words none = load(row.right_sums + kCell);
  RDP_STRIPE_UNROLL
  for (int slot = 0; slot < kStripes; ++slot) {
    Words best = load(row.right_best + slot * kWordLanes);
    Words smallest = load(row.right_sums + slot * kWordLanes);
    const std::int16_t* sums = row.scratch;
    int q = (slot + kStripes - first % kStripes) % kStripes;
    int in_right = row.width - 1 - first - row.min_disparity;
    for (int column = first; column < end; ++column, sums += kCell, --in_right) {
      const Words here = load(sums + q * kWordLanes);
      best = choose(here, smallest, load(row.disparity_numbers + q * kWordLanes), best);
      smallest = smaller(here, smallest);
      if (--q >= 0) continue;
      q = kStripes - 1;
      if (in_right >= 0 && in_right < row.width) row.right_disparity[in_right] = first_lane(best);
      best = from_next_lane(best, best);
      smallest = from_next_lane(smallest, none);
    }
    store(best, row.right_best + slot * kWordLanes);
    store(smallest, row.right_sums + slot * kWordLanes);
  }
  if (row.min_disparity < 0 && end == row.width) finish_right<K>(row);
}

// Columns by which the prefetch of the first pass's sums runs ahead.
inline constexpr std::ptrdiff_t kPrefetched = 16;

template <int K, bool kEightPaths, bool kSecond>
HWY_NOINLINE void columns_of(const PathRow& row, int first, int end) {
  constexpr int kBytes = K * kByteLanes;
  constexpr int kMaxPieces = kEightPaths ? 4 : 2;
  const Bytes p1 = all_bytes(row.p1);
  const Bytes p2 = all_bytes(row.p2);
  const bool wide = row.wide;
  const std::ptrdiff_t cell = kBytes * (kEightPaths ? 2 : 1) * (wide ? 2 : 1);
  Bytes horizontal[K];
  RDP_STRIPE_UNROLL
  for (int k = 0; k < K; ++k) horizontal[k] = load(row.horizontal + k * kByteLanes);
  for (int column = first; column < end; ++column) {
    const int x = kSecond ? row.width - 1 - column : column;
    Bytes costs[K];
    pixel_costs<K>(row, x, costs);
    Bytes path[kMaxPieces][K];
    step<K>(costs, p1, p2, horizontal, path[0]);
    step_in_memory<K>(costs, p1, p2, row.vertical + std::ptrdiff_t{column} * kBytes, path[1]);
    if constexpr (kEightPaths) {
      step_in_memory<K>(costs, p1, p2, row.falling + std::ptrdiff_t{column} * kBytes, path[2]);
      step_in_memory<K>(costs, p1, p2, row.rising + std::ptrdiff_t{column} * kBytes, path[3]);
    }
    std::uint8_t* const sums = row.sums + x * cell;
    if constexpr (!kSecond) {
      RDP_STRIPE_UNROLL
      for (int k = 0; k < K; ++k) {
        std::uint8_t* const to = sums + k * kByteLanes;
        if (wide) {
          RDP_STRIPE_UNROLL
          for (int i = 0; i < kMaxPieces; ++i) store(path[i][k], to + i * kBytes);
        } else {
          RDP_STRIPE_UNROLL
          for (int i = 0; i < kMaxPieces; i += 2) {
            store(sum_or_255(path[i][k], path[i + 1][k]), to + i / 2 * kBytes);
          }
        }
      }
    } else {
      // They come from memory, from high addresses to low ones.
      for (std::ptrdiff_t line = 0; line < cell; line += 64) {
        hwy::Prefetch(sums + line - kPrefetched * cell);
      }
      Words all[2 * K];
      RDP_STRIPE_UNROLL
      for (int k = 0; k < K; ++k) {
        const std::uint8_t* const from = sums + k * kByteLanes;
        if (wide) {
          Words even = even_lanes(path[0][k]);
          Words odd = odd_lanes(path[0][k]);
          RDP_STRIPE_UNROLL
          for (int i = 0; i < kMaxPieces; ++i) {
            const Bytes piece = load(from + i * kBytes);
            even = sum(even, even_lanes(piece));
            odd = sum(odd, odd_lanes(piece));
            if (i == 0) continue;
            even = sum(even, even_lanes(path[i][k]));
            odd = sum(odd, odd_lanes(path[i][k]));
          }
          all[k] = even;
          all[K + k] = odd;
        } else {
          const Bytes own = sum_or_255(path[0][k], path[1][k]);
          const Bytes piece = load(from);
          Words even = sum(even_lanes(own), even_lanes(piece));
          Words odd = sum(odd_lanes(own), odd_lanes(piece));
          if constexpr (kEightPaths) {
            const Bytes own_2 = sum_or_255(path[2][k], path[3][k]);
            const Bytes piece_2 = load(from + kBytes);
            even = sum(even, sum(even_lanes(own_2), even_lanes(piece_2)));
            odd = sum(odd, sum(odd_lanes(own_2), odd_lanes(piece_2)));
          }
          all[k] = even;
          all[K + k] = odd;
        }
      }
      std::int16_t* const scratch = row.scratch + (column - first) * kBytes;
      RDP_STRIPE_UNROLL
      for (int q = 0; q < 2 * K; ++q) store(all[q], scratch + q * kWordLanes);
    }
  }
  RDP_STRIPE_UNROLL
  for (int k = 0; k < K; ++k) store(horizontal[k], row.horizontal + k * kByteLanes);
  if constexpr (kSecond) {
    find_right<K>(row, first, end);
    find_best<K>(row, first, end);
  }
}

template <int K>
void columns_of_layout(const PathRow& row, int first, int end) {
  if constexpr (!has_layout(kByteLanes, K)) {
    return;
  } else if (row.paths == 8) {
    row.second ? columns_of<K, true, true>(row, first, end)
               : columns_of<K, true, false>(row, first, end);
  } else {
    row.second ? columns_of<K, false, true>(row, first, end)
               : columns_of<K, false, false>(row, first, end);
  }
}

int byte_lanes() { return kByteLanes; }

void path_columns(const PathRow& row, int first, int end) {
  switch (row.layout.stripes) {
    case 1:
      return columns_of_layout<1>(row, first, end);
    case 2:
      return columns_of_layout<2>(row, first, end);
    case 3:
      return columns_of_layout<3>(row, first, end);
    case 4:
      return columns_of_layout<4>(row, first, end);
    case 6:
      return columns_of_layout<6>(row, first, end);
    case 8:
      return columns_of_layout<8>(row, first, end);
    default:
      return columns_of_layout<16>(row, first, end);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::stereo
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::stereo {

HWY_EXPORT(byte_lanes);
HWY_EXPORT(path_columns);

StripeLayout stripe_layout(int disparities) {
  const int lanes = HWY_DYNAMIC_DISPATCH(byte_lanes)();
  int stripes = (disparities + lanes - 1) / lanes;
  while (!has_layout(lanes, stripes)) ++stripes;
  return {lanes, stripes};
}

void path_columns(const PathRow& row, int first, int end) {
  HWY_DYNAMIC_DISPATCH(path_columns)(row, first, end);
}

}  // namespace rdp::stereo
#endif  // HWY_ONCE
