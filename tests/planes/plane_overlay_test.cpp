// SPDX-License-Identifier: LGPL-2.1-or-later
// Overlays of planes: single pixels against the header's rules, threads, memory around the picture;
// and colours with a meaning differ, also for the colour-blind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "common/image/index_colour.h"
#include "common/planes/limits.h"
#include "common/planes/pictures/overlay_look.h"
#include "common/planes/pictures/overlay_pixels.h"
#include "tests/support/colour_vision.h"
#include "tests/support/plane_scene.h"
#include "tests/support/test_frame.h"

namespace rdp::planes {
namespace {

using test::GuardedRows;
using test::Layout;
using test::PlaneScene;
using test::TestFrame;

constexpr OverlayStyle kStyles[] = {OverlayStyle::kPlanes, OverlayStyle::kNormals,
                                    OverlayStyle::kNodes, OverlayStyle::kResidual,
                                    OverlayStyle::kDepth};

// A picture in memory of exactly its size.
class Picture {
 public:
  Picture(int width, int height, Layout layout = {})
      : rows_(4 * width, height, layout), view_{rows_.row(0), rows_.stride(), width, height} {}

  const RgbaView& view() const { return view_; }
  bool intact() const { return rows_.intact(); }
  bool operator==(const Picture& other) const { return rows_.same_rows(other.rows_); }
  Pixel at(int column, int row) const {
    Pixel pixel;
    std::memcpy(&pixel, rows_.row(row) + 4 * column, sizeof pixel);
    return pixel;
  }
  int count(Pixel wanted) const {
    int n = 0;
    for (int y = 0; y < view_.height; ++y) {
      for (int x = 0; x < view_.width; ++x) n += at(x, y) == wanted ? 1 : 0;
    }
    return n;
  }

 private:
  GuardedRows rows_;
  RgbaView view_;
};

// A depth camera (mm) before a wall at 2 m, on the left, and one at 3 m; pixels between them are
// invalid. At this size text has one pixel per cell.
struct TwoWalls {
  static constexpr int kWidth = 200;
  static constexpr int kHeight = 160;
  TestFrame frame{kWidth, kHeight, SampleType::kU16};
  TestFrame labels{kWidth, kHeight, SampleType::kU8};
  MetricCamera camera;
  Parameters parameters;
  PlaneSet planes;
  OverlayOptions options;
  OverlayPainter painter{1};

  TwoWalls() {
    camera.focal_x = camera.focal_y = 180.0;
    camera.principal_x = 99.5;
    camera.principal_y = 79.5;
    camera.depth = {false, 0.0, 0.001, 0.0};
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const bool left = x < 90;
        const bool right = x >= 110;
        frame.view().set(y, x, left ? 2000 : right ? 3000 : 0);
        labels.view().set(y, x, left ? 1 : right && y >= 80 ? 2 : 0);
      }
    }
    add(-0.6, 2.0, {0, 0, 90, 160});
    add(0.6, 3.0, {110, 80, 90, 80});
  }

  void add(double x, double z, std::array<int, 4> box) {
    Plane plane;
    plane.normal[2] = 1.0;
    plane.distance = z;
    plane.centroid[0] = x;
    plane.centroid[2] = z;
    plane.rms = 0.002;
    plane.inliers = 1000;
    std::copy(box.begin(), box.end(), plane.box);
    planes.planes.push_back(plane);
  }

  Picture paint(OverlayStyle style, std::span<const NodeSquare> nodes = {}) {
    options.style = style;
    Picture picture(kWidth, kHeight);
    painter.paint(frame.view(), labels.view(), {&camera, &parameters, &planes, nodes}, options,
                  picture.view());
    return picture;
  }
};

Pixel pixel_of(const Rgb& c) { return pixel(c.r, c.g, c.b); }

