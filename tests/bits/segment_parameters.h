// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BITS_SEGMENT_PARAMETERS_H_
#define RDP_TESTS_BITS_SEGMENT_PARAMETERS_H_

#include <string>

#include "common/rdp/parameters.h"
#include "tests/bits/case.h"

namespace rdp::bits {

// Random parameters of the segmentation.
inline Parameters random_parameters(SampleType type, Random* random) {
  Parameters parameters;
  const auto most = static_cast<int>(max_sample(type));
  parameters.epsilon = random->one_in(3)
                           ? random->of({0.0, 0.002, 1.999, 2.0, 777.25, 65535.0, 1e9})
                           : random->below(most) / 16.0;
  parameters.sample_scale = random->one_in(4) ? 1.0 / 3 : 1.0;
  parameters.min_value = static_cast<std::uint32_t>(random->of({0, 1, 1, 1, 2, 60, 128, 32768}));
  if (random->one_in(4)) {
    parameters.max_value = static_cast<std::uint32_t>(
        random->one_in(2) ? random->below(70000) : random->of({0, 1, 50, 127, 255, 300, 65534}));
  }
  if (random->one_in(3)) parameters.domain = Domain::kInverse;
  parameters.inverse_scale = type == SampleType::kU8
                                 ? 100.0 * (1 + random->below(600))
                                 : random->of({0.01, 77.7, 1e4, 1e6, 1e7, 65535.0 * 255, 1e12});
  if (random->one_in(3)) parameters.median = random->of({Median::k3x3, Median::k5x5});
  if (random->one_in(2)) parameters.column_width = 1 + random->below(kMaxColumnWidth);
  if (random->one_in(3)) parameters.max_gap = random->of({1, 2, 5, 16, 40, 1000});
  parameters.refine = random->one_in(3);
  parameters.merge = random->one_in(4);
  parameters.fit = random->of({Fit::kSquares, Fit::kAbsolute});
  parameters.merge_cost = random->of({0.0, 0.0, 1e-9, 1e-3, 3.0, 500.0, 1e9});
  if (random->one_in(4)) parameters.ground_slope = random->below(4000) / 100.0;
  if (random->one_in(3)) parameters.far_value = random->below(500);
  parameters.merge_bounded = random->one_in(2);
  return parameters;
}

inline std::string text_of(const Parameters& p) {
  return "epsilon " + std::to_string(p.epsilon) + " of " + std::to_string(p.sample_scale) +
         ", known " + std::to_string(p.min_value) + " to " + std::to_string(p.max_value) +
         ", median " + std::to_string(static_cast<int>(p.median)) + ", inverse " +
         std::to_string(p.domain == Domain::kInverse) + " " + std::to_string(p.inverse_scale) +
         ", column-width " + std::to_string(p.column_width) + ", max-gap " +
         std::to_string(p.max_gap) + ", refine " + std::to_string(p.refine) + ", merge " +
         std::to_string(p.merge) + " " + std::to_string(p.merge_cost) +
         (p.merge_bounded ? " bounded" : "") + ", fit " + std::to_string(static_cast<int>(p.fit));
}

}  // namespace rdp::bits

#endif  // RDP_TESTS_BITS_SEGMENT_PARAMETERS_H_
