// SPDX-License-Identifier: LGPL-2.1-or-later
// Segments on another camera's picture: the pixels they cover, and their occlusion.
#include "common/rdp/placed_segments.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "common/rdp/overlay_pixels.h"
#include "common/rdp/reference.h"
#include "common/scene/test_pattern.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

constexpr OverlayOptions kIdentity = {OverlayStyle::kSegments, 0.0, 255.0};

struct Picture {
  Picture(int width, int height)
      : pixels(static_cast<std::size_t>(width * height), 0x5A5A5A5AU),
        view{reinterpret_cast<std::byte*>(pixels.data()), 4 * width, width, height} {}
  Pixel at(int row, int column) const {
    return pixels[static_cast<std::size_t>(row * view.width + column)];
  }
  // Painted pixels as '#', the others as '.'; rows end with a blank.
  std::string drawing() const {
    std::string text;
    for (int row = 0; row < view.height; ++row) {
      for (int column = 0; column < view.width; ++column) text += at(row, column) == 0 ? '.' : '#';
      text += ' ';
    }
    return text;
  }
  std::vector<Pixel> pixels;
  RgbaView view;
};

// A frame with the given segments of each column.
struct Frame {
  Frame(int rows, const std::vector<std::vector<Segment>>& columns) : height(rows) {
    offsets.push_back(0);
    for (const auto& column : columns) {
      segments.insert(segments.end(), column.begin(), column.end());
      offsets.push_back(static_cast<std::uint32_t>(segments.size()));
    }
  }
  SegmentArrays list() const { return {offsets, segments}; }
  int width() const { return static_cast<int>(offsets.size() - 1) * parameters.column_width; }

  Parameters parameters;
  int height;
  std::vector<std::uint32_t> offsets;
  std::vector<Segment> segments;
};

std::string placed(const Frame& frame, const FramePlacement& placement, int width, int height) {
  PlacedSegments painter;
  painter.place(frame.list(), frame.parameters, frame.width(), frame.height, placement,
                {kIdentity});
  Picture picture(width, height);
  painter.paint(picture.view, 0, height);
  return picture.drawing();
}

// Depth in centimetres, a focal length of 100 px, the centre at column 4, row 2.
FrameProjection projection_with(double shift_x, double shift_y = 0.0, double shift_z = 0.0) {
  FrameProjection projection;
  projection.frame.focal_x = projection.frame.focal_y = 100.0;
  projection.frame.principal_x = 4.0;
  projection.frame.principal_y = 2.0;
  projection.frame.depth.factor = 0.01;
  static_cast<CameraLens&>(projection.picture) = projection.frame;
  projection.between.m[3] = shift_x;
  projection.between.m[7] = shift_y;
  projection.between.m[11] = shift_z;
  return projection;
}

Picture projected(const Frame& frame, const FrameProjection& projection, int width, int height,
                  const PlacedLook& look = {kIdentity}) {
  PlacedSegments painter;
  painter.project(frame.list(), frame.parameters, frame.width(), frame.height, projection, look);
  Picture picture(width, height);
  painter.paint(picture.view, 0, height);
  return picture;
}

// A tint replaces the palette over whole segments; and segments that are left out.
TEST(PlacedSegments, HaveTints) {
  const Frame frame(16, {{{0, 3, 10, 10}, {4, 7, 10, 200}, {8, 11, 10, 10}}});
  constexpr Pixel kTint = pixel(200, 100, 50);
  const Pixel tints[] = {kTint, kNoTint, kUnknownPixel};
  static constexpr Colours kGreys = make_greys();
  PlacedLook look = {kIdentity};
  look.tints = tints;
  look.colours = &kGreys;
  PlacedSegments painter;
  painter.place(frame.list(), frame.parameters, 1, 16, {}, look);
  EXPECT_EQ(painter.size(), 2U);
  Picture picture(1, 16);
  painter.paint(picture.view, 128, PixelOrder::kBgra, 0, 16);
  const auto half = [](Pixel p) { return ordered_pixel(p, 128, PixelOrder::kBgra); };
  EXPECT_EQ(picture.at(0, 0), half(darkened(kTint)));
  EXPECT_EQ(picture.at(1, 0), half(kTint));
  EXPECT_EQ(picture.at(2, 0), half(kTint));
  EXPECT_EQ(picture.at(3, 0), half(darkened(kTint)));
  EXPECT_EQ(picture.at(4, 0), half(darkened(kGreys.entry[10])));
  EXPECT_EQ(picture.at(5, 0), half(kGreys.entry[73]));
  EXPECT_EQ(picture.at(8, 0), 0U);
  EXPECT_EQ(picture.at(12, 0), 0U);
}

