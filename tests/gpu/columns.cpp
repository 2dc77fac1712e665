// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gpu/columns.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

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
        const int base = below(largest_ - 3);
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
      case ColumnKind::kParabola: {
        const double scale = static_cast<double>(largest_) / (1.0 * height_ * height_);
        return each([&](int row) { return static_cast<int>(scale * row * row); });
      }
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
      case ColumnKind::kStairsDown:
        return each([&](int row) { return stair(row, row); });
      case ColumnKind::kStairsUp:
        return each([&](int row) { return stair(row, height_ - 1 - row); });
      case ColumnKind::kStairsMiddle:
        return each([&](int row) { return stair(row, 2 * std::min(row, height_ - 1 - row)); });
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

  int stair(int row, int step) const {
    return row % 2 == 0 ? 1 : 1 + static_cast<int>((largest_ - 1.0) / height_ * step);
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

}  // namespace

void fill_column(const MutableDepthView& frame, int column, ColumnKind kind, std::mt19937* random) {
  ColumnWriter(frame, column, random).fill(kind);
}

void fill_columns(const MutableDepthView& frame, ColumnKind kind, std::mt19937* random) {
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
  switch (kind) {
    case ColumnKind::kNoise:
      return "noise";
    case ColumnKind::kExtremes:
      return "extremes";
    case ColumnKind::kSmallStep:
      return "small steps";
    case ColumnKind::kScene:
      return "scene";
    case ColumnKind::kConstant:
      return "constant";
    case ColumnKind::kRamp:
      return "ramp";
    case ColumnKind::kAlternating:
      return "alternating";
    case ColumnKind::kTriangle:
      return "triangle";
    case ColumnKind::kParabola:
      return "parabola";
    case ColumnKind::kUnknown:
      return "unknown";
    case ColumnKind::kSingle:
      return "single sample";
    case ColumnKind::kSparse:
      return "sparse";
    case ColumnKind::kStairsDown:
      return "stairs down";
    case ColumnKind::kStairsUp:
      return "stairs up";
    case ColumnKind::kStairsMiddle:
      return "stairs to the middle";
  }
  return "?";
}

}  // namespace rdp::test
