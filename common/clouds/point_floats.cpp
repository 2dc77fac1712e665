// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/point_floats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "common/clouds/cloud_header.h"

namespace rdp::clouds {

namespace {

// Each window begins with a point, however many floats that has: 840 is a multiple of 3 to 8.
constexpr std::uint64_t kAlignment = 840 * sizeof(float);
constexpr std::size_t kWindows = 16;
constexpr std::size_t kWindowBytes = 4096;

static_assert(kWindows * kWindowBytes <= kMaxHeaderBytes);

// Factor by which the medians of unrelated distances must exceed that of the chosen one.
constexpr double kClear = 1.25;
// So few floats say nothing.
constexpr std::size_t kTooFewFloats = 119;
// Runs of at least so many zeros are points that the scanner did not see.
constexpr std::ptrdiff_t kLongestZeros = 8;

using Medians = std::array<double, kMaxFloats + 1>;

// The least median of distances that neither divide `count` nor are multiples of it.
double least_other(const Medians& medians, unsigned count) {
  double least = HUGE_VAL;
  for (unsigned other = kFewestFloats; other <= kMaxFloats; ++other) {
    if (other % count != 0 && count % other != 0) least = std::min(least, medians[other]);
  }
  return least;
}

}  // namespace

FloatWindows windows_of(std::uint64_t size) {
  if (size <= kWindows * kWindowBytes) {
    return {1, static_cast<std::size_t>(size / sizeof(float) * sizeof(float)), 0};
  }
  const std::uint64_t step = (size - kWindowBytes) / (kWindows - 1);
  return {kWindows, kWindowBytes, step / kAlignment * kAlignment};
}

void PointFloatsFinder::take(std::span<const std::byte> bytes) {
  floats_.resize(bytes.size() / sizeof(float));
  std::memcpy(floats_.data(), bytes.data(), floats_.size() * sizeof(float));
  differences_.reserve(floats_.size());
  for (auto begin = floats_.begin(); begin != floats_.end();) {
    const auto end = std::find_if(begin, floats_.end(), [](float value) { return value != 0.0F; });
    if (end - begin >= kLongestZeros) std::fill(begin, end, std::nanf(""));
    begin = end == begin ? end + 1 : end;
  }
}

// The median of |f[i + distance] - f[i]|; NaN: there are no such floats.
double PointFloatsFinder::median_difference(std::size_t distance) {
  differences_.clear();
  for (std::size_t i = 0; i + distance < floats_.size(); ++i) {
    if (i / window_ != (i + distance) / window_) continue;
    const double difference = std::abs(static_cast<double>(floats_[i + distance]) - floats_[i]);
    if (std::isfinite(difference)) differences_.push_back(difference);
  }
  if (differences_.empty()) return std::nan("");
  const auto middle = differences_.begin() + static_cast<std::ptrdiff_t>(differences_.size() / 2);
  std::nth_element(differences_.begin(), middle, differences_.end());
  return *middle;
}

// True if points of 2 * `half` floats are two points of `half` each: the mean magnitudes of each
// field differ by less than `factor`. Points of alternating scanner beams repeat better at a
// distance of two points.
bool PointFloatsFinder::are_two(std::size_t half, double factor) const {
  double sums[kMaxFloats] = {};
  double counts[kMaxFloats] = {};
  for (std::size_t i = 0; i < floats_.size(); ++i) {
    if (!std::isfinite(floats_[i])) continue;
    const std::size_t field = i % window_ % (2 * half);
    sums[field] += std::abs(static_cast<double>(floats_[i]));
    counts[field] += 1.0;
  }
  for (std::size_t field = 0; field < half; ++field) {
    const double a = sums[field] * counts[field + half];
    const double b = sums[field + half] * counts[field];
    if (std::max(a, b) > factor * std::min(a, b)) return false;
  }
  return true;
}

PointFloats PointFloatsFinder::find(std::span<const std::byte> bytes, std::size_t window) {
  if (bytes.size() <= kTooFewFloats * sizeof(float)) return {};
  window_ = window / sizeof(float);
  take(bytes);
  Medians medians{};
  for (unsigned count = kFewestFloats; count <= kMaxFloats; ++count) {
    medians[count] = median_difference(count);
    if (std::isnan(medians[count])) return {};
  }
  const auto first = medians.begin() + kFewestFloats;
  auto best = static_cast<unsigned>(std::min_element(first, medians.end()) - medians.begin());
  if (best == 6 || best == 8) {
    // The smaller of multiples. Points of 4 floats that are read as 8 lose every other one, those
    // of 8 that are read as 4 become garbage.
    const unsigned half = best / 2;
    if (are_two(half, best == 8 ? 16.0 : 4.0)) best = half;
  }
  const bool decided = least_other(medians, best) > kClear * medians[best];
  return decided ? PointFloats{best, true} : PointFloats{};
}

}  // namespace rdp::clouds
