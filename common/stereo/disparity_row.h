// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_DISPARITY_ROW_H_
#define RDP_COMMON_STEREO_DISPARITY_ROW_H_

#include <cstddef>
#include <cstdint>

#include "common/stereo/parameters.h"
#include "common/stereo/path_rows.h"

namespace rdp::stereo {

// What is read and written beyond the last column of a row: up to a vector.
inline constexpr int kDisparityRowSlack = 16;

// The disparities of a row, checked, of what path_columns() found in its second pass. Every array
// of `found` and both outputs have room for width + kDisparityRowSlack columns; `mask`, which may
// be null, has `width`. disparity: as it is stored; confidence: of every pixel, whether known or
// not.
void disparity_row(const PathRow& found, const Parameters& parameters, const std::byte* mask,
                   std::uint16_t* disparity, std::uint8_t* confidence);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_DISPARITY_ROW_H_
