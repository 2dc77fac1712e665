// SPDX-License-Identifier: LGPL-2.1-or-later
// The overlay's pictures on the GPU against those of common/overlay.h, bit for bit, on segments
// that the reference made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "common/overlay.h"
#include "common/reference.h"
#include "kernels/overlay.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/test_scale.h"
#include "tests/unit/test_frame.h"

namespace rdp {
namespace {

using test::Content;
using test::GpuFrame;
using test::GpuPicture;
using test::GpuSegments;
using test::TestFrame;

constexpr SampleType kTypes[] = {SampleType::kU8, SampleType::kU16};
constexpr OverlayStyle kStyles[] = {OverlayStyle::kSegments, OverlayStyle::kDepth,
                                    OverlayStyle::kEdges};

class GpuOverlay : public test::GpuTest {
 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  // Paints the frame in all styles. `missing`: so many segments too few fit into the list.
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
    const PaletteRange range = palette_range(view, parameters, options);
    for (const OverlayStyle style : kStyles) {
      options.style = style;
      paint_overlay(view, segments, parameters, style, range, 0, view.width, picture);
      if (missing > 0) std::fill(pixels.begin(), pixels.end(), std::byte{0xA5});
      const GpuPicture out(view.width, view.height, test::random_layout(4, &random_));
      painter_.run(in.view(), list.view(), parameters, options, out.view(), stream());
      synchronize();
      ASSERT_EQ(out.difference(picture), "")
          << view.width << " x " << view.height << " of " << bytes_per_sample(view.type)
          << " bytes, style " << static_cast<int>(style) << ", column-width "
          << parameters.column_width << ", palette from " << range.offset << " by " << range.factor;
    }
    ASSERT_EQ(in.difference(view), "") << "the frame was written";
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

  std::mt19937 random_{3};
  test::CasePicker picker_;
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
      {0, 65535},      {65535, 0},  {20000, 30000}, {30000, 20000},  {500, 500},   {500, 500.25},
      {-1e300, 1e300}, {0, 1e-300}, {-3, -2},       {1000.5, 60000}, {0, 1.0 / 0}, {1e6, 2e6}};
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

}  // namespace
}  // namespace rdp

int main(int argc, char** argv) { return rdp::test::gpu_test_main(argc, argv); }
