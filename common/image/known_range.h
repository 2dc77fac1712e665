// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_KNOWN_RANGE_H_
#define RDP_COMMON_IMAGE_KNOWN_RANGE_H_

#include <cstdint>

namespace rdp {

// A closed range of known sample values; empty when first > last.
struct KnownRange {
  std::uint32_t first;
  std::uint32_t last;

  bool contains(std::uint32_t value) const { return value >= first && value <= last; }
  bool operator==(const KnownRange&) const = default;
};

// The sample that stands for "unknown" in a filtered frame: a value outside `known`, 0 where that
// is possible. When every value is known, no sample is ever unknown and the answer (0) is never
// used.
inline std::uint16_t unknown_sample(const KnownRange& known) {
  if (!known.contains(0)) return 0;
  return known.last < 65535 ? static_cast<std::uint16_t>(known.last + 1) : 0;
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_KNOWN_RANGE_H_
