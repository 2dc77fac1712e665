// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_OBSTACLES_SCENES_H_
#define RDP_TESTS_BENCH_ACCURACY_OBSTACLES_SCENES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "common/image/reference.h"
#include "common/obstacles/engine.h"
#include "common/obstacles/ground.h"
#include "common/scene/pattern_geometry.h"
#include "common/scene/true_scan.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/gray_png.h"
#include "tests/bench/scene_camera.h"

// Test frames of obstacle detection.
namespace rdp::bench {

using obstacles::Ground;
using obstacles::Obstacles;

// The `part` quantile of the values, the lower one of two candidates; NaN if there are none.
inline double part_of(std::vector<double> values, double part = 0.5) {
  if (values.empty()) return std::nan("");
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

inline double percent(std::size_t part, std::size_t all) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(all, 1));
}

// A frame, its camera, the initial ground and the search parameters.
struct Scene {
  reference::Frame frame;
  MetricCamera camera;
  Ground start;
  obstacles::Parameters parameters;
};

inline Scene drawn(std::uint64_t number, const TestPatternOptions& options, int width, int height) {
  Scene scene;
  scene.frame = {width, height,
                 std::vector<std::uint16_t>(static_cast<std::size_t>(width * height))};
  TestPatternRenderer().draw(number, options,
                             {reinterpret_cast<std::byte*>(scene.frame.samples.data()), 2 * width,
                              width, height, SampleType::kU16});
  scene.camera = camera_of(camera_of_pattern(options.pattern, width, height),
                           options.domain == TestDomain::kDisparity);
  scene.start = ground_of(ground_of_scene(number, options));
  if (options.domain == TestDomain::kDisparity) scene.parameters = street_parameters();
  return scene;
}

inline Obstacles find(const Scene& scene) {
  static obstacles::Engine engine;
  Obstacles found;
  engine.find(scene.frame.view(), scene.camera, &scene.start, scene.parameters, &found);
  return found;
}

inline ScanRules rules_of(const obstacles::Parameters& p, int points = 1) {
  return {p.scan_bins,
          static_cast<double>(p.scan_fov),
          p.min_height,
          p.max_height,
          p.ground_tolerance,
          1.2 * p.range,
          points};
}

inline Ground mounted(double height, double pitch, double roll) {
  return obstacles::ground_of_mount(height, pitch, roll).value_or(Ground());
}

inline Scene recorded(const std::filesystem::path& file, const double (&lens)[3],
                      const Ground& start, double baseline = 0.0) {
  Scene scene{read_gray_png(file), {}, start, {}};
  if (scene.frame.width == 0) return scene;
  scene.camera.focal_x = scene.camera.focal_y = lens[0];
  scene.camera.principal_x = lens[1];
  scene.camera.principal_y = lens[2];
  scene.camera.depth.factor = 0.001;
  if (baseline > 0.0) {
    scene.camera.depth = {true, lens[0] * baseline, 1.0 / 256, 0.0};
    scene.parameters = street_parameters();
  }
  scene.parameters.known = {1, 65534};
  return scene;
}

// Adds rows on objects and tracks, in drawn scenes and recorded frames.
void judge_objects(RecordedTable* table);
void judge_recorded_objects(const std::filesystem::path& data, RecordedTable* table);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_OBSTACLES_SCENES_H_
