// SPDX-License-Identifier: LGPL-2.1-or-later
// Overlays of height maps: places and colours, for any number of threads and any labels.
#include "common/heightmap/overlay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/ground_map.h"
#include "common/heightmap/overlay_legend.h"
#include "common/heightmap/seen_ground.h"
#include "common/image/palette.h"
#include "common/rdp/birdseye.h"
#include "tests/heightmap/heights_picture.h"
#include "tests/support/colour_vision.h"
#include "tests/support/float_environments.h"

namespace rdp::heightmap {
namespace {

using test::HeightsSet;
using test::Picture;

constexpr OverlayStyle kStyles[] = {OverlayStyle::kHeights, OverlayStyle::kHeads,
                                    OverlayStyle::kBirdsEye};

Pixel palette_pixel(std::size_t i) { return pixel(kPalette[i].r, kPalette[i].g, kPalette[i].b); }

Picture picture_of(const HeightsSet& set, const OverlayOptions& options, unsigned threads = 1) {
  OverlayPainter painter(threads);
  Picture picture(set.width(), set.height(), 0x5A5A5A5AU);
  painter.paint(set.scene(), options, picture.view);
  EXPECT_TRUE(picture.is_within());
  return picture;
}

// A camera at 11 m that looks straight down; heights are 1, 2 and 3 m. At 2 m a pixel is 10 cm.
HeightsSet from_above(int width = 64, int height = 48) {
  HeightsSet set(test::rig_of(test::kFromAbove, 90, width, height));
  set.parameters.min_height = 1000;
  set.parameters.max_height = 3000;
  set.parameters.height_step = 1000;
  set.unknown();
  return set;
}

TEST(HeightmapOverlay, HeightsByHand) {
  HeightsSet set = from_above();
  for (int label = 0; label < 3; ++label) set.set(10 + label, 20, label);
  set.heads = {{30, 30, 0, 0, 2000, 9}};
  const Picture picture = picture_of(set, {OverlayStyle::kHeights});
  EXPECT_EQ(picture.at(10, 20), palette_pixel(0));
  EXPECT_EQ(picture.at(11, 20), palette_pixel(128));
  EXPECT_EQ(picture.at(12, 20), palette_pixel(255));
  // All other pixels are the darkened picture, without text or cross.
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      if (y == 20 && x >= 10 && x <= 12) continue;
      ASSERT_EQ(picture.at(x, y), pixel(62, 62, 62)) << x << " " << y;
    }
  }
}

TEST(HeightmapOverlay, HeightColours) {
  Parameters parameters;  // 1400 to 1975 mm
  EXPECT_EQ(height_colour(parameters, 1), palette_pixel(0));
  EXPECT_EQ(height_colour(parameters, 1400), palette_pixel(0));
  EXPECT_EQ(height_colour(parameters, 1425), palette_pixel(11));
  EXPECT_EQ(height_colour(parameters, 1975), palette_pixel(255));
  EXPECT_EQ(height_colour(parameters, 65535), palette_pixel(255));
  // Heights above the last whole step have no label.
  parameters.max_height = 1410;
  EXPECT_EQ(height_colour(parameters, 1400), palette_pixel(128));
}

TEST(HeightmapOverlay, HeadsByHand) {
  HeightsSet set = from_above(200, 100);
  set.heads = {{100, 60, 0, 0, 3000, 9}};
  set.set(20, 50, 2);
  const Picture picture = picture_of(set, {OverlayStyle::kHeads});
  EXPECT_EQ(picture.at(20, 50), pixel(141, 141, 141));  // heights are not painted
  for (int i = -4; i <= 4; ++i) {
    EXPECT_EQ(picture.at(100 + i, 60), palette_pixel(255)) << i;
    EXPECT_EQ(picture.at(100, 60 + i), palette_pixel(255)) << i;
  }
  EXPECT_EQ(picture.at(98, 59), kHeadPixel);
  EXPECT_EQ(picture.at(98, 61), kHeadPixel);
  EXPECT_EQ(picture.at(98, 58), pixel(141, 141, 141));
  // "3.00 m" on its background to the right, and "1 head" in the corner.
  EXPECT_EQ(picture.at(105, 60 - 4), kLegendPaper);
  EXPECT_EQ(picture.at(105 + label_columns(6) - 1, 60 + 3), kLegendPaper);
  EXPECT_EQ(picture.at(105 + label_columns(6), 60), pixel(141, 141, 141));
  EXPECT_EQ(picture.at(200 - 4 - 1, 4), kLegendPaper);
  EXPECT_EQ(picture.at(200 - 4 - label_columns(6), 4), kLegendPaper);
  EXPECT_EQ(picture.at(200 - 4 - label_columns(6) - 1, 4), pixel(141, 141, 141));
  // In the glyph "1", column 1 holds only the foot, column 2 the flag.
  EXPECT_EQ(picture.at(200 - 4 - label_columns(6) + 1 + 2, 4 + 1), kLegendInk);
}

