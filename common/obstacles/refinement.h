// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_REFINEMENT_H_
#define RDP_COMMON_OBSTACLES_REFINEMENT_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "common/image/depth_view.h"
#include "common/image/half_turn.h"
#include "common/obstacles/geometry.h"
#include "common/obstacles/ground_rules.h"

// The refinement moves the ground to the samples near it. Each attempt begins at the start, turned
// about the axis to the left. A round fits a plane to inverse distances in a band that becomes
// narrower, with pixels whose column and row are multiples of a step.
namespace rdp::obstacles {

// A refined ground; the start itself where no attempt stands.
struct Refined {
  Ground ground;
  bool refined = false;
  std::int64_t inliers = 0;
};

inline int refinement_step(int width) { return std::max(1, width / 160); }

inline Turn turn_of_degrees(int degrees) {
  if (degrees == 0) return {};
  const double sine = sine_of_part(std::abs(degrees), 180);
  return {cosine_of_part(std::abs(degrees), 180), degrees > 0 ? sine : -sine};
}
// 0, 2, -2, 4 and -4 degrees.
inline Turn turn_of_attempt(int attempt) {
  const int degrees = (attempt + 1) / 2 * 2;
  return turn_of_degrees(attempt % 2 != 0 ? degrees : -degrees);
}

// sum(ground, band): the sums of a round.
template <typename Sum>
Attempt try_start(const Ground& start, const Turn& turn, const CameraTables& tables,
                  const Sum& sum) {
  const FrameRules& rules = tables.rules;
  const int step = refinement_step(rules.width);
  const std::int64_t pixels =
      std::int64_t{(rules.width + step - 1) / step} * ((rules.height + step - 1) / step);
  Attempt attempt{false, turned(start, turn), 0, 0};
  GroundBand band{};
  for (int round = 0; round < kRounds; ++round) {
    band = band_of_round(round, rules.min_height);
    const GroundSums sums = sum(attempt.ground, band);
    if (64 * sums.n < pixels || !fit_ground(sums, tables.lens, &attempt.ground)) return attempt;
  }
  const GroundSums sums = sum(attempt.ground, band);
  attempt.stands = is_near_start(attempt.ground, start);
  attempt.used = sums.n;
  attempt.below = sums.below;
  return attempt;
}

template <typename Sum>
Refined refine_ground(const Ground& start, const CameraTables& tables, const Sum& sum) {
  Attempt attempts[kAttempts];
  for (int i = 0; i < kAttempts; ++i) {
    attempts[i] = try_start(start, turn_of_attempt(i), tables, sum);
    if (i == 0 && attempts[0].stands && 8 * attempts[0].below <= attempts[0].used) break;
  }
  const int chosen = choose_attempt(attempts);
  if (chosen < 0) return {start, false, 0};
  return {attempts[chosen].ground, true, attempts[chosen].used};
}

// reference::refine() with SIMD.
class Refinement {
 public:
  // Throws std::bad_alloc where the frame is larger than any before.
  Refined refine(const DepthView& frame, const CameraTables& tables, const Ground& start);

 private:
  GroundSums sum(const CameraTables& tables, const Ground& ground, const GroundBand& band);

  // The round's pixels, row by row, and the contributions of their columns to heights.
  std::vector<std::int32_t> z_, u_, columns_;
  int width_ = 0;
  int height_ = 0;
  int step_ = 1;
};

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_REFINEMENT_H_
