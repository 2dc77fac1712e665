// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_DISPARITY_ROW_H_
#define RDP_COMMON_STEREO_DISPARITY_ROW_H_

#include <cstddef>
#include <cstdint>

#include "common/stereo/parameters.h"
#include "common/stereo/path_rows.h"

namespace rdp::stereo {

// Columns that are read and written beyond the last one of a row: up to a vector.
inline constexpr int kDisparityRowSlack = 16;

// Computes and checks the disparities of a row from the second pass of path_columns(). Every array
// of `found` and both outputs have room for width + kDisparityRowSlack columns; the masks, which
// may be null, have `width`. `disparity` is as stored; `confidence` is set for every pixel, known
// or not.
void disparity_row(const PathRow& found, const Parameters& parameters, const std::byte* left_mask,
                   const std::byte* right_mask, std::uint16_t* disparity, std::uint8_t* confidence);

// Makes pixels unknown that the left camera has not seen.
void hide_row(const std::byte* left_mask, int width, std::byte* disparity);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_DISPARITY_ROW_H_
