// SPDX-License-Identifier: LGPL-2.1-or-later
// The definition of depthalign, by hand, and checksums of recorded frames from programs written
// from the definition alone. tests/bits compares engines with the reference.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "common/align/engine.h"
#include "common/align/reference.h"
#include "common/align/rules.h"
#include "common/image/reference.h"
#include "tests/stereo/raw_pair.h"
#include "tests/support/crc32.h"
#include "tests/support/test_frame.h"
#ifdef RDP_TEST_HAVE_PNG
#include "tests/bench/gray_png.h"
#endif

namespace rdp::align {
namespace {

using rdp::reference::Frame;
using Samples = std::vector<std::uint16_t>;

Frame frame(int width, Samples samples) {
  const int height = static_cast<int>(samples.size()) / width;
  return {width, height, std::move(samples)};
}
Frame empty(int width, int height) {
  return frame(width, Samples(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)));
}
MutableDepthView view_of(Frame* of) {
  return {reinterpret_cast<std::byte*>(of->samples.data()), std::ptrdiff_t{2} * of->width,
          of->width, of->height, SampleType::kU16};
}

CameraLens lens(double focal, double x, double y) { return {focal, focal, x, y, {}}; }

// Two cameras at one place, with pictures of 3x1 pixels.
Parameters same_place() {
  Parameters p;
  static_cast<CameraLens&>(p.source) = lens(10, 1, 0);
  p.source.depth = {false, 0.0, 0.001, 0.0};
  p.target = lens(10, 1, 0);
  return p;
}

Samples aligned(const Parameters& p, const Frame& depth, int width, int height,
                Counts* counts = nullptr) {
  Frame out = empty(width, height);
  const Counts found = reference::align(depth.view(), p, view_of(&out));
  if (counts != nullptr) *counts = found;
  return out.samples;
}

TEST(AlignReference, OneCameraTwice) {
  const Samples samples{1000, 0, 65535};
  Counts counts;
  EXPECT_EQ(aligned(same_place(), frame(3, samples), 3, 1, &counts), samples);
  EXPECT_EQ(counts, (Counts{2, 2}));
}

TEST(AlignReference, PixelsGrowBySixteenths) {
  Parameters p = same_place();
  p.target = lens(20, 2.5, 0.5);
  EXPECT_EQ(aligned(p, frame(3, {1000, 0, 3000}), 6, 2),
            (Samples{1000, 1000, 0, 0, 3000, 3000, 1000, 1000, 0, 0, 3000, 3000}));
  p.target.principal_x += 0.47;
  EXPECT_EQ(aligned(p, frame(3, {1000, 2000, 3000}), 6, 1),
            (Samples{1000, 1000, 1000, 2000, 2000, 3000}))
      << "the nearer one wins";
  p.target.principal_x -= 0.04;
  EXPECT_EQ(aligned(p, frame(3, {1000, 2000, 3000}), 6, 1),
            (Samples{1000, 1000, 2000, 2000, 3000, 3000}))
      << "0.43 and 0.0625 do not reach the next centre";
}

TEST(AlignReference, DepthsAreTheTargets) {
  Parameters p = same_place();
  p.movement.m[11] = -0.25;
  Counts counts;
  EXPECT_EQ(aligned(p, frame(1, {1000}), 3, 1)[1], 0) << "beside the middle";
  static_cast<CameraLens&>(p.source) = lens(10, 0, 0);
  EXPECT_EQ(aligned(p, frame(1, {1000}), 3, 1)[1], 750);
  EXPECT_EQ(aligned(p, frame(1, {250}), 3, 1, &counts)[1], 0) << "in the target's own place";
  EXPECT_EQ(counts, (Counts{1, 0}));
  p.unit = 0.01;
  EXPECT_EQ(aligned(p, frame(1, {1000}), 3, 1)[1], 75);
  EXPECT_EQ(aligned(p, frame(1, {1005}), 3, 1)[1], 76) << "75.5";
  p.movement.m[11] = 0;
  EXPECT_EQ(aligned(p, frame(1, {2}), 3, 1)[1], 1) << "0.2";
  p.unit = 1e-6;
  EXPECT_EQ(aligned(p, frame(1, {66}), 3, 1)[1], 0) << "66000";
  EXPECT_EQ(aligned(p, frame(1, {65}), 3, 1)[1], 65000);
}

TEST(AlignReference, DisparitiesHaveDepths) {
  Parameters p = same_place();
  p.source.depth = {true, 2.0, 0.5, -1.0};
  EXPECT_EQ(aligned(p, frame(3, {2, 4, 10}), 3, 1), (Samples{0, 2000, 500}))
      << "2 is infinitely far";
}

TEST(AlignReference, LargeAndFarPixelsAreLeftOut) {
  Parameters p = same_place();
  static_cast<CameraLens&>(p.source) = lens(10, 0, 0);
  p.target = lens(638, 49.5, 0);
  const auto known = [&] {
    const Samples out = aligned(p, frame(1, {1000}), 100, 1);
    return std::count(out.begin(), out.end(), 1000);
  };
  EXPECT_EQ(known(), 64);
  p.target.focal_x = 649;
  EXPECT_EQ(known(), 0) << "65 columns";
  p.target = lens(10, 70000, 0);
  p.target.focal_x = 100;
  EXPECT_EQ(known(), 0);
}

TEST(AlignReference, FourCornersWithARoll) {
  Parameters p = same_place();
  static_cast<CameraLens&>(p.source) = lens(10, 0, 0);
  p.target = lens(60, 4, 4);
  // A turn by 45 degrees around the axis: a square on its corner, and the square around it.
  const double half = std::sqrt(0.5);
  const double turn[] = {half, -half, 0, 0, half, half, 0, 0, 0, 0, 1, 0};
  std::copy(std::begin(turn), std::end(turn), p.movement.m);
  const Samples out = aligned(p, frame(1, {1000}), 9, 9);
  EXPECT_EQ(std::count(out.begin(), out.end(), 1000), 81);
}

TEST(AlignReference, CracksAreFilled) {
  const filter::Tolerance six = same_place().steps();
  EXPECT_EQ(six, (filter::Tolerance{1, 25770}));
  EXPECT_EQ(without_crack(0, 1000, 1001, 0, 0, six), 1001) << "1000.5";
  EXPECT_EQ(without_crack(0, 1000, 1006, 0, 0, six), 1003);
  EXPECT_EQ(without_crack(0, 1000, 1007, 0, 0, six), 0) << "a step";
  EXPECT_EQ(without_crack(0, 1000, 0, 1000, 0, six), 0);
  EXPECT_EQ(without_crack(0, 1000, 1000, 900, 900, six), 900);
  EXPECT_EQ(without_crack(1006, 1000, 1000, 0, 0, six), 1006);
  EXPECT_EQ(without_crack(1007, 1000, 1000, 0, 0, six), 1000) << "what is behind shows through";
  EXPECT_EQ(without_crack(500, 1000, 1000, 0, 0, six), 500);
  EXPECT_EQ(without_crack(0, 65535, 65535, 0, 0, six), 65535);
  Parameters p = same_place();
  EXPECT_EQ(aligned(p, frame(3, {1000, 0, 1000}), 3, 1), (Samples{1000, 1000, 1000}));
  EXPECT_EQ(aligned(p, frame(3, {0, 0, 1000}), 3, 1), (Samples{0, 0, 1000}));
  p.fill_cracks = false;
  EXPECT_EQ(aligned(p, frame(3, {1000, 0, 1000}), 3, 1), (Samples{1000, 0, 1000}));
}

TEST(AlignReference, HiddenPixelsHaveNoColour) {
  Parameters p = same_place();
  static_cast<CameraLens&>(p.source) = lens(10, 1, 0);
  const Frame depth = frame(3, {1000, 1006, 1007});
  const auto pixels = [&](Samples seen) {
    return reference::find_pixels(depth.view(), p, frame(3, std::move(seen)).view());
  };
  using Pixels = std::vector<std::int32_t>;
  EXPECT_EQ(pixels({1000, 1000, 1000}), (Pixels{0, 1, reference::kHidden}));
  EXPECT_EQ(pixels({0, 0, 0}), (Pixels{0, 1, 2}));
  p.target.principal_x = 2.5;
  EXPECT_EQ(pixels({0, 0, 0}), (Pixels{2, reference::kNowhere, reference::kNowhere}))
      << "halves go to the right";
}

TEST(AlignReference, MovementsAreChecked) {
  Pose pose;
  EXPECT_TRUE(is_rotation(pose));
  EXPECT_EQ(length_of(pose), 0);
  pose.m[3] = 3;
  pose.m[11] = -4;
  EXPECT_EQ(length_of(pose), 5);
  pose.m[1] = 0.0005;
  EXPECT_TRUE(is_rotation(pose)) << "as numbers of files are";
  pose.m[1] = 0.01;
  EXPECT_FALSE(is_rotation(pose));
  pose = {};
  pose.m[0] = -1;
  EXPECT_FALSE(is_rotation(pose)) << "a mirror";
  pose.m[0] = std::nan("");
  EXPECT_FALSE(is_rotation(pose));
}

TEST(AlignPicture, ColoursOfFormats) {
  const RgbMatrix limited = rgb_matrix(0.299, 0.114, false);
  EXPECT_EQ(limited, RgbMatrix{});
  EXPECT_EQ(rgba_of_yuv(16, 128, 128, limited), 0xFF000000U);
  EXPECT_EQ(rgba_of_yuv(235, 128, 128, limited), 0xFFFFFFFFU);
  EXPECT_EQ(rgba_of_yuv(81, 90, 240, limited), 0xFF0000FEU) << "red";
  EXPECT_EQ(rgba_of_yuv(0, 0, 0, limited), 0xFF008800U);
  const RgbMatrix full = rgb_matrix(0.299, 0.114, true);
  EXPECT_EQ(rgba_of_yuv(255, 128, 128, full), 0xFFFFFFFFU);
  EXPECT_EQ(rgba_of_yuv(76, 85, 255, full), 0xFF0000FEU);
  const RgbMatrix high = rgb_matrix(0.2126, 0.0722, false);
  EXPECT_EQ(rgba_of_yuv(63, 102, 240, high), 0xFF0001FFU);

  const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto second = [&](PictureFormat format) {
    return colour_at({format, bytes, 8, bytes + 4, 8, 2, 1, limited}, 1, 0);
  };
  EXPECT_EQ(second(PictureFormat::kRgb), 0xFF060504U);
  EXPECT_EQ(second(PictureFormat::kBgr), 0xFF040506U);
  EXPECT_EQ(second(PictureFormat::kRgba), 0xFF070605U);
  EXPECT_EQ(second(PictureFormat::kBgra), 0xFF050607U);
  EXPECT_EQ(second(PictureFormat::kGray8), 0xFF020202U);
  EXPECT_EQ(second(PictureFormat::kNv12), rgba_of_yuv(2, 5, 6, limited));
}

// A picture whose colours are its pixel numbers.
std::vector<unsigned char> numbered(int width, int height) {
  std::vector<unsigned char> bytes;
  for (int i = 0; i < width * height; ++i) {
    for (const int part : {i, i >> 8, i >> 16, 0}) {
      bytes.push_back(static_cast<unsigned char>(part & 0xFF));
    }
  }
  return bytes;
}

struct Known {
  const char* name;
  const char* file;  // of RDPSEGMENT_TEST_DATA
  Parameters p;
  int width, height;
  std::uint32_t crc;
  std::uint32_t crc_of_pixels = 0;
};

std::vector<Known> known_frames() {
  Parameters room;
  static_cast<CameraLens&>(room.source) = lens(525, 319.5, 239.5);
  room.source.depth = {false, 0.0, 0.001, 0.0};
  room.target = lens(920, 639.5, 359.5);
  room.movement.m[3] = -0.015;
  room.movement.m[7] = 0.0003;
  room.movement.m[11] = 0.0004;
  Parameters turned = room;
  const double c = 65535.0 / 65537.0;
  const double s = 512.0 / 65537.0;
  turned.movement.m[0] = turned.movement.m[10] = c;
  turned.movement.m[2] = s;
  turned.movement.m[8] = -s;
  Parameters distorted = turned;
  distorted.target.distortion =
      stereo::test::distortion({-0.05, 0.0625, 0.0005, -0.00025, -0.02, 0, 0, 0});
  Parameters kitti;
  static_cast<CameraLens&>(kitti.source) = lens(707.0912, 601.89, 183.11);
  kitti.source.depth = {true, 707.0912 * 0.5371, 1.0 / 256, 0.0};
  kitti.target = lens(600, 399.5, 199.5);
  kitti.movement.m[3] = 0.0625;
  const char* const file = "planes/rooms/room01_n045_depth.png";
  return {{"straight", file, room, 1280, 720, 0x3e214d54},
          {"turned", file, turned, 1280, 720, 0x9f9bc0e7},
          {"distorted", file, distorted, 1280, 720, 0xc6015490, 0xd5d1f9ba},
          {"disparity", "kitti/sequence/000000.png", kitti, 800, 400, 0xd442e042}};
}

TEST(AlignBits, OfRecordedFrames) {
#ifdef RDP_TEST_HAVE_PNG
  const char* const folder = std::getenv("RDPSEGMENT_TEST_DATA");
  if (folder == nullptr) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA names no folder";
  for (const Known& known : known_frames()) {
    SCOPED_TRACE(known.name);
    const Frame depth = bench::read_gray_png(std::filesystem::path(folder) / known.file);
    if (depth.width == 0) continue;
    Frame out = empty(known.width, known.height);
    reference::align(depth.view(), known.p, view_of(&out));
    EXPECT_EQ(test::crc_of(out.samples), known.crc);
    const auto pixels = reference::find_pixels(depth.view(), known.p, out.view());
    if (known.crc_of_pixels != 0) {
      EXPECT_EQ(test::crc_of(pixels), known.crc_of_pixels);
    }
    const auto bytes = numbered(known.width, known.height);
    const Picture picture{PictureFormat::kRgba,
                          bytes.data(),
                          4 * known.width,
                          nullptr,
                          0,
                          known.width,
                          known.height,
                          {}};
    test::on_every_simd_target([&] {
      Engine engine;
      engine.set_threads(2);
      Frame fast = empty(known.width, known.height);
      engine.align(depth.view(), known.p, view_of(&fast));
      EXPECT_EQ(fast.samples, out.samples);
      std::vector<std::uint32_t> colours(pixels.size());
      engine.colour(depth.view(), known.p, fast.view(), picture,
                    {reinterpret_cast<std::byte*>(colours.data()), 4 * depth.width, depth.width,
                     depth.height});
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        const std::uint32_t want =
            pixels[i] < 0 ? 0 : static_cast<std::uint32_t>(pixels[i]) | 0xFF000000U;
        ASSERT_EQ(colours[i], want) << i;
      }
    });
  }
#else
  GTEST_SKIP() << "libpng is missing";
#endif
}

}  // namespace
}  // namespace rdp::align
