// SPDX-License-Identifier: LGPL-2.1-or-later
// Motion overlays: places and colours, for any number of threads and any lists.
#include "common/motion/overlay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "common/motion/overlay_legend.h"
#include "common/rdp/birdseye_inset.h"
#include "common/rdp/legend.h"
#include "tests/motion/motion_picture.h"
#include "tests/support/colour_vision.h"
#include "tests/support/float_environments.h"

namespace rdp::motion {
namespace {

using test::MotionFrameLists;
using test::Picture;
using Shown = MotionMarks::Shown;

// A thing in columns 20 to 30 and rows 10 to 30, 10 m ahead, before a wall in rows 0 to 30 of
// which columns 40 to 49 are known to stand; the frame has 64 rows and columns.
MotionFrameLists one_thing(const SegmentMotion& motion) {
  MotionFrameLists frame(64, 64);
  for (int c = 0; c < 64; ++c) {
    if (c >= 20 && c <= 30) {
      frame.add(10, 30, 100.0F, motion);
    } else if (c >= 35 && c < 60) {
      frame.add(0, 30, 300.0F, c >= 40 && c < 50 ? test::still() : test::unknown_motion());
    }
    frame.end_column();
  }
  return frame;
}

Picture marks_of(const OverlayScene& scene, Shown shown, const FramePlacement& placement = {},
                 int width = 64, int height = 64) {
  MotionMarks marks;
  marks.look(scene, placement, width, height, shown);
  Picture picture(width, height, 0x5A5A5A5AU);
  marks.paint(picture.view, 255, PixelOrder::kRgba, 0, height);
  return picture;
}

Pixel moving_colour(double right, double ahead) {
  const auto fixed = [](double v) { return static_cast<std::int64_t>(v * kMoveOne); };
  return velocity_colour(fixed(right), fixed(ahead), fixed(std::hypot(right, ahead)),
                         kFullSpeed * kMoveOne);
}

// 4 m/s to the right: 2 m in half a second, or 10 px at that depth.
TEST(MotionMarks, ByHand) {
  const MotionFrameLists frame = one_thing(test::moves(4, 0, 0));
  const Picture picture = marks_of(frame.scene(), Shown::kAll);
  EXPECT_EQ(picture.at(22, 15), moving_colour(4, 0));
  EXPECT_EQ(picture.at(22, 10), darkened(moving_colour(4, 0)));
  EXPECT_EQ(picture.at(22, 9), 0U);
  EXPECT_EQ(picture.at(37, 15), kUnknownMotionPixel);
  const Pixel grey = picture.at(45, 15);
  EXPECT_EQ(grey & 255U, grey >> 8 & 255U);
  EXPECT_GE(grey & 255U, static_cast<Pixel>(kStillGreys[0]));
  EXPECT_LE(grey & 255U, static_cast<Pixel>(kStillGreys[1]));
  EXPECT_EQ(picture.at(62, 15), 0U);
  // The arrow, from the middle of the foot, with its dark edge.
  for (int x = 25; x <= 35; ++x) EXPECT_EQ(picture.at(x, 30), kArrowPixel) << x;
  EXPECT_NE(picture.at(36, 30), kArrowPixel);
  EXPECT_EQ(picture.at(27, 29), kLegendPaper);
  EXPECT_EQ(picture.at(27, 31), kLegendPaper);
  EXPECT_EQ(picture.at(34, 29), kArrowPixel);  // the head
  EXPECT_EQ(picture.at(34, 31), kArrowPixel);
  // kMovingOnly: all other pixels are transparent.
  const Picture alone = marks_of(frame.scene(), Shown::kMovingOnly);
  EXPECT_EQ(alone.at(22, 15), picture.at(22, 15));
  EXPECT_EQ(alone.at(37, 15), 0U);
  EXPECT_EQ(alone.at(45, 15), 0U);
  EXPECT_EQ(alone.at(35, 30), kArrowPixel);
}

TEST(MotionMarks, PlacementAlphaAndOrder) {
  const MotionFrameLists frame = one_thing(test::moves(4, 0, 0));
  MotionMarks marks;
  marks.look(frame.scene(), {2.0, 2.0, 4.0, 0.0}, 140, 128, Shown::kMovingOnly);
  Picture picture(140, 128, 0x5A5A5A5AU);
  marks.paint(picture.view, 128, PixelOrder::kBgra, 0, 128);
  EXPECT_EQ(picture.at(2 * 22 + 4, 30), ordered_pixel(moving_colour(4, 0), 128, PixelOrder::kBgra));
  // From (25.5 * 2 + 4, 61) on.
  EXPECT_EQ(picture.at(55, 61), 0x80FFFFFFU);
  EXPECT_EQ(picture.at(75, 61), 0x80FFFFFFU);
  EXPECT_NE(picture.at(77, 61), 0x80FFFFFFU);
  // Painting row by row gives the same picture.
  Picture rows(140, 128, 0x11223344U);
  for (int row = 0; row < 128; ++row) {
    marks.paint(rows.view, 128, PixelOrder::kBgra, row, row + 1);
  }
  EXPECT_EQ(rows.inside(), picture.inside());
}

// Arrows of approaching things end at a quarter of their distance; receding ones point to the
// middle.
TEST(MotionMarks, ComeNearer) {
  // The foot is at row 30, 6 below the middle of a picture of 48 rows.
  MotionFrameLists frame = one_thing(test::moves(0, 0, -40));
  frame.camera.principal_y = 24;
  const Picture near = marks_of(frame.scene(), Shown::kMovingOnly);
  EXPECT_EQ(near.at(4, 48), kArrowPixel);  // (25 - 32) * 4 + 32, (30 - 24) * 4 + 24
  EXPECT_EQ(near.at(25, 30), kArrowPixel);
  frame = one_thing(test::moves(0, 0, 20));
  frame.camera.principal_y = 24;
  MotionMarks marks;
  marks.look(frame.scene(), {}, 64, 64, Shown::kMovingOnly);
  EXPECT_EQ(marks.arrows(), 1U);
  const Picture far = marks_of(frame.scene(), Shown::kMovingOnly);
  EXPECT_EQ(far.at(28, 27), kArrowPixel);  // (25 - 32) / 2 + 32 = 28.5 is of column 29
}

// Without a camera, the arrow extrapolates the image motion since the previous frame.
TEST(MotionMarks, WithoutACamera) {
  MotionFrameLists frame = one_thing(test::unknown_motion());
  for (SegmentMotion& motion : frame.motions) {
    if (motion.flags == 0) motion.dx = motion.dy = 0.5F;
  }
  for (std::size_t i = 0; i < 11; ++i) frame.motions[i].dx = 2.0F;
  frame.motions[11].dy = test::kNan;
  const Picture picture = marks_of(frame.scene(false), Shown::kAll);
  EXPECT_EQ(picture.at(22, 15), velocity_colour(2048, -512, 2111, 16 * kMoveOne));
  EXPECT_EQ(picture.at(35, 15), kUnknownMotionPixel);
  EXPECT_NE(picture.at(36, 15), kUnknownMotionPixel);
  // Five frames in half a second, from the middle (25, 20) on.
  EXPECT_EQ(picture.at(25, 20), kArrowPixel);
  EXPECT_EQ(picture.at(35, 23), kArrowPixel);
  MotionMarks marks;
  marks.look(frame.scene(false), {}, 64, 64, Shown::kAll);
  EXPECT_EQ(marks.texts(), 0U);
  // No arrow without a frame time either.
  OverlayScene scene = frame.scene(false);
  scene.dt = 0.0;
  EXPECT_NE(marks_of(scene, Shown::kAll).at(35, 23), kArrowPixel);
}

TEST(MotionMarks, StatesByFlags) {
  SegmentMotion motion = test::moves(4, 0, 0);
  const auto colour = [&](const SegmentMotion& m) {
    return marks_of(one_thing(m).scene(), Shown::kAll).at(22, 15);
  };
  const Pixel moving = colour(motion);
  motion.flags = kKnown;
  const Pixel standing = colour(motion);
  EXPECT_NE(standing, moving);
  EXPECT_NE(standing, kUnknownMotionPixel);
  motion.flags = kMoving;
  EXPECT_EQ(colour(motion), kUnknownMotionPixel);
  motion = test::moves(4, test::kNan, 0);
  EXPECT_EQ(colour(motion), kUnknownMotionPixel);
  motion = test::moves(20000, 0, 0);
  EXPECT_EQ(colour(motion), kUnknownMotionPixel);
  // Lists that end too early.
  const MotionFrameLists frame = one_thing(test::moves(4, 0, 0));
  OverlayScene scene = frame.scene();
  scene.motions = scene.motions.first(3);
  EXPECT_EQ(marks_of(scene, Shown::kAll).at(22, 15), moving);
  EXPECT_EQ(marks_of(scene, Shown::kAll).at(24, 15), kUnknownMotionPixel);
}

// Texts are beside their arrows, within the picture, and do not overlap.
TEST(MotionMarks, Texts) {
  const auto texts = [](int things, int apart, int width, int height, Box free = {}) {
    MotionFrameLists frame(width, height);
    for (int c = 0; c < width; ++c) {
      if (c / apart < things && c % apart < 10) frame.add(20, 40, 100.0F, test::moves(0, 0, 3));
      frame.end_column();
    }
    MotionMarks marks;
    marks.look(frame.scene(), {}, width, height, Shown::kAll, free);
    EXPECT_EQ(marks.arrows(), static_cast<std::size_t>(things));
    return marks.texts();
  };
  EXPECT_EQ(texts(1, 70, 200, 80), 1U);
  EXPECT_EQ(texts(1, 70, 40, 80), 0U);
  EXPECT_EQ(texts(4, 70, 320, 80), 4U);
  EXPECT_LT(texts(10, 30, 320, 60), 10U);
  EXPECT_EQ(texts(1, 70, 200, 80, {0, 0, 200, 80}), 0U);
  // Things outside the picture have no text.
  const MotionFrameLists frame = one_thing(test::moves(4, 0, 0));
  MotionMarks marks;
  marks.look(frame.scene(), {1.0, 1.0, 40.0, 40.0}, 300, 200, Shown::kMovingOnly);
  EXPECT_EQ(marks.texts(), 1U);
  marks.look(frame.scene(), {1.0, 1.0, -40.0, 40.0}, 300, 200, Shown::kMovingOnly);
  EXPECT_EQ(marks.arrows(), 1U);
  EXPECT_EQ(marks.texts(), 0U);
}

// The bird's-eye view has a fixed scale in pixels per metre; arrows show the path of one second.
TEST(MotionMarks, FromAbove) {
  const MotionFrameLists frame = one_thing(test::moves(4, 0, 3));
  MotionMarks marks;
  marks.look_from_above(frame.scene(), birdseye_scale(32.0, 64, 0), {64, 64, 0});
  Picture picture(64, 64, 0U);
  marks.paint(picture.view, 255, PixelOrder::kRgba, 0, 64);
  // 10 m ahead, (25 - 32) / 50 * 10 = -1.4 m to the right: two pixels a metre.
  EXPECT_EQ(picture.at(29, 44), kArrowPixel);
  EXPECT_EQ(picture.at(37, 38), kArrowPixel);
  EXPECT_EQ(picture.at(10, 10), 0U);
  // Columns 20 to 30 of the thing, -2.5 to -0.3 m.
  EXPECT_EQ(picture.at(27, 44), moving_colour(4, 3));
  EXPECT_EQ(picture.at(27, 46), kLegendPaper);
  EXPECT_EQ(picture.at(20, 44), 0U);
}

TEST(MotionOverlay, FromAboveIsTheBirdseyePicture) {
  const MotionFrameLists frame = test::random_frame(160, 120, 2, 3);
  BirdseyeInset inset;
  inset.look(frame.list(), frame.parameters, 160, 120, frame.camera, 0.0,
             {160, 120, birdseye_zoom(160, 120)});
  OverlayScene scene = frame.scene();
  scene.motions = {};
  OverlayPainter painter(1);
  Picture picture(160, 120, 1U);
  painter.paint(scene, {OverlayStyle::kBirdsEye}, picture.view);
  const RgbaView above = inset.picture();
  EXPECT_EQ(std::memcmp(above.data, picture.inside().data(), 4U * 160 * 120), 0);
  // Without a camera the bird's-eye view is empty.
  scene.camera = nullptr;
  painter.paint(scene, {OverlayStyle::kBirdsEye}, picture.view);
  EXPECT_EQ(picture.inside(), std::vector<Pixel>(160 * 120, 0U));
}

// Each style, with and without a camera.
constexpr OverlayStyle kStyles[] = {OverlayStyle::kMotion, OverlayStyle::kBirdsEye};

// For any size and numbers, the painter writes all pixels, reads none, and touches no memory beside
// the picture.
TEST(MotionOverlay, Anything) {
  const float nan = test::kNan;
  const float inf = std::numeric_limits<float>::infinity();
  const float values[] = {nan, inf, -inf, 1e30F, -1e30F, 0, 1e-30F, -5, 16384, 255};
  constexpr int kSizes[][2] = {{1, 1}, {1, 9}, {7, 1}, {17, 13}, {64, 48}, {301, 203}};
  OverlayPainter painter(2);
  for (const auto& [width, height] : kSizes) {
    for (int kind = 0; kind < 4; ++kind) {
      MotionFrameLists frame = test::random_frame(width, height, 1 + kind, 7);
      std::size_t at = 0;
      const auto next = [&] { return values[at++ % std::size(values)]; };
      for (SegmentMotion& motion : frame.motions) {
        if (kind == 1) motion = {9, 7, nan, nan, nan, nan, nan, nan, nan};
        if (kind == 2) motion = {9, 7, next(), next(), next(), next(), next(), next(), next()};
      }
      if (kind >= 2) {
        for (Segment& segment : frame.segments) {
          if (at % 3 == 0) segment.first_value = next();
          segment.last_value = next();
        }
      }
      for (const double focal : {50.0, 0.0, 1e300, static_cast<double>(nan)}) {
        frame.camera.focal_x = frame.camera.focal_y = focal;
        for (const OverlayStyle style : kStyles) {
          for (const bool has_camera : {true, false}) {
            OverlayScene scene = frame.scene(has_camera);
            if (focal != 50.0) scene.dt = focal;
            std::vector<Pixel> first;
            for (const Pixel fill : {0x12345678U, 0xFFFFFFFFU}) {
              Picture picture(width, height, fill);
              painter.paint(scene, {style, true, 0.0}, picture.view);
              ASSERT_TRUE(picture.is_within()) << width << "x" << height;
              if (first.empty()) first = picture.inside();
              ASSERT_TRUE(picture.inside() == first) << width << "x" << height;
            }
          }
        }
      }
    }
  }
}

// Impossible placements: the painter writes nothing outside the picture.
TEST(MotionMarks, AnyPlacement) {
  const MotionFrameLists frame = test::random_frame(64, 48, 1, 5);
  MotionMarks marks;
  for (const double scale : {1.0, -1.0, 1e300, 0.0, static_cast<double>(test::kNan)}) {
    for (const double offset : {0.0, -1e9, 60.0}) {
      marks.look(frame.scene(), {scale, 1.0, offset, scale}, 64, 48, Shown::kMovingOnly);
      Picture picture(64, 48, 0x77777777U);
      marks.paint(picture.view, 99, PixelOrder::kBgra, 8, 24);
      EXPECT_TRUE(picture.is_within());
      for (int x = 0; x < 64; ++x) {
        EXPECT_EQ(picture.at(x, 7), 0x77777777U);
        EXPECT_EQ(picture.at(x, 24), 0x77777777U);
      }
    }
  }
}

// A frame of no segments, and one of no columns.
TEST(MotionOverlay, OfNothing) {
  MotionFrameLists frame(50, 40);
  frame.end();
  OverlayPainter painter(1);
  for (const OverlayStyle style : kStyles) {
    for (const bool has_columns : {true, false}) {
      OverlayScene scene = frame.scene();
      if (!has_columns) scene.segments = {};
      Picture picture(50, 40, 0x12345678U);
      painter.paint(scene, {style}, picture.view);
      EXPECT_TRUE(picture.is_within());
      if (style == OverlayStyle::kMotion) {
        EXPECT_EQ(picture.inside(), std::vector<Pixel>(50 * 40, 0U));
      }
    }
  }
}

TEST(MotionOverlay, Threads) {
  const MotionFrameLists frame = test::random_frame(701, 493, 1, 9);
  for (const OverlayStyle style : kStyles) {
    for (const bool has_camera : {true, false}) {
      std::vector<Pixel> expected;
      for (const unsigned threads : {1U, 2U, 7U}) {
        OverlayPainter painter(threads);
        EXPECT_EQ(painter.threads(), threads);
        Picture picture(701, 493, 0U);
        painter.paint(frame.scene(has_camera), {style, true}, picture.view);
        if (expected.empty()) expected = picture.inside();
        ASSERT_TRUE(picture.inside() == expected) << threads << " threads";
      }
    }
  }
}

// Independent of the floating-point environment of the caller and of the threads that it starts.
TEST(MotionOverlay, FloatEnvironments) {
  MotionFrameLists frame = test::random_frame(320, 240, 1, 13);
  for (std::size_t i = 0; i < frame.motions.size(); i += 7) frame.motions[i].vx = test::kNan;
  for (const OverlayStyle style : kStyles) {
    const auto painted = [&] {
      OverlayPainter painter(2);
      Picture picture(320, 240, 0U);
      painter.paint(frame.scene(), {style, true}, picture.view);
      const Picture marks = marks_of(frame.scene(), Shown::kMovingOnly, {1.7, 0.3, 0.2, 9.9});
      std::vector<Pixel> all = picture.inside();
      for (const Pixel p : marks.inside()) all.push_back(p);
      return all;
    };
    const std::vector<Pixel> expected = painted();
    for (const rdp::test::FloatEnvironment& e : rdp::test::float_environments()) {
      std::vector<Pixel> seen;
      {
        const rdp::test::InFloatEnvironment here(e);
        seen = painted();
        EXPECT_TRUE(rdp::test::is_set(e)) << e.name;
      }
      ASSERT_TRUE(seen == expected) << e.name;
    }
  }
}

// Bit-identical on every machine.
TEST(MotionOverlay, Bits) {
  const auto digest = [](OverlayStyle style, bool has_camera) {
    const MotionFrameLists frame = test::random_frame(700, 500, 2, 11);
    OverlayPainter painter(2);
    Picture picture(700, 500, 0U);
    painter.paint(frame.scene(has_camera), {style, true, 40.0}, picture.view);
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const Pixel p : picture.inside()) hash = (hash ^ p) * 0x100000001B3U;
    return hash;
  };
  EXPECT_EQ(digest(OverlayStyle::kMotion, true), 4231897087930883217U);
  EXPECT_EQ(digest(OverlayStyle::kMotion, false), 13823293948861994938U);
  EXPECT_EQ(digest(OverlayStyle::kBirdsEye, true), 6056351644938238408U);
}

// --- the legend ---------------------------------------------------------------------------------

TEST(MotionLegend, SaysWhatVelocitiesAreToldAgainst) {
  MotionFrameLists frame = one_thing(test::unknown_motion());
  for (SegmentMotion& motion : frame.motions) motion = test::unknown_motion();
  EXPECT_EQ(motion_frame(frame.scene()), MotionFrame::kNothing);
  frame.motions[5] = test::still();
  EXPECT_EQ(motion_frame(frame.scene()), MotionFrame::kCamera);
  frame.motions[4] = test::still(kAbsolute);
  EXPECT_EQ(motion_frame(frame.scene()), MotionFrame::kGround);
  EXPECT_EQ(motion_frame(frame.scene(false)), MotionFrame::kPicture);
  std::vector<std::vector<Pixel>> pictures;
  for (const MotionFrame of :
       {MotionFrame::kNothing, MotionFrame::kCamera, MotionFrame::kGround, MotionFrame::kPicture}) {
    for (const OverlayStyle style : kStyles) {
      const MotionLegend legend = motion_legend(640, 480, {style, true}, of);
      ASSERT_EQ(legend.zoom, 2);
      Picture picture(640, 480, 0U);
      PaintedLines lines;
      paint_motion_legend(legend, &lines, picture.view);
      for (int y = 0; y < 480; ++y) {
        for (int x = 0; x < 640; ++x) {
          const bool inside = x >= legend.box.left && x < legend.box.right && y >= legend.box.top &&
                              y < legend.box.bottom;
          ASSERT_EQ(picture.at(x, y) != 0U, inside) << x << " " << y;
        }
      }
      pictures.push_back(picture.inside());
    }
  }
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(pictures[i] != pictures[j]) << i << " " << j;
  }
}

