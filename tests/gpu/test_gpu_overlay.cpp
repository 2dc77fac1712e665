// SPDX-License-Identifier: LGPL-2.1-or-later
// The overlay's pictures on the GPU against those of common/rdp/overlay.h, bit for bit, on segments
// that the reference made.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "common/rdp/engine.h"
#include "common/rdp/ground.h"
#include "common/rdp/overlay.h"
#include "common/rdp/reference.h"
#include "kernels/rdp/overlay.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::Content;
using test::GpuFrame;
using test::GpuPicture;
using test::GpuSegments;
using test::TestFrame;

constexpr SampleType kTypes[] = {SampleType::kU8, SampleType::kU16};
constexpr OverlayStyle kStyles[] = {OverlayStyle::kSegments, OverlayStyle::kDepth,
                                    OverlayStyle::kEdges, OverlayStyle::kClasses,
                                    OverlayStyle::kBirdsEye};

class GpuOverlay : public test::GpuTest {
 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // Paints the frame in all styles, with legends and without them. `missing`: so many segments too
  // few fit into the list.
  void check(const TestFrame& frame, const Parameters& parameters, OverlayOptions options = {},
             std::int64_t missing = 0) {
    if (!picker_.next()) return;
    const DepthView view = frame.view();
    SegmentList segments;
    reference::segment_filtered(view, parameters, &segments);
    const GpuFrame in(view, test::random_layout(bytes_per_sample(view.type), &random_));
    const GpuSegments list(segments, static_cast<std::int64_t>(segments.segment_count()) - missing);
    std::vector<std::byte> pixels(static_cast<std::size_t>(view.width) *
                                  static_cast<std::size_t>(view.height) * 4);
    const RgbaView picture{pixels.data(), std::ptrdiff_t{4} * view.width, view.width, view.height};
    const MetricCamera camera = random_camera();
    for (const OverlayStyle style : kStyles) {
      options.style = style;
      options.legend = below(2) == 0;
      options.camera = below(2) == 0 || style == OverlayStyle::kBirdsEye ? &camera : nullptr;
      options.birdseye_range = below(2) == 0 ? 0.0 : std::pow(10.0, below(7) - 3) * (1 + below(9));
      options.ground = below(2) == 0 ? GroundPlane{} : random_plane(view);
      const OverlayLook look = overlay_look(view, segments, parameters, options);
      legends_ += look.legend.zoom > 0 ? 1 : 0;
      engine_.paint(view, segments, parameters, options, picture);
      if (missing > 0) std::fill(pixels.begin(), pixels.end(), std::byte{0xA5});
      const GpuPicture out(view.width, view.height, test::random_layout(4, &random_));
      painter_.run(in.view(), list.view(), 0, parameters, options, out.view(), stream());
      synchronize();
      ASSERT_EQ(out.difference(picture), "")
          << view.width << " x " << view.height << " of " << bytes_per_sample(view.type)
          << " bytes, style " << static_cast<int>(style) << ", column-width "
          << parameters.column_width << ", legend " << look.legend.zoom << ", palette from "
          << look.range.offset << " by " << look.range.factor << ", ground " << look.ground.slope
          << " " << look.ground.horizon;
    }
    ASSERT_EQ(in.difference(view), "") << "the frame was written";
    count_classes(segments, view.height, parameters);
  }

