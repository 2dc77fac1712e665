// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/parameters.h"

#include <algorithm>
#include <cmath>

namespace rdp {

namespace {

// llround(256 * distance / sample_scale), limited to [0, limit].
std::int64_t steps256(double distance, double sample_scale, std::int64_t limit) {
  const double scaled = 256.0 * distance / sample_scale;
  // Compared as doubles first: llround of a value beyond int64 is undefined, and NaN must not pass.
  if (!(scaled > 0.0)) return 0;
  if (scaled >= static_cast<double>(limit)) return limit;
  return std::llround(scaled);
}

// The square of a distance in 1/256 sample steps, as one in sample steps.
float square_of_steps256(std::int64_t distance256) {
  const float distance = static_cast<float>(distance256) / 256.0F;
  return distance * distance;
}

}  // namespace

std::int64_t epsilon256(const Parameters& parameters) {
  return steps256(parameters.epsilon, parameters.sample_scale, kMaxEpsilon256);
}

SegmentRules segment_rules(const Parameters& parameters) {
  SegmentRules rules;
  rules.epsilon256 = epsilon256(parameters);
  rules.max_gap = parameters.max_gap;
  rules.refine = parameters.refine || parameters.merge;
  rules.merge = parameters.merge;
  const std::int64_t truncation256 = std::max<std::int64_t>(rules.epsilon256, 256);
  rules.truncation2 = square_of_steps256(truncation256);
  if (parameters.merge_bounded) rules.margin = static_cast<float>(truncation256) / 256.0F;
  const std::int64_t cost256 =
      parameters.merge_cost > 0.0
          ? steps256(parameters.merge_cost, parameters.sample_scale, kMaxMergeCost256)
          : kMergeCostOfEpsilon * truncation256;
  rules.price = square_of_steps256(cost256);
  rules.fit = parameters.fit;
  rules.near =
      static_cast<float>(std::max<std::int64_t>(rules.epsilon256 / kNearOfEpsilon, kLeastNear256)) /
      256.0F;
  return rules;
}

KnownRange input_known_range(const Parameters& parameters) {
  return {parameters.min_value, parameters.max_value};
}

InverseDepth inverse_depth_of(const Parameters& parameters) {
  return {parameters.inverse_scale, input_known_range(parameters)};
}

KnownRange segmented_known_range(const Parameters& parameters, SampleType type) {
  if (parameters.domain == Domain::kInverse) return {1, 65535};
  return {parameters.min_value, std::min(parameters.max_value, max_sample(type))};
}

}  // namespace rdp
