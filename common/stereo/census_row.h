// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_CENSUS_ROW_H_
#define RDP_COMMON_STEREO_CENSUS_ROW_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"
#include "common/stereo/path_rows.h"

namespace rdp::stereo {

// Bytes of scratch for a row of `width` pixels, the same for both views.
std::size_t census_scratch_bytes(int width);

// The census of a row of the left view: kCensusParts bytes for each column, each a part of four
// bits, times 16: where its table is.
void census_of_left(const DepthView& picture, int row, std::uint8_t* scratch, std::uint8_t* out);

// How the census of the right view lies in memory, for vectors of disparities: from right to left,
// by part, then by phase. Pixel `column` is number n = width - 1 - column of its row: number n /
// stripes of phase n % stripes. What lies to the left of the picture is its first column.
struct RightCensusLayout {
  RightCensusLayout(const StripeLayout& layout, int width, int min_disparity)
      : phases(layout.stripes),
        phase((width - 1 + min_disparity + layout.stripes - 1) / layout.stripes + layout.lanes) {}
  std::size_t row_bytes() const {
    return static_cast<std::size_t>(kCensusParts) * static_cast<std::size_t>(phases) *
           static_cast<std::size_t>(phase);
  }

  int phases;
  std::ptrdiff_t phase;  // bytes of each
};

// The same for the right view: parts of four bits. A pixel that the mask (without data: none) says
// was not seen has an index for which the tables of path_rows.cpp give kMostCost.
void census_of_right(const DepthView& picture, const DepthView& mask, int row,
                     const RightCensusLayout& layout, std::uint8_t* scratch, std::uint8_t* out);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_CENSUS_ROW_H_