// Each half-metre cell shows its highest point; X to the right, Y up; crosses mark heads.
TEST(HeightmapOverlay, FromAboveByHand) {
  HeightsSet set = from_above();
  set.area = {{-2000, -1000}, {2000, -1000}, {2000, 1000}, {-2000, 1000}};
  set.cell = 500;
  set.set(42, 19, 1);  // at (1, 0.5)
  Picture picture = picture_of(set, {OverlayStyle::kBirdsEye});
  // 63 mm a pixel, rows 8 to 39.
  for (const auto& [x, y] : {std::pair{48, 15}, {55, 15}, {54, 13}}) {
    EXPECT_EQ(picture.at(x, y), palette_pixel(128)) << x << " " << y;
  }
  EXPECT_EQ(picture.at(47, 15), kNothingPixel);
  EXPECT_EQ(picture.at(56, 15), kNothingPixel);
  EXPECT_EQ(picture.at(50, 16), kNothingPixel);
  EXPECT_EQ(picture.at(5, 7), 0U);
  EXPECT_EQ(picture.at(5, 40), 0U);
  EXPECT_EQ(picture.at(5, 8), kAreaPixel);
  EXPECT_EQ(picture.at(5, 39), kAreaPixel);
  EXPECT_EQ(picture.at(0, 20), kAreaPixel);
  EXPECT_EQ(picture.at(63, 20), kAreaPixel);
  EXPECT_EQ(picture.at(5, 20), kNothingPixel);
  set.set(44, 18, 2);                               // at (1.07, 0.53)
  set.set(41, 19, 0);                               // at (1.0, 0.56)
  set.set(0, 0, 2);                                 // outside
  set.heads = {{0, 0, 1200, 300, 2000, 9},          // in (50, 19)
               {0, 0, 200000, -1000000, 2000, 9}};  // far away
  picture = picture_of(set, {OverlayStyle::kBirdsEye});
  EXPECT_EQ(picture.at(54, 15), palette_pixel(255));
  for (int i = -2; i <= 2; ++i) {
    EXPECT_EQ(picture.at(50 + i, 19), kHeadPixel);
    EXPECT_EQ(picture.at(50, 19 + i), kHeadPixel);
  }
  EXPECT_EQ(picture.at(48, 18), kLegendPaper);
  EXPECT_EQ(picture.at(47, 17), kNothingPixel);
}

TEST(HeightmapOverlay, GridInMetres) {
  HeightsSet set = from_above(640, 480);
  set.area = {{-2000, -1000}, {2000, -1000}, {2000, 1000}, {-2000, 1000}};
  const GroundMap map = ground_map(set.area, 50, 640, 480, 2);
  EXPECT_EQ(map.pixel, 7);
  EXPECT_EQ(map.step_mm, 500);
  EXPECT_EQ(map.left, 68);
  EXPECT_EQ(map.columns, 572);
  EXPECT_EQ(map.top, 97);
  EXPECT_EQ(map.rows, 286);
  const Picture picture = picture_of(set, {OverlayStyle::kBirdsEye});
  EXPECT_EQ(map.spot_of(0, 0).x, 353);
  EXPECT_EQ(picture.at(353, 200), kGridPixel);
  EXPECT_EQ(picture.at(352, 200), kNothingPixel);
  EXPECT_EQ(picture.at(354, 200), kNothingPixel);
  EXPECT_EQ(picture.at(67, 200), 0U);
  // y = 0 is in row 97 + 285 - 142.
  EXPECT_EQ(picture.at(400, 240), kGridPixel);
  EXPECT_EQ(picture.at(400, 239), kNothingPixel);
  EXPECT_EQ(picture.at(400, 241), kNothingPixel);
  // Its label is above the line's right end; the label of x = 0 is in the lowest rows.
  EXPECT_EQ(picture.at(639, 239), kLegendPaper);
  EXPECT_EQ(picture.at(353 - label_columns(3), 382), kLegendPaper);
  int ink = 0;
  for (int x = 330; x < 376; ++x) ink += picture.at(x, 375) == kLegendInk ? 1 : 0;
  EXPECT_GT(ink, 0);
}