// With the identity placement and no invalid pixels, the picture is the overlay's.
TEST(PlacedSegments, EqualTheOverlayWhereNothingMoves) {
  std::mt19937 random(1);
  for (const OverlayStyle style : {OverlayStyle::kSegments, OverlayStyle::kClasses}) {
    for (const int column_width : {1, 3}) {
      for (const bool refine : {false, true}) {
        test::TestFrame frame(50, 64, SampleType::kU8, {});
        for (int row = 0; row < 64; ++row) {
          for (int column = 0; column < 50; ++column) {
            frame.view().set(row, column,
                             1 + (row / 9 * 37 + column / 8 * 11 + random() % 4) % 255);
          }
        }
        Parameters parameters;
        parameters.column_width = column_width;
        parameters.refine = refine;
        SegmentList segments;
        reference::segment_filtered(frame.view(), parameters, &segments);
        OverlayOptions options = kIdentity;
        options.style = style;
        Picture wanted(50, 64);
        paint_overlay(frame.view(), segments, parameters,
                      overlay_look(frame.view(), segments, parameters, options), 0, 50,
                      wanted.view);
        PlacedSegments painter;
        painter.place(segments, parameters, 50, 64, {}, {options});
        Picture picture(50, 64);
        painter.paint(picture.view, 0, 64);
        // Rows above the first or below the last segment are unknown there, too.
        int painted = 0;
        for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
          if (picture.pixels[i] == 0) {
            EXPECT_EQ(wanted.pixels[i], kUnknownPixel);
            continue;
          }
          EXPECT_EQ(picture.pixels[i], wanted.pixels[i]) << i;
          ++painted;
        }
        EXPECT_GT(painted, 50 * 60);
      }
    }
  }
}

// Metadata may hold arbitrary numbers.
TEST(PlacedSegments, HavingNoPlaceAreNotSeen) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Frame frame(4, {{}, {{1, 2, 100, 100}}, {}});
  const std::string nothing = "... ... ... ... ";
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(placed(frame, {bad, 1, 0, 0}, 3, 4), nothing) << bad;
    EXPECT_EQ(placed(frame, {1, bad, 0, 0}, 3, 4), nothing) << bad;
    EXPECT_EQ(placed(frame, {1, 1, bad, 0}, 3, 4), nothing) << bad;
    EXPECT_EQ(placed(frame, {1, 1, 0, bad}, 3, 4), nothing) << bad;
    EXPECT_EQ(projected(frame, projection_with(bad), 3, 4).drawing(), nothing) << bad;
    EXPECT_EQ(projected(frame, projection_with(0, bad), 3, 4).drawing(), nothing) << bad;
    EXPECT_EQ(projected(frame, projection_with(0, 0, bad), 3, 4).drawing(), nothing) << bad;
  }
}

TEST(PlacedSegments, AreScaledToThePicture) {
  const Frame frame(4, {{}, {{1, 2, 100, 100}}, {}});
  EXPECT_EQ(placed(frame, {}, 3, 4), "... .#. .#. ... ");
  EXPECT_EQ(placed(frame, {2, 2, 0, 0}, 6, 8),
            "...... ...... ..##.. ..##.. ..##.. ..##.. ...... ...... ");
  EXPECT_EQ(placed(frame, {1, 2, 1, -1}, 3, 4), "... ..# ..# ..# ");
  // Half a pixel: a centre that lies on the left or upper edge belongs to the segment.
  EXPECT_EQ(placed(frame, {1, 1, 0.5, 0.5}, 3, 4), "... .#. .#. ... ");
  EXPECT_EQ(placed(frame, {1, 1, 0.51, 0.51}, 3, 4), "... ... ..# ..# ");
  // Mirrored, the first row is the lowest.
  EXPECT_EQ(placed(frame, {-1, -1, 3, 4}, 3, 4), "... .#. .#. ... ");
  const Frame slope(4, {{{0, 2, 10, 200}}});
  PlacedSegments upside_down;
  upside_down.place(slope.list(), slope.parameters, 1, 4, {1, -1, 0, 4}, {kIdentity});
  Picture mirrored(1, 4);
  upside_down.paint(mirrored.view, 0, 4);
  PlacedSegments upright;
  upright.place(slope.list(), slope.parameters, 1, 4, {}, {kIdentity});
  Picture straight(1, 4);
  upright.paint(straight.view, 0, 4);
  for (int row = 0; row < 4; ++row) EXPECT_EQ(mirrored.at(row, 0), straight.at(3 - row, 0)) << row;
  // A joined group is one column; the last one is narrower.
  Frame wide(2, {{{0, 1, 9, 9}}, {{1, 1, 9, 9}}});
  wide.parameters.column_width = 2;
  PlacedSegments painter;
  painter.place(wide.list(), wide.parameters, 3, 2, {2, 1, 0, 0}, {kIdentity});
  Picture picture(7, 2);
  painter.paint(picture.view, 0, 2);
  EXPECT_EQ(picture.drawing(), "####... ######. ");
}

