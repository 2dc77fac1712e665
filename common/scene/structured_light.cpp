// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/structured_light.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/scene/hash_random.h"

// Only integers, and +, -, *, / and roundings of doubles, without contraction: see
// street_scene.cpp.
namespace rdp {
namespace {

enum Stream : std::uint64_t { kWhite = 500, kKnots };

// exp(-x^2 / 2), times 256; beyond 3 it would be 0.
constexpr std::int32_t kGauss[4] = {256, 155, 35, 3};
constexpr int kReach = 3;
// White noise is uniform over 12 bits. Its standard deviation, times the filter's gain in both
// directions: the sum of the squares of the taps.
constexpr double kFieldDeviation = 1182.4132385 * (256 * 256 + 2 * (155 * 155 + 35 * 35 + 3 * 3));
// A pixel uses its neighbour from an offset of half a pixel on, which is 5/3 of 0.3 px.
constexpr auto kNeighbour = static_cast<std::int32_t>(kFieldDeviation * (5.0 / 3.0));

constexpr std::int64_t kStep = std::int64_t{1} << 20;  // 1/16 px
constexpr std::int64_t kMost = 0xFFF00000;             // the last step below 256 px

// The slow error is a cubic spline through random knots. A B-spline is a Gauss filter of 1/sqrt(3)
// of their distance, very nearly: 50 px.
constexpr double kKnotDistance = 86.6;              // px at the focal length 525 px
constexpr double kSplineDeviation = 151.0 / 315.0;  // of knots with standard deviation 1

struct SplineWeights {
  double at[4];

  explicit SplineWeights(double t) {
    const double s = 1.0 - t;
    at[0] = s * s * s / 6.0;
    at[1] = (3.0 * t * t * (t - 2.0) + 4.0) / 6.0;
    at[2] = (3.0 * s * s * (s - 2.0) + 4.0) / 6.0;
    at[3] = t * t * t / 6.0;
  }
};

}  // namespace

void StructuredLight::begin(const Options& options, int width) {
  const auto w = static_cast<std::size_t>(width);
  options_ = options;
  width_ = width;
  row_ = 0;
  white_row_ = -kReach;
  white_.ensure(kFields * (w + 2 * kReach));
  across_.ensure(kFields * kTaps * w);
  fields_.ensure(kFields * w);
  bends_.ensure(w);
  // Knots are at least a pixel apart, so these suffice.
  knots_.ensure(w + 8);
  std::fill(bends_.data(), bends_.data() + w, 0.0);
  for (int i = 0; i < kTaps - 1; ++i) add_white_row();
}

// Adds the white noise of the next row, filtered along it.
void StructuredLight::add_white_row() {
  const auto w = static_cast<std::size_t>(width_);
  const std::size_t padded = w + 2 * kReach;
  std::int32_t* white = white_.data();
  std::uint64_t counter =
      sub_key(sub_key(options_.frame_key, kWhite), static_cast<std::uint64_t>(white_row_ + kReach));
  for (std::size_t c = 0; c < padded; ++c) {
    const std::uint64_t bits = mix_bits(counter += kGoldenRatio64);
    white[c] = static_cast<std::int32_t>(bits >> 52) - 2048;
    white[padded + c] = static_cast<std::int32_t>(bits >> 40 & 4095) - 2048;
    white[2 * padded + c] = static_cast<std::int32_t>(bits >> 28 & 4095) - 2048;
  }
  const auto slot = static_cast<std::size_t>((white_row_ + kReach) % kTaps);
  for (std::size_t field = 0; field < kFields; ++field) {
    const std::int32_t* in = white + field * padded;
    std::int32_t* out = across_.data() + (field * kTaps + slot) * w;
    for (std::size_t c = 0; c < w; ++c) {
      out[c] = kGauss[0] * in[c + 3] + kGauss[1] * (in[c + 2] + in[c + 4]) +
               kGauss[2] * (in[c + 1] + in[c + 5]) + kGauss[3] * (in[c] + in[c + 6]);
    }
  }
  ++white_row_;
}

// Filters across the last kTaps rows.
void StructuredLight::filter(int field, std::int32_t* filtered) const {
  const auto w = static_cast<std::size_t>(width_);
  const std::int32_t* rows[kTaps];
  for (int i = 0; i < kTaps; ++i) {
    const auto slot = static_cast<std::size_t>((row_ + i) % kTaps);
    rows[i] = across_.data() + (static_cast<std::size_t>(field) * kTaps + slot) * w;
  }
  for (std::size_t c = 0; c < w; ++c) {
    filtered[c] = kGauss[0] * rows[3][c] + kGauss[1] * (rows[2][c] + rows[4][c]) +
                  kGauss[2] * (rows[1][c] + rows[5][c]) + kGauss[3] * (rows[0][c] + rows[6][c]);
  }
}

void StructuredLight::bend_row() {
  const double distance = std::max(kKnotDistance * options_.focal / 525.0, 1.0);
  const double scale = options_.bend * 0x1p24 / (kSumOfBytesDeviation * kSplineDeviation);
  const double place = row_ / distance;
  const auto upper = static_cast<std::int64_t>(place);
  const SplineWeights down(place - static_cast<double>(upper));
  const std::uint64_t key = sub_key(options_.camera_key, kKnots);
  const auto knots = static_cast<std::size_t>((width_ - 1) / distance) + 4;
  for (std::size_t j = 0; j < knots; ++j) {
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t bits = sub_key(sub_key(key, static_cast<std::uint64_t>(upper + i)), j);
      sum += down.at[i] * sum_of_bytes(bits);
    }
    knots_.data()[j] = scale * sum;
  }
  for (int c = 0; c < width_; ++c) {
    const double along = c / distance;
    const auto left = static_cast<std::size_t>(along);
    const SplineWeights across(along - static_cast<double>(left));
    const double* k = knots_.data() + left;
    bends_.data()[c] =
        across.at[0] * k[0] + across.at[1] * k[1] + across.at[2] * k[2] + across.at[3] * k[3];
  }
}