// 65 % of a colour over a grey, worked out in floating point.
Pixel mixed(const Rgb& colour, int grey) {
  const auto mix = [&](int c) {
    return static_cast<int>(std::floor(0.65 * c + 0.35 * grey + 0.5));
  };
  return pixel(mix(colour.r), mix(colour.g), mix(colour.b));
}

TEST(PlaneOverlay, PlanesLieOverTheGreySamples) {
  TwoWalls walls;
  const Picture picture = walls.paint(OverlayStyle::kPlanes);
  // The nearest sample is the brightest grey, the farthest the darkest: see make_greys().
  EXPECT_EQ(picture.at(20, 20), mixed(index_colour(0), 104));
  EXPECT_EQ(picture.at(180, 150), mixed(index_colour(1), 24));
  EXPECT_EQ(picture.at(180, 20), pixel(24, 24, 24));  // no plane
  EXPECT_EQ(picture.at(100, 20), kUnknownPixel);
}

TEST(PlaneOverlay, OutlinesFollowLabels) {
  TwoWalls walls;
  // A hole, a pixel of the other plane, and a label without a plane.
  walls.labels.view().set(20, 20, 0);
  walls.labels.view().set(20, 60, 2);
  walls.labels.view().set(20, 40, 3);
  const auto is_expected = [&](int x, int y) {
    const DepthView labels = walls.labels.view();
    const int label = labels.at(y, x);
    if (label != 1 && label != 2) return false;
    for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      const int column = x + dx;
      const int row = y + dy;
      if (column < 0 || column >= TwoWalls::kWidth || row < 0 || row >= TwoWalls::kHeight ||
          labels.at(row, column) != label) {
        return true;
      }
    }
    return false;
  };
  for (const OverlayStyle style : kStyles) {
    const Picture picture = walls.paint(style);
    for (int y = 0; y < TwoWalls::kHeight; ++y) {
      for (int x = 0; x < TwoWalls::kWidth; ++x) {
        if (y >= 74 && y < 86) continue;  // numbers
        ASSERT_EQ(picture.at(x, y) == kOutlinePixel, shows_planes(style) && is_expected(x, y))
            << x << ", " << y << ", style " << static_cast<int>(style);
      }
    }
  }
}

// The text that a panel shows, read cell by cell; "" where there is no panel.
std::string number_at(const Picture& picture, int left, int top, int zoom, int length) {
  static constexpr Font kFont = make_font();
  constexpr char kCharacters[] = "0123456789ground ";
  std::string text;
  for (int i = 0; i < length; ++i) {
    for (const char c : std::string(kCharacters)) {
      bool same = true;
      for (int row = 0; row < kGlyphRows; ++row) {
        for (int column = 0; column < kGlyphColumns; ++column) {
          const int x = left + (kNumberPad + i * kGlyphStep + column) * zoom;
          const int y = top + (kNumberPad + row) * zoom;
          const bool ink = text_bit(kFont, &c, 1, column, row);
          same = same && picture.at(x, y) == (ink ? kLegendInk : kLegendPaper);
        }
      }
      if (same) {
        text += c;
        break;
      }
    }
  }
  return text;
}

TEST(PlaneOverlay, PlanesHaveTheirIndexAndTheGroundItsName) {
  TwoWalls walls;
  walls.planes.ground.plane = 1;
  const Picture picture = walls.paint(OverlayStyle::kPlanes);
  // At the centroid of their points: columns 180 * -0.6 / 2 + 99.5 = 45.5 and
  // 180 * 0.6 / 3 + 99.5 = 135.5. The row is 79.5, for which the box begins at 80. A panel is
  // 9 x 11, with the name 51.
  EXPECT_EQ(number_at(picture, 46 - 4, 80 - 5, 1, 1), "0");
  EXPECT_EQ(number_at(picture, 136 - 25, 80 - 5, 1, 8), "1 ground");
}

