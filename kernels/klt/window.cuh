// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_WINDOW_CUH_
#define RDP_KERNELS_KLT_WINDOW_CUH_

#include <cstdint>

#include "common/host_device.h"
#include "common/klt/step.h"
#include "kernels/klt/picture_layout.h"
#include "kernels/primitives/warp.cuh"

// Image windows, each worked on by a group of neighbouring threads of a warp; a thread keeps a
// column in registers. All threads of a warp must call every function here, even in idle groups,
// because sums are shuffled under the full mask. Nothing is read with __ldg(), which might come
// before the wait for the kernel that wrote it.
namespace rdp::cuda {

struct Level {
  const std::uint16_t* pixels;  // pixel (0, 0), see LevelLayout
  const std::uint32_t* gradients;
  int pitch;
  int width;
  int height;
};

__device__ __forceinline__ Level level_of(const unsigned char* picture, const LevelLayout& layout) {
  return {reinterpret_cast<const std::uint16_t*>(picture + layout.pixels),
          reinterpret_cast<const std::uint32_t*>(picture + layout.gradients), layout.pitch,
          layout.width, layout.height};
}

// Threads of a group: one for each column of the window; any others add nothing. The window has
// kRows rows, or with kAnyWindow at most as many.
template <int kRows_, int kLanes_, bool kAnyWindow = false>
struct GroupOf {
  static constexpr int kRows = kRows_;
  static constexpr int kLanes = kLanes_;

  __device__ explicit GroupOf(const klt::StepRules& rules)
      : window(kAnyWindow ? rules.window : kRows),
        lane(static_cast<int>(threadIdx.x) % kLanes),
        column(lane < window ? lane : 0),
        adds(lane < window) {}

  __device__ bool has_row(int row) const { return !kAnyWindow || row < window; }
  // A constant for the compiler if the window is one: then most divisions become multiplications.
  __device__ int pixels() const { return window * window; }

