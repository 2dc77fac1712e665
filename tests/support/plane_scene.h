// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_PLANE_SCENE_H_
#define RDP_TESTS_SUPPORT_PLANE_SCENE_H_

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/planes/pictures/overlay.h"
#include "tests/support/guarded_frame.h"

namespace rdp::test {

// Random input of a picture of planes: a frame, labels, planes, a quadtree and options. The planes
// need not match the frame: painters accept any.
struct PlaneScene {
  TestFrame frame;
  TestFrame labels;
  MetricCamera camera;
  planes::Parameters parameters;
  planes::PlaneSet planes;
  std::vector<planes::NodeSquare> nodes;
  planes::OverlayOptions options;

  // `count`: number of planes; -1: random.
  PlaneScene(int width, int height, SampleType type, std::mt19937* random, int count = -1)
      : frame(width, height, type), labels(width, height, SampleType::kU8), random_(random) {
    const int most = static_cast<int>(max_sample(type));
    camera.focal_x = 0.9 * width;
    camera.focal_y = 1.1 * width;
    camera.principal_x = below(width);
    camera.principal_y = below(height);
    camera.depth = below(2) == 0 ? DepthOfValue{false, 0.0, 8.0 / most, 0.0}
                                 : DepthOfValue{true, 0.1 * width, 1.0 / 16.0, 0.5};
    parameters.min_value = 1 + below(3);
    if (below(3) == 0) parameters.max_value = most - below(most / 2);
    if (below(3) == 0) {
      options.palette_min = below(most);
      options.palette_max = below(most);
    }
    if (below(2) == 0) options.residual_range = std::pow(10.0, below(6) - 4);
    const int planes_count = count >= 0 ? count : below(4) * below(8);
    for (int i = 0; i < planes_count; ++i) add_plane(width, height);
    planes.ground.plane = below(planes_count + 2) - 1;  // or none, or one that does not exist
    for (int y = 0; y < height; y += 128) {
      for (int x = 0; x < width; x += 128) add_nodes(x, y, 128, width, height);
    }
    fill(width, height, most);
  }

  planes::OverlayScene view() const { return {&camera, &parameters, &planes, nodes}; }

 private:
  int below(int n) {
    return n <= 0 ? 0 : static_cast<int>((*random_)() % static_cast<unsigned>(n));
  }

  void add_plane(int width, int height) {
    planes::Plane plane;
    double squares = 0.0;
    for (double& n : plane.normal) {
      n = (below(2001) - 1000) / 1000.0;
      squares += n * n;
    }
    for (double& n : plane.normal) n /= std::sqrt(squares > 0.0 ? squares : 1.0);
    plane.distance = below(5000) / 1000.0;
    for (double& c : plane.centroid) c = (below(8001) - 4000) / 1000.0;
    plane.rms = below(100) / 10000.0;
    plane.inliers = below(10000);
    plane.box[0] = below(width);
    plane.box[1] = below(height);
    plane.box[2] = 1 + below(width - plane.box[0]);
    plane.box[3] = 1 + below(height - plane.box[1]);
    planes.planes.push_back(plane);
  }

  // The list also has parents that are not planar.
  void add_nodes(int x, int y, int size, int width, int height) {
    if (x >= width || y >= height) return;
    const bool planar = below(3) == 0;
    nodes.push_back({x, y, size, planar ? 1 : 0});
    if (planar || size == 8) return;
    for (int i = 0; i < 4; ++i) {
      add_nodes(x + i % 2 * size / 2, y + i / 2 * size / 2, size / 2, width, height);
    }
  }

  // Slopes with noise, and labels in blocks, some without a plane.
  void fill(int width, int height, int most) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const int slope =
            (x * most / (2 * width) + y * most / (2 * height) + below(most / 50)) % most;
        frame.view().set(y, x, static_cast<std::uint16_t>(below(9) == 0 ? 0 : slope));
        const auto planes_count = static_cast<int>(planes.planes.size());
        const int block = (x / 13 * 7 + y / 11 * 5) % (planes_count + 2);
        labels.view().set(y, x, static_cast<std::uint16_t>(block > 255 ? 0 : block));
      }
    }
  }

  std::mt19937* random_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_PLANE_SCENE_H_
