// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_POINTS_CLOUDS_H_
#define RDP_TESTS_POINTS_CLOUDS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/image/camera.h"
#include "common/image/lens_reach.h"
#include "common/points/reference.h"

// Helpers shared by point cloud tests on the host and on the GPU.
namespace rdp::points::test {

struct NamedCamera {
  std::string name;
  MetricCamera camera;
};

inline MetricCamera straight_camera(double focal, int width, int height) {
  MetricCamera camera;
  camera.focal_x = focal;
  camera.focal_y = focal * 1.01;
  camera.principal_x = (width - 1) / 2.0 + 0.3;
  camera.principal_y = (height - 1) / 2.0 - 0.7;
  camera.depth = {false, 0.0, 0.001, 0.0};
  return camera;
}

// Cameras for depth and disparity, with and without offset. Some lenses distort, one of them not
// invertibly everywhere. Some distances exceed the range of floats.
inline std::vector<NamedCamera> cameras(int width, int height) {
  std::vector<NamedCamera> all;
  const MetricCamera depth = straight_camera(width * 0.8, width, height);
  all.push_back({"depth", depth});
  MetricCamera camera = depth;
  camera.depth = {true, 61.7, 1.0 / 256, 0.0};
  all.push_back({"disparity", camera});
  camera.depth.offset = -20.25;
  all.push_back({"disparity with an offset", camera});
  camera.depth = {true, 0.0, 1.0, 0.0};
  all.push_back({"no baseline", camera});
  camera.depth = {false, 0.0, 1e38, 0.0};
  all.push_back({"beyond floats", camera});
  camera.depth = {false, 0.0, 1e-44, 0.0};
  all.push_back({"denormal", camera});
  camera = depth;
  Distortion& lens = camera.distortion;
  lens.none = false;
  lens.k1 = -0.28;
  lens.k2 = 0.07;
  lens.p1 = 0.001;
  lens.p2 = -0.0007;
  find_reach(&lens);
  all.push_back({"distorted", camera});
  camera.focal_x = camera.focal_y = width * 0.2;
  lens.k1 = -0.4;
  lens.k2 = 0.0;
  find_reach(&lens);
  all.push_back({"distorted beyond its reach", camera});
  camera.focal_x = camera.focal_y = width * 0.6;
  lens.k1 = -9.2;
  lens.k2 = 65.3;
  lens.k3 = -87.7;
  lens.k4 = -9.3;
  lens.k5 = 65.6;
  lens.k6 = -87.8;
  find_reach(&lens);
  all.push_back({"distorted with a gap", camera});
  return all;
}

inline std::vector<float> expected_cloud(const DepthView& frame, const MetricCamera* camera,
                                         const Parameters& parameters) {
  std::vector<float> cloud(static_cast<std::size_t>(frame.width) *
                           static_cast<std::size_t>(frame.height) * 3);
  reference::make_points(frame, camera, parameters, cloud.data());
  return cloud;
}

// The first difference between two point clouds, to the bit; empty if equal.
inline std::string difference(const std::vector<float>& expected, const float* actual, int width) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::memcmp(&expected[i], &actual[i], sizeof(float)) == 0) continue;
    const std::size_t pixel = i / 3;
    return "row " + std::to_string(pixel / static_cast<std::size_t>(width)) + ", column " +
           std::to_string(pixel % static_cast<std::size_t>(width)) + ", coordinate " +
           std::to_string(i % 3) + ": expected " + std::to_string(expected[i]) + ", got " +
           std::to_string(actual[i]);
  }
  return {};
}

}  // namespace rdp::points::test

#endif  // RDP_TESTS_POINTS_CLOUDS_H_
