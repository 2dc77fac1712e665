// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/parameters.h"

#include <algorithm>
#include <cmath>

namespace rdp {

std::int64_t epsilon256(const Parameters& parameters) {
  const double scaled = 256.0 * parameters.epsilon / parameters.sample_scale;
  // Compared as doubles first: llround of a value beyond int64 is undefined, and NaN must not pass.
  if (!(scaled > 0.0)) return 0;
  if (scaled >= static_cast<double>(kMaxEpsilon256)) return kMaxEpsilon256;
  return std::llround(scaled);
}

KnownRange input_known_range(const Parameters& parameters) {
  return {parameters.min_value, parameters.max_value};
}

KnownRange segmented_known_range(const Parameters& parameters, SampleType type) {
  if (parameters.domain == Domain::kInverse) return {1, 65535};
  return {parameters.min_value, std::min(parameters.max_value, max_sample(type))};
}

std::uint16_t unknown_sample(const KnownRange& known) {
  if (!known.contains(0)) return 0;
  return known.last < 65535 ? static_cast<std::uint16_t>(known.last + 1) : 0;
}

}  // namespace rdp
