// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine against the scalar reference, bit for bit: every SIMD target of the machine, several
// numbers of threads, and the frames that are known to be hard.
#include "common/rdp/engine.h"
#include "common/image/simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "common/rdp/reference.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::Content;
using test::Layout;
using test::TestFrame;

// One engine for each number of threads, used by all tests one after the other: each frame meets
// the memory that frames of other sizes left.
std::vector<std::unique_ptr<Engine>>& engines() {
  static std::vector<std::unique_ptr<Engine>> all = [] {
    std::vector<std::unique_ptr<Engine>> made;
    for (const unsigned threads : {1U, 2U, 3U, 7U})
      made.push_back(std::make_unique<Engine>(threads));
    return made;
  }();
  return all;
}

std::string difference(const SegmentList& expected, const SegmentList& actual) {
  if (expected.columns() != actual.columns()) {
    return std::to_string(actual.columns()) + " columns, not " + std::to_string(expected.columns());
  }
  for (int c = 0; c < expected.columns(); ++c) {
    const auto want = expected.column(c);
    const auto got = actual.column(c);
    if (want.size() != got.size()) {
      return "column " + std::to_string(c) + ": " + std::to_string(got.size()) + " segments, not " +
             std::to_string(want.size());
    }
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (want[i] == got[i]) continue;
      return "column " + std::to_string(c) + ", segment " + std::to_string(i) + ": (" +
             std::to_string(got[i].first_row) + ", " + std::to_string(got[i].last_row) + ", " +
             std::to_string(got[i].first_value) + ", " + std::to_string(got[i].last_value) +
             "), not (" + std::to_string(want[i].first_row) + ", " +
             std::to_string(want[i].last_row) + ", " + std::to_string(want[i].first_value) + ", " +
             std::to_string(want[i].last_value) + ")";
    }
  }
  return std::ranges::equal(expected.offsets(), actual.offsets()) ? "" : "offsets";
}

void expect_reference(const DepthView& frame, const Parameters& parameters) {
  SegmentList expected;
  reference::segment_filtered(frame, parameters, &expected);
  test::on_every_simd_target([&] {
    for (const auto& engine : engines()) {
      static SegmentList actual;  // used again, as an element does
      engine->segment(frame, parameters, &actual);
      ASSERT_EQ(difference(expected, actual), "")
          << frame.width << " x " << frame.height << ", " << bytes_per_sample(frame.type)
          << " bytes, epsilon " << parameters.epsilon << ", known " << parameters.min_value << ".."
          << parameters.max_value << ", " << engine->threads() << " threads";
    }
  });
}

// Everything known, so that a test's values mean what they say.
Parameters all_known(double epsilon) {
  Parameters parameters;
  parameters.epsilon = epsilon;
  parameters.min_value = 0;
  return parameters;
}

TestFrame column_frame(const std::vector<int>& values, SampleType type = SampleType::kU16) {
  TestFrame frame(1, static_cast<int>(values.size()), type);
  for (std::size_t row = 0; row < values.size(); ++row) {
    frame.view().set(static_cast<int>(row), 0, static_cast<std::uint16_t>(values[row]));
  }
  return frame;
}

// The greatest number of splits that lie within each other.
int split_depth(const std::vector<int>& y, std::size_t first, std::size_t last, double epsilon) {
  int deepest = 0;
  struct Part {
    std::size_t first, last;
    int depth;
  };
  std::vector<Part> parts{{first, last, 0}};
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    deepest = std::max(deepest, part.depth);
    const double length = static_cast<double>(part.last - part.first);
    double farthest = 0;
    std::size_t at = part.first;
    for (std::size_t i = part.first + 1; i < part.last; ++i) {
      const double line = y[part.first] + (y[part.last] - y[part.first]) *
                                              static_cast<double>(i - part.first) / length;
      if (std::abs(line - y[i]) > farthest + 1e-9) {
        farthest = std::abs(line - y[i]);
        at = i;
      }
    }
    if (farthest > epsilon) {
      parts.push_back({part.first, at, part.depth + 1});
      parts.push_back({at, part.last, part.depth + 1});
    }
  }
  return deepest;
}

// Rows that alternate between low and high: of many equally far samples the first one is split off,
// so that each split leaves all but one or two rows to the next.
std::vector<int> alternating(int rows) {
  std::vector<int> values;
  for (int i = 0; i < rows; ++i) values.push_back(i % 2 == 0 ? 100 : 900);
  return values;
}

