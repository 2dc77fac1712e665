// SPDX-License-Identifier: LGPL-2.1-or-later
// The bird's-eye view: known scenes in metres, and random frames against the plainest form of the
// definition in common/rdp/birdseye.h.
#include "common/rdp/birdseye.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "common/rdp/birdseye_inset.h"
#include "common/rdp/engine.h"
#include "common/rdp/overlay.h"
#include "common/rdp/reference.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

// A frame, its segments and its camera.
struct Scene {
  Scene(int width, int height, SampleType type = SampleType::kU16) : frame(width, height, type) {
    options.style = OverlayStyle::kBirdsEye;
    options.camera = &camera;
  }

  void segment() { reference::segment_filtered(frame.view(), parameters, &segments); }
  OverlayLook look() const { return overlay_look(frame.view(), segments, parameters, options); }
  std::vector<Pixel> paint(unsigned threads = 1) const {
    const DepthView view = frame.view();
    std::vector<Pixel> pixels(static_cast<std::size_t>(view.width * view.height), 0x5A5A5A5A);
    Engine engine(threads);
    engine.paint(view, segments, parameters, options,
                 {reinterpret_cast<std::byte*>(pixels.data()), std::ptrdiff_t{4} * view.width,
                  view.width, view.height});
    return pixels;
  }

  TestFrame frame;
  Parameters parameters;
  MetricCamera camera;
  OverlayOptions options;
  SegmentList segments;
};

// The colour of a pixel by the definition: examines all segments of all its columns one by one. The
// picture may have any size.
Pixel expected_pixel(const Scene& scene, const OverlayLook& look, int width, int height, int row,
                     int c) {
  const double scale = look.birdseye.scale.cells_of_metre;
  const DepthOfValue& depth = scene.camera.depth;
  const int k = height - 1 - row;
  const auto u = [&](int twice) {
    return std::floor(scene.camera.principal_x + scene.camera.focal_x / (2 * k + 1) * twice + 0.5);
  };
  const double left = u(2 * c - width), right = u(2 * c + 2 - width);
  bool inside = false, ground = false, obstacle = false;
  for (int column = 0; column < scene.frame.view().width; ++column) {
    if (column < left || column > right) continue;
    inside = true;
    for (const Segment& s : scene.segments.column(column / scene.parameters.column_width)) {
      const auto compared = [&](float value) {
        if (depth.reciprocal) return value;
        return value > 0 ? static_cast<float>(1000.0 / depth.factor / static_cast<double>(value))
                         : 0.0F;
      };
      const SegmentClass of = class_of(s.first_row, s.last_row, compared(s.first_value),
                                       compared(s.last_value), look.ground, look.rules);
      const auto cell = [&](double value) {
        const double linear = value * depth.factor + depth.offset;
        if (!(value > 0) || !(linear > 0)) return depth.reciprocal ? HUGE_VAL : -1.0;
        return std::floor((depth.reciprocal ? depth.numerator / linear : linear) * scale);
      };
      const double first = cell(s.first_value), last = cell(s.last_value);
      if (of == SegmentClass::kFar) continue;
      if (of == SegmentClass::kUpright) {
        const double at = cell((static_cast<double>(s.first_value) + s.last_value) / 2);
        if (at >= 0 && k >= at && k <= at + 2) obstacle = true;
        continue;
      }
      if (first < 0 || last < 0) continue;
      const double near = std::min(first, last), far = std::max(first, last);
      if (of == SegmentClass::kGround && k >= near && k <= far) ground = true;
      if (of == SegmentClass::kOther && k >= near && k <= near + 2) obstacle = true;
    }
  }
  if (obstacle) return kObstaclePixel;
  const double step = look.birdseye.scale.step_cells;
  for (int line = -2000; step > 0 && line <= 2000; ++line) {
    const double ahead = line * step - k;
    const double aside = line * step - (c - 0.5 * width);
    if (line > 0 && ahead >= 0 && ahead < 1) return kGridPixel;
    if (aside >= 0 && aside < 1) return kGridPixel;
  }
  return ground ? kGroundPixel : inside ? kUnseenPixel : kUnknownPixel;
}

