// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_PLACED_ARGUMENTS_H_
#define RDP_KERNELS_RDP_PLACED_ARGUMENTS_H_

#include <cstdint>

#include "common/rdp/placed_quad.h"
#include "kernels/filters/filter_arguments.h"

namespace rdp::cuda {

// Arguments of the kernels rdp_placed_rgba and rdp_placed_nv12: see PlacedSegments of
// common/rdp/placed_segments.h. Quadrangles that come later cover those before them.
struct PlacedArguments {
  const PlacedBox* boxes;
  const PlacedLine* lines;
  const PlacedCorners* corners;  // null: each covers all of its box
  std::uint32_t count;
  std::uint32_t alpha;
  std::int32_t frame_height;
  std::uint32_t classes;  // 1: the colours of classes, which the next four decide
  Ground ground;
  GroundPlane plane;
  ClassRules rules;
  PaletteRange range;
  BlendedPicture picture;
};

// The part of a picture that a block paints: a warp goes through it with a row for each thread, and
// then each thread has some rows of a column.
constexpr int kPlacedThreads = 256;
constexpr int kPlacedColumns = 64;
constexpr int kPlacedRows = 32;
constexpr int kPlacedRowsOfThread = kPlacedRows * kPlacedColumns / kPlacedThreads;
// The number of boxes that a thread looks at together.
constexpr int kPlacedBatch = 4;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_PLACED_ARGUMENTS_H_