TEST(Engine, SmallFramesOfEverySize) {
  std::mt19937 random(1);
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (const int width : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100}) {
      for (const int height : {1, 2, 3, 7, 8, 9, 17, 40}) {
        TestFrame frame(width, height, type);
        test::fill(frame.view(), Content::kScene, &random);
        expect_reference(frame.view(), all_known(1));
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

TEST(Engine, PaddedAndUnalignedRows) {
  std::mt19937 random(2);
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (const Layout layout :
         {Layout{1, 0}, Layout{3, 1}, Layout{64, 1}, Layout{2, 2}, Layout{0, 3}}) {
      for (const int width : {1, 8, 33, 77}) {
        TestFrame frame(width, 50, type, layout);
        test::fill(frame.view(), Content::kScene, &random);
        const TestFrame before = frame;
        expect_reference(frame.view(), Parameters());
        EXPECT_TRUE(frame == before) << "the engine wrote to its input";
      }
    }
  }
}

TEST(Engine, HeightsUpToTheLargest) {
  std::mt19937 random(3);
  for (const int height :
       {1,   2,   3,   4,   5,   6,   15,  16,  17,  18,   31,   33,   34,   63,   65,   66,   67,
        127, 129, 130, 131, 255, 257, 258, 259, 511, 1000, 1023, 1025, 4095, 6100, 6128, 16384}) {
    TestFrame frame(height > 1000 ? 9 : 40, height, SampleType::kU16);
    for (const Content content : {Content::kScene, Content::kNoise}) {
      test::fill(frame.view(), content, &random);
      expect_reference(frame.view(), all_known(content == Content::kScene ? 300 : 20000));
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

TEST(Engine, WidestFrame) {
  std::mt19937 random(4);
  TestFrame frame(kMaxSide, 20, SampleType::kU16);
  test::fill(frame.view(), Content::kScene, &random);
  expect_reference(frame.view(), Parameters());
}

TEST(Engine, NothingOrOneOrTwoKnown) {
  TestFrame frame(70, 90, SampleType::kU16);
  for (int row = 0; row < 90; ++row) {
    for (int column = 0; column < 70; ++column) frame.view().set(row, column, 0);
  }
  expect_reference(frame.view(), Parameters());
  for (int column = 0; column < 70; column += 3) {
    frame.view().set(column, column, 65535);
    if (column % 2 == 0) frame.view().set(89 - column, column, 1);
  }
  expect_reference(frame.view(), Parameters());
}

TEST(Engine, KnownRanges) {
  std::mt19937 random(5);
  const std::array<std::array<std::uint32_t, 2>, 12> ranges = {{{0, 65535},
                                                                {0, 0},
                                                                {1, 65535},
                                                                {65535, 65535},
                                                                {200, 100},
                                                                {100, 200},
                                                                {0, 127},
                                                                {128, 255},
                                                                {256, 300},
                                                                {70000, 80000},
                                                                {5, 4000000000U},
                                                                {32768, 65534}}};
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (const Content content : test::kContents) {
      TestFrame frame(37, 61, type);
      test::fill(frame.view(), content, &random);
      for (const auto& range : ranges) {
        Parameters parameters = all_known(2);
        parameters.min_value = range[0];
        parameters.max_value = range[1];
        expect_reference(frame.view(), parameters);
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

TEST(Engine, Tolerances) {
  std::mt19937 random(6);
  for (const Content content : test::kContents) {
    TestFrame frame(33, 300, SampleType::kU16);
    test::fill(frame.view(), content, &random);
    for (const double epsilon : {0.0, 0.002, 0.5, 1.0, 1.999, 2.0, 777.25, 32767.5, 65535.0, 1e9}) {
      expect_reference(frame.view(), all_known(epsilon));
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

// Columns whose lines rise by up to the whole sample range: beyond what one multiplication of
// 16-bit numbers can say.
TEST(Engine, SteepLines) {
  std::mt19937 random(7);
  for (const int height : {3, 5, 9, 17, 20, 33, 40, 65, 80, 129, 150, 500, 16384}) {
    TestFrame frame(height > 1000 ? 2 : 64, height, SampleType::kU16);
    for (int column = 0; column < frame.view().width; ++column) {
      // The first and the last sample are at the ends of the range, and just within what fits.
      const std::array<int, 6> ends = {0, 65535, 32767, 32768, 1, 65534};
      const int first = ends[random() % ends.size()];
      const int last = ends[random() % ends.size()];
      for (int row = 0; row < height; ++row) {
        const double straight = first + static_cast<double>(last - first) * row / (height - 1);
        const double off = column % 2 == 0 ? static_cast<double>(random() % 65536) - straight
                                           : static_cast<double>(random() % 9) - 4;
        frame.view().set(row, column,
                         static_cast<std::uint16_t>(std::clamp(straight + off, 0.0, 65535.0)));
      }
      frame.view().set(0, column, static_cast<std::uint16_t>(first));
      frame.view().set(height - 1, column, static_cast<std::uint16_t>(last));
    }
    for (const double epsilon : {0.0, 2.0, 20000.0, 60000.0}) {
      expect_reference(frame.view(), all_known(epsilon));
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

TEST(Engine, DeepestRecursion) {
  for (const int rows : {10, 100, 1000, 4001}) {
    const std::vector<int> values = alternating(rows);
    ASSERT_GE(split_depth(values, 0, values.size() - 1, 1), rows / 2);
    expect_reference(column_frame(values).view(), all_known(1));
  }
}

// The same in the tallest frame, where the number of steps is a quarter of the square of the
// height.
TEST(Engine, DeepestRecursionOfTheTallestFrame) {
  const TestFrame frame = column_frame(alternating(kMaxSide));
  SegmentList expected;
  reference::segment_filtered(frame.view(), all_known(1), &expected);
  ASSERT_EQ(expected.segment_count(), kMaxSide - 1U);
  SegmentList actual;
  engines()[0]->segment(frame.view(), all_known(1), &actual);
  EXPECT_EQ(difference(expected, actual), "");
}

TEST(Engine, StairsPlateausAndTies) {
  const auto make = [](int rows, auto value) {
    std::vector<int> values;
    for (int i = 0; i < rows; ++i) values.push_back(value(i));
    return values;
  };
  for (const int rows : {4, 19, 35, 67, 131, 260, 700}) {
    const std::vector<std::vector<int>> columns = {
        make(rows, [](int i) { return i / 8 * 50; }),
        make(rows, [](int i) { return i / 37 % 2 * 1000; }),
        make(rows, [](int i) { return 500 + i % 3; }),
        make(rows, [&](int i) { return std::abs(i - rows / 2) * 10; }),
        make(rows, [](int i) { return i % 16 == 5 ? 900 : 100; }),
        make(rows, [](int i) { return i % 16 == 5    ? 900
                                      : i % 16 == 11 ? 0
                                                     : 450; }),
        make(rows, [&](int i) { return i == rows - 2 ? 10 : 0; }),
        make(rows, [](int i) { return i == 1 ? 10 : 0; }),
        make(rows, [](int) { return 77; }),
    };
    TestFrame frame(static_cast<int>(columns.size()), rows, SampleType::kU16);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (int row = 0; row < rows; ++row) {
        frame.view().set(row, static_cast<int>(c),
                         static_cast<std::uint16_t>(columns[c][static_cast<std::size_t>(row)]));
      }
    }
    for (const double epsilon : {0.0, 1.0, 9.99609375, 10.0, 399.0, 450.0}) {
      expect_reference(frame.view(), all_known(epsilon));
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

// More than 10,000 columns in which everything is random.
TEST(Engine, RandomColumns) {
  std::mt19937 random(8);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int columns = 0;
  while (columns < 12000) {
    const SampleType type = below(4) == 0 ? SampleType::kU8 : SampleType::kU16;
    const int largest = static_cast<int>(max_sample(type));
    const int range = 1 + below(below(2) == 0 ? 300 : largest);
    const Layout layout{below(3) == 0 ? below(9) : 0, below(3)};
    TestFrame frame(1 + below(130), 1 + below(below(3) == 0 ? 700 : 130), type, layout);
    const int unknown_percent = below(2) == 0 ? 0 : below(101);
    const int walk = 1 + below(range);
    for (int column = 0; column < frame.view().width; ++column) {
      const int kind = below(3);
      int value = below(range + 1);
      for (int row = 0; row < frame.view().height; ++row) {
        if (kind == 0) value = below(range + 1);
        if (kind == 1) value = std::clamp(value + below(2 * walk + 1) - walk, 0, range);
        if (kind == 2 && below(30) == 0) value = below(range + 1);
        const int sample = below(100) < unknown_percent ? 0 : std::min(value, largest);
        frame.view().set(row, column, static_cast<std::uint16_t>(sample));
      }
    }
    Parameters parameters;
    parameters.epsilon = below(4) == 0 ? 0 : below(256 * range) / 1024.0;
    parameters.sample_scale = below(3) == 0 ? 1.0 / 3 : 1.0;
    parameters.min_value = static_cast<std::uint32_t>(below(3));
    if (below(4) == 0) parameters.max_value = static_cast<std::uint32_t>(below(largest + 1));
    expect_reference(frame.view(), parameters);
    ASSERT_FALSE(HasFatalFailure());
    columns += frame.view().width;
  }
}

TEST(Engine, FiltersAndReconstruction) {
  std::mt19937 random(9);
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
      for (const Median median : {Median::kNone, Median::k3x3, Median::k5x5}) {
        for (const int column_width : {1, 2, 5, 16}) {
          TestFrame frame(75, 58, type, {5, 1});
          test::fill(frame.view(), Content::kScene, &random);
          Parameters parameters;
          parameters.domain = domain;
          parameters.inverse_scale = type == SampleType::kU8 ? 3e4 : 1e7;
          parameters.median = median;
          parameters.column_width = column_width;
          expect_reference(frame.view(), parameters);
          ASSERT_FALSE(HasFatalFailure());

          SegmentList segments;
          reference::segment_filtered(frame.view(), parameters, &segments);
          TestFrame expected = frame;
          reference::reconstruct(reference::filter(frame.view(), parameters), segments, parameters,
                                 expected.view());
          test::on_every_simd_target([&] {
            for (const auto& engine : engines()) {
              TestFrame actual = frame;
              engine->segment(actual.view(), parameters, &segments);
              engine->reconstruct(actual.view(), parameters, segments);
              ASSERT_TRUE(actual == expected)
                  << test::first_difference(expected.view(), actual.view());
            }
          });
        }
      }
    }
  }
}

TEST(Engine, PaintsTheSamePictureInAnyNumberOfThreads) {
  std::mt19937 random(10);
  TestFrame frame(333, 200, SampleType::kU16);
  test::fill(frame.view(), Content::kScene, &random);
  Parameters parameters;
  parameters.column_width = 3;
  SegmentList segments;
  engines()[0]->segment(frame.view(), parameters, &segments);
  std::vector<std::byte> expected(333 * 200 * 4);
  const RgbaView whole{expected.data(), 333 * 4, 333, 200};
  for (const OverlayStyle style : {OverlayStyle::kSegments, OverlayStyle::kDepth,
                                   OverlayStyle::kEdges, OverlayStyle::kClasses}) {
    const OverlayOptions options{style, 0, 0};
    paint_overlay(frame.view(), segments, parameters,
                  overlay_look(frame.view(), segments, parameters, options), 0, 333, whole);
    for (const auto& engine : engines()) {
      std::vector<std::byte> actual(expected.size());
      engine->paint(frame.view(), segments, parameters, options,
                    {actual.data(), 333 * 4, 333, 200});
      EXPECT_TRUE(actual == expected) << engine->threads() << " threads";
    }
  }
  // From above, which takes two steps.
  const MetricCamera camera{{200, 200, 166, 100, {}}, {true, 30000, 1.0, 0.0}};
  OverlayOptions options;
  options.style = OverlayStyle::kBirdsEye;
  options.camera = &camera;
  engines()[0]->paint(frame.view(), segments, parameters, options, whole);
  for (const auto& engine : engines()) {
    std::vector<std::byte> actual(expected.size());
    engine->paint(frame.view(), segments, parameters, options, {actual.data(), 333 * 4, 333, 200});
    EXPECT_TRUE(actual == expected) << engine->threads() << " threads";
  }
}

TEST(Engine, ThreadsCanBeChangedBetweenFrames) {
  std::mt19937 random(11);
  TestFrame frame(500, 200, SampleType::kU16);
  test::fill(frame.view(), Content::kScene, &random);
  SegmentList expected;
  reference::segment_filtered(frame.view(), Parameters(), &expected);
  Engine engine(2);
  SegmentList actual;
  for (const unsigned threads : {1U, 5U, 2U, 9U, 1U, 3U}) {
    engine.set_threads(threads);
    EXPECT_EQ(engine.threads(), threads);
    engine.segment(frame.view(), Parameters(), &actual);
    EXPECT_EQ(difference(expected, actual), "");
  }
  engine.set_threads(0);
  EXPECT_GE(engine.threads(), 1U);
}

TEST(SimdTargets, CanBeChosenByName) {
  const std::vector<std::string> targets = simd_targets();
  ASSERT_FALSE(targets.empty());
  for (const std::string& target : targets) {
    EXPECT_TRUE(use_simd_target(target));
    EXPECT_EQ(current_simd_target(), target);
    EXPECT_EQ(simd_targets(), targets) << "the list does not depend on the choice";
  }
  EXPECT_FALSE(use_simd_target("ABACUS"));
  EXPECT_EQ(current_simd_target(), targets.back()) << "a bad name changes nothing";
  EXPECT_TRUE(use_simd_target(""));
  EXPECT_EQ(current_simd_target(), targets.front());
}

}  // namespace
}  // namespace rdp