TEST(PlaneOverlay, NumbersDoNotCoverEachOther) {
  TwoWalls walls;
  // The first panel stays; the next ones move up or down to the nearest free place, by a panel and
  // a gap each.
  for (int i = 1; i < 11; ++i) walls.planes.planes.push_back(walls.planes.planes[0]);
  const Picture picture = walls.paint(OverlayStyle::kPlanes);
  EXPECT_EQ(number_at(picture, 46 - 4, 80 - 5, 1, 1), "0");
  EXPECT_EQ(number_at(picture, 46 - 4 - 9 - kNumberGap, 80 - 5, 1, 1), "2");
  OverlayLook look;
  build_picture(TwoWalls::kWidth, TwoWalls::kHeight,
                {&walls.camera, &walls.parameters, &walls.planes, {}}, walls.options, &look);
  ASSERT_EQ(look.numbers.size(), 12u);
  for (const PaintedText& a : look.numbers) {
    const Box around = {a.box.left - kNumberGap, a.box.top - kNumberGap, a.box.right + kNumberGap,
                        a.box.bottom + kNumberGap};
    for (const PaintedText& b : look.numbers) {
      if (&a == &b) continue;
      EXPECT_FALSE(overlap(around, b.box));
    }
  }
}

// The legend covers no number; a plane without any free place has none.
TEST(PlaneOverlay, NumbersStayBesideTheLegend) {
  TwoWalls walls;
  walls.options.legend = true;
  for (Plane& plane : walls.planes.planes) plane.centroid[2] = 0.0;  // numbers in box middles
  std::fill(walls.planes.planes[0].box, walls.planes.planes[0].box + 4, 10);
  OverlayLook look;
  const auto look_at = [&] {
    build_picture(TwoWalls::kWidth, TwoWalls::kHeight,
                  {&walls.camera, &walls.parameters, &walls.planes, {}}, walls.options, &look);
  };
  look_at();
  ASSERT_GT(look.legend.zoom, 0);
  EXPECT_EQ(look.numbers[0].box.top, kLegendMargin + look.legend.rows);
  walls.planes.planes.resize(kMaxPlanes, walls.planes.planes[0]);
  look_at();
  EXPECT_LT(look.numbers.size(), walls.planes.planes.size());
  EXPECT_GT(look.numbers.size(), 100u);
}

TEST(PlaneOverlay, NormalsHaveTheColourOfTheirDirection) {
  TwoWalls walls;
  const Picture picture = walls.paint(OverlayStyle::kNormals);
  const Pixel ahead = direction_colour(walls.planes.planes[0].normal);
  EXPECT_EQ(picture.at(20, 20), laid_over(ahead, pixel(104, 104, 104)));
  EXPECT_EQ(picture.at(180, 150), laid_over(ahead, pixel(24, 24, 24)));
}

TEST(PlaneOverlay, NodesAreSquares) {
  TwoWalls walls;
  const NodeSquare nodes[] = {
      {0, 0, 64, 0}, {0, 0, 32, 1}, {32, 0, 32, 0}, {96, 0, 32, 1}, {192, 128, 64, 1}};
  const Picture picture = walls.paint(OverlayStyle::kNodes, nodes);
  const Pixel near_grey = pixel(104, 104, 104);
  EXPECT_EQ(picture.at(5, 5), laid_over(kNodePixel, near_grey));
  EXPECT_EQ(picture.at(0, 40), kNodeEdgePixel);  // of the largest
  EXPECT_EQ(picture.at(5, 40), near_grey);       // which is not planar
  EXPECT_EQ(picture.at(32, 7), kNodeEdgePixel);
  EXPECT_EQ(picture.at(40, 7), near_grey);
  EXPECT_EQ(picture.at(100, 7), kUnknownPixel);  // nothing is known there
  EXPECT_EQ(picture.at(199, 159), laid_over(kNodePixel, pixel(24, 24, 24)));  // cut off
  EXPECT_EQ(picture.at(120, 100), pixel(24, 24, 24));                         // in no square
}