// For any area, cells are at least a pixel large, or there is no map.
TEST(GroundMap, AnyArea) {
  constexpr int kSides[] = {1, 2, 3, 48, 641, 16384};
  constexpr int kPlaces[] = {-1000000000, -16385, -1, 0, 1, 49, 50, 100000, 1000000000};
  int maps = 0;
  for (const int width : kSides) {
    for (const int height : {1, 3, 480, 16384}) {
      for (const int cell : {1, 50, 1000000}) {
        for (const int low : kPlaces) {
          for (const int high : kPlaces) {
            if (high < low) continue;
            const Area area = {{low, -70}, {high, 0}, {low, low == -1 ? high : 90}};
            const GroundMap map = ground_map(area, cell, width, height, 1);
            if (map.grid.columns == 0) continue;
            ++maps;
            ASSERT_LE(map.grid.columns, kMaxCells);
            ASSERT_LE(map.grid.rows, kMaxCells);
            ASSERT_EQ(map.grid.cell % cell, 0);
            ASSERT_GE(map.left, 0);
            ASSERT_GE(map.top, 0);
            ASSERT_LE(map.left + map.columns, width);
            ASSERT_LE(map.top + map.rows, height);
            ASSERT_TRUE(map.contains(map.spot_of(low, -70)) || low == high);
            ASSERT_LE(map.x_of(map.left), low);
            ASSERT_GE(map.x_of(map.left + map.columns), high);
            if (width > 3 && height > 3) {
              ASSERT_GE(map.grid.cell, map.pixel);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(maps, 1000);
  EXPECT_EQ(ground_map({}, 50, 640, 480, 1).grid.columns, 0);
}

// Without an area the map covers the region that both views see at 2 m.
TEST(SeenGround, ByHand) {
  const HeightsSet set = from_above();
  const Area area = seen_ground(set.rig, set.parameters);
  // The other view, a metre to the right, sees nothing left of column 10; the next lattice column
  // is 11.
  const Area expected = {{-2100, -2300}, {3100, -2300}, {3100, 2400}, {-2100, 2400}};
  EXPECT_EQ(area, expected);
  HeightsSet with_area = set;
  with_area.area = expected;
  Picture without = picture_of(set, {OverlayStyle::kBirdsEye});
  const Picture with = picture_of(with_area, {OverlayStyle::kBirdsEye});
  // The same map, but for the outline.
  int differ = 0;
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      if (with.at(x, y) == without.at(x, y)) continue;
      ++differ;
      ASSERT_EQ(with.at(x, y), kAreaPixel);
    }
  }
  EXPECT_GT(differ, 100);
  // The views do not overlap, so there is no map.
  HeightsSet apart = set;
  apart.rig = test::rig_of(test::kFromAbove, 90, 64, 48, 500.0);
  EXPECT_TRUE(seen_ground(apart.rig, apart.parameters).empty());
  for (int x = 0; x < 64; ++x) {
    EXPECT_EQ(picture_of(apart, {OverlayStyle::kBirdsEye}).at(x, 40), 0U);
  }
  // A painter adapts to a new rig.
  OverlayPainter painter(1);
  painter.paint(apart.scene(), {OverlayStyle::kBirdsEye}, without.view);
  const std::vector<Pixel> nothing = without.inside();
  painter.paint(set.scene(), {OverlayStyle::kBirdsEye}, without.view);
  EXPECT_TRUE(without.inside() != nothing);
  EXPECT_EQ(without.inside(), picture_of(set, {OverlayStyle::kBirdsEye}).inside());
}

// With the horizon in view, the ground ends at eight times the distance of its nearest point.
TEST(SeenGround, EndsBeforeTheHorizon) {
  const Rig rig = test::rig_of(test::kLow, 300, 640, 480);
  const Parameters parameters;
  const Area area = seen_ground(rig, parameters);
  ASSERT_EQ(area.size(), 4U);
  const Plane plane = geometry_of(rig).plane(middle_height(parameters));
  double nearest = 1e9;
  for (int column = 0; column < 640; ++column) {
    int x = 0, y = 0;
    ASSERT_FALSE(ground_of(plane, column, 0, &x, &y));
    if (!ground_of(plane, column, 479, &x, &y)) continue;
    nearest = std::min(nearest, std::hypot(x / 1000.0, y / 1000.0, 3.5 - plane.height));
  }
  EXPECT_LT(nearest, 10.0);
  const double far = area[2].y / 1000.0;
  EXPECT_LE(far, 8.0 * nearest + 0.1);
  EXPECT_GT(far, 4.0 * nearest);
}

// The area's outline is drawn on the picture; its part behind the camera is omitted.
TEST(HeightmapOverlay, OutlineOnThePicture) {
  HeightsSet set = from_above();
  set.area = {{-2000, -1000}, {2000, -1000}, {2000, 1000}, {-2000, 1000}};
  const Picture picture = picture_of(set, {OverlayStyle::kHeights});
  // A metre is 90 / 11 px at Z = 0.
  EXPECT_EQ(picture.at(48, 16), kAreaPixel);
  EXPECT_EQ(picture.at(16, 16), kAreaPixel);
  EXPECT_EQ(picture.at(16, 32), kAreaPixel);
  EXPECT_EQ(picture.at(32, 32), kAreaPixel);
  EXPECT_EQ(picture.at(49, 16), pixel(62, 62, 62));
  EXPECT_EQ(picture.at(32, 24), pixel(62, 62, 62));
  HeightsSet tilted(test::rig_of(test::kTilted, 90, 64, 48));
  tilted.area = {{-2000, -1000000}, {2000, -1000000}, {2000, 1000}, {-2000, 1000}};
  int painted = 0;
  const Picture clipped = picture_of(tilted, {OverlayStyle::kHeights});
  for (const Pixel p : clipped.inside()) painted += p == kAreaPixel ? 1 : 0;
  EXPECT_GT(painted, 20);
  EXPECT_LT(painted, 200);
}

// The overlay shows the number of heads if it shows heads or a legend.
TEST(HeightmapOverlay, Count) {
  const auto said = [](int heads, const OverlayOptions& options) {
    HeightsSet set = from_above(320, 240);
    set.heads.assign(static_cast<std::size_t>(heads), {200, 200, 0, 0, 2000, 9});
    const Picture picture = picture_of(set, options);
    std::vector<Pixel> corner;
    for (int y = 0; y < 16; ++y) {
      for (int x = 240; x < 320; ++x) corner.push_back(picture.at(x, y));
    }
    return corner;
  };
  EXPECT_EQ(said(3, {OverlayStyle::kHeights}), said(4, {OverlayStyle::kHeights}));
  EXPECT_NE(said(3, {OverlayStyle::kHeights, true}), said(4, {OverlayStyle::kHeights, true}));
  EXPECT_NE(said(3, {OverlayStyle::kHeads}), said(4, {OverlayStyle::kHeads}));
  EXPECT_EQ(said(4, {OverlayStyle::kHeads}), said(4, {OverlayStyle::kHeads, true}));
  EXPECT_NE(said(0, {OverlayStyle::kHeads}), said(1, {OverlayStyle::kHeads}));
  EXPECT_NE(said(3, {OverlayStyle::kBirdsEye}), said(4, {OverlayStyle::kBirdsEye}));
}

// For any size and labels, the painter writes all pixels, reads none, and touches no memory beside
// the picture.
TEST(HeightmapOverlay, Anything) {
  constexpr int kSizes[][2] = {{1, 1}, {1, 9}, {7, 1}, {17, 13}, {64, 48}, {301, 203}};
  OverlayPainter painter(2);
  for (const auto& [width, height] : kSizes) {
    for (const test::Pose& pose : {test::kFromAbove, test::kTilted, test::kLow}) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        HeightsSet set = test::random_set(test::rig_of(pose, 80, width, height), seed);
        if (seed >= 2) {
          for (std::size_t i = 0; i < set.labels.size(); i += 3) set.labels[i] = 0;
          set.cell = seed == 2 ? 1 : 100000;
        }
        for (const OverlayStyle style : kStyles) {
          std::vector<Pixel> first;
          for (const Pixel fill : {0x12345678U, 0xFFFFFFFFU}) {
            Picture picture(width, height, fill);
            painter.paint(set.scene(), {style, true}, picture.view);
            ASSERT_TRUE(picture.is_within()) << width << "x" << height;
            if (first.empty()) first = picture.inside();
            ASSERT_TRUE(picture.inside() == first) << width << "x" << height;
          }
        }
      }
    }
  }
}

TEST(HeightmapOverlay, Threads) {
  const HeightsSet set = test::random_set(test::rig_of(test::kTilted, 1500, 701, 493), 9);
  for (const OverlayStyle style : kStyles) {
    const std::vector<Pixel> expected = picture_of(set, {style, true}, 1).inside();
    for (const unsigned threads : {2U, 7U}) {
      ASSERT_TRUE(picture_of(set, {style, true}, threads).inside() == expected) << threads;
    }
  }
}

// Independent of the floating-point environment of the caller and of the threads that it starts.
TEST(HeightmapOverlay, FloatEnvironments) {
  for (const std::uint64_t seed : {12U, 13U}) {
    const HeightsSet set = test::random_set(test::rig_of(test::kTilted, 700, 320, 240), seed);
    for (const OverlayStyle style : kStyles) {
      const std::vector<Pixel> expected = picture_of(set, {style, true}, 2).inside();
      for (const rdp::test::FloatEnvironment& e : rdp::test::float_environments()) {
        std::vector<Pixel> seen;
        {
          const rdp::test::InFloatEnvironment here(e);
          seen = picture_of(set, {style, true}, 2).inside();
          EXPECT_TRUE(rdp::test::is_set(e)) << e.name;
        }
        ASSERT_TRUE(seen == expected) << e.name;
      }
    }
  }
}

// Bit-identical on every machine.
TEST(HeightmapOverlay, Bits) {
  const auto digest = [](OverlayStyle style, std::uint64_t seed) {
    const HeightsSet set = test::random_set(test::rig_of(test::kTilted, 1500, 700, 500), seed);
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const Pixel p : picture_of(set, {style, true}, 2).inside()) {
      hash = (hash ^ p) * 0x100000001B3U;
    }
    return hash;
  };
  EXPECT_EQ(digest(OverlayStyle::kHeights, 1), 9100478267123875947U);
  EXPECT_EQ(digest(OverlayStyle::kHeads, 1), 12782142135314618691U);
  EXPECT_EQ(digest(OverlayStyle::kBirdsEye, 1), 10726730471055582260U);
  EXPECT_EQ(digest(OverlayStyle::kBirdsEye, 2), 1378563948478382602U);
}

// --- the legend ---------------------------------------------------------------------------------

// The legend stays within the picture, uses at most half of the rows, and has the heights' palette.
TEST(HeightmapLegend, Fits) {
  int with = 0;
  const Parameters parameters;
  for (int width = 1; width < 700; width += 39) {
    for (int height = 1; height < 400; height += 21) {
      for (const OverlayStyle style : kStyles) {
        const Legend legend = heights_legend(width, height, {style, true}, height % 2 == 0);
        if (legend.zoom == 0) continue;
        ++with;
        const Box box = legend_box(legend);
        ASSERT_LT(box.right, width);
        ASSERT_LE(2 * box.bottom, height);
        Picture picture(width, height, 0U);
        paint_heights_legend(legend, heights_range(parameters), picture.view);
        ASSERT_TRUE(picture.is_within());
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            const bool inside = x >= box.left && x < box.right && y >= box.top && y < box.bottom;
            ASSERT_EQ(picture.at(x, y) != 0U, inside) << x << " " << y;
          }
        }
        const int left = box.left + kLegendPad * legend.zoom;
        const int bar = box.top + kBarTop * legend.zoom;
        ASSERT_EQ(picture.at(left, bar), height_colour(parameters, 1400));
      }
    }
  }
  EXPECT_GT(with, 30);
  EXPECT_EQ(heights_legend(640, 480, {}, true).zoom, 0);
}

