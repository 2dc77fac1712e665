// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/klt/corners.h"

#include <algorithm>
#include <utility>

#include "common/klt/step.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/klt/corners.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/image/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::klt {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::int32_t>;
using V32 = hn::Vec<D32>;
using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

// Sums of products of gradients down a column, from column -kScoreReach on.
struct ColumnSums {
  std::int32_t* gxx;
  std::int32_t* gxy;
  std::int32_t* gyy;
};

// Adds a row to the sums, and takes another one away: 7 rows later, or none.
template <bool kReplace>
HWY_INLINE void slide(const LevelView& level, int row, const ColumnSums& sums) {
  const D32 d;
  const hn::Rebind<std::int16_t, D32> half;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const std::ptrdiff_t added = row * level.stride - kScoreReach;
  const std::ptrdiff_t removed = added - (2 * kScoreReach + 1) * level.stride;
  for (int x = 0; x < level.width + 2 * kScoreReach; x += lanes) {
    const auto at = [&](const std::int16_t* plane, std::ptrdiff_t offset) {
      return hn::PromoteTo(d, hn::LoadU(half, plane + offset + x));
    };
    V32 gx = at(level.gx, added);
    V32 gy = at(level.gy, added);
    V32 xx = hn::Add(hn::LoadU(d, sums.gxx + x), hn::Mul(gx, gx));
    V32 xy = hn::Add(hn::LoadU(d, sums.gxy + x), hn::Mul(gx, gy));
    V32 yy = hn::Add(hn::LoadU(d, sums.gyy + x), hn::Mul(gy, gy));
    if (kReplace) {
      gx = at(level.gx, removed);
      gy = at(level.gy, removed);
      xx = hn::Sub(xx, hn::Mul(gx, gx));
      xy = hn::Sub(xy, hn::Mul(gx, gy));
      yy = hn::Sub(yy, hn::Mul(gy, gy));
    }
    hn::StoreU(xx, d, sums.gxx + x);
    hn::StoreU(xy, d, sums.gxy + x);
    hn::StoreU(yy, d, sums.gyy + x);
  }
}

// Seven sums side by side.
HWY_INLINE VF sum_across(const std::int32_t* sums) {
  const D32 d;
  const auto at = [&](int i) { return hn::LoadU(d, sums + i); };
  const V32 sum = hn::Add(hn::Add(hn::Add(at(0), at(1)), hn::Add(at(2), at(3))),
                          hn::Add(hn::Add(at(4), at(5)), at(6)));
  return hn::ConvertTo(DF(), sum);
}

// score_of() of a row's pixels, and the highest one so far.
float score_row(const ColumnSums& sums, int width, float highest, float* to) {
  const DF d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  VF most = hn::Set(d, highest);
  const VF four = hn::Set(d, 4.0F);
  const VF pixels = hn::Set(d, 2.0F * kScorePixels);
  const VF unit = hn::Set(d, 1.0F / 1024.0F);  // a power of two: as good as the division
  for (int x = 0; x < width; x += lanes) {
    const VF a = sum_across(sums.gxx + x);
    const VF b = sum_across(sums.gxy + x);
    const VF c = sum_across(sums.gyy + x);
    const VF t = hn::Sub(a, c);
    const VF root = hn::Sqrt(hn::Add(hn::Mul(t, t), hn::Mul(four, hn::Mul(b, b))));
    VF score = hn::Mul(hn::Div(hn::Sub(hn::Add(a, c), root), pixels), unit);
    score = hn::IfThenElseZero(hn::Gt(score, hn::Zero(d)), score);
    hn::StoreU(score, d, to + x);
    if (x + lanes > width) {
      score = hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(width - x)), score);
    }
    most = hn::Max(most, score);
  }
  return hn::GetLane(hn::MaxOfLanes(d, most));
}

// Keeps each maximum of the middle one of three rows of scores that betters its cell's best.
void corners_of_row(const float* above, const float* here, const float* below, int width,
                    const std::byte* mask, int cell, int row, Corner* cells) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const auto at = [&](const float* scores, int i) { return hn::LoadU(d, scores + x + i); };
    const VF score = at(here, 0);
    const VF earlier =
        hn::Max(hn::Max(at(above, -1), at(above, 0)), hn::Max(at(above, 1), at(here, -1)));
    const VF later =
        hn::Max(hn::Max(at(below, -1), at(below, 0)), hn::Max(at(below, 1), at(here, 1)));
    const auto found = hn::And(hn::Gt(score, hn::Max(earlier, hn::Zero(d))), hn::Ge(score, later));
    std::uint32_t bits = rdp::HWY_NAMESPACE::mask_bits(hn::RebindMask(di, found));
    while (bits != 0) {
      const int column = x + static_cast<int>(rdp::HWY_NAMESPACE::lowest_bit(bits));
      bits &= bits - 1;
      if (column >= width) break;
      Corner* const best = cells + column / cell;
      if (here[column] > best->score && (mask == nullptr || mask[column] != std::byte{0})) {
        *best = {here[column], row, column};
      }
    }
  }
}

float corners(const LevelView& level, const DepthView& mask, int cell, int first, int end,
              std::int32_t* scratch, Corner* cells) {
  const std::size_t length = corner_scratch(level.width) / 6;
  const ColumnSums sums{scratch, scratch + length, scratch + 2 * length};
  std::fill_n(scratch, 3 * length, 0);
  float* rows[3];  // above, here, below
  for (int i = 0; i < 3; ++i) {
    rows[i] =
        reinterpret_cast<float*>(scratch + (3 + static_cast<std::size_t>(i)) * length) + kExtension;
    std::fill_n(rows[i] - 1, length - kExtension, -1.0F);
  }
  // Scores beyond the frame are below all others.
  const auto end_row = [&](float* row) { row[level.width] = -1.0F; };
  float highest = 0.0F;
  const int before = std::max(first - 1, 0);
  for (int row = before - kScoreReach; row < before + kScoreReach; ++row) {
    slide<false>(level, row, sums);
  }
  bool full = false;
  for (int row = before; row <= end; ++row) {
    std::rotate(rows, rows + 1, rows + 3);
    if (row < level.height) {
      if (full) {
        slide<true>(level, row + kScoreReach, sums);
      } else {
        slide<false>(level, row + kScoreReach, sums);
        full = true;
      }
      const float most = score_row(sums, level.width, highest, rows[2]);
      if (row >= first && row < end) highest = most;
      end_row(rows[2]);
    } else {
      std::fill_n(rows[2] - 1, level.width + 2, -1.0F);
    }
    const int middle = row - 1;
    if (middle < first) continue;
    const std::byte* const mask_row = mask.data == nullptr ? nullptr : mask.row(middle);
    corners_of_row(rows[0], rows[1], rows[2], level.width, mask_row, cell, middle,
                   cells + (middle / cell - first / cell) * parts_of(level.width, cell));
  }
  return highest;
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::klt
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::klt {
namespace {

HWY_EXPORT(corners);

}  // namespace

float corners_of_rows(const LevelView& level, const DepthView& mask, int cell, int first, int end,
                      std::int32_t* scratch, Corner* cells) {
  const int rows = parts_of(end, cell) - first / cell;
  std::fill_n(cells, rows * parts_of(level.width, cell), Corner{0.0F, 0, 0});
  return HWY_DYNAMIC_DISPATCH(corners)(level, mask, cell, first, end, scratch, cells);
}

}  // namespace rdp::klt
#endif  // HWY_ONCE
