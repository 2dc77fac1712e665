// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_TEST_PATTERN_H_
#define RDP_COMMON_SCENE_TEST_PATTERN_H_

#include <cstdint>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"
#include "common/scene/room_depth.h"
#include "common/scene/span_canvas.h"
#include "common/scene/street_scene.h"

namespace rdp {

enum class TestPattern : std::uint8_t {
  kStreet,   // a drive through a street: see street_scene.h
  kRamp,     // one plane: disparity linear in the row, from 25 m in the first to 3 m in the last
  kSteps,    // eight bands of equal height, each at one distance between 25 m and 3 m, their
             // disparities equally spaced, all moving down by one row a frame
  kNoise,    // independent samples, uniform over everything the sample type holds, 0 included
  kUnknown,  // all 0
  kRoom,     // a furnished room: see room_scene.h
  kTraffic,  // cars whose places and speeds are known: see traffic_scene.h
  kCrowd,    // people seen by surrounding cameras, drawn by crowd_scene.h; the other renderers show
             // none of them
  kParcels,  // boxes of known sizes on a belt: RoomScene::parcels(); depth and labels alone
};

// True for patterns seen by the rooms' structured light camera.
inline bool is_indoors(TestPattern pattern) {
  return pattern == TestPattern::kRoom || pattern == TestPattern::kParcels;
}

// True if the stereo camera of these renderers sees things at distances. Random and unknown samples
// have none, and a crowd has other cameras.
inline bool has_distances(TestPattern pattern) {
  return pattern != TestPattern::kNoise && pattern != TestPattern::kUnknown &&
         pattern != TestPattern::kCrowd;
}

// The meaning of the samples. Disparity: px, in 8.8 fixed point in 16 bits, whole px in 8 bits.
// Depth: millimetres in 16 bits (up to 65.535 m), decimetres in 8 bits (up to 25.5 m); farther
// samples are unknown. 0 is always unknown, and known samples are at least 1.
enum class TestDomain : std::uint8_t { kDisparity, kDepth };

struct TestPatternOptions {
  TestPattern pattern = TestPattern::kStreet;
  TestDomain domain = TestDomain::kDisparity;
  std::uint32_t seed = 0;
  // Standard deviation of the Gaussian noise in px of disparity, 0..kMaxTestNoise, equal at every
  // distance, like a stereo matcher's (kNoise and kUnknown have none). In images (see
  // test_picture.h) it is in grey steps, like a camera's. Indoors it is a structured light
  // camera's, with all its other errors (see structured_light.h).
  double noise = 0.0;
  // Indoors: standard deviation of the slow error of such a camera, px, 0..kMaxTestNoise.
  double bend = 0.0;
  // Expected share, 0..1, of known samples that become unknown (kNoise included). A quarter of it
  // is single samples, the rest ragged patches of 24x12 px, new in each frame.
  double unknown_ratio = 0.0;
  // kTraffic: how far the camera moves on in a frame, mm, 0..kMaxTestDrive; 0: it stands.
  std::uint32_t drive = 400;
  // kTraffic: turn of the camera to the right per frame, 1/1000 rad, 0..kMaxTestTurn.
  std::uint32_t turn = 0;
};
inline constexpr std::uint32_t kMaxTestTurn = 100;
inline constexpr std::uint32_t kMaxTestDrive = 1000;
inline constexpr double kMaxTestNoise = 64.0;

// Draws test frames. A frame depends only on its number, the options and its size, not on previous
// frames; it is bit-identical on every machine.
class TestPatternRenderer {
 public:
  // Draws frame number `number` into `frame`, 1..kMaxSide rows and columns. Allocates (and may
  // throw std::bad_alloc) only when the frame is larger than any before.
  void draw(std::uint64_t number, const TestPatternOptions& options, const MutableDepthView& frame);

 private:
  // draw() in the rounding mode that it works in.
  void draw_nearest(std::uint64_t number, const TestPatternOptions& options,
                    const MutableDepthView& frame);

  SpanCanvas canvas_;
  RoomDepth room_;
  GrowBuffer<std::uint32_t> row_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TEST_PATTERN_H_
