// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_PLANES_SCORE_H_
#define RDP_TESTS_BENCH_ACCURACY_PLANES_SCORE_H_

#include <cstdint>
#include <vector>

namespace rdp::bench {

// How well labels agree with the true ones, as EVOPS measures it (A. Kornilova et al., "EVOPS
// Benchmark: Evaluation of Plane Segmentation from RGBD and LiDAR Data", 2022): a true plane is
// found where a plane covers it with an intersection over union of at least 0.75.
struct PlanesScore {
  int truth = 0;
  int reported = 0;
  int found = 0;
  double mean_iou = 0.0;  // of those found
  double panoptic = 0.0;  // F measure times mean_iou
};

// 0: no plane. Of one size.
PlanesScore score_planes(const std::vector<std::uint8_t>& labels,
                         const std::vector<std::uint8_t>& truth);

// True planes of which a plane shares at least this part, as large a part of its own pixels
// (SegComp's rule of correct planes).
int covered_planes(const std::vector<std::uint8_t>& labels, const std::vector<std::uint8_t>& truth,
                   double part);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_PLANES_SCORE_H_
