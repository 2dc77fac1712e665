// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_OVERLAY_ARGUMENTS_H_
#define RDP_KERNELS_PLANES_OVERLAY_ARGUMENTS_H_

#include <cstdint>

#include "common/planes/pictures/overlay_pixels.h"
#include "kernels/rdp/marks_arguments.h"

namespace rdp::cuda {

// Arguments of the kernels rdp_plane_picture and rdp_plane_squares, which start in this order: the
// first layers of common/planes/pictures/overlay_pixels.h.
struct PlanePictureArguments {
  const unsigned char* frame;
  std::int64_t pitch;
  const unsigned char* labels;
  std::int64_t labels_pitch;
  unsigned char* picture;
  std::int64_t picture_pitch;
  std::uint32_t sample_bytes;
  planes::PixelRules rules;
  PictureRange range;  // replaces the range of `rules`
  const planes::PaintedPlane* planes;
  const planes::NodeSquare* squares;  // a block each
  std::int32_t square_count;
};

// The part of a picture that a block of rdp_plane_picture paints.
constexpr int kPlanePictureThreads = 128;
constexpr int kPlanePictureColumns = 32;
constexpr int kPlanePictureRowsOfThread = 8;
constexpr int kPlanePictureRows = kPlanePictureRowsOfThread * kPlanePictureThreads / 32;
// A block of rdp_plane_squares has a square.
constexpr int kPlaneSquareThreads = 64;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_OVERLAY_ARGUMENTS_H_