  // Paints one of several frames, which have one size and one list.
  void check_together(const std::vector<TestFrame>& frames, std::size_t painted,
                      const Parameters& parameters, bool truncated) {
    if (!picker_.next()) return;
    std::vector<SegmentList> lists(frames.size());
    std::size_t most = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      reference::segment_filtered(frames[i].view(), parameters, &lists[i]);
      most = std::max(most, lists[i].segment_count());
    }
    const GpuSegments list(std::span<const SegmentList>(lists),
                           static_cast<std::int64_t>(most) - (truncated ? 1 : 0));
    const DepthView view = frames[painted].view();
    const GpuFrame in(view, test::random_layout(bytes_per_sample(view.type), &random_));
    std::vector<std::byte> pixels(static_cast<std::size_t>(view.width) *
                                  static_cast<std::size_t>(view.height) * 4);
    const RgbaView picture{pixels.data(), std::ptrdiff_t{4} * view.width, view.width, view.height};
    for (const OverlayStyle style : kStyles) {
      OverlayOptions options;
      options.style = style;
      options.legend = true;
      const MetricCamera camera = camera_of(view, parameters);
      options.camera = &camera;
      engine_.paint(view, lists[painted], parameters, options, picture);
      if (truncated) std::fill(pixels.begin(), pixels.end(), std::byte{0xA5});
      const GpuPicture out(view.width, view.height, test::random_layout(4, &random_));
      painter_.run(in.view(), list.view(), static_cast<int>(painted), parameters, options,
                   out.view(), stream());
      synchronize();
      ASSERT_EQ(out.difference(picture), "") << "frame " << painted << " of " << frames.size()
                                             << ", style " << static_cast<int>(style);
    }
  }

  void count_classes(const SegmentList& segments, int height, const Parameters& parameters) {
    const ClassRules rules = class_rules(parameters);
    std::vector<std::uint8_t> of_segments(segments.segment_count());
    classify_segments(segments, find_ground(segments, height, rules), rules, of_segments.data());
    for (const std::uint8_t of : of_segments) ++classes_[of];
  }

  Parameters random_parameters(SampleType type) {
    Parameters parameters;
    parameters.epsilon = below(3) == 0 ? 0 : below(static_cast<int>(max_sample(type))) / 16.0;
    parameters.min_value = static_cast<std::uint32_t>(below(3));
    if (below(4) == 0) parameters.max_value = static_cast<std::uint32_t>(below(70000));
    if (below(3) == 0) parameters.domain = Domain::kInverse;
    parameters.inverse_scale =
        type == SampleType::kU8 ? 100.0 * (1 + below(600)) : 1000.0 * (1 + below(60000));
    if (below(3) == 0) parameters.median = Median::k3x3;
    parameters.column_width = below(2) == 0 ? 1 : 1 + below(kMaxColumnWidth);
    return parameters;
  }

  // A ground that some segments are near, of a camera that is rolled.
  GroundPlane random_plane(const DepthView& view) {
    constexpr double kOne = 4294967296.0;
    const double most = max_sample(view.type);
    const double per_row = most * (1 + below(100)) / 100.0 / view.height;
    GroundPlane plane;
    plane.per_row =
        std::clamp(static_cast<std::int64_t>(per_row * kOne), std::int64_t{1}, kMostGroundSlope);
    plane.per_column =
        static_cast<std::int64_t>(static_cast<double>(plane.per_row) * (below(201) - 100) / 100.0);
    plane.offset = static_cast<std::int64_t>(most * (below(101) - 50) / 100.0 * kOne);
    return plane;
  }

  // One that sees something: values are disparities or inverse depths, up to 1000 of them.
  static MetricCamera camera_of(const DepthView& view, const Parameters& parameters) {
    const double most = parameters.domain == Domain::kInverse
                            ? parameters.inverse_scale / max_sample(view.type) * 30
                            : max_sample(view.type);
    MetricCamera camera;
    camera.focal_x = view.width;
    camera.principal_x = 0.5 * view.width;
    camera.depth = {true, 10, 1000 / most, 0};
    return camera;
  }

  // Of disparity, inverse or metric depth, with units from far too small to far too large.
  MetricCamera random_camera() {
    MetricCamera camera;
    camera.focal_x = camera.focal_y = 50.0 + below(1000);
    camera.principal_x = below(400) - 50;
    camera.principal_y = below(400) - 50;
    camera.depth.reciprocal = below(2) == 0;
    camera.depth.factor = std::pow(10.0, below(9) - 6) * (1 + below(30));
    if (camera.depth.reciprocal) {
      camera.depth.numerator = std::pow(10.0, below(9) - 3) * (1 + below(30));
      camera.depth.offset = below(3) == 0 ? below(101) - 50 : 0;
    }
    return camera;
  }

  std::mt19937 random_{3};
  int legends_ = 0;  // that were painted
  Engine engine_{1};
  test::CasePicker picker_;
  std::array<std::size_t, kSegmentClasses> classes_{};  // how many segments of each were painted
  cuda::OverlayPainter painter_;
};