TEST(PlaneOverlay, ResidualsAreDistancesFromTheOwnPlane) {
  TwoWalls walls;
  // Depths from 1.98 m on; along the optical axis the residual is the distance from the plane.
  for (int x = 0; x < 90; ++x) walls.frame.view().set(10, x, static_cast<std::uint16_t>(1980 + x));
  const auto entry_of = [](Pixel p) {
    for (int i = 0; i < 256; ++i) {
      if (p == pixel_of(kPalette[static_cast<std::size_t>(i)])) return i;
    }
    return -1;
  };
  const auto palette_of = [](double position) {
    return pixel_of(kPalette[static_cast<std::size_t>(std::min(position, 255.0) + 0.5)]);
  };
  walls.options.residual_range = 0.05;
  const Picture chosen = walls.paint(OverlayStyle::kResidual);
  EXPECT_EQ(chosen.at(20, 20), palette_of(0.0));
  for (int x = 0; x < 90; ++x) {
    const double millimetres = std::abs(x - 20);
    ASSERT_EQ(chosen.at(x, 10), palette_of(millimetres / 50.0 * 255.0)) << x;
  }
  EXPECT_EQ(entry_of(chosen.at(180, 20)), -1);  // no plane: grey
  EXPECT_EQ(chosen.at(100, 20), kUnknownPixel);
  // Automatic range: three times the RMS of 2 mm.
  walls.options.residual_range = 0.0;
  const Picture by_itself = walls.paint(OverlayStyle::kResidual);
  EXPECT_EQ(by_itself.at(23, 10), palette_of(127.5));
  EXPECT_EQ(by_itself.at(30, 10), palette_of(255.0));
  // Along a slanted plane in disparity.
  Plane& plane = walls.planes.planes[0];
  plane.normal[0] = 0.6;
  plane.normal[2] = 0.8;
  plane.distance = 1.5;
  walls.camera.depth = {true, 4000.0, 1.0, 0.0};  // 2000 is 2 m
  walls.options.residual_range = 1.0;
  const Picture slanted = walls.paint(OverlayStyle::kResidual);
  for (int x = 0; x < 90; ++x) {
    const double distance = std::abs(2.0 * (0.6 * (x - 99.5) / 180.0 + 0.8) - 1.5);
    const double position = std::min(distance * 255.0, 255.0);
    const int entry = entry_of(slanted.at(x, 100));
    // Adjacent palette entries may have the same colour.
    ASSERT_NEAR(entry, position, 1.01) << x;
  }
}

TEST(PlaneOverlay, DepthIsThePaletteOnTheSamples) {
  TwoWalls walls;
  // Near is bright: the palette is reversed for depths, but not for disparities.
  EXPECT_EQ(walls.paint(OverlayStyle::kDepth).at(20, 20), pixel_of(kPalette[255]));
  EXPECT_EQ(walls.paint(OverlayStyle::kDepth).at(180, 20), pixel_of(kPalette[0]));
  walls.camera.depth = {true, 4000.0, 1.0, 0.0};
  EXPECT_EQ(walls.paint(OverlayStyle::kDepth).at(20, 20), pixel_of(kPalette[0]));
  // Explicit range.
  walls.options.palette_min = 2000;
  walls.options.palette_max = 2510;
  EXPECT_EQ(walls.paint(OverlayStyle::kDepth).at(20, 20), pixel_of(kPalette[0]));
  walls.options.palette_min = 4000;
  walls.options.palette_max = 2000;
  EXPECT_EQ(walls.paint(OverlayStyle::kDepth).at(20, 20), pixel_of(kPalette[255]));
}

