// SPDX-License-Identifier: LGPL-2.1-or-later
// CRC-32s of all results on recorded frames: of the reference, and of the engine on every SIMD
// target. Two other programs, written from the definition alone, gave the same.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "common/image/reference.h"
#include "common/obstacles/engine.h"
#include "common/obstacles/ground.h"
#include "common/obstacles/reference.h"
#include "common/obstacles/refinement.h"
#include "common/obstacles/tracks.h"
#include "tests/support/crc32.h"
#include "tests/support/test_frame.h"
#ifdef RDP_TEST_HAVE_PNG
#include "tests/bench/gray_png.h"
#endif

namespace rdp::obstacles {
namespace {

using Frame = rdp::reference::Frame;

// An empty frame if the file is missing.
Frame frame_of(const std::string& name) {
#ifdef RDP_TEST_HAVE_PNG
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  if (folder != nullptr) return bench::read_gray_png(std::filesystem::path(folder) / name);
#endif
  return {};
}

MetricCamera camera_of(double focal, double x, double y) {
  MetricCamera camera;
  camera.focal_x = camera.focal_y = focal;
  camera.principal_x = x;
  camera.principal_y = y;
  camera.depth.factor = 0.001;
  return camera;
}

MetricCamera realsense() { return camera_of(617.25, 317.39, 245.98); }
MetricCamera room() { return camera_of(525, 319.5, 239.5); }
MetricCamera kitti() {
  MetricCamera camera = camera_of(707.0912, 601.8873, 183.1104);
  camera.depth = {true, 707.0912 * 0.53716, 1.0 / 256, 0.0};
  return camera;
}

Parameters defaults() {
  Parameters p;
  p.known = {1, 65534};
  return p;
}
Parameters near() {
  Parameters p = defaults();
  p.range = 6;
  return p;
}
Parameters street() {
  Parameters p = defaults();
  p.min_height = 0.3;
  p.max_height = 2.5;
  p.range = 50;
  p.cell_size = 0.2;
  return p;
}
Parameters parcels() {
  Parameters p = defaults();
  p.min_height = 0.015;
  p.max_height = 0.5;
  p.ground_tolerance = 0;
  p.range = 3;
  p.cell_size = 0.01;
  p.split_height = 0.02;
  p.object_samples = 50;
  return p;
}
Parameters from_above() {
  Parameters p = defaults();
  p.max_height = 3;
  p.drop_depth = 0.1;
  p.range = 3;
  p.cell_size = 0.02;
  p.link = 2;
  p.scan_bins = 72;
  p.scan_fov = 150;
  p.refine = false;
  p.area = {{-2, -1.5}, {2, -1.5}, {2, 1.5}, {-2, 1.5}};
  return p;
}

struct Known {
  const char* file;
  MetricCamera camera;
  double normal[3];
  double distance;
  Parameters parameters;
  // CRCs of the camera's height, classes, ranges, free, states, tops, objects.
  std::vector<std::uint32_t> crcs;
};

Ground start_of(const Known& known) {
  return ground_of_plane(known.normal, known.distance).value_or(Ground());
}

const std::vector<Known>& all_known() {
  static const std::vector<Known> all = {
      {"rgbd/sequence/000000.png",
       realsense(),
       {0.1875, 0.953125, 0.234375},
       0.40625,
       defaults(),
       {0x8f73fb61, 0x9ae37a30, 0x7a68a3cb, 0x281072f3, 0x3e71072e, 0xeb79c9b5, 0x311656a0}},
      {"planes/rooms/room01_n045_depth.png",
       room(),
       {0.0625, 0.9375, 0.3125},
       1.34375,
       near(),
       {0xf64dfa72, 0x99d010f2, 0x318065d3, 0xf94e699e, 0xb835fa54, 0xda010844, 0x3980aa0d}},
      {"kitti/sequence/000000.png",
       kitti(),
       {0, 1, 0.03125},
       1.65625,
       street(),
       {0xd3213b8b, 0x286e0465, 0x7fa7ec0f, 0xf9fd8146, 0xba21c948, 0xa06b6eb9, 0xe72df123}},
      {"rgbd/realsense_felix_0.png",
       realsense(),
       {-0.328125, 0.84375, 0.421875},
       0.5625,
       parcels(),
       {0xc05e5c3d, 0x8df6be4f, 0xdcab7e4b, 0xb29af876, 0xb742b873, 0x29e9a015, 0xf8696dab}},
      {"planes/rooms/room01_n045_depth.png",
       room(),
       {-0.171875, -0.3125, 0.9375},
       3.5,
       from_above(),
       {0xdc4b322f, 0xe41e6849, 0xad73610f, 0xebf26a52, 0x102c2149, 0x99a61f3b, 0x23a6dd6b}}};
  return all;
}

std::vector<std::int32_t> numbers_of(const std::vector<Object>& objects) {
  std::vector<std::int32_t> numbers;
  for (const Object& o : objects) {
    for (const std::int32_t number :
         {o.x, o.y, o.length, o.width, o.height, o.yaw, o.distance, o.samples, o.cells, o.column,
          o.row, o.columns, o.rows, o.cut}) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

std::vector<std::uint32_t> crcs_of(const Obstacles& found) {
  return {test::crc_of(std::vector<std::int32_t>{found.axes.height}),
          test::crc_of(found.classes),
          test::crc_of(found.ranges),
          test::crc_of(found.free),
          test::crc_of(found.states),
          test::crc_of(found.tops),
          test::crc_of(numbers_of(found.objects))};
}

TEST(ObstacleChecksums, Reference) {
  for (const Known& known : all_known()) {
    SCOPED_TRACE(known.file);
    const Frame frame = frame_of(known.file);
    if (frame.width == 0) continue;
    const Ground start = start_of(known);
    EXPECT_EQ(crcs_of(reference::find(frame.view(), known.camera, &start, known.parameters)),
              known.crcs);
  }
}

TEST(ObstacleChecksums, Engine) {
  for (const Known& known : all_known()) {
    SCOPED_TRACE(known.file);
    const Frame frame = frame_of(known.file);
    if (frame.width == 0) continue;
    const Ground start = start_of(known);
    test::on_every_simd_target([&] {
      Engine engine;
      engine.set_threads(2);
      Obstacles found;
      engine.find(frame.view(), known.camera, &start, known.parameters, &found);
      EXPECT_EQ(crcs_of(found), known.crcs);
      EXPECT_EQ(found.refined, known.parameters.refine);
    });
  }
}

// The road, from a start with a pitch error of 3 degrees. The attempt with 2 degrees of correction
// succeeds, as if the error had been 1 degree.
TEST(ObstacleChecksums, TurnedStart) {
  const Known& known = all_known()[2];
  const Frame frame = frame_of(known.file);
  if (frame.width == 0) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA has no kitti/sequence";
  CameraTables tables;
  make_tables(frame.width, frame.height, SampleType::kU16, known.camera, known.parameters, &tables);
  Refinement refinement;
  const Ground far = turned(start_of(known), turn_of_degrees(3));
  const Refined refined = refinement.refine(frame.view(), tables, far);
  const Refined near =
      refinement.refine(frame.view(), tables, turned(start_of(known), turn_of_degrees(1)));
  EXPECT_TRUE(refined.refined);
  EXPECT_NEAR(refined.ground.distance, near.ground.distance, 1e-9);
  const Obstacles all = reference::find(frame.view(), known.camera, &far, known.parameters);
  EXPECT_EQ(all.ground.distance, refined.ground.distance);
  EXPECT_EQ(all.inliers, refined.inliers);
}

TEST(ObstacleChecksums, Tracks) {
  const Known& known = all_known()[0];
  const Ground start = start_of(known);
  Engine engine;
  Obstacles found;
  Tracks tracks;
  std::vector<std::uint8_t> bytes;
  const auto put = [&](auto number) {
    for (std::size_t i = 0; i < sizeof number; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> (8 * i)));
    }
  };
  for (int i = 0; i < 10; ++i) {
    const Frame frame = frame_of("rgbd/sequence/00000" + std::to_string(i) + ".png");
    if (frame.width == 0) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA has no rgbd/sequence";
    engine.find(frame.view(), known.camera, &start, known.parameters, &found);
    std::vector<Box> boxes;
    for (const Object& o : found.objects) boxes.push_back({o.x, o.y, o.length, o.width});
    tracks.update(boxes, 33333333, {});
    for (const TrackOfBox& track : tracks.boxes()) {
      put(track.id);
      put(track.age);
      put(track.vx);
      put(track.vy);
    }
    for (const std::uint32_t id : tracks.lost()) put(id);
  }
  EXPECT_EQ(test::crc_of(bytes), 0x963e98d1U);
}

}  // namespace
}  // namespace rdp::obstacles
