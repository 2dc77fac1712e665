// SPDX-License-Identifier: LGPL-2.1-or-later
// An adapter for deplex (A. Saliou and A. Kornilova) in planes_bench. It is not part of this
// project: deplex.sh builds it from its own sources. Default parameters; -DRDP_DEPLEX_ICL: its
// parameters for ICL-NUIM.
#include <memory>

#include "deplex/plane_extractor.h"
#include "tests/bench/peers/peer.h"

namespace {

deplex::config::Config settings() {
  deplex::config::Config config;
#ifdef RDP_DEPLEX_ICL
  config.patch_size = 4;
  config.min_cos_angle_merge = 0.93f;
  config.min_region_planarity_score = 0.5f;
#endif
  return config;
}

struct Finder {
  Finder(int width_, int height_)
      : width(width_),
        height(height_),
        extractor(height_, width_, settings()),
        points(width_ * height_, 3) {}

  int width, height;
  deplex::PlaneExtractor extractor;
  Eigen::MatrixX3f points;
};

std::unique_ptr<Finder> finder;

}  // namespace

const char* rdp_peer_name(void) {
#ifdef RDP_DEPLEX_ICL
  return "deplex, for ICL-NUIM";
#else
  return "deplex, defaults";
#endif
}

void rdp_peer_take_cloud(const float* x, const float* y, const float* z, int width, int height) {
  if (finder == nullptr || finder->width != width || finder->height != height) {
    finder = std::make_unique<Finder>(width, height);
  }
  for (int i = 0; i < width * height; ++i) finder->points.row(i) << x[i], y[i], z[i];
}

void rdp_peer_find_planes(unsigned char* labels) {
  const Eigen::VectorXi found = finder->extractor.process(finder->points);
  for (Eigen::Index i = 0; i < found.size(); ++i) labels[i] = static_cast<unsigned char>(found[i]);
}