// The legend's unit is metres for samples and millimetres for residuals; directions have names.
TEST(PlaneOverlay, LegendsSayWhatColoursMean) {
  TwoWalls walls;
  walls.options.legend = true;
  OverlayLook look;
  for (const OverlayStyle style : kStyles) {
    walls.options.style = style;
    build_picture(640, 480, {&walls.camera, &walls.parameters, &walls.planes, {}}, walls.options,
                  &look);
    const Legend& legend = look.legend;
    const std::string unit(legend.unit, static_cast<std::size_t>(legend.unit_length));
    EXPECT_GT(legend.zoom, 0);
    EXPECT_EQ(unit, style == OverlayStyle::kResidual  ? "mm"
                    : style == OverlayStyle::kNormals ? ""
                                                      : "m");
    EXPECT_EQ(legend.names, style == OverlayStyle::kNormals ? 4
                            : style == OverlayStyle::kNodes ? 1
                                                            : 0);
    if (style == OverlayStyle::kResidual) {
      Ticks ticks{};
      find_ticks(look.legend_range, legend.scale, &ticks);
      ASSERT_GT(ticks.count, 2);
      const Tick& last = ticks.tick[ticks.count - 1];
      EXPECT_EQ(std::string(last.text, static_cast<std::size_t>(last.length)), "6");
      EXPECT_EQ(last.column, 127);
    }
  }
  // The legend lies over the picture.
  walls.options.style = OverlayStyle::kPlanes;
  TestFrame large(640, 480, SampleType::kU16);
  TestFrame none(640, 480, SampleType::kU8);
  std::memset(none.view().data, 0, std::size_t{640} * 480);
  Picture picture(640, 480);
  walls.painter.paint(large.view(), none.view(),
                      {&walls.camera, &walls.parameters, &walls.planes, {}}, walls.options,
                      picture.view());
  EXPECT_EQ(picture.at(kLegendMargin * look.legend.zoom, kLegendMargin * look.legend.zoom),
            kLegendPaper);
}

// The picture of a random scene of any size is bit-identical for all thread counts, and nothing
// outside it is written.
TEST(PlaneOverlay, TheSameForAnyNumberOfThreads) {
  std::mt19937 random(1);
  OverlayPainter one(1);
  OverlayPainter three(3);
  for (int i = 0; i < 60; ++i) {
    const int width = 1 + static_cast<int>(random() % 300);
    const int height = 1 + static_cast<int>(random() % 300);
    PlaneScene scene(width, height, i % 2 == 0 ? SampleType::kU8 : SampleType::kU16, &random);
    scene.options.legend = i % 3 == 0;
    for (const OverlayStyle style : kStyles) {
      scene.options.style = style;
      Picture a(width, height);
      Picture b(width, height, {12, 4});
      one.paint(scene.frame.view(), scene.labels.view(), scene.view(), scene.options, a.view());
      three.paint(scene.frame.view(), scene.labels.view(), scene.view(), scene.options, b.view());
      ASSERT_TRUE(a == b) << i << ", style " << static_cast<int>(style);
      ASSERT_TRUE(a.intact() && b.intact());
    }
  }
}

// The colours of directions and planar nodes differ over any grey.
TEST(PlaneOverlay, ColoursDifferForTheColourBlind) {
  const double normals[][3] = {{0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}};
  for (const test::Sight& sight : test::kSights) {
    for (const int grey : {24, 64, 104}) {
      const Pixel below = pixel(grey, grey, grey);
      for (const auto& a : normals) {
        for (const auto& b : normals) {
          if (&a == &b) continue;
          const double apart =
              test::difference(test::seen(laid_over(direction_colour(a), below), sight),
                               test::seen(laid_over(direction_colour(b), below), sight));
          EXPECT_GT(apart, 12.0) << sight.name << ", " << a[0] << a[1] << a[2] << " and " << b[0]
                                 << b[1] << b[2];
        }
      }
      EXPECT_GT(test::difference(test::seen(laid_over(kNodePixel, below), sight),
                                 test::seen(below, sight)),
                12.0)
          << sight.name;
    }
  }
}

}  // namespace
}  // namespace rdp::planes
