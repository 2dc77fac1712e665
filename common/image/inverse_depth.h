// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_INVERSE_DEPTH_H_
#define RDP_COMMON_IMAGE_INVERSE_DEPTH_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"
#include "common/image/known_range.h"

namespace rdp {

// floor(x + 1/2) of a finite x that is not negative, without the rounding of x + 0.5 itself.
inline double round_half_up(double x) {
  const double whole = std::floor(x);
  return x - whole >= 0.5 ? whole + 1.0 : whole;
}

// The rule from a depth to an inverse depth.
struct InverseDepth {
  double scale;      // u = scale / z; > 0
  KnownRange known;  // of the depths

  bool operator==(const InverseDepth&) const = default;
};

// u of the depth z: clamp(round(scale / z), 1, 65535), or 0 (unknown) where z is unknown. A known
// depth of 0 becomes 65535, the nearest value.
inline std::uint16_t inverse_of_depth(std::uint16_t z, const InverseDepth& inverse) {
  if (!inverse.known.contains(z)) return 0;
  if (z == 0) return 65535;
  // A compiler may compute both cases and select one, so neither divides by 0. Values are clamped
  // to 65535 before rounding, because infinity cannot be rounded.
  const double u = std::min(inverse.scale / std::max<int>(z, 1), 65535.0);
  return static_cast<std::uint16_t>(std::max(round_half_up(u), 1.0));
}

// A table of inverse_of_depth() for every sample value: faster than a division per sample, and
// bit-identical on every machine.
class InverseDepthTable {
 public:
  // Makes the table for this rule and sample type. Returns false if neither has changed, then the
  // table is kept. Must not run while another thread reads the table. Throws std::bad_alloc.
  bool update(const InverseDepth& inverse, SampleType type);

  // 256 (8 bit) or 65536 (16 bit) entries of the last update().
  const std::uint16_t* data() const { return values_.data(); }
  std::size_t size() const { return size_; }

 private:
  GrowBuffer<std::uint16_t> values_;
  std::uint32_t size_ = 0;
  InverseDepth inverse_{};
};

// Writes the inverse depth of rows [first_row, end_row) of `in` into the same rows of `out`, which
// has the size of `in` and 16-bit samples; it may be `in` itself if that is 16 bit too. The rows
// may be spread over threads. `table` was updated for the sample type of `in`.
void inverse_depth_rows(const DepthView& in, const InverseDepthTable& table, int first_row,
                        int end_row, const MutableDepthView& out);

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_INVERSE_DEPTH_H_