TEST_F(GpuOverlay, EveryColumnWidthAndContent) {
  for (const SampleType type : kTypes) {
    for (const Content content : test::kContents) {
      for (int column_width = 1; column_width <= kMaxColumnWidth; ++column_width) {
        TestFrame frame(1 + below(140), 1 + below(150), type);
        test::fill(frame.view(), content, &random_);
        Parameters parameters = random_parameters(type);
        parameters.column_width = column_width;
        ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
      }
    }
  }
}

TEST_F(GpuOverlay, RandomFramesAndParameters) {
  for (int round = 0; round < 300; ++round) {
    const SampleType type = kTypes[below(2)];
    TestFrame frame(1 + below(300), 1 + below(below(4) == 0 ? 700 : 100), type);
    test::fill(frame.view(), test::kContents[below(4)], &random_);
    ASSERT_NO_FATAL_FAILURE(check(frame, random_parameters(type)));
  }
}

TEST_F(GpuOverlay, ChosenPalettes) {
  TestFrame frame(90, 200, SampleType::kU16);
  test::fill(frame.view(), Content::kScene, &random_);
  const std::pair<double, double> ends[] = {
      {0, 65535},      {65535, 0},  {20000, 30000}, {30000, 20000},  {500, 500},    {500, 500.25},
      {-1e300, 1e300}, {0, 1e-300}, {-3, -2},       {1000.5, 60000}, {0, HUGE_VAL}, {1e6, 2e6}};
  for (const auto& [low, high] : ends) {
    for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
      Parameters parameters;
      parameters.domain = domain;
      parameters.min_value = 0;
      OverlayOptions options;
      options.palette_min = low;
      options.palette_max = high;
      ASSERT_NO_FATAL_FAILURE(check(frame, parameters, options));
    }
  }
}

// Walls, floors and everything between them: all degrees of paleness.
TEST_F(GpuOverlay, EverySlope) {
  TestFrame frame(256, 480, SampleType::kU16);
  for (int column = 0; column < 256; ++column) {
    for (int row = 0; row < 480; ++row) {
      const int kink = row < 240 ? row : 480 - row;
      frame.view().set(row, column, static_cast<std::uint16_t>(1000 + column * kink));
    }
  }
  for (const int high : {1100, 2000, 5000, 20000, 62000}) {
    OverlayOptions options;
    options.palette_min = 1000;
    options.palette_max = high;
    ASSERT_NO_FATAL_FAILURE(check(frame, Parameters(), options));
  }
  ASSERT_NO_FATAL_FAILURE(check(frame, Parameters()));
}

// Roads with walls before them: all classes, from slopes that are those of the ground, just not, or
// given, and in few columns or many.
TEST_F(GpuOverlay, Grounds) {
  for (int round = 0; round < 120; ++round) {
    TestFrame frame(1 + below(round % 10 == 0 ? 2500 : 90), 16 + below(400), SampleType::kU16);
    const int height = frame.view().height;
    const double slope = 1.0 + below(4000) / 100.0;
    const int horizon = below(2 * height) - height / 2;
    const int with_ground = below(5);
    for (int column = 0; column < frame.view().width; ++column) {
      const int wall = below(height + 1);
      const double own_slope = slope * (below(3) == 0 ? 0.25 + below(200) / 100.0 : 1.0);
      const bool ground = below(4) < with_ground;
      for (int row = 0; row < height; ++row) {
        const int of = ground ? std::max(row, wall) : wall;
        const double value = own_slope * (of - horizon) + below(3);
        frame.view().set(row, column, static_cast<std::uint16_t>(std::clamp(value, 0.0, 65535.0)));
      }
    }
    Parameters parameters;
    parameters.epsilon = below(8);
    parameters.min_value = static_cast<std::uint32_t>(below(2));
    if (below(3) == 0) parameters.ground_slope = slope;
    if (below(3) == 0) parameters.far_value = below(500);
    parameters.refine = below(2) == 0;
    parameters.merge = below(3) == 0;
    parameters.fit = below(2) == 0 ? Fit::kAbsolute : Fit::kSquares;
    ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
  }
  if (test::test_scale() < 1) return;
  // Nothing of this is about one class alone.
  const std::size_t all = classes_[0] + classes_[1] + classes_[2] + classes_[3];
  for (int of = 0; of < kSegmentClasses; ++of) {
    EXPECT_GT(classes_[static_cast<std::size_t>(of)], all / 100) << "segments of class " << of;
  }
}

