// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures of obstacles worked out by hand: places, colours, and the ground's part. Pictures are
// equal for any number of threads and scale with size.
#include "common/obstacles/overlay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "common/image/index_colour.h"
#include "common/motion/arrows.h"
#include "common/obstacles/overlay_pixels.h"
#include "tests/support/colour_vision.h"
#include "tests/support/painted_picture.h"

namespace rdp::obstacles {
namespace {

using Picture = rdp::test::PaintedPicture;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Pixel kUntouched = 0x55;

ShownObject object(std::uint32_t id, float x, float y, float length, float width, float yaw) {
  ShownObject o;
  o.id = id;
  o.x = x;
  o.y = y;
  o.length = length;
  o.width = width;
  o.height = 1.0F;
  o.yaw = yaw;
  o.distance = x;
  o.vx = o.vy = kNan;
  return o;
}

Pixel of_id(int id) {
  const Rgb c = index_colour(id);
  return pixel(c.r, c.g, c.b);
}

// A frame over a grid of 8 x 16 cells of half a metre, all free but for a few.
struct Frame {
  Frame(int w, int h) : width(w), height(h), samples(static_cast<std::size_t>(w * h), 1000) {
    camera.depth.factor = 0.001;
    parameters.range = 4.0;
    parameters.scan_bins = 4;
    parameters.scan_fov = 180;
    found.has_ground = true;
    found.grid = {500, 8, 16, 0, -4000};
    found.classes.assign(samples.size(), kGround);
    found.states.assign(8 * 16, kFree);
    found.ranges = {0, 2000, 0, 0};
    found.free = {4000, 2000, 1000, 0};
  }
  DepthView view() const {
    return {reinterpret_cast<const std::byte*>(samples.data()), 2 * std::ptrdiff_t{width}, width,
            height, SampleType::kU16};
  }
  Picture paint(const OverlayOptions& options, unsigned threads = 1) const {
    Picture picture(width, height, kUntouched);
    OverlayPainter(threads).paint(view(), {&camera, &parameters, &found, objects}, options,
                                  picture.view);
    EXPECT_TRUE(picture.is_within());
    return picture;
  }

