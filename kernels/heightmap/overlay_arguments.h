// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_OVERLAY_ARGUMENTS_H_
#define RDP_KERNELS_HEIGHTMAP_OVERLAY_ARGUMENTS_H_

#include <cstdint>

#include "common/heightmap/overlay_pixels.h"
#include "common/rdp/painted_marks.h"

namespace rdp::cuda {

// Arguments of the kernels rdp_height_lines and rdp_height_picture or, from above, rdp_height_map,
// which start in this order.
struct HeightPictureArguments {
  unsigned char* picture;
  std::int64_t picture_pitch;
  std::int32_t width;
  std::int32_t height;
  heightmap::PixelRules rules;
  // For rdp_height_picture.
  const unsigned char* samples;
  std::int64_t samples_pitch;
  const unsigned char* labels;
  // For rdp_height_map: the heights of cells, and the content of columns and rows of the picture.
  const std::uint16_t* ground;
  std::int32_t ground_columns;  // samples from a row of the ground to the next one
  const heightmap::MapPlace* columns;
  const heightmap::MapPlace* rows;
  // Later lines cover earlier ones, but blocks run in any order. So the number of each pixel's last
  // line, from 1, is found first, row by row; 0: none.
  const PaintedLine* lines;
  std::int32_t line_count;
  std::uint32_t* last_lines;
};

// The part of a picture that a block of rdp_height_picture and rdp_height_map paints.
constexpr int kHeightPictureThreads = 128;
constexpr int kHeightPictureColumns = 32;
constexpr int kHeightPictureRowsOfThread = 8;
constexpr int kHeightPictureRows = kHeightPictureRowsOfThread * kHeightPictureThreads / 32;
// Threads of a block of rdp_height_lines, which has one line.
constexpr int kHeightLineThreads = 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_OVERLAY_ARGUMENTS_H_