// --- colours ------------------------------------------------------------------------------------

// Ten times the just noticeable difference: see overlay_colours_test.cpp.
constexpr double kLeastDifference = 12.0;

// Heights, the dark picture below them, and the area's outline differ for every kind of colour
// vision.
TEST(HeightmapColours, AreToldApart) {
  for (const rdp::test::Sight& sight : rdp::test::kSights) {
    const auto apart = [&](Pixel a, Pixel b) {
      return rdp::test::difference(rdp::test::seen(a, sight), rdp::test::seen(b, sight));
    };
    for (std::size_t i = 0; i < 256; ++i) {
      for (int grey = kHeightsGreys.darkest; grey <= kHeightsGreys.brightest; ++grey) {
        ASSERT_GE(apart(palette_pixel(i), pixel(grey, grey, grey)), kLeastDifference)
            << i << " and " << grey << " with " << sight.name;
      }
      ASSERT_GE(apart(palette_pixel(i), kNothingPixel), kLeastDifference) << i << sight.name;
      ASSERT_GE(apart(palette_pixel(i), kAreaPixel), kLeastDifference) << i << sight.name;
    }
    // Crosses have a white edge on the picture, and a dark one on heights.
    const int brightest = kHeadsGreys.brightest;
    EXPECT_GE(apart(kHeadPixel, pixel(brightest, brightest, brightest)), kLeastDifference);
    EXPECT_GE(apart(kHeadPixel, kLegendPaper), kLeastDifference);
    for (const Pixel other : {kGridPixel, kAreaPixel, kHeadPixel, pixel(0, 0, 0)}) {
      EXPECT_GE(apart(kNothingPixel, other), kLeastDifference) << sight.name;
    }
  }
}

}  // namespace
}  // namespace rdp::heightmap
