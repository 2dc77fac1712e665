// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_SETTINGS_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_SETTINGS_H_

#include <gst/gst.h>

#include <string>

#include "common/rdp/overlay.h"
#include "common/stereo/parameters.h"
#include "gst/elements/base/gstrdpjoiner.h"
#include "gst/elements/depthstereo/stereo_calibration.h"
#include "gst/memory/packed_views.h"

namespace rdp::gst {

// The enumerations of the properties.
GType stereo_output_get_type();
GType rectify_get_type();
GType stereo_paths_get_type();
GType packing_choice_get_type();

// The user's settings of the matching, in pixels.
struct MatchSettings : stereo::Parameters {
  double speckle_range_px = 1.0;

  bool operator==(const MatchSettings&) const = default;
};

// The user's settings of depthstereo. A pair works on a copy taken when it is complete.
struct StereoSettings : JoinerSettings {
  MatchSettings match;
  StereoOutput output = StereoOutput::kDisparity;
  PackingChoice packing = PackingChoice::kAuto;
  Rectify rectify = Rectify::kAuto;

  // `used`: the matching parameters in effect.
  StereoCalibrationSettings calibration(const stereo::Parameters& used) const {
    return {camera, rectify, output, used.min_disparity, used.disparities};
  }
};

// The content of the pictures of the pad `overlay`: the disparity, or the depth, in the palette.
struct DisparityOverlaySettings : OverlayOptions {
  DisparityOverlaySettings() {
    style = OverlayStyle::kDepth;
    legend = true;
  }
};

// Converts settings to the engines' parameters.
stereo::Parameters parameters_of(const MatchSettings& settings);

// Explains a contradiction between values that are each in range, with the remedy, as a sentence;
// empty if there is none. Throws std::bad_alloc.
std::string explain_settings(const MatchSettings& settings);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_SETTINGS_H_