  const int window;
  const int lane;
  const int column;
  const bool adds;
};

// Number of steps of a sum over 2, 4, ... threads that fit in 32 bits. A thread's own sum has
// `products` products, and 32 bits hold `most` of them.
RDP_HOST_DEVICE constexpr int steps_within(int products, int most) {
  int steps = 0;
  while (products << (steps + 1) <= most) ++steps;
  return steps;
}
// Products of a gradient and another one or an intensity, at most 4080 * 8160: 64 fit. Of two
// intensities 32 do.
constexpr int kGradientProducts = 64;
constexpr int kIntensityProducts = 32;

// Sum of v over the group, in all of its threads.
template <typename Group, int kMost>
__device__ __forceinline__ std::int64_t group_sum(int v) {
  constexpr int kSteps = steps_within(Group::kRows, kMost);
#pragma unroll
  for (int i = 1; i < Group::kLanes && i < 1 << kSteps; i *= 2) v += __shfl_xor_sync(kAll, v, i);
  long long wide = v;
#pragma unroll
  for (int i = 1 << kSteps; i < Group::kLanes; i *= 2) wide += __shfl_xor_sync(kAll, wide, i);
  return wide;
}
// The same for sums that always fit.
template <typename Group>
__device__ __forceinline__ int small_group_sum(int v) {
#pragma unroll
  for (int i = 1; i < Group::kLanes; i *= 2) v += __shfl_xor_sync(kAll, v, i);
  return v;
}

template <typename Group>
__device__ __forceinline__ long long wide_group_sum(long long v) {
#pragma unroll
  for (int i = 1; i < Group::kLanes; i *= 2) v += __shfl_xor_sync(kAll, v, i);
  return v;
}

// A column of the template: intensities and gradients.
template <typename Group>
struct Column {
  int i[Group::kRows];
  int gx[Group::kRows];
  int gy[Group::kRows];
};

// The place of a window: its upper left pixel, and 128ths of one.
struct WindowOrigin {
  int x;
  int y;
  int fx;
  int fy;
};
__device__ __forceinline__ WindowOrigin origin_at(int x, int y) {
  return {x >> 7, y >> 7, x & 127, y & 127};
}

// The gradients in a word.
__device__ __forceinline__ int low_half(std::uint32_t both) {
  return static_cast<int>(both << 16) >> 16;
}
__device__ __forceinline__ int high_half(std::uint32_t both) {
  return static_cast<int>(both) >> 16;
}

// Interpolates between a pixel and its right neighbour, times 128.
__device__ __forceinline__ int between_pixels(unsigned weights, std::uint16_t pair) {
  return static_cast<int>(__dp2a_lo(weights, static_cast<unsigned>(pair), 0U));
}
__device__ __forceinline__ unsigned weights_of(int fx) {
  return static_cast<unsigned>(fx) << 16 | static_cast<unsigned>(128 - fx);
}
__device__ __forceinline__ int intensity_of(const WindowOrigin& at, int upper, int lower) {
  return ((128 - at.fy) * upper + at.fy * lower + 256) >> 9;
}

// Sums of the intensities, for kGainBias.
template <typename Group>
__device__ __forceinline__ void add_intensity_sums(const Group& group, const Column<Group>& column,
                                                   klt::TemplateSums* sums) {
  int i_sum = 0, ii = 0;
#pragma unroll
  for (int row = 0; row < Group::kRows; ++row) {
    if (!group.has_row(row)) break;
    i_sum += column.i[row];
    ii += column.i[row] * column.i[row];
  }
  sums->i = small_group_sum<Group>(i_sum);
  sums->ii = group_sum<Group, kIntensityProducts>(ii);
}

// The thread's column of the template around a place of a level, and the sums of all of it.
template <typename Group>
__device__ __forceinline__ klt::TemplateSums load_template(const Group& group, const Level& level,
                                                           klt::Place centre, klt::Light light,
                                                           Column<Group>* column) {
  const WindowOrigin at = origin_at(klt::window_start(centre.x, group.window),
                                    klt::window_start(centre.y, group.window));
  const std::ptrdiff_t first =
      static_cast<std::ptrdiff_t>(at.y) * level.pitch + at.x + group.column;
  const std::uint16_t* pixels = level.pixels + first;
  const std::uint32_t* gradients = level.gradients + first;
  const unsigned weights = weights_of(at.fx);
  int gxx = 0, gxy = 0, gyy = 0, gx_sum = 0, gy_sum = 0;
  int upper = 0, upper_x = 0, upper_y = 0;
#pragma unroll
  for (int row = 0; row <= Group::kRows; ++row) {
    if (row > 0 && !group.has_row(row - 1)) break;
    const int lower = between_pixels(weights, *pixels);
    const std::uint32_t left = *gradients;
    const std::uint32_t right = gradients[1];
    const int lower_x = (128 - at.fx) * low_half(left) + at.fx * low_half(right);
    const int lower_y = (128 - at.fx) * high_half(left) + at.fx * high_half(right);
    if (row > 0) {
      const int i = intensity_of(at, upper, lower);
      const int gx = ((128 - at.fy) * upper_x + at.fy * lower_x + 8192) >> 14;
      const int gy = ((128 - at.fy) * upper_y + at.fy * lower_y + 8192) >> 14;
      column->i[row - 1] = group.adds ? i : 0;
      column->gx[row - 1] = group.adds ? gx : 0;
      column->gy[row - 1] = group.adds ? gy : 0;
      gxx += column->gx[row - 1] * column->gx[row - 1];
      gxy += column->gx[row - 1] * column->gy[row - 1];
      gyy += column->gy[row - 1] * column->gy[row - 1];
      gx_sum += column->gx[row - 1];
      gy_sum += column->gy[row - 1];
    }
    upper = lower;
    upper_x = lower_x;
    upper_y = lower_y;
    pixels += level.pitch;
    gradients += level.pitch;
  }
  klt::TemplateSums sums{};
  sums.gxx = group_sum<Group, kGradientProducts>(gxx);
  sums.gxy = group_sum<Group, kGradientProducts>(gxy);
  sums.gyy = group_sum<Group, kGradientProducts>(gyy);
  if (light == klt::Light::kNone) return sums;
  sums.gx = small_group_sum<Group>(gx_sum);
  sums.gy = small_group_sum<Group>(gy_sum);
  if (light == klt::Light::kBias) return sums;
  add_intensity_sums(group, *column, &sums);
  int gxi = 0, gyi = 0;
#pragma unroll
  for (int row = 0; row < Group::kRows; ++row) {
    if (!group.has_row(row)) break;
    gxi += column->gx[row] * column->i[row];
    gyi += column->gy[row] * column->i[row];
  }
  sums.gxi = group_sum<Group, kGradientProducts>(gxi);
  sums.gyi = group_sum<Group, kGradientProducts>(gyi);
  return sums;
}

// The group's window of the other picture.
template <typename Group>
__device__ __forceinline__ WindowOrigin other_window(const Group& group, klt::Place centre,
                                                     klt::Place displacement) {
  return origin_at(klt::window_start(centre.x, group.window) + klt::window_shift(displacement.x),
                   klt::window_start(centre.y, group.window) + klt::window_shift(displacement.y));
}

// Calls use(row, difference) with the thread's column of the other window minus the template's.
template <typename Group, typename Use>
__device__ __forceinline__ void for_differences(const Group& group, const Level& level,
                                                const WindowOrigin& at, const Column<Group>& column,
                                                const Use& use) {
  const std::uint16_t* pixels =
      level.pixels + static_cast<std::ptrdiff_t>(at.y) * level.pitch + at.x + group.column;
  const unsigned weights = weights_of(at.fx);
  int upper = 0;
#pragma unroll
  for (int row = 0; row <= Group::kRows; ++row) {
    if (row > 0 && !group.has_row(row - 1)) break;
    const int lower = between_pixels(weights, *pixels);
    if (row > 0) use(row - 1, intensity_of(at, upper, lower) - column.i[row - 1]);
    upper = lower;
    pixels += level.pitch;
  }
}

// Sums of the differences, over the whole window. Where a thread adds nothing, its gradients and
// intensities are 0.
template <typename Group>
__device__ __forceinline__ klt::ResidualSums sum_differences(const Group& group, const Level& level,
                                                             const WindowOrigin& at,
                                                             const Column<Group>& column,
                                                             klt::Light light) {
  int rgx = 0, rgy = 0, r_sum = 0;
  for_differences(group, level, at, column, [&](int row, int difference) {
    rgx += difference * column.gx[row];
    rgy += difference * column.gy[row];
    r_sum += difference;
  });
  klt::ResidualSums sums{};
  sums.rgx = static_cast<double>(group_sum<Group, kGradientProducts>(rgx));
  sums.rgy = static_cast<double>(group_sum<Group, kGradientProducts>(rgy));
  if (light == klt::Light::kNone) return sums;
  sums.r = small_group_sum<Group>(group.adds ? r_sum : 0);
  if (light == klt::Light::kBias) return sums;
  // Computed again: keeping all differences for kGainBias alone would take registers.
  int ri = 0;
  for_differences(group, level, at, column,
                  [&](int row, int difference) { ri += difference * column.i[row]; });
  sums.ri = static_cast<double>(group_sum<Group, kIntensityProducts>(ri));
  return sums;
}

// Sum of the absolute differences that the change of light does not explain.
template <typename Group>
__device__ __forceinline__ std::int64_t sum_unexplained(const Group& group, const Level& level,
                                                        const WindowOrigin& at,
                                                        const Column<Group>& column,
                                                        klt::LightChange change) {
  int sum = 0;
  for_differences(group, level, at, column, [&](int row, int difference) {
    sum += klt::difference_of(difference, column.i[row], change);
  });
  return group_sum<Group, kGradientProducts>(group.adds ? sum : 0);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_WINDOW_CUH_
