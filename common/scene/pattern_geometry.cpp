// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/pattern_geometry.h"

#include "common/scene/hash_random.h"
#include "common/scene/room_scene.h"
#include "common/scene/traffic_scene.h"

namespace rdp {
namespace {

constexpr double kFarthest = 25.0;  // of ramp and steps, m
constexpr int kStepCount = 8;
constexpr std::uint64_t kPlane = 3000;  // purpose of a random number

void draw_ramp(std::uint64_t key, const Viewpoint& from, SpanCanvas* canvas) {
  const int height = canvas->height();
  const double far = from.camera.disparity(kFarthest);
  const double near = from.camera.disparity(TestCamera::kNearest);
  const double slope = height > 1 ? (near - far) / (height - 1) : 0.0;
  const int surface =
      from.surfaces == nullptr
          ? 0
          : from.surfaces->add({.shape = Surface::kFlat, .key = key, .grey = 120.0});
  for (int c = 0; c < canvas->width(); ++c) {
    canvas->cover(c, 0, height, disparity_line(far, 0.0, slope), SpanCanvas::Layer::kForeground,
                  surface);
  }
}

void draw_steps(std::uint64_t number, std::uint64_t key, const Viewpoint& from,
                SpanCanvas* canvas) {
  const int height = canvas->height();
  const TestCamera& camera = from.camera;
  const double far = camera.disparity(kFarthest);
  const double near = camera.disparity(TestCamera::kNearest);
  const int band = (height + kStepCount - 1) / kStepCount;
  const int moved = static_cast<int>(number % static_cast<std::uint64_t>(band * kStepCount));
  // The steps wrap around from the bottom to the top.
  for (int i = 0; i < 2 * kStepCount; ++i) {
    const int top = (i - kStepCount) * band + moved;
    const int step = i % kStepCount;
    const double d = far + (near - far) * step / (kStepCount - 1);
    int surface = 0;
    if (from.surfaces != nullptr) {
      // The height of the band's top, where its texture begins.
      const double z = camera.focal * camera.baseline / d;
      const double top_height = TestCamera::kHeight - (top - camera.centre_row) * z / camera.focal;
      surface = from.surfaces->add({.key = sub_key(key, static_cast<std::uint64_t>(step)),
                                    .grey = 80.0 + 12.0 * step,
                                    .v0 = top_height,
                                    .move_y = -z / camera.focal});  // a row
    }
    for (int c = 0; c < canvas->width(); ++c) {
      canvas->cover(c, top, top + band, constant_disparity(d), SpanCanvas::Layer::kForeground,
                    surface);
    }
  }
}

}  // namespace

TestCamera camera_of_pattern(TestPattern pattern, int width, int height) {
  return is_indoors(pattern) ? RoomScene::camera(width, height)
                             : TestCamera::of_size(width, height);
}

void draw_pattern(std::uint64_t number, const TestPatternOptions& options, const Viewpoint& from,
                  SpanCanvas* canvas) {
  const std::uint64_t key = sub_key(mix_bits(options.seed), kPlane);
  switch (options.pattern) {
    case TestPattern::kStreet:
      draw_street(options.seed, number, from, canvas);
      break;
    case TestPattern::kTraffic:
      draw_traffic(options.seed, options.drive, options.turn, number, from, canvas);
      break;
    case TestPattern::kRamp:
      draw_ramp(key, from, canvas);
      break;
    case TestPattern::kSteps:
      draw_steps(number, key, from, canvas);
      break;
    case TestPattern::kNoise:
    case TestPattern::kUnknown:
    case TestPattern::kRoom:
    case TestPattern::kParcels:
    case TestPattern::kCrowd:
      break;  // nothing at any distance; drawn by a RoomView, by a CrowdRenderer
  }
}

}  // namespace rdp
