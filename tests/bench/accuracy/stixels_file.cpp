// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/stixels_file.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace rdp::bench {
namespace {

enum Type { kGround = 0, kObject = 1, kSky = 2 };

// The least-squares line of rows [top, bottom] of a column.
Segment line_of_samples(const DepthView& frame, int column, int top, int bottom) {
  const double n = bottom - top + 1;
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int row = top; row <= bottom; ++row) {
    const double value = frame.at(row, column);
    x += row - top;
    y += value;
    xx += static_cast<double>(row - top) * (row - top);
    xy += (row - top) * value;
  }
  const double slope = n > 1 ? (xy - x * y / n) / (xx - x * x / n) : 0;
  const double first = (y - slope * x) / n;
  return {static_cast<std::uint16_t>(top), static_cast<std::uint16_t>(bottom),
          static_cast<float>(first), static_cast<float>(first + slope * (n - 1))};
}

// Parses one line of the file into stixels from the top. False: invalid.
bool read_column(const std::string& line, const DepthView& frame, double sample_scale, int column,
                 std::vector<Segment>* segments) {
  const std::size_t begin = segments->size();
  std::istringstream stixels(line);
  std::string stixel;
  while (std::getline(stixels, stixel, ';')) {
    int type = 0, first = 0, last = 0;
    double disparity = 0;
    if (std::sscanf(stixel.c_str(), "%d,%d,%d,%lf", &type, &first, &last, &disparity) != 4) {
      if (stixel.find_first_not_of(" \t\r") == std::string::npos) continue;
      return false;
    }
    if (type < kGround || type > kSky || first < 0 || first > last || last >= frame.height) {
      return false;
    }
    const int top = frame.height - 1 - last;
    const int bottom = frame.height - 1 - first;
    const auto value = static_cast<float>(type == kSky ? 0 : disparity / sample_scale);
    segments->push_back(type == kGround
                            ? line_of_samples(frame, column, top, bottom)
                            : Segment{static_cast<std::uint16_t>(top),
                                      static_cast<std::uint16_t>(bottom), value, value});
  }
  std::sort(segments->begin() + static_cast<std::ptrdiff_t>(begin), segments->end(),
            [](const Segment& a, const Segment& b) { return a.first_row < b.first_row; });
  return true;
}

}  // namespace

bool read_stixels(const std::filesystem::path& path, const DepthView& frame, double sample_scale,
                  SegmentList* result) {
  std::ifstream file(path);
  std::vector<Segment> segments;
  std::vector<std::uint32_t> ends;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    const int column = static_cast<int>(ends.size());
    if (column >= frame.width || !read_column(line, frame, sample_scale, column, &segments)) {
      std::fprintf(stderr, "%s, line %d: not the stixels of a column of this frame\n", path.c_str(),
                   column + 1);
      return false;
    }
    ends.push_back(static_cast<std::uint32_t>(segments.size()));
  }
  if (static_cast<int>(ends.size()) != frame.width) {
    std::fprintf(stderr, "%s: %zu columns of stixels for a frame of %d\n", path.c_str(),
                 ends.size(), frame.width);
    return false;
  }
  std::uint32_t* offsets = result->resize_columns(frame.width);
  offsets[0] = 0;
  std::copy(ends.begin(), ends.end(), offsets + 1);
  std::copy(segments.begin(), segments.end(), result->resize_segments());
  return true;
}

}  // namespace rdp::bench
