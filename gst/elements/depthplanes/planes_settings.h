// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_SETTINGS_H_
#define RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_SETTINGS_H_

#include <gst/gst.h>

#include <string>

#include "common/planes/parameters.h"
#include "common/planes/pictures/overlay.h"
#include "gst/elements/base/analyzer_settings.h"

namespace rdp::gst {

// The enumerations of the properties.
GType planes_output_get_type();
GType planes_overlay_style_get_type();

// The content of the frames on src.
enum class PlanesOutput {
  kPassthrough,  // the depth as it came
  kLabels,       // frames or clouds of the element's own: 0, or 1 + a plane's index
};

// An optional direction, which a user sets as three numbers.
struct Direction {
  double v[3] = {};
  bool is_set = false;

  // Takes a GstValueArray. An empty one unsets the direction; an invalid one is refused with a
  // warning.
  void set(const GValue* value);
  void get(GValue* value) const;
};

// The user's settings of depthplanes. A frame works on a copy taken when it arrives.
struct PlanesSettings : AnalyzerSettings {
  planes::Parameters parameters;  // without `up`
  Direction up;
  PlanesOutput output = PlanesOutput::kPassthrough;
};

// The content of the pictures of the pad `overlay`.
struct PlanesOverlaySettings : planes::OverlayOptions {
  guint surface = 0;
};

// Explains a contradiction between values that are each in range, with the remedy; empty if there
// is none. Throws std::bad_alloc.
std::string explain_settings(const PlanesSettings& settings);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_SETTINGS_H_
