// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_INPUT_H_
#define RDP_COMMON_MOTION_INPUT_H_

#include <cmath>
#include <cstdint>
#include <span>

#include "common/image/camera.h"
#include "common/klt/track.h"
#include "common/rdp/segment_list.h"

namespace rdp::motion {

enum class Measure : std::uint8_t { kDisparity, kDepth };

// The meaning of the values of segments: sample * unit + offset, in px of disparity or in metres.
// The sample is the value itself or, with an inverse scale, inverse_scale / value.
struct Values {
  Measure measures = Measure::kDisparity;
  double unit = 1.0;           // px or metres a sample step; above 0
  double offset = 0.0;         // px; 0 for depth
  double inverse_scale = 0.0;  // of domain=inverse; 0: domain=linear

  bool operator==(const Values&) const = default;
};

// A camera without distortion, of the depth picture in its full size. All values but the principal
// point are above 0; the baseline is needed for disparities only.
struct Camera {
  double focal_x = 1.0;  // px
  double focal_y = 1.0;
  double principal_x = 0.0;
  double principal_y = 0.0;
  double baseline = 0.0;  // m
};

// True if two numbers may belong to one camera, in two frames or two picture sizes: focusing and
// rounding change them slightly. Lengths are in any unit, places in px. False for NaN.
inline bool same_length(double a, double b) { return std::abs(a - b) <= 0.005 * a; }
inline bool same_place(double a, double b) { return std::abs(a - b) <= 0.5; }

// Position of the video picture on the depth picture. The centre of its pixel (x, y) is in column
// (x + 1/2) * scale_x + offset_x - 1/2, and likewise for rows.
struct Placement {
  double scale_x = 1.0;
  double scale_y = 1.0;
  double offset_x = 0.0;
  double offset_y = 0.0;

  bool operator==(const Placement&) const = default;
};

// A pair of frames: the segments of a depth picture and the tracks of a video picture, of the same
// rectified camera and, within the tolerance of the pairing, the same moment.
struct Input {
  // The depth picture, 1 to kMaxSide rows and columns. Segment columns are column_width pixels
  // wide, the last may be narrower. A column's segments are ordered by row.
  int width = 0;
  int height = 0;
  int column_width = 1;
  SegmentArrays segments;
  std::span<const std::uint8_t> classes;  // one a segment; empty: there are none
  Values values;
  std::uint64_t pts = 0;  // of the depth frame, ns

  bool has_camera = false;  // without one: image motion only
  Camera camera;
  bool has_pose = false;  // only EgoMotion::kGiven looks at it
  Pose pose;              // world from camera

  // In any order. Positions may be any numbers, even non-finite; of entries with equal ids the
  // first counts.
  std::span<const klt::Track> tracks;
  Placement placement;
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_INPUT_H_
