// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_MOTION_MOTION_PICTURE_H_
#define RDP_TESTS_MOTION_MOTION_PICTURE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/motion/overlay.h"
#include "common/scene/hash_random.h"
#include "tests/support/painted_picture.h"

// Input of motion overlays for tests: lists of segments with motions.
namespace rdp::motion::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

inline SegmentMotion unknown_motion() { return {0, 0, kNan, kNan, kNan, kNan, kNan, kNan, kNan}; }
inline SegmentMotion moves(float vx, float vy, float vz, std::uint16_t more = 0) {
  return {5,   static_cast<std::uint16_t>(kKnown | kMoving | more), 2.0F, 0.0F, 0.1F, vx, vy, vz,
          0.2F};
}
inline SegmentMotion still(std::uint16_t more = 0) {
  return {5, static_cast<std::uint16_t>(kKnown | more), 0.0F, 0.0F, 0.1F, 0.1F, 0.0F, 0.0F, 0.2F};
}

// A frame with its motions. Values are depths in decimetres, the focal length is 50 px.
struct MotionFrameLists {
  MotionFrameLists(int w, int h, int column_width = 1) : width(w), height(h) {
    parameters.column_width = column_width;
    camera.focal_x = camera.focal_y = 50.0;
    camera.principal_x = w / 2;
    camera.principal_y = h / 2;
    camera.depth = {false, 0.0, 0.1, 0.0};
    offsets.push_back(0);
  }
  int columns() const { return (width + parameters.column_width - 1) / parameters.column_width; }

  // Adds a segment to the current column.
  void add(int first_row, int last_row, float value, const SegmentMotion& motion) {
    segments.push_back({static_cast<std::uint16_t>(first_row), static_cast<std::uint16_t>(last_row),
                        value, value});
    motions.push_back(motion);
  }
  void end_column() { offsets.push_back(static_cast<std::uint32_t>(segments.size())); }
  void end() {
    while (static_cast<int>(offsets.size()) <= columns()) end_column();
  }

  SegmentArrays list() const { return {offsets, segments}; }
  OverlayScene scene(bool has_camera = true) const {
    return {width, height, &parameters, list(), motions, 0.1, has_camera ? &camera : nullptr};
  }

  int width;
  int height;
  rdp::Parameters parameters;
  MetricCamera camera;
  std::vector<std::uint32_t> offsets;
  std::vector<Segment> segments;
  std::vector<SegmentMotion> motions;
};

// A random frame of stacked segments: static, moving and unknown ones.
inline MotionFrameLists random_frame(int width, int height, int column_width, std::uint64_t seed) {
  MotionFrameLists frame(width, height, column_width);
  HashSequence random(sub_key(seed, 1));
  // Multiples of 1/256 are exact, so that frames are bit-identical on every machine.
  const auto number = [&](int low, int high) {
    const auto steps = static_cast<std::uint64_t>(high - low) * 256;
    return static_cast<float>(low) + static_cast<float>(random.bits() % steps) / 256.0F;
  };
  for (int c = 0; c < frame.columns(); ++c) {
    const int thing = c * frame.parameters.column_width * 5 / width;
    for (int row = 0; row < height;) {
      const int last = std::min(row + static_cast<int>(random.bits() % 40), height - 1);
      SegmentMotion motion = unknown_motion();
      if (random.happens(0.4)) motion = still(kAbsolute);
      if (random.happens(thing % 2 == 1 ? 0.8 : 0.1)) {
        // Separate statements: the evaluation order of arguments is unspecified.
        const float z = number(-6, 6);
        const float y = number(-1, 1);
        const float x = number(-1, 1) + static_cast<float>(4 * thing - 8);
        motion = moves(x, y, z, kAbsolute);
      }
      if (random.happens(0.5)) {
        motion.dx = number(-20, 20);
        motion.dy = number(-3, 3);
      }
      frame.add(row, last, number(20, 400), motion);
      row = last == row ? row + 1 : last;
    }
    frame.end_column();
  }
  return frame;
}

using Picture = rdp::test::PaintedPicture;

}  // namespace rdp::motion::test

#endif  // RDP_TESTS_MOTION_MOTION_PICTURE_H_
