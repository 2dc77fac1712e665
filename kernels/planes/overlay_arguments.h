// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_OVERLAY_ARGUMENTS_H_
#define RDP_KERNELS_PLANES_OVERLAY_ARGUMENTS_H_

#include <cstdint>

#include "common/planes/pictures/overlay_pixels.h"
#include "common/rdp/legend.h"
#include "kernels/rdp/legend_layout.h"

namespace rdp::cuda {

// Arguments of the kernels rdp_plane_picture, rdp_plane_squares and rdp_plane_numbers, which start
// in this order: the layers of common/planes/pictures/overlay_pixels.h.
struct PlanePictureArguments {
  const unsigned char* frame;
  std::int64_t pitch;
  const unsigned char* labels;
  std::int64_t labels_pitch;
  unsigned char* picture;
  std::int64_t picture_pitch;
  std::uint32_t sample_bytes;
  std::int32_t zoom;
  planes::PixelRules rules;
  const PaletteRange* range_of_frame;  // taken instead of that of `rules` where it is not null
  std::uint32_t backwards;             // 1: the other way
  const planes::PaintedPlane* planes;
  const planes::NodeSquare* squares;  // these have a block each
  const planes::PaintedNumber* numbers;
  std::int32_t square_count;
  std::int32_t number_count;
};

// Arguments of the kernel rdp_plane_legend, which starts last.
struct PlaneLegendArguments {
  unsigned char* picture;
  std::int64_t picture_pitch;
  PaletteRange range;
  const PaletteRange* range_of_frame;
  std::uint32_t backwards;
  std::uint32_t greys;  // 1: of the bar, instead of the palette
  Legend legend;
};

// The part of a picture that a block of rdp_plane_picture paints.
constexpr int kPlanePictureThreads = 128;
constexpr int kPlanePictureColumns = 32;
constexpr int kPlanePictureRowsOfThread = 8;
constexpr int kPlanePictureRows = kPlanePictureRowsOfThread * kPlanePictureThreads / 32;
// A block of the others has a square or a number.
constexpr int kPlaneSquareThreads = 64;
constexpr int kPlaneNumberThreads = 128;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_OVERLAY_ARGUMENTS_H_
