// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_settings.h"

#include <algorithm>

#include "gst/memory/frame_layout.h"

namespace rdp::gst {

GType stereo_output_get_type() {
  static const GEnumValue values[] = {
      {static_cast<gint>(StereoOutput::kDisparity), "Disparity in 1/256 px", "disparity"},
      {static_cast<gint>(StereoOutput::kDepthMm), "Distance along the view in mm", "depth-mm"},
      {0, nullptr, nullptr},
  };
  static const GType type = g_enum_register_static("GstDepthStereoOutput", values);
  return type;
}

GType rectify_get_type() {
  static const GEnumValue values[] = {
      {static_cast<gint>(Rectify::kAuto), "Where the calibration says that it is needed", "auto"},
      {static_cast<gint>(Rectify::kOn), "Always, by the calibration", "on"},
      {static_cast<gint>(Rectify::kOff), "Never: the pictures come rectified", "off"},
      {0, nullptr, nullptr},
  };
  static const GType type = g_enum_register_static("GstDepthStereoRectify", values);
  return type;
}

GType stereo_paths_get_type() {
  static const GEnumValue values[] = {
      {4, "Along rows and columns", "4"},
      {8, "And along the diagonals, which takes twice the time", "8"},
      {0, nullptr, nullptr},
  };
  static const GType type = g_enum_register_static("GstDepthStereoPaths", values);
  return type;
}

GType packing_choice_get_type() {
  static const GEnumValue values[] = {
      {static_cast<gint>(PackingChoice::kAuto), "As the caps say (multiview-mode)", "auto"},
      {static_cast<gint>(PackingChoice::kSideBySide), "The halves of each row", "side-by-side"},
      {static_cast<gint>(PackingChoice::kTopBottom), "The upper and the lower half", "top-bottom"},
      {static_cast<gint>(PackingChoice::kBatch), "The two surfaces of a batch in NVMM memory",
       "batch"},
      {0, nullptr, nullptr},
  };
  static const GType type = g_enum_register_static("GstDepthStereoPacking", values);
  return type;
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
    return format_text("disparities=%d is no multiple of %d: set disparities=%d", disparities,
                       stereo::kDisparityStep, next);
  }
  if (settings.p2 < settings.p1) {
    return format_text(
        "p2=%d is less than p1=%d, but a large step of the disparity must cost as much as one of 1 "
        "px at least: set p2=%d or more, or p1=%d or less",
        settings.p2, settings.p1, settings.p1, settings.p2);
  }
  if (settings.min_disparity + disparities > stereo::kMostDisparities) {
    const int most = stereo::kMostDisparities - settings.min_disparity;
    return format_text(
        "min-disparity=%d and disparities=%d are %d together, and %d is the most: set "
        "disparities=%d, or min-disparity=%d",
        settings.min_disparity, disparities, settings.min_disparity + disparities,
        stereo::kMostDisparities,
        std::max(most / stereo::kDisparityStep, 1) * stereo::kDisparityStep,
        stereo::kMostDisparities - disparities);
  }
  return {};
}

}  // namespace rdp::gst