// Neighbours share edges: at any scale, each pixel between them belongs to exactly one.
TEST(PlacedSegments, LeaveNoGaps) {
  const std::vector<Segment> column = {{0, 2, 50, 60}, {3, 3, 70, 70}, {4, 9, 90, 99}};
  const Frame frame(10, std::vector<std::vector<Segment>>(8, column));
  for (const double scale : {0.3, 0.77, 1.0, 1.37, 3.1}) {
    const auto width = static_cast<int>(8 * scale);
    const auto height = static_cast<int>(10 * scale);
    const std::string drawing = placed(frame, {scale, scale, 0, 0}, width, height);
    EXPECT_EQ(drawing.find('.'), std::string::npos) << scale << ": " << drawing;
  }
}

// The colour camera is 5 cm to the right of the depth camera. At a focal length of 100 px that is
// 5 px at 1 m and 10 px at 50 cm.
TEST(PlacedSegments, AreProjectedThroughTheCamera) {
  const Frame at_1m(5, {{}, {}, {}, {}, {}, {}, {}, {{1, 3, 100, 100}}});
  const FrameProjection projection = projection_with(-0.05);
  EXPECT_EQ(projected(at_1m, projection, 8, 5).drawing(),
            "........ ..#..... ..#..... ..#..... ........ ");
  const Frame nearer(5, {{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {{0, 4, 50, 50}}});
  EXPECT_EQ(projected(nearer, projection, 4, 5).drawing(), ".#.. .#.. .#.. .#.. .#.. ");
  // 1 cm higher at 1 m is one row; a picture of twice the focal length shows everything twice.
  EXPECT_EQ(projected(at_1m, projection_with(-0.05, 0.01), 8, 5).drawing(),
            "........ ........ ..#..... ..#..... ..#..... ");
  FrameProjection twice = projection_with(0.0);
  twice.picture.focal_x = twice.picture.focal_y = 200.0;
  const Frame one(5, {{}, {}, {}, {}, {{2, 2, 100, 100}}});
  EXPECT_EQ(projected(one, twice, 8, 5).drawing(), "........ ...##... ...##... ........ ........ ")
      << "edges at 3 and 5 px, 1 and 3 rows";
  // A segment from 1 m to 50 cm leans: 5 px at its upper edge, 10 at its lower.
  const Frame leaning(5, {{}, {}, {}, {}, {}, {}, {}, {}, {}, {{0, 4, 100, 50}}});
  EXPECT_EQ(projected(leaning, projection, 8, 5).drawing(),
            "...#.... ..#..... .#...... #....... ........ ");
}

// The depth-to-colour transform from both poses (world from camera): colour stands 5 cm to the
// right.
TEST(PlacedSegments, PosesSayWhereTheCamerasAre) {
  Pose depth;
  Pose colour;
  depth.m[3] = 7.0;
  colour.m[3] = 7.05;
  FrameProjection projection = projection_with(0.0);
  projection.between = pose_between(depth, colour);
  const Frame frame(5, {{}, {}, {}, {}, {}, {}, {}, {{1, 3, 100, 100}}});
  EXPECT_EQ(projected(frame, projection, 8, 5).drawing(),
            "........ ..#..... ..#..... ..#..... ........ ");
}

// Both project to the same column, in either order of the list.
TEST(PlacedSegments, TheNearerCoversTheFarther) {
  const Segment far_wall = {0, 4, 100, 100};
  const Segment near_pole = {1, 3, 50, 50};
  std::vector<std::vector<Segment>> columns(13);
  columns[7] = {far_wall};    // 2 in the picture
  columns[12] = {near_pole};  // 2, too
  const FrameProjection projection = projection_with(-0.05);
  const Picture picture = projected(Frame(5, columns), projection, 8, 5);
  EXPECT_EQ(picture.at(0, 2) & 0xFFFFFFU,
            darkened(make_pale_colours().level[0].entry[100]) & 0xFFFFFFU);
  EXPECT_EQ(picture.at(2, 2) & 0xFFFFFFU, make_pale_colours().level[0].entry[50] & 0xFFFFFFU);
  // For a camera to the left, the near one comes first in the list.
  const FrameProjection left = projection_with(0.05);
  std::vector<std::vector<Segment>> other(8);
  other[0] = {near_pole};  // 10
  other[5] = {far_wall};   // 10
  const Picture second = projected(Frame(5, other), left, 12, 5);
  EXPECT_EQ(second.at(2, 10) & 0xFFFFFFU, make_pale_colours().level[0].entry[50] & 0xFFFFFFU);
}

TEST(PlacedSegments, WithoutDistanceOrBehindTheCameraTheyAreLeftOut) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const Frame frame(5, {{{0, 4, 0, 100}},
                        {{0, 4, nan, 1}},
                        {{0, 4, 1, inf}},
                        {{0, 4, 3e38F, 1}},
                        {{0, 4, 100, 100}}});
  PlacedSegments painter;
  painter.project(frame.list(), frame.parameters, 5, 5, projection_with(0.0), {kIdentity});
  EXPECT_EQ(painter.size(), 1U);
  painter.project(frame.list(), frame.parameters, 5, 5, projection_with(0.0, 0.0, -2.0),
                  {kIdentity});
  EXPECT_EQ(painter.size(), 0U);
  painter.place(frame.list(), frame.parameters, 5, 5, {}, {kIdentity});
  EXPECT_EQ(painter.size(), 2U);
  // They do not affect the frame's palette range, either.
  painter.place(frame.list(), frame.parameters, 5, 5, {}, {});
  Picture picture(5, 5);
  painter.paint(picture.view, 0, 5);
  EXPECT_NE(picture.at(2, 4), 0U);
}

