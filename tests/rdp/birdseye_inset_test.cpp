// SPDX-License-Identifier: LGPL-2.1-or-later
// The placement of insets and the panel around them; their contents are tested in
// birdseye_test.cpp.
#include "common/rdp/birdseye_inset.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "common/rdp/overlay_pixels.h"

namespace rdp {
namespace {

// A camera of 640 columns that sees `columns` to each side per unit of focal length.
MetricCamera camera_of(double columns) {
  MetricCamera camera;
  camera.focal_x = camera.focal_y = 320.0 / columns;
  camera.principal_x = 319.5;
  camera.depth = {false, 0.0, 0.001, 0.0};
  return camera;
}

TEST(PlaceInset, IsAsWideAsTheCameraSees) {
  // 35 % of 1280 are 448; text of 3 pixels a cell has a pad of 6.
  const InsetPlace place = place_inset(camera_of(0.8), 640, 1280, 720, 0.35, true, false);
  EXPECT_EQ(place.pad, 6);
  EXPECT_EQ(place.view.width, 436);
  EXPECT_EQ(place.view.height, 272);  // 436 / 1.6
  EXPECT_EQ(place.view.zoom, 2);      // 272 / 112
  EXPECT_EQ(place.panel.right, 1280 - 14);
  EXPECT_EQ(place.panel.left, 1280 - 14 - 448);
  EXPECT_EQ(place.panel.top, 14);
  EXPECT_EQ(place.panel.bottom, 14 + 272 + 12);
  const InsetPlace other = place_inset(camera_of(0.8), 640, 1280, 720, 0.35, false, true);
  EXPECT_EQ(other.panel.left, 14);
  EXPECT_EQ(other.panel.bottom, 720 - 14);
}

TEST(PlaceInset, IsNoHigherThanWideAndThanThePicture) {
  const InsetPlace square = place_inset(camera_of(0.1), 640, 1280, 720, 0.35, true, false);
  EXPECT_EQ(square.view.width, 436);
  EXPECT_EQ(square.view.height, 436);
  EXPECT_EQ(square.view.zoom, 3);
  const InsetPlace high = place_inset(camera_of(0.8), 640, 1280, 720, 1.0, true, false);
  EXPECT_EQ(high.panel.top, 14);
  EXPECT_EQ(high.panel.bottom, 706);
  EXPECT_EQ(high.view.width, 1088);  // (692 - 12) * 1.6
  const InsetPlace wide = place_inset(camera_of(8.0), 640, 1280, 720, 0.35, true, false);
  EXPECT_EQ(wide.view.width, 436);
  EXPECT_EQ(wide.view.height, 27);
  EXPECT_EQ(wide.view.zoom, 0);
  // Off-centre axis: the view is as wide as on the wider side.
  MetricCamera aside = camera_of(0.5);
  aside.principal_x = 159.5;
  const InsetPlace half = place_inset(aside, 640, 1280, 720, 0.35, true, false);
  EXPECT_EQ(half.view.height, 290);  // 436 / 1.5
}

TEST(PlaceInset, StaysInAnyPicture) {
  for (int width = 1; width < 200; width += 3) {
    for (int height = 1; height < 200; height += 7) {
      for (const double part : {0.05, 0.4, 1.0}) {
        for (const double columns : {0.01, 0.6, 1e9}) {
          for (const bool corner : {false, true}) {
            const InsetPlace p =
                place_inset(camera_of(columns), 640, width, height, part, corner, corner);
            ASSERT_GT(p.view.width, 0);
            ASSERT_GT(p.view.height, 0);
            ASSERT_GE(p.pad, 0);
            ASSERT_GE(p.panel.left, 0);
            ASSERT_GE(p.panel.top, 0);
            ASSERT_LE(p.panel.right, width);
            ASSERT_LE(p.panel.bottom, height);
            ASSERT_EQ(p.panel.right - p.panel.left, p.view.width + 2 * p.pad);
            ASSERT_EQ(p.panel.bottom - p.panel.top, p.view.height + 2 * p.pad);
          }
        }
      }
    }
  }
}

// The surroundings of the view, and directions outside the camera's field of view, are paper;
// nothing else is written.
TEST(BirdseyeInset, LiesOnPaper) {
  constexpr int kWidth = 50, kHeight = 40;
  constexpr Pixel kBefore = 0x01020304;
  const MetricCamera camera = camera_of(0.6);
  const InsetPlace place = {{5, 6, 45, 36}, 3, {34, 24, 0}};
  const std::vector<std::uint32_t> offsets(641, 0U);
  BirdseyeInset inset;
  inset.look({offsets, {}}, {}, 640, 480, camera, 10.0, place.view);
  const auto* view = reinterpret_cast<const Pixel*>(inset.picture().data);
  for (const PixelOrder order : {PixelOrder::kRgba, PixelOrder::kBgra}) {
    std::vector<Pixel> pixels(kWidth * kHeight, kBefore);
    const RgbaView picture{reinterpret_cast<std::byte*>(pixels.data()), 4 * kWidth, kWidth,
                           kHeight};
    for (const int row : {0, 7, 20}) {
      inset.paint(picture, place, 200, order, row, row == 0 ? 7 : row == 7 ? 20 : kHeight);
    }
    int paper = 0;
    int seen = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const Pixel pixel = pixels[static_cast<std::size_t>(y * kWidth + x)];
        if (x < 5 || x >= 45 || y < 6 || y >= 36) {
          ASSERT_EQ(pixel, kBefore) << x << ", " << y;
          continue;
        }
        const bool inside = x >= 8 && x < 42 && y >= 9 && y < 33;
        const Pixel shown = inside ? view[(y - 9) * 34 + x - 8] : kUnknownPixel;
        const bool is_paper = shown == kUnknownPixel;
        ASSERT_EQ(pixel, ordered_pixel(is_paper ? kLegendPaper : shown, 200, order))
            << x << ", " << y;
        paper += inside && is_paper ? 1 : 0;
        seen += is_paper ? 0 : 1;
      }
    }
    EXPECT_GT(paper, 100);
    EXPECT_GT(seen, 100);
  }
}

}  // namespace
}  // namespace rdp
