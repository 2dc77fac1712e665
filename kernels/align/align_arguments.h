// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_ALIGN_ALIGN_ARGUMENTS_H_
#define RDP_KERNELS_ALIGN_ALIGN_ARGUMENTS_H_

#include <cstdint>

#include "common/align/picture.h"
#include "common/filter/rules.h"
#include "common/image/camera.h"

namespace rdp::cuda {

// Ray tables of PointTableArguments, laid out by RayLayout.
struct AlignRays {
  const double* x;
  const double* y;
};

enum AlignCount { kAlignKnown, kAlignLanded, kAlignCounts };

// Arguments of all kernels rdp_align_*.
struct AlignArguments {
  const unsigned char* depth;
  std::int64_t pitch;
  std::int32_t sample_bytes;  // 1 or 2
  std::int32_t width;
  std::int32_t height;
  bool each_pixel;  // true: RayLayout has a ray per pixel
  AlignRays centres;
  AlignRays corners;     // a column and a row more than `centres`
  const double* depths;  // of each sample value; NaN: none

  // Members of align::Parameters.
  CameraLens target;
  Pose movement;
  double unit;
  filter::Tolerance tolerance;
  bool fill_cracks;

  std::int32_t target_width;
  std::int32_t target_height;
  std::uint32_t* nearest;  // samples of the target, 0xFFFFFFFF: none
  unsigned char* aligned;  // 16 bits
  std::int64_t aligned_pitch;

  unsigned long long* counters;  // of all frames so far
  unsigned long long* counts;    // their copy in page-locked memory, written by the last kernel

  // Input and output of rdp_align_colour alone.
  align::Picture picture;
  unsigned char* colours;
  std::int64_t colours_pitch;
};

// Pixels of a block, one per thread.
constexpr int kAlignColumns = 32;
constexpr int kAlignRows = 8;
constexpr int kAlignThreads = kAlignColumns * kAlignRows;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_ALIGN_ALIGN_ARGUMENTS_H_
