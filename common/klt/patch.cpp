// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/klt/patch.h"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/klt/patch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/klt/window-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::klt {
namespace HWY_NAMESPACE {

// Vectors of pairs of 16 bits.
using DPairs = D16<16>;
using VPairs = hn::Vec<DPairs>;
using VWide = hn::Vec<D32<DPairs>>;
inline constexpr int kPairLanes = static_cast<int>(hn::MaxLanes(D32<DPairs>()));

// A sum of products; int32 lanes hold only a few vectors of them.
struct LongSum {
  HWY_INLINE LongSum() : sum(hn::Zero(D64<DPairs>())) {}

  HWY_INLINE void add(VWide v) { sum = hn::Add(sum, to_doubles(DPairs(), v)); }

  hn::Vec<D64<DPairs>> sum;
};

HWY_INLINE VPairs pairs_at(const std::int16_t* from, int pair) {
  return hn::Load(DPairs(), from + 2 * pair);
}

// The sums over a patch, from those of the products of any two of: the gradients, these times
// columns and rows of a block, intensities, and 1.
HWY_INLINE PatchSums sums_of_patch(const PatchGrid& grid, const std::int16_t* intensity,
                                   const std::int16_t* gx, const std::int16_t* gy) {
  constexpr int kPlanes = kUnknowns + 2;
  const DPairs d;
  PatchSums sums{};
  for (int b = 0; b < grid.blocks; ++b) {
    const PatchGrid::Block& block = grid.block[b];
    LongSum products[kPlanes][kPlanes];
    for (int pair = block.first; pair < block.end; pair += kPairLanes) {
      const VPairs column = pairs_at(grid.column, pair);
      const VPairs row = pairs_at(grid.row, pair);
      const VPairs x = pairs_at(gx, pair);
      const VPairs y = pairs_at(gy, pair);
      const VPairs planes[kPlanes] = {x,
                                      y,
                                      hn::Mul(x, column),
                                      hn::Mul(x, row),
                                      hn::Mul(y, column),
                                      hn::Mul(y, row),
                                      pairs_at(intensity, pair),
                                      pairs_at(grid.ones, pair)};
      _Pragma("GCC unroll 8") for (int i = 0; i < kPlanes; ++i) {
        _Pragma("GCC unroll 8") for (int j = 0; j <= i; ++j) {
          products[i][j].add(pair_products(d, planes[i], planes[j]));
        }
      }
    }
    std::int64_t g[kPlanes][kPlanes];
    for (int i = 0; i < kPlanes; ++i) {
      for (int j = 0; j <= i; ++j) {
        g[i][j] = g[j][i] = static_cast<std::int64_t>(sum_lanes(d, products[i][j].sum));
      }
    }
    // Replaces columns and rows by u and v.
    const auto change = [&](std::int64_t& of_offset, std::int64_t of_one, int middle) {
      of_offset = 2 * of_offset + middle * of_one;
    };
    for (int k = 2; k < kUnknowns; ++k) {
      const int middle = k % 2 == 0 ? block.u : block.v;
      for (int i = 0; i < kPlanes; ++i) change(g[k][i], g[k / 2 - 1][i], middle);
      for (int i = 0; i < kPlanes; ++i) change(g[i][k], g[i][k / 2 - 1], middle);
    }
    for (int i = 0; i < kUnknowns; ++i) {
      for (int j = 0; j <= i; ++j) sums.jj[of_triangle(i, j)] += g[i][j];
      sums.ji[i] += g[kUnknowns][i];
      sums.j[i] += g[kUnknowns + 1][i];
    }
    sums.ii += g[kUnknowns][kUnknowns];
    sums.i += g[kUnknowns + 1][kUnknowns];
  }
  return sums;
}

// Takes a patch, if light can be projected out of it.
template <int kSide>
HWY_NOINLINE bool take_patch(const PatchSearch& search, Place place, const PatchMemory& patch) {
  const PatchGrid& grid = *search.grid;
  const StepRules& rules = search.rules;
  Window<kSide> window;
  window.set_side(rules.window);
  TemplateSums ignored;
  read_template<Light::kNone>(*search.from, place, &window, &ignored);
  const std::size_t numbers = 2 * patch_pairs(rules.window);
  std::int16_t* const intensity = patch.samples;
  std::int16_t* const gx = intensity + numbers;
  std::int16_t* const gy = gx + numbers;
  for (std::size_t i = 0; i < numbers; ++i) {
    const int at = grid.window_row[i] * kRowNumbers<kSide> + grid.window_column[i];
    const std::int16_t one = grid.ones[i];
    intensity[i] = static_cast<std::int16_t>(one * window.intensity[at]);
    gx[i] = static_cast<std::int16_t>(one * window.gx[at]);
    gy[i] = static_cast<std::int16_t>(one * window.gy[at]);
  }
  const PatchSums sums = sums_of_patch(grid, intensity, gx, gy);
  if (rules.light != Light::kNone && !varies(sums, rules.pixels())) return false;
  *patch.equations = equations_of(sums, rules.window, rules.light);
  return true;
}

bool take_patch_of_side(const PatchSearch& search, Place place, const PatchMemory& patch) {
  switch (search.rules.window) {
    case 8:
      return take_patch<8>(search, place, patch);
    case 12:
      return take_patch<12>(search, place, patch);
    case 16:
      return take_patch<16>(search, place, patch);
    default:
      return take_patch<0>(search, place, patch);
  }
}

// Intensities between pixels, at places in 1/128 px: see LevelView for how pixels are stored.
HWY_INLINE VWide sample(const LevelView& level, VWide x, VWide y) {
  const DPairs d;
  const D32<DPairs> d32;
  const auto stride = hn::Set(d32, static_cast<std::int32_t>(level.stride));
  const auto ones = hn::Set(d32, 127);
  const auto full = hn::Set(d32, 128);
  // A weight in the lower half of a lane is that of the first pixel.
  const auto weights = [&](VWide v) {
    const VWide f = hn::And(v, ones);
    return hn::BitCast(d, hn::Add(hn::Sub(full, f), hn::ShiftLeft<16>(f)));
  };
  const VWide at = hn::Add(hn::Mul(hn::ShiftRight<7>(y), stride), hn::ShiftRight<7>(x));
  const auto* const pixels = reinterpret_cast<const std::int32_t*>(level.pixels);
  const auto* const below = reinterpret_cast<const std::int32_t*>(level.pixels + level.stride);
  const VWide offset = hn::ShiftLeft<1>(at);
  const VPairs across = weights(x);
  const auto row = [&](const std::int32_t* from) {
    const VWide pair = hn::GatherOffset(d32, from, offset);
    return hn::ShiftRight<7>(pair_products(d, hn::BitCast(d, pair), across));
  };
  const VWide both = hn::Or(row(pixels), hn::ShiftLeft<16>(row(below)));
  return hn::ShiftRight<9>(pair_products(d, hn::BitCast(d, both), weights(y)));
}

// Calls use(pair, r) for all vectors of pairs of a block, with the window's intensities minus the
// patch's.
template <typename Use>
HWY_INLINE void for_differences(const LevelView& level, const PatchGrid& grid,
                                const PatchGrid::Block& block, const Registration& window,
                                const std::int16_t* intensity, const Use& use) {
  const DPairs d;
  const D32<DPairs> d32;
  const Affine& a = window.warp;
  const auto a00 = hn::Set(d32, a.a00), a01 = hn::Set(d32, a.a01);
  const auto a10 = hn::Set(d32, a.a10), a11 = hn::Set(d32, a.a11);
  const auto x0 = hn::Set(d32, 32 * window.centre.x + 128);
  const auto y0 = hn::Set(d32, 32 * window.centre.y + 128);
  for (int pair = block.first; pair < block.end; pair += kPairLanes) {
    const auto u = hn::Load(d32, grid.u + pair);
    const auto v = hn::Load(d32, grid.v + pair);
    const auto x = hn::Add(x0, hn::Add(hn::Mul(a00, u), hn::Mul(a01, v)));
    const auto y = hn::Add(y0, hn::Add(hn::Mul(a10, u), hn::Mul(a11, v)));
    const auto below_x = hn::Add(x, hn::ShiftLeft<1>(a01));
    const auto below_y = hn::Add(y, hn::ShiftLeft<1>(a11));
    const auto upper = sample(level, hn::ShiftRight<8>(x), hn::ShiftRight<8>(y));
    const auto lower = sample(level, hn::ShiftRight<8>(below_x), hn::ShiftRight<8>(below_y));
    const auto both = hn::BitCast(d, hn::Or(upper, hn::ShiftLeft<16>(lower)));
    use(pair, hn::Sub(both, pairs_at(intensity, pair)));
  }
}

// The number of vectors of products of a gradient, an offset and a difference that int32 holds.
inline constexpr int kSummedVectors = 4;

template <bool kLit>
HWY_INLINE PatchResiduals sums_of_window(const LevelView& level, const PatchGrid& grid,
                                         const Registration& window, const std::int16_t* intensity,
                                         const std::int16_t* gx, const std::int16_t* gy,
                                         std::int16_t* differences) {
  const DPairs d;
  const D32<DPairs> d32;
  PatchResiduals sums{};
  for (int b = 0; b < grid.blocks; ++b) {
    const PatchGrid::Block& block = grid.block[b];
    LongSum xc, xr, yc, yr, ri;
    auto x = hn::Zero(d32), y = hn::Zero(d32), r = hn::Zero(d32);
    auto short_xc = hn::Zero(d32), short_xr = hn::Zero(d32), short_yc = hn::Zero(d32);
    auto short_yr = hn::Zero(d32), short_ri = hn::Zero(d32);
    const auto lengthen = [&](LongSum* sum, VWide* of_few) {
      sum->add(*of_few);
      *of_few = hn::Zero(d32);
    };
    int vectors = 0;
    for_differences(level, grid, block, window, intensity, [&](int pair, VPairs difference) {
      hn::Store(difference, d, differences + 2 * pair);
      const VPairs a = pairs_at(gx, pair);
      const VPairs b2 = pairs_at(gy, pair);
      const VPairs column = pairs_at(grid.column, pair);
      const VPairs row = pairs_at(grid.row, pair);
      x = add_products(d, x, difference, a);
      y = add_products(d, y, difference, b2);
      short_xc = add_products(d, short_xc, difference, hn::Mul(a, column));
      short_xr = add_products(d, short_xr, difference, hn::Mul(a, row));
      short_yc = add_products(d, short_yc, difference, hn::Mul(b2, column));
      short_yr = add_products(d, short_yr, difference, hn::Mul(b2, row));
      if constexpr (kLit) {
        r = add_products(d, r, difference, pairs_at(grid.ones, pair));
        short_ri = add_products(d, short_ri, difference, pairs_at(intensity, pair));
      }
      if (++vectors % kSummedVectors != 0 && pair + kPairLanes < block.end) return;
      lengthen(&xc, &short_xc);
      lengthen(&xr, &short_xr);
      lengthen(&yc, &short_yc);
      lengthen(&yr, &short_yr);
      if constexpr (kLit) lengthen(&ri, &short_ri);
    });
    double nx, ny, c, r2;
    sum_lanes(d, to_doubles(d, x), to_doubles(d, y), &nx, &ny);
    sums.rj[0] += nx;
    sums.rj[1] += ny;
    sum_lanes(d, xc.sum, xr.sum, &c, &r2);
    sums.rj[2] += 2 * c + block.u * nx;
    sums.rj[3] += 2 * r2 + block.v * nx;
    sum_lanes(d, yc.sum, yr.sum, &c, &r2);
    sums.rj[4] += 2 * c + block.u * ny;
    sums.rj[5] += 2 * r2 + block.v * ny;
    if constexpr (kLit) {
      sum_lanes(d, to_doubles(d, r), ri.sum, &c, &r2);
      sums.r += c;
      sums.ri += r2;
    }
  }
  return sums;
}

// See difference_of(); of at most 4 blocks of 16 vectors of 4 pairs.
HWY_INLINE std::int64_t sum_of_differences(const PatchGrid& grid, const std::int16_t* differences,
                                           const std::int16_t* intensity, LightChange change) {
  const D32<DPairs> d32;
  const auto gain = hn::Set(d32, change.gain);
  const auto bias = hn::Set(d32, change.bias);
  double sum = 0.0;
  for (int b = 0; b < grid.blocks; ++b) {
    auto of_block = hn::Zero(d32);
    for (int pair = grid.block[b].first; pair < grid.block[b].end; pair += kPairLanes) {
      const auto load = [&](const std::int16_t* from) {
        return hn::BitCast(d32, pairs_at(from, pair));
      };
      const auto add = [&](auto r, auto i, auto one) {
        const auto expected = hn::ShiftRight<8>(hn::Add(hn::Mul(gain, i), hn::Set(d32, 128)));
        const auto left = hn::Sub(hn::Sub(hn::ShiftLeft<4>(r), bias), expected);
        of_block = hn::Add(of_block, hn::And(hn::Abs(left), hn::Neg(one)));
      };
      const auto first = [](auto v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
      const auto second = [](auto v) { return hn::ShiftRight<16>(v); };
      const auto r = load(differences), i = load(intensity), ones = load(grid.ones);
      add(first(r), first(i), first(ones));
      add(second(r), second(i), second(ones));
    }
    sum += sum_lanes(DPairs(), to_doubles(DPairs(), of_block));
  }
  return static_cast<std::int64_t>(sum);
}

// Registers the window to the patch; *residual is set where it fits.
template <bool kLit>
HWY_NOINLINE Fit register_lit(const PatchSearch& search, const PatchMemory& patch, Place found,
                              Registration* window, double* residual) {
  const StepRules& rules = search.rules;
  const LevelView& level = *search.to;
  const PatchGrid& grid = *search.grid;
  if (!patch.equations->solvable) return Fit::kMisfit;
  const std::size_t numbers = 2 * patch_pairs(rules.window);
  const std::int16_t* const intensity = patch.samples;
  alignas(64) std::int16_t differences[8 * kPatchPairs];
  constexpr Light kLight = kLit ? Light::kGainBias : Light::kNone;
  PatchResiduals sums;
  for (int i = 0; i < kRegistrationSteps; ++i) {
    sums = sums_of_window<kLit>(level, grid, *window, intensity, intensity + numbers,
                                intensity + 2 * numbers, differences);
    const PatchStep step = step_of(*patch.equations, sums, kLight);
    const Fit fit = move_window(step, found, rules, level.width, level.height, window);
    if (fit != Fit::kFits) return fit;
  }
  const LightChange change = light_change(*patch.equations, sums, rules.pixels(), kLight);
  *residual = residual_of(sum_of_differences(grid, differences, intensity, change), rules.pixels());
  const bool differs = rules.max_residual > 0.0 && *residual > rules.max_residual;
  return differs ? Fit::kMisfit : Fit::kFits;
}

Fit register_window(const PatchSearch& search, const PatchMemory& patch, Place found,
                    Registration* window, double* residual) {
  return search.rules.light == Light::kNone
             ? register_lit<false>(search, patch, found, window, residual)
             : register_lit<true>(search, patch, found, window, residual);
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::klt
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::klt {
namespace {

HWY_EXPORT(take_patch_of_side);
HWY_EXPORT(register_window);

int rounded_up(int pairs) { return (pairs + kPatchLanes - 1) / kPatchLanes * kPatchLanes; }

}  // namespace

std::size_t patch_pairs(int window) {
  int pairs = 0;
  for (int top = 0; top < window; top += kBlockSide) {
    for (int left = 0; left < window; left += kBlockSide) {
      const int rows = std::min(window - top, kBlockSide);
      const int columns = std::min(window - left, kBlockSide);
      pairs += rounded_up((rows + 1) / 2 * columns);
    }
  }
  return static_cast<std::size_t>(pairs);
}

void PatchGrid::prepare(int side) {
  if (window == side) return;
  window = side;
  blocks = 0;
  int pair = 0;
  for (int top = 0; top < side; top += kBlockSide) {
    for (int left = 0; left < side; left += kBlockSide) {
      const int rows = std::min(side - top, kBlockSide);
      const int columns = std::min(side - left, kBlockSide);
      const int pairs = (rows + 1) / 2 * columns;
      const int middle = kBlockSide / 2;
      block[blocks++] = {pair, pair + rounded_up(pairs), 2 * (left + middle) - (side - 1),
                         2 * (top + middle) - (side - 1)};
      for (int i = 0; i < rounded_up(pairs); ++i, ++pair) {
        // Padding pairs read the samples of the block's first pair.
        const int c = i < pairs ? i % columns : 0;
        const int r = i < pairs ? i / columns * 2 : 0;
        u[pair] = 2 * (left + c) - (side - 1);
        v[pair] = 2 * (top + r) - (side - 1);
        for (int below = 0; below < 2; ++below) {
          const int at = 2 * pair + below;
          const bool is = i < pairs && r + below < rows;
          column[at] = static_cast<std::int16_t>(c - middle);
          row[at] = static_cast<std::int16_t>(r + below - middle);
          ones[at] = is ? 1 : 0;
          window_row[at] = static_cast<std::uint8_t>(top + r + (is ? below : 0));
          window_column[at] = static_cast<std::uint8_t>(left + c);
        }
      }
    }
  }
}

Registered register_track(const PatchSearch& search, Place place, Place found, bool may_take,
                          TrackShape* shape, const PatchMemory& patch) {
  const StepRules& rules = search.rules;
  const LevelView& to = *search.to;
  return register_track(
      found, may_take, rules, to.width, to.height,
      [&] {
        return holds_window(place, {}, rules.window, to.width, to.height) &&
               HWY_DYNAMIC_DISPATCH(take_patch_of_side)(search, place, patch);
      },
      [&](Registration* window, double* residual) {
        return HWY_DYNAMIC_DISPATCH(register_window)(search, patch, found, window, residual);
      },
      shape);
}

}  // namespace rdp::klt
#endif  // HWY_ONCE