  int width;
  int height;
  std::vector<std::uint16_t> samples;
  MetricCamera camera;
  Parameters parameters;
  Obstacles found;
  std::vector<ShownObject> objects;
};

TEST(ObstacleMarks, ByHand) {
  ShownObject o = object(5, 12.34F, 0.0F, 4.2F, 1.8F, 0.0F);
  o.column = 10;
  o.row = 40;
  o.columns = 60;
  o.rows = 16;
  ObjectMarks marks;
  Picture picture(160, 100, kUntouched);
  marks.look({&o, 1}, {}, 160, 100);
  marks.paint(picture.view, 255, PixelOrder::kRgba, 0, 100);
  for (const int x : {10, 40, 69}) {
    EXPECT_EQ(picture.at(x, 40), of_id(5));
    EXPECT_EQ(picture.at(x, 55), of_id(5));
  }
  EXPECT_EQ(picture.at(69, 48), of_id(5));
  EXPECT_EQ(picture.at(70, 48), kLegendPaper);  // its dark edge
  EXPECT_EQ(picture.at(40, 48), kUntouched);
  EXPECT_EQ(picture.at(10, 38), kLegendPaper);  // "4.2x1.8x1.0 m" above it
  EXPECT_EQ(picture.at(10 + 80, 30), kUntouched);
  // Twice as large; an object without pixels is not drawn.
  Picture other(320, 200, kUntouched);
  const ShownObject both[] = {o, object(6, 1.0F, 0.0F, 1.0F, 1.0F, 0.0F)};
  marks.look(both, {2.0, 2.0, 0.0, 0.0}, 320, 200);
  marks.paint(other.view, 128, PixelOrder::kRgba, 0, 200);
  EXPECT_EQ(other.at(20, 100), (of_id(5) & 0xFFFFFFU) | 0x80000000U);
  EXPECT_EQ(other.at(139, 111), (of_id(5) & 0xFFFFFFU) | 0x80000000U);
  EXPECT_EQ(std::ranges::count(other.inside(), (of_id(6) & 0xFFFFFFU) | 0x80000000U), 0);
}

TEST(ObstaclePictures, Classes) {
  Frame frame(40, 30);
  frame.samples[1] = 0;
  frame.samples[2] = 4000;
  frame.found.classes[3] = kObstacle;
  frame.found.classes[4] = kDrop;
  frame.found.classes[5] = kAbove;
  const Picture picture = frame.paint({});
  static constexpr ShownColours kColours = make_shown_colours();
  const int entry = 128;  // of one distance
  EXPECT_EQ(picture.at(0, 0), kColours.of[kShownGround].entry[entry]);
  EXPECT_EQ(picture.at(1, 0), 0U);
  EXPECT_EQ(picture.at(2, 0), kColours.of[kShownGround].entry[0]);  // farther: darker
  EXPECT_EQ(picture.at(3, 0), kColours.of[kShownObstacle].entry[entry]);
  EXPECT_EQ(picture.at(4, 0), kColours.of[kShownDrop].entry[entry]);
  EXPECT_EQ(picture.at(5, 0), kColours.of[kShownOther].entry[entry]);
}

TEST(ObstaclePictures, FromAbove) {
  Frame frame(80, 40);                        // 10 pixels are a metre, five a cell
  frame.found.states[8 * 8 + 2] = kOccupied;  // 1 to 1.5 m ahead, to 0.5 m to the left
  frame.found.states[7 * 8 + 2] = kDropped;   // to its right
  frame.found.states[0] = kUnseen;            // at the right end
  frame.objects = {object(7, 3.0F, 2.0F, 1.0F, 0.5F, 0.0F)};
  frame.objects[0].vx = 0.0F;
  frame.objects[0].vy = -2.0F;
  const Picture picture = frame.paint({OverlayStyle::kBirdsEye});
  EXPECT_EQ(picture.at(39, 27), kObstaclePixel);
  EXPECT_EQ(picture.at(35, 29), kObstaclePixel);
  EXPECT_EQ(picture.at(35, 30), kGroundPixel);
  EXPECT_EQ(picture.at(40, 27), kDropPixel);
  EXPECT_EQ(picture.at(79, 39), kUnseenPixel);
  EXPECT_EQ(picture.at(20 - 3, 10), of_id(7));  // its left side, 0.25 m from the middle
  EXPECT_EQ(picture.at(30, 10), motion::kArrowPixel);
  EXPECT_EQ(picture.at(40, 10), motion::kArrowPixel);
  EXPECT_NE(picture.at(42, 10), motion::kArrowPixel);
  // Nothing is drawn beyond the grid. A camera that looks down is in the middle.
  const Picture far = frame.paint({OverlayStyle::kBirdsEye, false, 8.0});
  EXPECT_EQ(far.at(40, 10), 0U);
  EXPECT_EQ(far.at(39, 33), kObstaclePixel);
  frame.found.axes.steep = true;
  frame.found.grid = {500, 16, 16, -4000, -4000};
  frame.found.states.assign(16 * 16, kFree);
  frame.found.states[8 * 16 + 8] = kOccupied;
  const Picture down = frame.paint({OverlayStyle::kBirdsEye});
  EXPECT_EQ(down.at(39, 19), kObstaclePixel);
  EXPECT_EQ(down.at(39, 20), kGroundPixel);
  EXPECT_EQ(down.at(40, 19), kGroundPixel);
}

TEST(ObstaclePictures, Scan) {
  const Frame frame(80, 40);
  const Picture picture = frame.paint({OverlayStyle::kScan});
  EXPECT_EQ(picture.at(70, 38), kGroundPixel);    // right: free as far as the range
  EXPECT_EQ(picture.at(45, 25), kGroundPixel);    // straight ahead, in front of the obstacle
  EXPECT_EQ(picture.at(44, 20), kObstaclePixel);  // there
  EXPECT_EQ(picture.at(42, 3), kUnseenPixel);     // behind it
  EXPECT_EQ(picture.at(37, 25), kUnseenPixel);    // left ahead: free for 1 m
  EXPECT_EQ(picture.at(37, 33), kGroundPixel);
  EXPECT_EQ(picture.at(10, 38), kUnseenPixel);
  EXPECT_EQ(picture.at(1, 1), 0U);  // beyond the range
}

TEST(ObstaclePictures, AnySize) {
  for (int width = 1; width < 700; width += 87) {
    for (int height = 1; height < 400; height += 61) {
      Frame frame(width, height);
      frame.parameters.drop_depth = 0.3;
      frame.objects = {object(3, 2.0F, 1.0F, 1.0F, 0.5F, 1.0F), object(4, kNan, 1.0F, 1, 1, kNan)};
      frame.objects[0].columns = static_cast<std::uint16_t>(width);
      frame.objects[0].rows = static_cast<std::uint16_t>((height + 1) / 2);
      for (const auto style :
           {OverlayStyle::kBoxes, OverlayStyle::kBirdsEye, OverlayStyle::kScan}) {
        for (frame.found.has_ground = false;; frame.found.has_ground = true) {
          const std::vector<Pixel> one = frame.paint({style, true}).inside();
          EXPECT_EQ(std::ranges::count(one, kUntouched), 0);
          EXPECT_EQ(one, frame.paint({style, true}, 3).inside());
          if (frame.found.has_ground) break;
        }
      }
    }
  }
}

// As in the test overlay_colours.
TEST(ObstaclePictures, ColoursAreToldApart) {
  static constexpr ShownColours kColours = make_shown_colours();
  constexpr double kLeast = 12.0;
  for (const test::Sight& sight : test::kSights) {
    for (int a = 0; a < kShownKinds; ++a) {
      for (int b = 0; b < a; ++b) {
        double least = 1e9;
        for (int i = 0; i < 256; i += 15) {
          for (int j = 0; j < 256; j += 15) {
            least = std::min(least, test::difference(test::seen(kColours.of[a].entry[i], sight),
                                                     test::seen(kColours.of[b].entry[j], sight)));
          }
        }
        EXPECT_GT(least, kLeast) << a << " and " << b << ", " << sight.name;
      }
    }
    const test::Lab drop = test::seen(kDropPixel, sight);
    for (const Pixel other : {kGroundPixel, kObstaclePixel, kUnseenPixel, kGridPixel}) {
      EXPECT_GT(test::difference(drop, test::seen(other, sight)), kLeast) << sight.name;
    }
  }
}

}  // namespace
}  // namespace rdp::obstacles