void expect_definition(const Scene& scene, const OverlayLook& look,
                       const std::vector<Pixel>& pixels, int width, int height, int counts[]) {
  std::vector<bool> labelled(pixels.size());
  for (int i = 0; i < most_labels(width, height, look.birdseye.zoom); ++i) {
    PaintedText label;
    find_label(look.birdseye.scale, width, height, look.birdseye.zoom, i, &label);
    if (label.length == 0) continue;
    for (int y = label.box.top; y < label.box.bottom; ++y) {
      for (int x = label.box.left; x < label.box.right; ++x) {
        ASSERT_TRUE(x >= 0 && x < width && y >= 0 && y < height);
        const auto at = static_cast<std::size_t>(y * width + x);
        ASSERT_FALSE(labelled[at]) << "two labels touch";
        labelled[at] = true;
        ASSERT_TRUE(pixels[at] == kLegendInk || pixels[at] == kLegendPaper);
      }
    }
  }
  for (int row = 0; row < height; ++row) {
    for (int c = 0; c < width; ++c) {
      const auto at = static_cast<std::size_t>(row * width + c);
      if (labelled[at]) continue;
      const Pixel expected = expected_pixel(scene, look, width, height, row, c);
      ASSERT_EQ(pixels[at], expected) << "row " << row << " column " << c;
      ++counts[expected == kGroundPixel     ? 0
               : expected == kObstaclePixel ? 1
               : expected == kUnseenPixel   ? 2
               : expected == kUnknownPixel  ? 3
                                            : 4];
    }
  }
}

// A road with walls on it, and holes.
void draw_road(const MutableDepthView& view, double slope, double horizon, double unit,
               std::mt19937* random) {
  for (int column = 0; column < view.width; ++column) {
    const int wall = static_cast<int>((*random)() % static_cast<unsigned>(view.height));
    for (int row = 0; row < view.height; ++row) {
      const int of = (*random)() % 4 == 0 ? row : std::max(row, wall);
      const double value = ((*random)() % 16 == 0 ? 0 : slope * (of - horizon)) * unit;
      view.set(row, column, static_cast<std::uint16_t>(std::clamp(value, 0.0, 65535.0)));
    }
  }
}

TEST(Birdseye, IsAsDefined) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int counts[5] = {};
  for (int round = 0; round < 150; ++round) {
    const bool large = round % 10 == 0;
    Scene scene(1 + below(large ? 200 : 60), 1 + below(large ? 200 : 70),
                below(4) == 0 ? SampleType::kU8 : SampleType::kU16);
    const MutableDepthView& view = scene.frame.view();
    const double unit = view.type == SampleType::kU8 ? 1 : 64;
    if (round % 3 > 0) {
      draw_road(view, 0.2 + below(20) / 10.0, below(view.height), unit, &random);
    } else {
      test::fill(view, test::Content::kScene, &random);
    }
    scene.parameters.epsilon = below(3) * unit;
    scene.parameters.column_width = below(2) == 0 ? 1 : 1 + below(5);
    scene.parameters.refine = below(2) == 0;
    scene.parameters.max_gap = below(2) * 2;
    scene.camera.focal_x = 5 + below(300);
    scene.camera.principal_x = below(view.width + 40) - 20 + below(8) / 8.0;
    scene.camera.depth = below(3) > 0 ? DepthOfValue{true, 100, 1 / unit, below(3) - 1.0}
                                      : DepthOfValue{false, 0, 0.05 / unit, 0};
    scene.options.birdseye_range = below(2) == 0 ? 0 : std::pow(10, below(4) - 1) * (1 + below(9));
    scene.segment();
    OverlayLook look = scene.look();
    expect_definition(scene, look, scene.paint(), view.width, view.height, counts);
    ASSERT_FALSE(HasFatalFailure()) << round;
    // An inset has a size of its own.
    const int width = 1 + below(large ? 300 : 90), height = 1 + below(large ? 300 : 90);
    const int side = std::min(width, height);
    const BirdseyeSize size = {width, height, side < 3 * kGridSpacing ? 0 : 1 + side / 240};
    BirdseyeInset inset;
    inset.look(scene.segments, scene.parameters, view.width, view.height, scene.camera,
               scene.options.birdseye_range, size);
    look.birdseye.scale = inset.scale();
    look.birdseye.zoom = size.zoom;
    const auto* pixels = reinterpret_cast<const Pixel*>(inset.picture().data);
    expect_definition(scene, look, {pixels, pixels + width * height}, width, height, counts);
    ASSERT_FALSE(HasFatalFailure()) << round << ", inset";
  }
  for (const int count : counts) EXPECT_GT(count, 1000);
}

// A ground 1.5 m below a camera that looks ahead, and a wall across it 20 m ahead, 3 m high; the
// sky is unknown.
struct Street {
  static constexpr double kFocal = 200, kHeight = 1.5, kWall = 20, kBaseline = 0.5;
  static constexpr int kWidth = 240, kRows = 200, kHorizon = 60;

