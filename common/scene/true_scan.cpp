// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/true_scan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "common/image/float_environment.h"
#include "common/scene/crowd_scene.h"
#include "common/scene/pattern_geometry.h"
#include "common/scene/room_depth.h"

namespace rdp {
namespace {

RoomVector of_length_1(const RoomVector& v) { return along({}, v, 1.0 / std::sqrt(dot(v, v))); }

}  // namespace

SceneGround ground_of_scene(std::uint64_t number, const TestPatternOptions& options) {
  if (!is_indoors(options.pattern)) return {{0.0, 1.0, 0.0}, TestCamera::kHeight};
  const bool parcels = options.pattern == TestPattern::kParcels;
  const RoomPose pose =
      (parcels ? RoomScene::parcels(options.seed, number) : RoomScene(options.seed)).pose(number);
  return {pose.turned({0.0, -1.0, 0.0}), pose.eye.y - (parcels ? RoomScene::kBeltTop : 0.0)};
}

SceneGround ground_of_crowd(const CrowdCamera& camera) {
  return {{-camera.right[2], -camera.down[2], -camera.ahead[2]}, camera.eye[2]};
}

TrueScan::TrueScan(const ScanRules& rules, const SceneGround& ground)
    : rules_(rules), ground_(ground), bearings_(static_cast<std::size_t>(rules.bins)) {
  const RoomVector& down = ground.down;
  const bool steep = down.z * down.z > 0.75;
  ahead_ = of_length_1(steep ? along({0.0, -1.0, 0.0}, down, down.y)
                             : along({0.0, 0.0, 1.0}, down, -down.z));
  // Left is the cross product of ahead and down.
  left_ = {ahead_.y * down.z - ahead_.z * down.y, ahead_.z * down.x - ahead_.x * down.z,
           ahead_.x * down.y - ahead_.y * down.x};
}

void TrueScan::add(const RoomVector& point) {
  const double x = dot(ahead_, point);
  const double y = dot(left_, point);
  if (!(x > 0.0)) return;
  const double angle = std::atan2(y, x) * 180.0 / std::numbers::pi;
  const double bin = std::floor((angle / rules_.fov + 0.5) * rules_.bins);
  if (!(bin >= 0.0 && bin < rules_.bins)) return;
  Bearing& bearing = bearings_[static_cast<std::size_t>(bin)];
  bearing.seen = true;
  const double distance = std::sqrt(x * x + y * y);
  const double height = ground_.height - dot(ground_.down, point);
  if (height < rules_.least_height + rules_.tolerance * distance || height > rules_.most_height ||
      distance >= rules_.range) {
    return;
  }
  std::vector<double>& nearest = bearing.nearest;
  nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), distance), distance);
  if (nearest.size() > static_cast<std::size_t>(rules_.points)) nearest.pop_back();
}

std::vector<double> TrueScan::ranges() const {
  std::vector<double> ranges;
  for (const Bearing& bearing : bearings_) {
    ranges.push_back(!bearing.seen ? std::numeric_limits<double>::quiet_NaN()
                     : bearing.nearest.size() < static_cast<std::size_t>(rules_.points)
                         ? std::numeric_limits<double>::infinity()
                         : bearing.nearest.back());
  }
  return ranges;
}

std::vector<double> true_scan(std::uint64_t number, const TestPatternOptions& options, int width,
                              int height, const ScanRules& rules) {
  return with_standard_floats([&] {
    TrueScan scan(rules, ground_of_scene(number, options));
    const TestCamera camera = camera_of_pattern(options.pattern, width, height);
    RoomDepth room;
    SpanCanvas canvas;
    const bool is_room = is_indoors(options.pattern);
    if (is_room) {
      room.begin(number,
                 {.seed = options.seed, .parcels = options.pattern == TestPattern::kParcels}, width,
                 height);
    } else {
      canvas.begin(width, height);
      draw_pattern(number, options, {.camera = camera}, &canvas);
    }
    for (int r = 0; r < height; ++r) {
      const std::span<const std::uint32_t> row = is_room ? room.next_row() : canvas.next_row();
      for (int c = 0; c < width; ++c) {
        const std::uint32_t value = row[static_cast<std::size_t>(c)];
        if (value == 0) continue;
        const double z = camera.disparity(1.0) * 0x1p24 / value;
        scan.add({(c - camera.centre_column) / camera.focal * z,
                  (r - camera.centre_row) / camera.focal * z, z});
      }
    }
    return scan.ranges();
  });
}

std::vector<double> true_scan_of_crowd(const CrowdOptions& options, std::int64_t moment,
                                       const CrowdCamera& camera, int width, int height,
                                       const ScanRules& rules) {
  return with_standard_floats([&] {
    TrueScan scan(rules, ground_of_crowd(camera));
    std::vector<CrowdPerson> people;
    find_crowd(options, moment, &people);
    CrowdRenderer renderer;
    renderer.begin(people, camera.projection(), width, nullptr);
    for (int r = 0; r < height; ++r) {
      const CrowdRenderer::Row row = renderer.next_row();
      for (int c = 0; c < width; ++c) {
        const double z = row.depths[static_cast<std::size_t>(c)];
        if (!(z > 0.0)) continue;
        scan.add({(c - camera.centre_column) / camera.focal * z,
                  (r - camera.centre_row) / camera.focal * z, z});
      }
    }
    return scan.ranges();
  });
}

}  // namespace rdp
