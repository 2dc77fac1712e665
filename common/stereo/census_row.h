// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_CENSUS_ROW_H_
#define RDP_COMMON_STEREO_CENSUS_ROW_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"
#include "common/stereo/path_rows.h"

namespace rdp::stereo {

// Rows whose census is made at a time.
inline constexpr int kCensusBand = 16;

// Memory layout of a row's census: parts of four or eight bits of all pixels, as the SIMD target in
// use compares them (see count_bits.h).
//
// A part of the left view's row has a byte for each column: its bits. Four bits are stored times
// 16, which is the offset of their table in path_rows.cpp.
//
// The right view's parts are laid out for vectors of disparities. They run from right to left, so
// that disparities ascend, and by phases, as disparities lie in stripes. Pixel `column` has index
// n = ahead + width - 1 - column: element n / phases of phase n % phases. Elements beyond the left
// border repeat the first column. The `ahead` elements before the picture, which negative
// disparities read, repeat the last column.
//
// Unseen pixels of the right view: in parts of four bits, their indices make the tables give
// kMaxCost. Parts of eight bits are followed by one more: kMaxCost for unseen pixels, else 0.
struct CensusLayout {
  static CensusLayout of_left(int width);
  static CensusLayout of_right(const StripeLayout& stripes, int width, int min_disparity);

  std::ptrdiff_t part() const { return phase * phases; }
  std::size_t row_bytes() const {
    return static_cast<std::size_t>(part()) * static_cast<std::size_t>(parts + 1);
  }

  bool right = false;
  int parts = 8;  // of bits
  int phases = 1;
  std::ptrdiff_t phase = 0;  // bytes of each
  int ahead = 0;             // a multiple of phases
};

// Bytes of census_rows()' scratch, for either view.
std::size_t census_scratch_bytes(int width, const CensusLayout& layout);

// The census of rows [first_row, end_row), at most kCensusBand, each row_bytes() long. The mask
// (without data: none) says which pixels were seen.
void census_rows(const DepthView& picture, const DepthView& mask, const CensusLayout& layout,
                 int first_row, int end_row, std::uint8_t* scratch, std::uint8_t* out);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_CENSUS_ROW_H_
