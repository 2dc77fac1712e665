// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_SETTINGS_H_
#define RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_SETTINGS_H_

#include <gst/gst.h>

#include <string>

#include "common/filter/overlay.h"
#include "common/filter/parameters.h"
#include "gst/elements/base/analyzer_settings.h"
#include "gst/elements/base/camera_use.h"

namespace rdp::gst {

// The enumerations of the properties.
GType filter_domain_get_type();
GType filter_persistence_get_type();
GType filter_hole_filling_get_type();
GType filter_overlay_style_get_type();

enum class FilterDomain {
  kAuto,     // by what the samples measure
  kLinear,   // the same tolerance for all samples
  kInverse,  // the same tolerance for the inverses of all samples
};

// The settings that decide what becomes of a frame.
struct FilterChoice {
  // Without the parameters that follow from the members below and the frame's camera.
  filter::Parameters steps;
  FilterDomain domain = FilterDomain::kAuto;
  double tolerance = 0.0;  // 0: 6 in the inverse domain, 1 in the linear one
  double sample_scale = 1.0;
  double inverse_scale = 1e6;
  double min_distance = 0.0;  // in metres; 0: off
  double max_distance = 0.0;
  guint min_value = 1;
  guint max_value = 65535;

  bool operator==(const FilterChoice&) const = default;
};

// The user's settings of depthfilter. A frame works on a copy taken when it arrives.
struct FilterSettings : AnalyzerSettings {
  FilterChoice filter;
};

// The content of the pictures of the pad `overlay`.
struct FilterOverlaySettings : filter::OverlayOptions {
  guint surface = 0;
};

// True if any sample can change, or if decimation makes new frames.
bool changes_samples(const FilterChoice& choice);

// Finds the parameters for samples of this meaning. `camera` (nullable) gives their distances, else
// `meaning` alone does. Returns the missing or contradictory setting with the remedy; empty on
// success. Throws std::bad_alloc.
std::string find_parameters(const FilterChoice& choice, const SampleMeaning& meaning,
                            const MetricCamera* camera, filter::Parameters* parameters);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_SETTINGS_H_
