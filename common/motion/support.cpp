// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/support.h"

#include <algorithm>
#include <cmath>

#include "common/motion/space.h"

namespace rdp::motion {
namespace {

// The pixel that contains a place. False: outside the picture.
bool pixel_of(double place, int size, int* pixel) {
  const double nearest = std::floor(place + 0.5);
  if (!(nearest >= 0.0 && nearest < static_cast<double>(size))) return false;
  *pixel = static_cast<int>(nearest);
  return true;
}

}  // namespace

Placed place_track(const klt::Track& track, const Input& input) {
  const Placement& p = input.placement;
  Placed placed;
  placed.u = (static_cast<double>(track.x) + 0.5) * p.scale_x + p.offset_x - 0.5;
  placed.v = (static_cast<double>(track.y) + 0.5) * p.scale_y + p.offset_y - 0.5;
  placed.has_place = is_within(placed.u, kMaxPlace) && is_within(placed.v, kMaxPlace);
  int row;
  if (!placed.has_place || !pixel_of(placed.u, input.width, &placed.column) ||
      !pixel_of(placed.v, input.height, &row)) {
    return placed;
  }
  const int column = placed.column / input.column_width;
  if (column >= input.segments.columns()) return placed;
  const std::span<const Segment> segments = input.segments.column(column);
  const auto own = std::partition_point(segments.begin(), segments.end(),
                                        [row](const Segment& s) { return s.last_row < row; });
  if (own == segments.end() || own->first_row > row) return placed;
  placed.measure = measure_of(value_at(*own, placed.v), input.values);
  if (!input.classes.empty()) {
    placed.kind = input.classes[static_cast<std::size_t>(&*own - input.segments.segments().data())];
  }
  return placed;
}

void Supports::begin(std::size_t tracks, int width) {
  starts_.ensure(static_cast<std::size_t>(width) + 2);
  entries_.ensure(tracks);
  found_.ensure(tracks);
}

void Supports::index(std::span<const Placed> placed, std::span<const std::uint32_t> ages,
                     const Input& input, const Parameters& parameters) {
  const auto least_age = static_cast<std::uint32_t>(parameters.min_age);
  const auto counts = [&](std::size_t i) {
    return placed[i].measure > 0.0 && ages[i] >= least_age;
  };
  // A counting sort: starts[c + 1] is where the next entry of column c goes, so that in the end
  // those of column c are [starts[c], starts[c + 1]).
  const std::span<std::uint32_t> starts(starts_.data(), static_cast<std::size_t>(input.width) + 2);
  std::fill(starts.begin(), starts.end(), 0U);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (counts(i)) ++starts[static_cast<std::size_t>(placed[i].column) + 2];
  }
  for (std::size_t c = 1; c < starts.size(); ++c) starts[c] += starts[c - 1];
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (!counts(i)) continue;
    const Placed& p = placed[i];
    entries_.data()[starts[static_cast<std::size_t>(p.column) + 1]++] = {
        p.v, p.measure, measure_tolerance(p.measure, input.values, parameters),
        static_cast<std::uint32_t>(i), p.kind};
  }
}

void Supports::enter_column(int column, const Input& input, const Parameters& parameters) {
  const int first = column * input.column_width;
  const int end = std::min(first + input.column_width, input.width);
  const auto from = static_cast<std::size_t>(std::clamp(first - parameters.reach, 0, input.width));
  const auto to = static_cast<std::size_t>(std::clamp(end + parameters.reach, 0, input.width));
  const std::uint32_t* starts = starts_.data();
  near_ = {entries_.data() + starts[from], starts[to] - starts[from]};
}

std::span<const std::uint32_t> Supports::of(const Segment& segment, std::uint8_t kind,
                                            const Input& input) {
  const auto first_row = static_cast<double>(segment.first_row);
  const auto last_row = static_cast<double>(segment.last_row);
  std::size_t count = 0;
  for (const Entry& entry : near_) {
    if (entry.v < first_row - kRowMargin || entry.v > last_row + kRowMargin) continue;
    if (entry.kind != kind) continue;
    // The line at the track's row, clamped to the segment's rows.
    const double row = entry.v < first_row ? first_row : entry.v > last_row ? last_row : entry.v;
    const double line = measure_of(value_at(segment, row), input.values);
    if (line > 0.0 && std::fabs(entry.measure - line) <= entry.tolerance) {
      found_.data()[count++] = entry.track;
    }
  }
  return {found_.data(), count};
}

}  // namespace rdp::motion