  // The depth of a row; 0: unknown.
  static double depth(int row) {
    const double ground = row > kHorizon ? kHeight * kFocal / (row - kHorizon) : HUGE_VAL;
    if (ground <= kWall) return ground;
    return (kHorizon - row) * kWall / kFocal < 1.5 ? kWall : 0;
  }
  static void draw(const std::function<double(double)>& sample_of_depth, Scene* scene) {
    for (int row = 0; row < kRows; ++row) {
      const double sample = depth(row) > 0 ? std::round(sample_of_depth(depth(row))) : 0;
      for (int column = 0; column < kWidth; ++column) {
        // The right quarter is unknown.
        scene->frame.view().set(row, column, static_cast<std::uint16_t>(column < 180 ? sample : 0));
      }
    }
    scene->camera.focal_x = scene->camera.focal_y = kFocal;
    scene->camera.principal_x = (kWidth - 1) / 2.0;
    scene->camera.principal_y = kHorizon;
    scene->options.birdseye_range = 40;
    scene->segment();
  }
};

TEST(Birdseye, ShowsAStreetInMetres) {
  Scene scene(Street::kWidth, Street::kRows);
  scene.camera.depth = {true, Street::kFocal * Street::kBaseline, 1.0 / 256};
  scene.parameters.sample_scale = 1.0 / 256;
  scene.parameters.epsilon = 0.05;
  Street::draw([](double z) { return 256 * Street::kFocal * Street::kBaseline / z; }, &scene);
  const std::vector<Pixel> pixels = scene.paint();
  // The pixel `ahead` metres before the camera and `aside` metres to its right; 5 cells are a
  // metre.
  const auto at = [&](double ahead, double aside) {
    const int row = Street::kRows - 1 - static_cast<int>(ahead * 5);
    return pixels[static_cast<std::size_t>(row * Street::kWidth + Street::kWidth / 2 +
                                           static_cast<int>(std::floor(aside * 5)))];
  };
  // The lowest row sees the ground 1.5 * 200 / 139 = 2.16 m ahead.
  EXPECT_EQ(at(1.85, 0.3), kUnseenPixel);
  for (const double ahead : {2.5, 7.3, 13.1, 19.5}) {
    EXPECT_EQ(at(ahead, 0.3), kGroundPixel) << ahead;
    // 120 columns to the left are 0.6 m per metre ahead; the valid ones to the right are 0.3 m.
    EXPECT_EQ(at(ahead, -0.55 * ahead), kGroundPixel) << ahead;
    EXPECT_EQ(at(ahead, -0.7 * ahead - 0.3), kUnknownPixel) << ahead;
    EXPECT_EQ(at(ahead, 0.25 * ahead), kGroundPixel) << ahead;
    EXPECT_EQ(at(ahead, 0.4 * ahead), kUnseenPixel) << ahead;
    EXPECT_EQ(at(ahead, 0.7 * ahead + 0.3), kUnknownPixel) << ahead;
  }
  for (const double aside : {-11.0, -3.3, 0.3, 4.5}) {
    EXPECT_EQ(at(20.3, aside), kObstaclePixel) << aside;
    EXPECT_EQ(at(21.3, aside), kUnseenPixel) << aside;
    EXPECT_EQ(at(33.3, aside), kUnseenPixel) << aside;
  }
  EXPECT_EQ(at(20.3, 7.7), kUnseenPixel);
}

// The same scene as disparities, as depths segmented as inverse depths, and as depths: the picture
// is the same except at edges.
TEST(Birdseye, IsTheSameOfAnyMeasure) {
  std::vector<std::vector<Pixel>> pictures;
  for (int measure = 0; measure < 3; ++measure) {
    Scene scene(Street::kWidth, Street::kRows);
    if (measure == 0) {
      scene.camera.depth = {true, Street::kFocal * Street::kBaseline, 1.0 / 256};
      scene.parameters.sample_scale = 1.0 / 256;
      scene.parameters.epsilon = 0.05;
      Street::draw([](double z) { return 256 * Street::kFocal * Street::kBaseline / z; }, &scene);
    } else {
      if (measure == 1) {
        scene.parameters.domain = Domain::kInverse;
        scene.parameters.inverse_scale = 1e7;
        scene.camera.depth = {true, 1e7 * 0.001, 1.0};
        scene.parameters.epsilon = 6;
      } else {
        scene.camera.depth = {false, 0, 0.001};
        scene.parameters.epsilon = 20;
      }
      Street::draw([](double z) { return 1000 * z; }, &scene);
    }
    pictures.push_back(scene.paint());
  }
  for (int measure = 1; measure < 3; ++measure) {
    const std::vector<Pixel>& one = pictures[0];
    const std::vector<Pixel>& other = pictures[static_cast<std::size_t>(measure)];
    int differ = 0;
    for (int row = 1; row < Street::kRows - 1; ++row) {
      for (int c = 1; c < Street::kWidth - 1; ++c) {
        const auto i = static_cast<std::size_t>(row * Street::kWidth + c);
        if (one[i] == other[i]) continue;
        ++differ;
        bool near = false;  // equal to a pixel one row up or down
        for (const int offset : {-Street::kWidth, Street::kWidth}) {
          const auto j = static_cast<std::size_t>(static_cast<int>(i) + offset);
          near = near || one[j] == other[i] || other[j] == one[i];
        }
        ASSERT_TRUE(near) << "measure " << measure << " row " << row << " column " << c;
      }
    }
    EXPECT_LT(differ, 1500) << measure;  // of 48000
  }
}

