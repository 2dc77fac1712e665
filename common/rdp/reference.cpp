// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "common/rdp/line.h"

namespace rdp::reference {
namespace {

std::vector<Sample> known_samples(const DepthView& frame, const KnownRange& known, int column) {
  std::vector<Sample> samples;
  samples.reserve(static_cast<std::size_t>(frame.height));
  for (int row = 0; row < frame.height; ++row) {
    const std::uint16_t value = frame.at(row, column);
    if (known.contains(value)) samples.push_back({row, value});
  }
  return samples;
}

// Algorithm 1 of the paper (see reference.h) without recursion: the vertices of the column, as
// indices into `samples`, top to bottom. The stack holds the lower ends of the pending segments.
// The upper end is always the last vertex, because the upper half of a split comes first.
void split(const std::vector<Sample>& samples, std::int64_t eps256, std::vector<int>* vertices) {
  vertices->assign(1, 0);
  std::vector<int> stack{static_cast<int>(samples.size()) - 1};
  while (!stack.empty()) {
    const int first = vertices->back();
    const int last = stack.back();
    const Sample f = samples[static_cast<std::size_t>(first)];
    const Sample l = samples[static_cast<std::size_t>(last)];
    const int length = l.row - f.row;
    const int rise = l.value - f.value;
    int farthest = first;
    int largest = 0;
    for (int i = first + 1; i < last; ++i) {
      const Sample s = samples[static_cast<std::size_t>(i)];
      const int c = rise * (s.row - f.row) - (s.value - f.value) * length;
      if (std::abs(c) > largest) {
        largest = std::abs(c);
        farthest = i;
      }
    }
    if (std::int64_t{largest} * 256 > eps256 * length) {
      stack.push_back(farthest);
    } else {
      vertices->push_back(last);
      stack.pop_back();
    }
  }
}

// The runs of a column: its parts between gaps of more than `max_gap` unknown rows; 0: all of it.
std::vector<std::vector<Sample>> runs(const std::vector<Sample>& samples, int max_gap) {
  std::vector<std::vector<Sample>> result;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool starts =
        i == 0 || (max_gap > 0 && samples[i].row - samples[i - 1].row - 1 > max_gap);
    if (starts) result.emplace_back();
    result.back().push_back(samples[i]);
  }
  return result;
}

std::vector<Segment> lines_between(const std::vector<Sample>& samples,
                                   const std::vector<int>& vertices) {
  std::vector<Segment> segments;
  const auto add = [&](int first, int last) {
    const Sample f = samples[static_cast<std::size_t>(first)];
    const Sample l = samples[static_cast<std::size_t>(last)];
    segments.push_back({static_cast<std::uint16_t>(f.row), static_cast<std::uint16_t>(l.row),
                        static_cast<float>(f.value), static_cast<float>(l.value)});
  };
  if (vertices.size() == 1) add(0, 0);
  for (std::size_t v = 1; v < vertices.size(); ++v) add(vertices[v - 1], vertices[v]);
  return segments;
}

}  // namespace

void segment(const DepthView& frame, const KnownRange& known, std::int64_t eps256,
             SegmentList* result) {
  SegmentRules rules;
  rules.epsilon256 = eps256;
  segment(frame, known, rules, result);
}

void segment(const DepthView& frame, const KnownRange& known, const SegmentRules& rules,
             SegmentList* result) {
  std::vector<Segment> segments;
  std::uint32_t* offsets = result->resize_columns(frame.width);
  offsets[0] = 0;
  for (int column = 0; column < frame.width; ++column) {
    const std::vector<Sample> samples = known_samples(frame, known, column);
    for (const std::vector<Sample>& run : runs(samples, rules.max_gap)) {
      std::vector<int> vertices{0};
      if (run.size() > 1) split(run, rules.epsilon256, &vertices);
      std::vector<Segment> found =
          rules.refine ? fit_pieces(run, vertices, rules) : lines_between(run, vertices);
      if (rules.refine && rules.fit == Fit::kAbsolute) found = refit(run, found, rules);
      segments.insert(segments.end(), found.begin(), found.end());
    }
    offsets[column + 1] = static_cast<std::uint32_t>(segments.size());
  }
  std::copy(segments.begin(), segments.end(), result->resize_segments());
}

Frame filter(const DepthView& frame, const Parameters& parameters) {
  const KnownRange known = segmented_known_range(parameters, frame.type);
  Frame current;
  DepthView view = frame;
  const auto replace = [&](Frame next) {
    current = std::move(next);
    view = current.view();
  };
  if (parameters.domain == Domain::kInverse)
    replace(inverse_depth(view, inverse_depth_of(parameters)));
  if (parameters.median != Median::kNone) {
    replace(median(view, static_cast<int>(parameters.median)));
  }
  // Also copies the frame if no filter is on: a group of one column is the column.
  replace(join_columns(view, known, parameters.column_width));
  return current;
}

void segment_filtered(const DepthView& frame, const Parameters& parameters, SegmentList* result) {
  const Frame filtered = filter(frame, parameters);
  segment(filtered.view(), segmented_known_range(parameters, frame.type), segment_rules(parameters),
          result);
}

void reconstruct(const Frame& filtered, const SegmentList& segments, const Parameters& parameters,
                 const MutableDepthView& frame) {
  const KnownRange known = segmented_known_range(parameters, frame.type);
  const std::uint32_t largest = max_sample(frame.type);
  for (int group = 0; group < segments.columns(); ++group) {
    const int first_column = group * parameters.column_width;
    const int end_column = std::min(first_column + parameters.column_width, frame.width);
    for (const Segment& segment : segments.column(group)) {
      for (int row = segment.first_row; row <= segment.last_row; ++row) {
        if (!known.contains(filtered.at(row, group))) continue;
        const std::uint16_t value = parameters.domain == Domain::kInverse
                                        ? depth_on_line(segment, row, parameters, largest)
                                        : line_value(segment, row, known);
        for (int column = first_column; column < end_column; ++column) {
          frame.set(row, column, value);
        }
      }
    }
  }
}

}  // namespace rdp::reference
