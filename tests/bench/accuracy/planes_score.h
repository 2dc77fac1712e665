// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_PLANES_SCORE_H_
#define RDP_TESTS_BENCH_ACCURACY_PLANES_SCORE_H_

#include <cstdint>
#include <vector>

namespace rdp::bench {

// Agreement of labels with the true ones, by EVOPS' measure (A. Kornilova et al., "EVOPS Benchmark:
// Evaluation of Plane Segmentation from RGBD and LiDAR Data", 2022): a true plane is found if a
// plane overlaps it with an intersection over union of at least 0.75.
struct PlanesScore {
  int truth = 0;
  int reported = 0;
  int found = 0;
  double mean_iou = 0.0;  // over the found planes
  double panoptic = 0.0;  // F measure times mean_iou
};

// Label 0: no plane. Both have the same size.
PlanesScore score_planes(const std::vector<std::uint8_t>& labels,
                         const std::vector<std::uint8_t>& truth);

// The number of true planes that overlap a plane in at least this part of the pixels of either
// (SegComp's rule for correct planes).
int covered_planes(const std::vector<std::uint8_t>& labels, const std::vector<std::uint8_t>& truth,
                   double part);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_PLANES_SCORE_H_