TEST(Birdseye, IsTheSameInAnyNumberOfThreads) {
  std::mt19937 random(5);
  Scene scene(333, 260);
  draw_road(scene.frame.view(), 1.5, 90, 64, &random);
  scene.camera = {{250, 250, 160, 100, {}}, {true, 100, 1.0 / 64, 0}};
  scene.parameters.column_width = 3;
  scene.options.legend = true;
  scene.segment();
  const std::vector<Pixel> expected = scene.paint();
  for (const unsigned threads : {2U, 3U, 8U}) EXPECT_TRUE(scene.paint(threads) == expected);
}

// Without a camera, or with one that gives no depths, nothing is seen.
TEST(Birdseye, OfNothingShowsNothing) {
  std::mt19937 random(6);
  Scene scene(70, 60);
  test::fill(scene.frame.view(), test::Content::kScene, &random);
  scene.segment();
  scene.camera.focal_x = 50;
  scene.camera.principal_x = 35;
  for (const bool camera : {false, true}) {
    scene.options.camera = camera ? &scene.camera : nullptr;
    for (const Pixel p : scene.paint()) {
      ASSERT_TRUE(p == kUnseenPixel || p == kUnknownPixel || p == kGridPixel);
    }
  }
}

double range_of(double low, double high, const DepthOfValue& depth) {
  return range_of_frame(palette_range_between(low, high), depth);
}

TEST(BirdseyeRange, IsOfTheFrame) {
  // The range is eight times the near end, at most the far end, rounded.
  EXPECT_EQ(range_of(2, 60, {true, 384, 1}), 60);        // 6.4 m … 192 m: 51.2 m
  EXPECT_EQ(range_of(20, 60, {true, 384, 1}), 20);       // … 19.2 m
  EXPECT_EQ(range_of(0, 60, {true, 384, 1}), 60);        // endless
  EXPECT_EQ(range_of(600, 4100, {false, 0, 0.001}), 5);  // 4.1 m
  EXPECT_EQ(range_of(600, 9000, {false, 0, 0.001}), 5);  // 4.8 m
  EXPECT_EQ(range_of(800, 9000, {false, 0, 0.001}), 8);  // 6.4 m
  EXPECT_EQ(range_of(0, 0.5, {true, 0, 1}), kRangeOfNothing);
  EXPECT_EQ(range_of(1e5, 2e5, {false, 0, 1e12}), kMaxRange);
}

TEST(BirdseyeRange, ScalesThePicture) {
  EXPECT_EQ(birdseye_scale(40, 200, 1).cells_of_metre, 5);
  EXPECT_EQ(birdseye_scale(1e-300, 200, 1).cells_of_metre, 200 / kLeastRange);
  EXPECT_EQ(birdseye_scale(HUGE_VAL, 200, 1).cells_of_metre, 200 / kMaxRange);
  // The grid: 28 cells and more from one line to the next.
  EXPECT_EQ(birdseye_scale(40, 200, 1).step_cells, 50);   // 10 m
  EXPECT_EQ(birdseye_scale(40, 200, 2).step_cells, 100);  // 20 m: 11.2 m at least
  EXPECT_EQ(birdseye_scale(40, 200, 0).step.digit, 0);
}

TEST(BirdseyeLabels, SayTheDistances) {
  const BirdseyeScale scale = birdseye_scale(40, 200, 1);
  std::string all;
  for (int i = 0; i < most_labels(240, 200, 1); ++i) {
    PaintedText label;
    find_label(scale, 240, 200, 1, i, &label);
    if (label.length == 0) continue;
    all += std::string(label.text, static_cast<std::size_t>(label.length)) + " at " +
           std::to_string(label.box.left) + "," + std::to_string(label.box.top) + "; ";
  }
  // Above the lines of rows 149, 99 and 49, at the right edge; below columns 20, 70, 120…
  EXPECT_EQ(all,
            "10 m at 215,140; 20 m at 215,90; 30 m at 215,40; "
            "-20 at 11,191; -10 at 61,191; 0 at 117,191; 10 at 164,191; 20 at 214,191; ");
}

}  // namespace
}  // namespace rdp
