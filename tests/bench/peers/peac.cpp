// SPDX-License-Identifier: LGPL-2.1-or-later
// An adapter for PEAC (C. Feng, Y. Taguchi and V. R. Kamat, "Fast Plane Extraction in Organized
// Point Clouds Using Agglomerative Hierarchical Clustering", ICRA 2014) in planes_bench. PEAC is
// not part of this project, and its licence allows research only: peac.sh builds it from its own
// sources.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "AHCPlaneFitter.hpp"
#include "tests/bench/peers/peer.h"

// Differences from its defaults: planes need 1000 pixels instead of 3000, and blocks have 8 pixels
// instead of 10. Both find more planes in planes_accuracy's frames.
#ifndef RDP_PEAC_SUPPORT
#define RDP_PEAC_SUPPORT 1000
#endif
#ifndef RDP_PEAC_BLOCK
#define RDP_PEAC_BLOCK 8
#endif
#ifndef RDP_PEAC_TOLERANCE  // mm, for blocks; merged ones have 3 more
#define RDP_PEAC_TOLERANCE 5
#endif

namespace {

struct Cloud {
  const float* x = nullptr;
  const float* y = nullptr;
  const float* z = nullptr;
  int columns = 0;
  int rows = 0;

  int width() const { return columns; }
  int height() const { return rows; }
  bool get(int row, int column, double& px, double& py, double& pz) const {
    const int i = row * columns + column;
    px = x[i];
    py = y[i];
    pz = z[i];
    return pz > 0;
  }
};

ahc::PlaneFitter<Cloud> fitter;
Cloud cloud;
std::vector<std::vector<int>> planes;

}  // namespace

const char* rdp_peer_name(void) {
  static const std::string name = "PEAC " + std::to_string(RDP_PEAC_SUPPORT) + " px, blocks " +
                                  std::to_string(RDP_PEAC_BLOCK) + ", " +
                                  std::to_string(RDP_PEAC_TOLERANCE) + " mm";
  return name.c_str();
}

void rdp_peer_take_cloud(const float* x, const float* y, const float* z, int width, int height) {
  cloud = {x, y, z, width, height};
  fitter.minSupport = RDP_PEAC_SUPPORT;
  fitter.windowWidth = RDP_PEAC_BLOCK;
  fitter.windowHeight = RDP_PEAC_BLOCK;
  fitter.params.stdTol_init = RDP_PEAC_TOLERANCE;
  fitter.params.stdTol_merge = RDP_PEAC_TOLERANCE + 3;
}

void rdp_peer_find_planes(unsigned char* labels) {
  planes.clear();
  fitter.run(&cloud, &planes, nullptr, nullptr, false);
  std::fill(labels, labels + cloud.columns * cloud.rows, 0);
  for (std::size_t p = 0; p < planes.size() && p < 255; ++p) {
    for (const int pixel : planes[p]) labels[pixel] = static_cast<unsigned char>(p + 1);
  }
}
