// SPDX-License-Identifier: LGPL-2.1-or-later
// An adapter for CAPE (P. F. Proenca and Y. Gao, "Fast Cylinder and Plane Extraction from Depth
// Cameras for Visual Odometry", IROS 2018) in planes_bench. CAPE is not part of this project:
// cape.sh builds it from its own sources. Cells of 10 pixels (its default, 20, misses more planes),
// no cylinders, default thresholds.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace std;  // CAPE's headers need it

#include "CAPE.h"
#include "tests/bench/peers/peer.h"

namespace {

#ifndef RDP_CAPE_CELL
#define RDP_CAPE_CELL 10
#endif
constexpr int kCell = RDP_CAPE_CELL;
constexpr float kLeastCosine = 0.96592582f;  // cos(15 degrees)
constexpr float kMergeDistance = 50.0f;      // mm

struct Finder {
  Finder(int width_, int height_)
      : width(width_),
        height(height_),
        cape(height_, width_, kCell, kCell, false, kLeastCosine, kMergeDistance),
        cloud(width_ * height_, 3),
        labels(height_, width_) {
    // The index of each pixel in cell-major order.
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const int cell = row / kCell * (width / kCell) + column / kCell;
        place.push_back(cell * kCell * kCell + row % kCell * kCell + column % kCell);
      }
    }
  }

  int width, height;
  CAPE cape;
  Eigen::MatrixXf cloud;
  cv::Mat_<uchar> labels;
  std::vector<int> place;
};

std::unique_ptr<Finder> finder;

}  // namespace

const char* rdp_peer_name(void) {
  static const std::string name = "CAPE, cells of " + std::to_string(kCell);
  return name.c_str();
}

void rdp_peer_take_cloud(const float* x, const float* y, const float* z, int width, int height) {
  if (finder == nullptr || finder->width != width || finder->height != height) {
    finder = std::make_unique<Finder>(width, height);
  }
  for (int i = 0; i < width * height; ++i) {
    const int to = finder->place[i];
    finder->cloud(to, 0) = x[i];
    finder->cloud(to, 1) = y[i];
    finder->cloud(to, 2) = z[i];
  }
}

void rdp_peer_find_planes(unsigned char* labels) {
  finder->labels.setTo(0);
  int planes = 0;
  int cylinders = 0;
  std::vector<PlaneSeg> plane_parameters;
  std::vector<CylinderSeg> cylinder_parameters;
  cv::Mat out = finder->labels;
  finder->cape.process(finder->cloud, planes, cylinders, out, plane_parameters,
                       cylinder_parameters);
  std::memcpy(labels, finder->labels.data, finder->labels.total());
}
