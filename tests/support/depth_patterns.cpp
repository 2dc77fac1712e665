// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/support/depth_patterns.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "common/scene/hash_random.h"

namespace rdp::test {
namespace {

class ColumnWriter {
 public:
  ColumnWriter(const MutableDepthView& frame, int column, std::mt19937* random)
      : frame_(frame),
        column_(column),
        height_(frame.height),
        largest_(static_cast<int>(max_sample(frame.type))),
        random_(random) {}

  void fill(ColumnKind kind) {
    switch (kind) {
      case ColumnKind::kNoise:
        return each([&](int) { return below(largest_ + 1); });
      case ColumnKind::kExtremes: {
        const int values[] = {0, 1, largest_ - 1, largest_};
        return each([&](int) { return values[below(4)]; });
      }
      case ColumnKind::kSmallStep: {
        // The values include 0 in half of the cases.
        const int base = below(2) == 0 ? 0 : below(largest_ - 3);
        return each([&](int) { return base + below(4); });
      }
      case ColumnKind::kScene:
        return scene();
      case ColumnKind::kConstant: {
        const int value = below(largest_ + 1);
        return each([&](int) { return value; });
      }
      case ColumnKind::kRamp: {
        const int start = below(largest_ + 1);
        const int step = below(7) - 3;
        return each(
            [&](int row) { return (start + (largest_ + 1 + step) * row) % (largest_ + 1); });
      }
      case ColumnKind::kAlternating: {
        const int a = below(largest_ + 1);
        const int b = below(2) == 0 ? largest_ - a : std::min(a + 1, largest_);
        return each([&](int row) { return row % 2 == 0 ? a : b; });
      }
      case ColumnKind::kTriangle: {
        const int peak = below(std::max(height_, 1));
        const int base = 1 + below(largest_ / 2);
        const int top = std::min(base + 1 + below(8), largest_);
        return each([&](int row) { return row == peak ? top : base; });
      }
      case ColumnKind::kParabola:
      case ColumnKind::kDecay:
      case ColumnKind::kStairsDown:
      case ColumnKind::kStairsUp:
      case ColumnKind::kStairsMiddle:
        return each([&](int row) { return hard_sample(kind, row, height_, largest_, 0); });
      case ColumnKind::kUnknown:
        return each([](int) { return 0; });
      case ColumnKind::kSingle: {
        const int where = below(height_);
        const int value = 1 + below(largest_);
        return each([&](int row) { return row == where ? value : 0; });
      }
      case ColumnKind::kSparse: {
        const int every = 2 + below(std::max(2, height_ / 3));
        return each([&](int) { return below(every) == 0 ? 1 + below(largest_) : 0; });
      }
    }
  }

 private:
  int below(int n) { return static_cast<int>((*random_)() % static_cast<std::uint32_t>(n)); }

  template <typename Sample>
  void each(Sample sample) {
    for (int row = 0; row < height_; ++row) {
      frame_.set(row, column_, static_cast<std::uint16_t>(sample(row)));
    }
  }

  void scene() {
    const int pieces = 4 + below(60);
    double value = 0;
    double slope = 0;
    each([&](int row) {
      if (row == 0 || below(pieces) == 0) {
        value = below(largest_ + 1);
        slope = (below(2001) - 1000) * static_cast<double>(largest_) / 60000;
      }
      value = std::clamp(value + slope, 0.0, static_cast<double>(largest_));
      return below(6) == 0 ? 0 : std::min(static_cast<int>(value) + below(3), largest_);
    });
  }

  const MutableDepthView& frame_;
  int column_;
  int height_;
  int largest_;
  std::mt19937* random_;
};

// Samples that depend on their position and the seed only.
template <typename Sample>
void each_sample(const MutableDepthView& view, std::uint32_t seed, const Sample& sample) {
  for (int row = 0; row < view.height; ++row) {
    HashSequence random(sub_key(seed, static_cast<std::uint64_t>(row)));
    for (int column = 0; column < view.width; ++column) {
      view.set(row, column, static_cast<std::uint16_t>(sample(random.bits())));
    }
  }
}

void draw_surface(const MutableDepthView& view, std::uint32_t seed) {
  std::mt19937 random(seed);
  const bool bytes = view.type == SampleType::kU8;
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) {
      int sample = 0;
      if (random() % 8 != 0) {
        const int value =
            40 + row + (column > view.width / 2 ? 60 : 0) + static_cast<int>(random() % 9);
        sample = bytes ? value % 256 : value * 64 % 65536;
      }
      view.set(row, column, static_cast<std::uint16_t>(sample));
    }
  }
}

}  // namespace