// The legend stays within the picture, uses at most half of the rows, and is omitted if it does not
// fit.
TEST(MotionLegend, Fits) {
  int with = 0;
  for (int width = 1; width < 700; width += 39) {
    for (int height = 1; height < 400; height += 21) {
      for (const OverlayStyle style : kStyles) {
        const MotionLegend legend =
            motion_legend(width, height, {style, true}, MotionFrame::kCamera);
        if (legend.zoom == 0) continue;
        ++with;
        ASSERT_LT(legend.box.right, width);
        ASSERT_LE(2 * legend.box.bottom, height);
        Picture picture(width, height, 0U);
        PaintedLines lines;
        paint_motion_legend(legend, &lines, picture.view);
        ASSERT_TRUE(picture.is_within());
      }
    }
  }
  EXPECT_GT(with, 30);
  EXPECT_EQ(motion_legend(640, 480, {}, MotionFrame::kCamera).zoom, 0);
}

// A box of cells: its columns and rows, the ends not included.
struct Cells {
  int left, top, right, bottom;
  bool meets(const Cells& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Texts and colour patches do not touch, with at least one column between them, and stay within the
// panel.
TEST(MotionLegend, TextsStandApart) {
  for (const OverlayStyle style : kStyles) {
    for (const MotionFrame of : {MotionFrame::kNothing, MotionFrame::kCamera, MotionFrame::kGround,
                                 MotionFrame::kPicture}) {
      const MotionLegend legend = motion_legend(640, 480, {style, true}, of);
      ASSERT_GT(legend.zoom, 0);
      const Cells panel = {0, 0, (legend.box.right - legend.box.left) / legend.zoom,
                           (legend.box.bottom - legend.box.top) / legend.zoom};
      const LegendTexts texts = motion_legend_texts(style, of);
      ASSERT_GT(texts.count, 4);
      std::vector<Cells> boxes;
      for (int i = 0; i < texts.count; ++i) {
        const LegendText& t = texts.of[i];
        const int left = t.has_swatch ? t.column - kLegendPad - kSwatch : t.column;
        boxes.push_back({left - 1, t.row,
                         t.column + text_columns(static_cast<int>(t.text.size())) + 1,
                         t.row + kGlyphRows});
      }
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        const std::string name(texts.of[i].text);
        EXPECT_GE(boxes[i].left, panel.left) << name;
        EXPECT_LE(boxes[i].right, panel.right) << name;
        EXPECT_LE(boxes[i].bottom, panel.bottom) << name;
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_FALSE(boxes[i].meets(boxes[j])) << name << " and " << texts.of[j].text;
        }
      }
    }
  }
}

