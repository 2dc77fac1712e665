// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/segment_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/motion/column_medians.h"
#include "common/motion/lower_median.h"

namespace rdp::motion {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

// Maximum supports that are sorted; medians of more are selected.
constexpr std::size_t kFew = 128;

// A lower median, and the lower median of the absolute deviations from it.
struct Middle {
  double median;
  double deviation;
};

double length_of(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

// Medians of the known values of some tracks.
class Middles {
 public:
  Middles(std::span<const std::uint32_t> support, std::span<const Moved> moved, double* room) {
    for (const std::uint32_t i : support) {
      in_picture += moved[i].in_picture ? 1U : 0U;
      in_space += moved[i].in_space ? 1U : 0U;
    }
    if (support.size() <= kFew) {
      sort(support, moved);
    } else {
      select(support, moved, {room, support.size()});
    }
  }

  std::size_t in_picture = 0;  // how many tracks are known there
  std::size_t in_space = 0;
  Middle of[kComponents];  // where there is one at least

 private:
  static_assert(kComponents <= kMedianColumns && kDx == 0 && kDy == 1);

  void sort(std::span<const std::uint32_t> support, std::span<const Moved> moved) {
    MedianRow rows[kFew];
    // Unknown values come last.
    for (std::size_t k = 0; k < support.size(); ++k) rows[k] = moved[support[k]].row;
    sort_columns(rows, support.size());
    if (in_picture > 0) take(rows, in_picture, 0, kVx);
    if (in_space > 0) take(rows, in_space, kVx, kComponents);
  }

  void take(const MedianRow* rows, std::size_t count, int first, int end) {
    MedianRow median;
    MedianRow deviation;
    middle_of_columns(rows, count, &median, &deviation);
    for (int c = first; c < end; ++c) of[c] = {median.at[c], deviation.at[c]};
  }

  void select(std::span<const std::uint32_t> support, std::span<const Moved> moved,
              std::span<double> values) {
    for (int c = 0; c < kComponents; ++c) {
      std::size_t count = 0;
      for (const std::uint32_t i : support) {
        const double value = moved[i].row.at[c];
        if (value != kNotKnown) values[count++] = value;
      }
      if (count == 0) continue;
      of[c].median = lower_median(values.first(count));
      of[c].deviation = lower_deviation(values.first(count), of[c].median);
    }
  }
};

}  // namespace

void SegmentMotions::begin(std::size_t tracks) {
  values_.ensure(tracks);
  for (Remembered& slot : slots_) slot.count = 0;
}

SegmentMotion SegmentMotions::of(std::span<const std::uint32_t> support, std::size_t slot,
                                 std::span<const Moved> moved, const Parameters& parameters) {
  if (support.empty() || support.size() > kMaxRemembered || slot >= kSlots) {
    return work_out(support, moved, parameters);
  }
  Remembered& before = slots_[slot];
  if (!std::equal(support.begin(), support.end(), before.support, before.support + before.count)) {
    before.count = support.size();
    std::copy(support.begin(), support.end(), before.support);
    before.motion = work_out(support, moved, parameters);
  }
  return before.motion;
}

SegmentMotion SegmentMotions::work_out(std::span<const std::uint32_t> support,
                                       std::span<const Moved> moved, const Parameters& parameters) {
  const auto tracks = static_cast<std::uint16_t>(std::min<std::size_t>(support.size(), 65535));
  SegmentMotion out = {tracks,   0,        kUnknown, kUnknown, kUnknown,
                       kUnknown, kUnknown, kUnknown, kUnknown};
  const auto fewest = static_cast<std::size_t>(parameters.min_tracks);
  if (support.size() < fewest) return out;
  const Middles middles(support, moved, values_.data());
  if (middles.in_picture >= fewest) {
    const Middle dx = middles.of[kDx];
    const Middle dy = middles.of[kDy];
    out.dx = static_cast<float>(dx.median);
    out.dy = static_cast<float>(dy.median);
    out.spread = static_cast<float>(std::max(dx.deviation, dy.deviation));
  }
  if (middles.in_space < fewest) return out;
  const Middle vx = middles.of[kVx];
  const Middle vy = middles.of[kVy];
  const Middle vz = middles.of[kVz];
  const double apart = kSigmaOfMedian * length_of(vx.deviation, vy.deviation, vz.deviation);
  const double sigma = std::max(middles.of[kSigma].median, apart);
  const double speed = length_of(vx.median, vy.median, vz.median);
  out.vx = static_cast<float>(vx.median);
  out.vy = static_cast<float>(vy.median);
  out.vz = static_cast<float>(vz.median);
  out.sigma = static_cast<float>(sigma);
  out.flags = kKnown;
  if (parameters.ego_motion != EgoMotion::kNone) out.flags |= kAbsolute;
  if (speed > kSigmas * sigma && speed > kSlowest) out.flags |= kMoving;
  return out;
}

}  // namespace rdp::motion