// From above, all kinds of pixels: of roads with walls, at ranges from a part of them to far
// beyond.
TEST_F(GpuOverlay, FromAbove) {
  std::array<std::size_t, 5> counts{};
  for (int round = 0; round < 150; ++round) {
    const bool large = round % 15 == 0;
    TestFrame frame(1 + below(large ? 1500 : 150), 1 + below(large ? 1100 : 120), SampleType::kU16);
    const MutableDepthView& view = frame.view();
    const double slope = 100.0 + below(400);
    const int horizon = below(view.height);
    const int wall_of_four = 1 + below(4);
    for (int column = 0; column < view.width; ++column) {
      const int wall = below(4) < wall_of_four ? below(view.height + 1) : 0;
      for (int row = 0; row < view.height; ++row) {
        const double value = below(16) == 0 ? 0 : slope * (std::max(row, wall) - horizon);
        view.set(row, column, static_cast<std::uint16_t>(std::clamp(value, 0.0, 65535.0)));
      }
    }
    Parameters parameters;
    parameters.epsilon = below(3) * 100;
    parameters.column_width = below(2) == 0 ? 1 : 1 + below(kMaxColumnWidth);
    parameters.refine = below(2) == 0;
    parameters.max_gap = below(2) * 3;
    if (below(3) == 0) parameters.far_value = below(3000);
    MetricCamera camera;
    camera.focal_x = 0.5 * view.width + below(2 * view.width);
    camera.principal_x = below(view.width + 1) + below(8) / 8.0;
    camera.depth = below(4) > 0 ? DepthOfValue{true, 1000, 1.0 / 16, below(3) - 1.0}
                                : DepthOfValue{false, 0, 0.001, 0};
    OverlayOptions options;
    options.style = OverlayStyle::kBirdsEye;
    options.camera = &camera;
    options.legend = below(2) == 0;
    options.birdseye_range = below(2) == 0 ? 0.0 : 0.5 * (1 << below(9));
    if (!picker_.next()) continue;
    SegmentList segments;
    reference::segment_filtered(view, parameters, &segments);
    const GpuFrame in(view, test::random_layout(2, &random_));
    const GpuSegments list(segments, static_cast<std::int64_t>(segments.segment_count()));
    std::vector<std::byte> pixels(static_cast<std::size_t>(view.width) *
                                  static_cast<std::size_t>(view.height) * 4);
    const RgbaView picture{pixels.data(), std::ptrdiff_t{4} * view.width, view.width, view.height};
    engine_.paint(view, segments, parameters, options, picture);
    const GpuPicture out(view.width, view.height, test::random_layout(4, &random_));
    painter_.run(in.view(), list.view(), 0, parameters, options, out.view(), stream());
    synchronize();
    ASSERT_EQ(out.difference(picture), "")
        << view.width << " x " << view.height << ", range " << options.birdseye_range;
    for (std::size_t i = 0; i < pixels.size(); i += 4) {
      Pixel pixel = 0;
      std::memcpy(&pixel, pixels.data() + i, sizeof pixel);
      const Pixel kinds[] = {kGroundPixel, kObstaclePixel, kUnseenPixel, kUnknownPixel, kGridPixel};
      for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
        counts[kind] += pixel == kinds[kind] ? 1U : 0U;
      }
    }
  }
  if (test::test_scale() < 1) return;
  for (const std::size_t count : counts) EXPECT_GT(count, 5000U);
}

