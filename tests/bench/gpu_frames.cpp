// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/gpu_frames.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <utility>

#include "common/rdp/reference.h"
#include "tests/support/depth_patterns.h"

namespace rdp::bench {
namespace {

using test::ColumnKind;

constexpr ColumnKind kKinds[] = {
    ColumnKind::kStairsDown,  ColumnKind::kStairsUp, ColumnKind::kStairsMiddle, ColumnKind::kNoise,
    ColumnKind::kAlternating, ColumnKind::kParabola, ColumnKind::kDecay,
};
// Rows after which the pattern repeats; 0: the whole column.
constexpr int kStretches[] = {0, 12, 17, 18, 33, 65, 129, 255, 257, 300, 512};
// Spacing of hard columns; the others are one segment.
constexpr int kEvery[] = {1, 2, 8, 32};

std::string name_of(ColumnKind kind, int stretch, int every) {
  std::string name = test::name_of(kind);
  if (stretch > 0) name += ", " + std::to_string(stretch) + " rows";
  if (every > 1) name += ", every " + std::to_string(every) + " columns";
  return name;
}

BenchFrame make(ColumnKind kind, int stretch, int every, int width, int height) {
  BenchFrame frame{name_of(kind, stretch, every), width, height, {}, {}};
  frame.parameters.epsilon = 0;
  frame.samples.reserve(static_cast<std::size_t>(width) * height);
  std::mt19937 random(1);
  const int rows = stretch > 0 ? stretch : height;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const auto number = static_cast<std::uint32_t>(random());
      frame.samples.push_back(
          column % every == 0 ? test::hard_sample(kind, row % rows, rows, 65535, number) : 1000);
    }
  }
  return frame;
}

// Calls `use` for every hard pattern.
void each_pattern(const std::function<void(ColumnKind, int, int)>& use) {
  for (const ColumnKind kind : kKinds) {
    for (const int stretch : kStretches) {
      for (const int every : kEvery) {
        // Sparse hard columns test waiting for the slowest one, which whole columns show.
        if (stretch > 0 && every > 1) continue;
        use(kind, stretch, every);
      }
    }
  }
}

}  // namespace

BenchFrame filtered(BenchFrame frame) {
  if (frame.parameters.domain == Domain::kLinear) return frame;
  reference::Frame inverse = reference::filter(frame.view(), frame.parameters);
  frame.samples = std::move(inverse.samples);
  frame.parameters.domain = Domain::kLinear;
  frame.parameters.min_value = 1;
  frame.parameters.max_value = 65535;
  return frame;
}

BenchFrame with_height(const BenchFrame& frame, int height) {
  BenchFrame result{frame.name, frame.width, height, {}, frame.parameters};
  result.samples.reserve(static_cast<std::size_t>(frame.width) * height);
  for (int row = 0; row < height; ++row) {
    const auto from = static_cast<std::ptrdiff_t>(static_cast<std::int64_t>(row) * frame.height /
                                                  height * frame.width);
    result.samples.insert(result.samples.end(), frame.samples.begin() + from,
                          frame.samples.begin() + from + frame.width);
  }
  return result;
}

std::vector<BenchFrame> hard_frames(int width, int height) {
  std::vector<BenchFrame> frames;
  each_pattern([&](ColumnKind kind, int stretch, int every) {
    if (stretch < height) frames.push_back(make(kind, stretch, every, width, height));
  });
  return frames;
}

BenchFrame hard_frame(const std::string& name, int width, int height) {
  BenchFrame found;
  each_pattern([&](ColumnKind kind, int stretch, int every) {
    if (name_of(kind, stretch, every) == name) found = make(kind, stretch, every, width, height);
  });
  if (found.samples.empty()) throw std::invalid_argument("no hard frame is called " + name);
  return found;
}

}  // namespace rdp::bench