void fill_column(const MutableDepthView& frame, int column, ColumnKind kind, std::mt19937* random) {
  ColumnWriter(frame, column, random).fill(kind);
}

void fill(const MutableDepthView& frame, ColumnKind kind, std::mt19937* random) {
  for (int column = 0; column < frame.width; ++column) fill_column(frame, column, kind, random);
}

void fill_mixed(const MutableDepthView& frame, int deep_every, std::mt19937* random) {
  constexpr int kShallow = static_cast<int>(ColumnKind::kAlternating);
  for (int column = 0; column < frame.width; ++column) {
    const bool deep = deep_every > 0 && column % deep_every == deep_every / 2;
    const auto choice = static_cast<int>((*random)() % (deep ? kColumnKinds - kShallow : kShallow));
    fill_column(frame, column, static_cast<ColumnKind>(choice + (deep ? kShallow : 0)), random);
  }
}

const char* name_of(ColumnKind kind) {
  constexpr const char* kNames[] = {"noise",       "extremes",    "small steps",   "scene",
                                    "constant",    "ramp",        "triangle",      "parabola",
                                    "decay",       "unknown",     "single sample", "sparse",
                                    "alternating", "stairs down", "stairs up",     "stairs middle"};
  static_assert(std::size(kNames) == kColumnKinds);
  return kNames[static_cast<int>(kind)];
}

std::uint16_t hard_sample(ColumnKind kind, int row, int rows, int largest, std::uint32_t random) {
  // The height of the step; every second row is one.
  int step = row;
  switch (kind) {
    case ColumnKind::kNoise:
      return static_cast<std::uint16_t>(1 + random % static_cast<std::uint32_t>(largest));
    case ColumnKind::kAlternating:
      return static_cast<std::uint16_t>(row % 2 == 0 ? 1 : largest);
    case ColumnKind::kParabola:
      return static_cast<std::uint16_t>(1 + (largest - 1.0) * row * row / (1.0 * rows * rows));
    case ColumnKind::kDecay:
      return static_cast<std::uint16_t>(1 + (largest - 1.0) * std::exp(-11.0 * row / rows));
    case ColumnKind::kStairsUp:
      row = step = rows - 1 - row;
      break;
    case ColumnKind::kStairsMiddle:
      step = 2 * std::min(row, rows - 1 - row);
      break;
    default:
      break;
  }
  return static_cast<std::uint16_t>(row % 2 == 0 ? 1 : 2 + (largest - 2LL) * step / rows);
}

TestPatternOptions matched_street() {
  TestPatternOptions options;
  options.noise = 0.25;
  options.unknown_ratio = 0.06;
  return options;
}

void draw_scene(const MutableDepthView& frame, Scene scene, std::uint32_t seed) {
  const std::uint64_t largest = max_sample(frame.type);
  TestPatternOptions options = matched_street();
  switch (scene) {
    case Scene::kLevels:
      return each_sample(frame, seed, [&](std::uint64_t bits) {
        const std::uint64_t levels[] = {0, 1, largest / 3, largest - 1, largest};
        return levels[bits % 5];
      });
    case Scene::kSparse:
      return each_sample(frame, seed, [&](std::uint64_t bits) {
        return bits % 32 == 0 ? 1 + (bits >> 8) % largest : 0;
      });
    case Scene::kSurface:
      return draw_surface(frame, seed);
    case Scene::kStreet:
      break;
    case Scene::kSteps:
      options.pattern = TestPattern::kSteps;
      break;
    case Scene::kUnknown:
      options.pattern = TestPattern::kUnknown;
      options.unknown_ratio = 0;
      break;
    case Scene::kNoise:
      options.pattern = TestPattern::kNoise;
      break;
  }
  if (scene != Scene::kStreet) options.noise = 0;
  options.seed = seed;
  TestPatternRenderer().draw(seed, options, frame);
}

}  // namespace rdp::test