// Sizes at which a legend has just room, or just none, and numbers of all kinds.
TEST_F(GpuOverlay, Legends) {
  for (int round = 0; round < 60; ++round) {
    const SampleType type = kTypes[below(2)];
    TestFrame frame(130 + below(round % 8 == 0 ? 1500 : 250),
                    50 + below(round % 8 == 0 ? 600 : 100), type);
    test::fill(frame.view(), Content::kScene, &random_);
    OverlayOptions options;
    if (below(2) == 0) {
      options.palette_min = std::pow(10.0, below(9) - 4) * (below(200) - 100);
      options.palette_max = options.palette_min + std::pow(10.0, below(9) - 4) * (below(200) - 100);
    }
    Parameters parameters = random_parameters(type);
    parameters.sample_scale = 1.0 / (1 << below(12));
    ASSERT_NO_FATAL_FAILURE(check(frame, parameters, options));
  }
  if (test::test_scale() < 1) return;
  EXPECT_GT(legends_, 50);
}

// What the palette takes from the frame: few known samples, equal ones, all there are.
TEST_F(GpuOverlay, PalettesOfFrames) {
  for (const SampleType type : kTypes) {
    const auto largest = static_cast<int>(max_sample(type));
    for (const int known : {0, 1, 2, 3, 50, 99, 100, 101, 199, 200, 201, 4095, 4096}) {
      for (const int values : {1, 2, 300, largest}) {
        for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
          TestFrame frame(64, 64, type);
          std::vector<int> samples(4096);
          const int base = 1 + below(largest);
          for (int i = 0; i < known; ++i) {
            samples[static_cast<std::size_t>(i)] = 1 + (base + below(values)) % largest;
          }
          std::shuffle(samples.begin(), samples.end(), random_);
          for (int i = 0; i < 4096; ++i) {
            frame.view().set(i / 64, i % 64,
                             static_cast<std::uint16_t>(samples[static_cast<std::size_t>(i)]));
          }
          Parameters parameters;
          parameters.domain = domain;
          ASSERT_NO_FATAL_FAILURE(check(frame, parameters));
        }
      }
    }
  }
}

TEST_F(GpuOverlay, LargestSides) {
  for (const auto& [width, height] : std::initializer_list<std::pair<int, int>>{
           {1, 1}, {1, kMaxSide}, {3, kMaxSide}, {kMaxSide, 1}, {kMaxSide, 2}, {kMaxSide - 1, 5}}) {
    for (const SampleType type : kTypes) {
      TestFrame frame(width, height, type);
      test::fill(frame.view(), Content::kScene, &random_);
      ASSERT_NO_FATAL_FAILURE(check(frame, random_parameters(type)));
    }
  }
}

TEST_F(GpuOverlay, ATruncatedListChangesNothing) {
  TestFrame frame(70, 40, SampleType::kU16);
  test::fill(frame.view(), Content::kScene, &random_);
  ASSERT_NO_FATAL_FAILURE(check(frame, Parameters(), {}, 1));
}

TEST_F(GpuOverlay, EachOfSeveralFrames) {
  for (const std::size_t count : {2, 5, 32}) {
    for (std::size_t painted = 0; painted < count; painted += 1 + painted / 2) {
      std::vector<TestFrame> frames;
      for (std::size_t i = 0; i < count; ++i) {
        frames.emplace_back(60, 90, SampleType::kU16);
        test::fill(frames.back().view(), test::kContents[(i + painted) % 4], &random_);
      }
      ASSERT_NO_FATAL_FAILURE(
          check_together(frames, painted, random_parameters(SampleType::kU16), false));
    }
  }
}

// Also where the frame that is painted has all its segments: everything is done once more.
TEST_F(GpuOverlay, ATruncatedSliceChangesNoPicture) {
  for (const std::size_t full : {0, 6, 31}) {
    for (const std::size_t painted : {0, 6, 31}) {
      std::vector<TestFrame> frames;
      for (std::size_t i = 0; i < 32; ++i) {
        frames.emplace_back(50, 40, SampleType::kU16);
        test::fill(frames.back().view(), i == full ? Content::kNoise : Content::kScene, &random_);
      }
      ASSERT_NO_FATAL_FAILURE(check_together(frames, painted, Parameters(), true));
    }
  }
}

}  // namespace
}  // namespace rdp