TEST(PlacedSegments, AlphaAndOrderOfBytes) {
  const Frame frame(3, {{{0, 2, 100, 100}}});
  Picture rgba(1, 3);
  Picture bgra(1, 3);
  PlacedSegments painter;
  painter.place(frame.list(), frame.parameters, 1, 3, {}, {kIdentity, 77, PixelOrder::kRgba});
  painter.paint(rgba.view, 0, 3);
  painter.place(frame.list(), frame.parameters, 1, 3, {}, {kIdentity, 77, PixelOrder::kBgra});
  painter.paint(bgra.view, 0, 3);
  const Pixel p = make_pale_colours().level[0].entry[100];
  EXPECT_EQ(rgba.at(1, 0), (p & 0xFFFFFFU) | 77U << 24);
  const auto byte = [&](int i) { return std::to_integer<unsigned>(bgra.view.data[4 + i]); };
  EXPECT_EQ(byte(0), p >> 16 & 0xFFU);
  EXPECT_EQ(byte(1), p >> 8 & 0xFFU);
  EXPECT_EQ(byte(2), p & 0xFFU);
  EXPECT_EQ(byte(3), 77U);
}

// Random segments, cameras and placements: nothing outside the picture is written, and bands do not
// change it. A single row recomputes all quotients.
TEST(PlacedSegments, TheSameInBands) {
  std::mt19937 random(7);
  const auto number = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  int painted = 0;
  for (int round = 0; round < 400; ++round) {
    const int height = 1 + static_cast<int>(random() % 40);
    std::vector<std::vector<Segment>> columns(1 + random() % 30);
    for (auto& column : columns) {
      int row = 0;
      while (row < height) {
        const int last = std::min<int>(height - 1, row + static_cast<int>(random() % 9));
        column.push_back({static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(last),
                          static_cast<float>(number(0, 400)), static_cast<float>(number(0, 400))});
        row = last + 1 + static_cast<int>(random() % 3);
      }
    }
    Frame frame(height, columns);
    FrameProjection projection = projection_with(number(-9, 9), number(-1, 1), number(-3, 3));
    for (double& m : projection.between.m) m += number(-0.2, 0.2);
    FramePlacement placement{number(0.1, 1e6), number(0.01, 9), number(-1e9, 99), number(-99, 99)};
    if (round % 2 == 0) placement = {number(-4, 4), number(-9, 9), number(-9, 30), number(-9, 99)};
    PlacedSegments painter;
    PlacedLook look;
    if (round % 2 == 0) look.options.style = OverlayStyle::kClasses;
    if (round % 3 == 0) {
      painter.place(frame.list(), frame.parameters, frame.width(), height, placement, look);
    } else {
      painter.project(frame.list(), frame.parameters, frame.width(), height, projection, look);
    }
    const int rows = 1 + static_cast<int>(random() % 200);
    Picture whole(25, rows);
    painter.paint(whole.view, 0, rows);
    for (const Pixel p : whole.pixels) painted += p != 0 ? 1 : 0;
    for (const int band : {1, 7}) {
      Picture bands(25, rows);
      for (int row = 0; row < rows; row += band) {
        painter.paint(bands.view, row, std::min(row + band, rows));
      }
      EXPECT_EQ(whole.pixels, bands.pixels);
    }
  }
  EXPECT_GT(painted, 10000);
}

}  // namespace
}  // namespace rdp
