// SPDX-License-Identifier: LGPL-2.1-or-later
// Trails worked out by hand, and pictures of tracks: places and colours, for any number of threads.
#include "common/klt/overlay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "common/image/index_colour.h"
#include "tests/klt/klt_frames.h"
#include "tests/support/painted_picture.h"

namespace rdp::klt {
namespace {

Track track(std::uint32_t id, std::uint32_t age, float x, float y, float dx = 0, float dy = 0) {
  return {id, age, x, y, dx, dy, 0, 1};
}

std::vector<float> columns_of(const Trail& trail) {
  std::vector<float> columns;
  for (int i = 0; i < trail.count; ++i) columns.push_back(trail.spots[i].x);
  return columns;
}

TEST(KltTrails, ByHand) {
  using Columns = std::vector<float>;
  Trails trails;
  const std::vector<Track> first = {track(3, 0, 1, 1), track(9, 0, 2, 2)};
  trails.update(first);
  trails.update(first);  // the same frame again
  ASSERT_EQ(trails.trails().size(), 2U);
  EXPECT_EQ(columns_of(trails.trails()[0]), Columns({1}));
  // In another order, with a new track; and after a frame that was skipped.
  const std::vector<Track> second = {track(10, 0, 7, 7), track(9, 1, 4, 2), track(3, 2, 5, 1)};
  trails.update(second);
  EXPECT_EQ(columns_of(trails.trails()[0]), Columns({7}));
  EXPECT_EQ(columns_of(trails.trails()[1]), Columns({2, 4}));
  EXPECT_EQ(columns_of(trails.trails()[2]), Columns({1, 5}));
  EXPECT_EQ(trails.trails()[2].age, 2U);
  // An id whose age has not grown belongs to another feature.
  const std::vector<Track> third = {track(3, 1, 8, 8)};
  trails.update(third);
  ASSERT_EQ(trails.trails().size(), 1U);
  EXPECT_EQ(columns_of(trails.trails()[0]), Columns({8}));
  for (std::uint32_t age = 2; age < 40; ++age) {
    const std::vector<Track> next = {track(3, age, static_cast<float>(age), 0)};
    trails.update(next);
  }
  const Columns last = columns_of(trails.trails()[0]);
  ASSERT_EQ(last.size(), 16U);
  EXPECT_EQ(last.front(), 24.0F);
  EXPECT_EQ(last.back(), 39.0F);
}

constexpr Pixel kUntouched = 0x55;
constexpr OverlayStyle kStyles[] = {OverlayStyle::kTrails, OverlayStyle::kMotion,
                                    OverlayStyle::kLost, OverlayStyle::kWindows};

struct Picture : test::PaintedPicture {
  Picture(int width, int height) : PaintedPicture(width, height, kUntouched) {}
};

Pixel of_id(int id) {
  const Rgb c = index_colour(id);
  return pixel(c.r, c.g, c.b);
}

TEST(KltMarks, ByHand) {
  Trails trails;
  trails.update(std::vector<Track>{track(5, 3, 10, 10), track(6, 0, 40, 5)});
  trails.update(std::vector<Track>{track(5, 4, 15.4F, 10), track(6, 1, 40, 9)});
  Marks marks;
  Picture picture(64, 32);
  marks.look(OverlayStyle::kTrails, {{}, {}, trails.trails()}, {}, 64, 32);
  marks.paint(picture.view, 255, PixelOrder::kRgba, 0, 32);
  for (int x = 10; x <= 15; ++x) EXPECT_EQ(picture.at(x, 10), of_id(5)) << x;
  EXPECT_EQ(picture.at(9, 10), kUntouched);
  EXPECT_EQ(picture.at(15, 9), of_id(5));  // the dot
  EXPECT_EQ(picture.at(16, 10), of_id(5));
  for (int y = 5; y <= 10; ++y) EXPECT_EQ(picture.at(40, y), of_id(6)) << y;
  EXPECT_EQ(picture.at(40, 4), kUntouched);

  // Twice as large, with half the opacity, blue first.
  Picture other(128, 64);
  marks.look(OverlayStyle::kTrails, {{}, {}, trails.trails()}, {2.0, 2.0, 1.0, 0.0}, 128, 64);
  marks.paint(other.view, 128, PixelOrder::kBgra, 0, 64);
  const Rgb c = index_colour(5);
  const Pixel swapped = (pixel(c.b, c.g, c.r) & 0xFFFFFFU) | 0x80000000U;
  EXPECT_EQ(other.at(22, 21), swapped);  // (10.5) * 2 + 1
  EXPECT_EQ(other.at(30, 21), swapped);
  EXPECT_EQ(other.at(22, 20), kUntouched);
}

TEST(KltMarks, Styles) {
  const std::vector<Track> tracks = {track(1, 2, 30, 10, 20, 0), track(2, 2, 30, 20, 0, 0),
                                     track(3, 0, 50, 20)};
  const std::vector<Lost> lost = {{4, Reason::kOutside, 10, 20}, {5, Reason::kTracked, 40, 28}};
  Marks marks;
  Picture motion(64, 32);
  marks.look(OverlayStyle::kMotion, {tracks, lost, {}}, {}, 64, 32);
  marks.paint(motion.view, 255, PixelOrder::kRgba, 0, 32);
  EXPECT_EQ(motion.at(10, 10), pixel(240, 64, 64));  // to the right, fast
  EXPECT_EQ(motion.at(30, 10), pixel(240, 64, 64));
  EXPECT_EQ(motion.at(30, 20), pixel(255, 255, 255));
  EXPECT_EQ(motion.at(50, 20), pixel(150, 150, 150));
  EXPECT_EQ(motion.at(10, 20), kUntouched);
  Picture of_lost(64, 32);
  marks.look(OverlayStyle::kLost, {tracks, lost, {}}, {}, 64, 32);
  marks.paint(of_lost.view, 255, PixelOrder::kRgba, 0, 32);
  EXPECT_EQ(of_lost.at(30, 10), pixel(150, 150, 150));
  for (const int i : {-2, -1, 0, 1, 2}) {
    EXPECT_EQ(of_lost.at(10 + i, 20 + i), pixel(240, 228, 66));
    EXPECT_EQ(of_lost.at(10 + i, 20 - i), pixel(240, 228, 66));
  }
  EXPECT_EQ(of_lost.at(40, 28), kUntouched);  // no reason
}

// The window of a new track, and its warped shape.
TEST(KltMarks, Windows) {
  const std::vector<Track> tracks = {track(5, 2, 20, 16), track(6, 0, 50, 16)};
  const std::vector<TrackWarp> warps = {{0.5F, 1, 0, 2, 3, 1}, {1, 0, 0, 1, 0, 0}};
  Marks marks;
  Picture warped(64, 32);
  marks.look(OverlayStyle::kWindows, {tracks, {}, {}, warps, 8}, {}, 64, 32);
  marks.paint(warped.view, 255, PixelOrder::kRgba, 0, 32);
  // Half as wide, twice as high, with its lower side shifted right by four columns.
  for (int x = 14; x <= 18; ++x) EXPECT_EQ(warped.at(x, 8), of_id(5)) << x;
  for (int x = 22; x <= 26; ++x) EXPECT_EQ(warped.at(x, 24), of_id(5)) << x;
  EXPECT_EQ(warped.at(18, 16), of_id(5));
  EXPECT_EQ(warped.at(22, 16), of_id(5));
  EXPECT_EQ(warped.at(20, 16), kUntouched);
  EXPECT_EQ(warped.at(16, 12), of_id(5));
  EXPECT_EQ(warped.at(46, 12), pixel(150, 150, 150));  // no template was fitted
  EXPECT_EQ(warped.at(54, 20), pixel(150, 150, 150));
  // Without warps all windows keep their first shape.
  Picture plain(64, 32);
  marks.look(OverlayStyle::kWindows, {tracks, {}, {}, {}, 8}, {}, 64, 32);
  marks.paint(plain.view, 255, PixelOrder::kRgba, 0, 32);
  EXPECT_EQ(plain.at(16, 12), pixel(150, 150, 150));
  EXPECT_EQ(plain.at(18, 8), kUntouched);
}

// Non-finite or distant coordinates are skipped; marks at the border are clipped.
TEST(KltMarks, Anything) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<Track> tracks;
  std::vector<Lost> lost;
  std::vector<TrackWarp> warps;
  const float values[] = {nan, inf, -inf, 1e30F, -1e30F, -1, 0, 63.9F, 31.5F, 16383, -4000};
  for (const float x : values) {
    for (const float y : values) {
      tracks.push_back(track(static_cast<std::uint32_t>(tracks.size()), 1, x, y, y, x));
      lost.push_back({1, static_cast<Reason>(lost.size() % 9), x, y});
      warps.push_back({x, y, y, x, 0, 1});
    }
  }
  Trails trails;
  trails.update(tracks);
  for (Track& each : tracks) {
    std::swap(each.x, each.y);
    ++each.age;
  }
  trails.update(tracks);
  for (const OverlayStyle style : kStyles) {
    for (const double scale : {1.0, -1.0, 1e300, 0.0, static_cast<double>(nan)}) {
      Picture picture(64, 32);
      Marks marks;
      marks.look(style, {tracks, lost, trails.trails(), warps, 12}, {scale, 1.0, 0.0, scale}, 64,
                 32);
      marks.paint(picture.view, 255, PixelOrder::kRgba, 8, 24);
      for (int y = 0; y < 32; ++y) {
        if (y >= 8 && y < 24) continue;
        for (int x = 0; x < 64; ++x) ASSERT_EQ(picture.at(x, y), kUntouched);
      }
    }
  }
}

// Pictures are equal for any number of threads; the frame lies below in grey.
TEST(KltOverlay, Threads) {
  const test::TestFrame frame = test::klt_picture(test::PictureKind::kTexture, 700, 500, 3);
  Parameters parameters;
  reference::Result found;
  const reference::State state = reference::advance({}, {frame.view(), {}, {}}, parameters, &found);
  Trails trails;
  trails.update(found.tracks);
  const OverlayScene scene = {found.tracks, found.lost, trails.trails(), {}, 12};
  for (const OverlayStyle style : kStyles) {
    std::vector<Pixel> expected;
    for (const unsigned threads : {1U, 2U, 7U}) {
      OverlayPainter painter(threads);
      Picture picture(700, 500);
      painter.paint(frame.view(), scene, {style, true}, picture.view);
      if (expected.empty()) expected = picture.inside();
      ASSERT_TRUE(picture.inside() == expected && picture.is_within()) << threads << " threads";
    }
    const int grey = 24 + frame.view().at(499, 699) * 80 / 255;
    EXPECT_EQ(expected.back(), pixel(grey, grey, grey));
    const Legend legend = legend_of(700, 500, {style, true});
    const bool many = style == OverlayStyle::kMotion || style == OverlayStyle::kLost;
    EXPECT_EQ(legend.names, many ? 6 : 2);
    const Legend of_affine = legend_of(700, 500, {style, true, Warp::kAffine});
    EXPECT_EQ(of_affine.names, legend.names);
    const LegendName& last = of_affine.name[of_affine.names - 1];
    const std::string_view text(last.text, static_cast<std::size_t>(last.length));
    EXPECT_EQ(text == "template", style == OverlayStyle::kLost);
    EXPECT_GT(legend.zoom, 0);
    EXPECT_EQ(legend_of(700, 500, {style, false}).zoom, 0);
  }
}

}  // namespace
}  // namespace rdp::klt
