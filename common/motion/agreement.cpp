// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/motion/space.h"
#include "common/motion/support.h"
#include "common/rdp/ground.h"
#include "common/rdp/segment_class.h"

namespace rdp::motion {
namespace {

// Marks refused candidates until all have been checked.
constexpr std::uint16_t kRefused = 1U << 15;

bool is_candidate(const SegmentMotion& motion) { return (motion.flags & kMoving) != 0; }

// The segments of class ground.
class Grounds {
 public:
  Grounds(const Input& input, const Parameters& parameters) : classes_(input.classes) {
    if (!classes_.empty() || parameters.ego_motion == EgoMotion::kNone) return;
    const Values& values = input.values;
    if (values.measures == Measure::kDisparity) {
      rules_.tolerance = std::max(parameters.tolerance / values.unit, 1.0);
    } else if (!(values.inverse_scale > 0.0)) {
      rules_.over_depth = kPerKilometre / values.unit;
    }
    ground_ = find_ground(input.segments, input.height, rules_);
  }

  bool has(const Segment& s, std::size_t place) const {
    if (!classes_.empty()) {
      return classes_[place] == static_cast<std::uint8_t>(SegmentClass::kGround);
    }
    if (!(ground_.slope > 0.0)) return false;
    return class_of(s.first_row, s.last_row, class_value(s.first_value, rules_),
                    class_value(s.last_value, rules_), ground_, rules_) == SegmentClass::kGround;
  }

 private:
  static constexpr double kPerKilometre = 1000.0;

  std::span<const std::uint8_t> classes_;
  ClassRules rules_;
  Ground ground_;
};

// A segment whose neighbours are looked for.
struct Subject {
  const Segment* segment;
  double row;        // its middle
  double measure;    // there
  double tolerance;  // of that
};

// The index of a segment's neighbour in a column; column.size(): none.
std::size_t find_neighbour(const Subject& of, std::span<const Segment> column, const Input& input) {
  const double first = of.segment->first_row - kRowMargin;
  const double last = of.segment->last_row + kRowMargin;
  std::size_t found = column.size();
  double least = 0.0;
  const auto from = std::partition_point(column.begin(), column.end(),
                                         [&](const Segment& s) { return s.last_row < first; });
  for (auto t = from; t != column.end() && t->first_row <= last; ++t) {
    const double row = of.row < t->first_row  ? t->first_row
                       : of.row > t->last_row ? t->last_row
                                              : of.row;
    const double away = std::fabs(row - of.row);
    if (found != column.size() && away >= least) continue;
    const double measure = measure_of(value_at(*t, row), input.values);
    if (!(measure > 0.0) || !(std::fabs(measure - of.measure) <= of.tolerance)) continue;
    found = static_cast<std::size_t>(t - column.begin());
    least = away;
  }
  return found;
}

bool agree(const SegmentMotion& s, const SegmentMotion& t) {
  const double dx = static_cast<double>(s.vx) - static_cast<double>(t.vx);
  const double dy = static_cast<double>(s.vy) - static_cast<double>(t.vy);
  const double dz = static_cast<double>(s.vz) - static_cast<double>(t.vz);
  const auto a = static_cast<double>(s.sigma);
  const auto b = static_cast<double>(t.sigma);
  return dx * dx + dy * dy + dz * dz <= a * a + b * b;
}

}  // namespace

void keep_agreeing(const Input& input, const Parameters& parameters,
                   std::span<SegmentMotion> motions) {
  const SegmentArrays& segments = input.segments;
  const int columns = segments.columns();
  const auto start_of = [&](int column) {
    return static_cast<std::size_t>(segments.offsets()[static_cast<std::size_t>(column)]);
  };
  if (std::none_of(motions.begin(), motions.end(), is_candidate)) return;
  const Grounds grounds(input, parameters);
  bool refused = false;
  for (int c = 0; c < columns; ++c) {
    for (std::size_t i = start_of(c); i < start_of(c + 1); ++i) {
      if (!is_candidate(motions[i])) continue;
      int agreeing = 0;
      const Segment& s = segments.segments()[i];
      if (!grounds.has(s, i)) {
        const double row = (s.first_row + s.last_row) / 2.0;
        const double measure = measure_of(value_at(s, row), input.values);
        const Subject of = {&s, row, measure, measure_tolerance(measure, input.values, parameters)};
        const int first = std::max(c - kNeighbourColumns, 0);
        const int last = std::min(c + kNeighbourColumns, columns - 1);
        for (int k = first; measure > 0.0 && k <= last; ++k) {
          if (k == c) continue;
          const std::span<const Segment> column = segments.column(k);
          const std::size_t place = find_neighbour(of, column, input);
          if (place == column.size()) continue;
          const SegmentMotion& t = motions[start_of(k) + place];
          agreeing += is_candidate(t) && agree(motions[i], t) ? 1 : 0;
        }
      }
      if (agreeing >= kLeastAgreeing) continue;
      motions[i].flags |= kRefused;
      refused = true;
    }
  }
  if (!refused) return;
  for (SegmentMotion& motion : motions) {
    if ((motion.flags & kRefused) != 0) {
      motion.flags &= static_cast<std::uint16_t>(~(kRefused | kMoving));
    }
  }
}

}  // namespace rdp::motion
