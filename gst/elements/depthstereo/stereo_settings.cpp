// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_settings.h"

#include <algorithm>

#include "gst/elements/base/enum_type.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {

GType stereo_output_get_type() {
  return enum_type<StereoOutput>(
      "GstDepthStereoOutput",
      {{StereoOutput::kDisparity, "Disparity in 1/256 px", "disparity"},
       {StereoOutput::kDepthMm, "Depth Z along the camera's axis in mm", "depth-mm"}});
}

GType rectify_get_type() {
  return enum_type<Rectify>("GstDepthStereoRectify",
                            {{Rectify::kAuto, "If the calibration shows that it is needed", "auto"},
                             {Rectify::kOn, "Always", "on"},
                             {Rectify::kOff, "Never: the views are rectified already", "off"}});
}

GType stereo_paths_get_type() {
  return enum_type<struct Paths>(
      "GstDepthStereoPaths",
      {{4, "Along rows and columns", "4"},
       {8, "Also along the diagonals; takes about 1.6 times as long on a CPU", "8"}});
}

GType packing_choice_get_type() {
  return enum_type<PackingChoice>(
      "GstDepthStereoPacking",
      {{PackingChoice::kAuto, "From multiview-mode in the caps", "auto"},
       {PackingChoice::kSideBySide, "Left and right half of each row", "side-by-side"},
       {PackingChoice::kTopBottom, "Upper and lower half", "top-bottom"},
       {PackingChoice::kBatch, "Two surfaces of a batch in NVMM memory", "batch"}});
}

stereo::Parameters parameters_of(const MatchSettings& settings) {
  stereo::Parameters parameters = settings;
  // Within 0 to 16: the product is exact, and so is half a step added to it.
  parameters.speckle_range =
      static_cast<int>(settings.speckle_range_px * stereo::kDisparityOne + 0.5);
  return parameters;
}

std::string explain_settings(const MatchSettings& settings) {
  const int disparities = settings.disparities;
  if (disparities % stereo::kDisparityStep != 0) {
    const int next = (disparities / stereo::kDisparityStep + 1) * stereo::kDisparityStep;
    return format_text("disparities=%d is not a multiple of %d: set disparities=%d", disparities,
                       stereo::kDisparityStep, next);
  }
  if (settings.p2 < settings.p1) {
    return format_text(
        "p2=%d is less than p1=%d, but a large disparity change must cost at least as much as one "
        "of 1 px: set p2=%d or more, or p1=%d or less",
        settings.p2, settings.p1, settings.p1, settings.p2);
  }
  if (settings.min_disparity + disparities > stereo::kMaxDisparities) {
    const int most = stereo::kMaxDisparities - settings.min_disparity;
    return format_text(
        "min-disparity=%d plus disparities=%d is %d, expected at most %d: set disparities=%d, or "
        "min-disparity=%d",
        settings.min_disparity, disparities, settings.min_disparity + disparities,
        stereo::kMaxDisparities,
        std::max(most / stereo::kDisparityStep, 1) * stereo::kDisparityStep,
        stereo::kMaxDisparities - disparities);
  }
  return {};
}

}  // namespace rdp::gst