// --- colours ------------------------------------------------------------------------------------

// Ten times the just noticeable difference: see overlay_colours_test.cpp.
constexpr double kLeastDifference = 12.0;

struct Direction {
  int right, ahead;
};
// A full turn in 64 steps.
std::vector<Direction> directions() {
  std::vector<Direction> all;
  for (int i = -8; i < 8; ++i) {
    all.insert(all.end(), {{8, i}, {-i, 8}, {-8, -i}, {i, -8}});
  }
  return all;
}

// Colours of moving, static, unknown and empty differ for every kind of colour vision.
TEST(MotionColours, AreToldApart) {
  for (const rdp::test::Sight& sight : rdp::test::kSights) {
    std::vector<Pixel> quiet = {kUnknownMotionPixel};
    for (int grey = kStillGreys[0]; grey <= kStillGreys[1]; ++grey) {
      quiet.push_back(pixel(grey, grey, grey));
      EXPECT_GE(rdp::test::difference(rdp::test::seen(quiet.back(), sight),
                                      rdp::test::seen(kUnknownMotionPixel, sight)),
                kLeastDifference)
          << grey << " with " << sight.name;
    }
    EXPECT_GE(rdp::test::difference(rdp::test::seen(kUnknownMotionPixel, sight),
                                    rdp::test::seen(pixel(0, 0, 0), sight)),
              kLeastDifference);
    for (int speed = 1; speed <= kFullSpeed; ++speed) {
      for (const Direction& d : directions()) {
        const rdp::test::Lab moving =
            rdp::test::seen(velocity_colour(d.right, d.ahead, speed, kFullSpeed), sight);
        for (const Pixel other : quiet) {
          ASSERT_GE(rdp::test::difference(moving, rdp::test::seen(other, sight)), kLeastDifference)
              << d.right << " " << d.ahead << " at " << speed << " with " << sight.name;
        }
      }
      // Right, left, ahead and back, of one speed.
      constexpr Direction kMain[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
      for (const Direction& a : kMain) {
        for (const Direction& b : kMain) {
          if (&a == &b) continue;
          EXPECT_GE(
              rdp::test::difference(
                  rdp::test::seen(velocity_colour(a.right, a.ahead, speed, kFullSpeed), sight),
                  rdp::test::seen(velocity_colour(b.right, b.ahead, speed, kFullSpeed), sight)),
              kLeastDifference)
              << a.right << " " << a.ahead << ", " << b.right << " " << b.ahead << " at " << speed
              << " with " << sight.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace rdp::motion
