// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_KLTTRACK_TRACK_SETTINGS_H_
#define RDP_GST_ELEMENTS_KLTTRACK_TRACK_SETTINGS_H_

#include <gst/gst.h>

#include <string>

#include "common/klt/overlay.h"
#include "common/klt/parameters.h"
#include "gst/elements/base/analyzer_settings.h"
#include "gst/elements/base/shared_text.h"

namespace rdp::gst {

// The enumerations of the properties.
GType klt_pyramid_step_get_type();
GType klt_light_get_type();
GType klt_detector_get_type();
GType klt_warp_get_type();
GType klt_overlay_style_get_type();

// The user's settings of klttrack. A frame works on a copy taken when it arrives.
struct TrackSettings : AnalyzerSettings {
  klt::Parameters parameters;
  SharedText mask;
};

// The content of the pictures of the pad `overlay`.
struct TrackOverlaySettings : klt::OverlayOptions {
  guint surface = 0;
};

// The fault of values that are in their ranges one by one, with the remedy; empty: none. Throws
// std::bad_alloc.
std::string explain_settings(const TrackSettings& settings);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_KLTTRACK_TRACK_SETTINGS_H_