// In the projector's image, a point of column c with disparity d is in column c + d. From left to
// right these columns grow, except behind something nearer.
void StructuredLight::shade(std::span<std::uint32_t> row) {
  std::uint64_t farthest = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const std::uint64_t column = (std::uint64_t{c} << 24) + row[c];
    if (column < farthest) row[c] = 0;
    farthest = std::max(farthest, column);
  }
}

void StructuredLight::sense(const std::uint32_t* above, const std::uint32_t* here,
                            const std::uint32_t* below, std::uint32_t* sensed) {
  const auto w = static_cast<std::size_t>(width_);
  add_white_row();
  std::int32_t* fields = fields_.data();
  for (int i = 0; i < kFields; ++i) filter(i, fields + static_cast<std::size_t>(i) * w);
  if (options_.bend > 0.0) bend_row();
  const double noise_scale = options_.noise * 0x1p24 / kFieldDeviation;
  const std::int32_t* aside = fields + w;
  const std::int32_t* down = fields + 2 * w;
  const double* bends = bends_.data();
  for (std::size_t c = 0; c < w; ++c) {
    std::size_t from = c;
    if (aside[c] >= kNeighbour && c + 1 < w) ++from;
    if (aside[c] <= -kNeighbour && c > 0) --from;
    const std::uint32_t* row = down[c] >= kNeighbour    ? below
                               : down[c] <= -kNeighbour ? above
                                                        : here;
    const std::uint32_t exact = row[from];
    const double disparity = exact + noise_scale * fields[c] + bends[c];
    const std::int64_t steps = (static_cast<std::int64_t>(disparity) + kStep / 2) & ~(kStep - 1);
    sensed[c] =
        exact == 0 ? 0 : static_cast<std::uint32_t>(std::clamp<std::int64_t>(steps, kStep, kMost));
  }
  ++row_;
}

}  // namespace rdp
