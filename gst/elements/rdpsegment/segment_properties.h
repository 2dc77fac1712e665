// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_PROPERTIES_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_PROPERTIES_H_

#include <array>

#include "gst/elements/base/base_enums.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/palette_properties.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpsegment/segment_settings.h"

// The properties of rdpsegment, and of its pad `overlay`.

namespace rdp::gst {

// Segmentation properties: one row for each member of rdp::Parameters. A segmenting element
// includes them with properties_of_member(). The metadata keeps each value. So each row needs a
// field of GstRdpSegmentationInfo, lines in rdpsegmentationparameters.h, a place in the serialised
// form and a row in docs/rdpsegment.md. The test rdpsegment_properties compares them all.
using OfParameters = PropertyOf<Parameters>;

inline constexpr auto kRdpProperties = std::to_array<PropertyRow<Parameters>>({
    {{.name = "epsilon",
      .nick = "Epsilon",
      .blurb = "Maximum distance of a known sample from its segment, after median and column "
               "grouping; no bound with merge or refine (unit: sample step times sample-scale)",
      .unit = "sample step times sample-scale",
      .flags = kControllable},
     OfParameters::as_double<&Parameters::epsilon>(0.0, G_MAXDOUBLE)},
    {{.name = "sample-scale",
      .nick = "Sample scale",
      .blurb = "Value of one sample step (1/256 for KITTI-style disparity, 0.001 for millimetres "
               "with epsilon in metres)",
      .flags = kWhilePlaying},
     OfParameters::as_double<&Parameters::sample_scale>(G_MINDOUBLE, G_MAXDOUBLE)},
    {{.name = "min-value",
      .nick = "Minimum value",
      .blurb = "Smallest valid sample; smaller ones are unknown",
      .flags = kWhilePlaying},
     OfParameters::as_uint<&Parameters::min_value>(0, 65535)},
    {{.name = "max-value",
      .nick = "Maximum value",
      .blurb = "Largest valid sample; larger ones are unknown",
      .flags = kWhilePlaying},
     OfParameters::as_uint<&Parameters::max_value>(0, 65535)},
    {{.name = "median",
      .nick = "Median",
      .blurb = "Median filter before the segmentation",
      .flags = kWhilePlaying},
     OfParameters::as_enum<&Parameters::median>(gst_rdp_median_get_type)},
    {{.name = "domain",
      .nick = "Domain",
      .blurb = "Domain of the line fit: the samples, or the inverse of metric depth, in which "
               "planes are straight lines",
      .flags = kWhilePlaying},
     OfParameters::as_enum<&Parameters::domain>(segment_domain_get_type)},
    {{.name = "inverse-scale",
      .nick = "Inverse scale",
      .blurb = "Scale of domain=inverse: a sample z becomes inverse-scale / z",
      .needs = "domain=inverse",
      .flags = kWhilePlaying},
     OfParameters::as_double<&Parameters::inverse_scale>(G_MINDOUBLE, G_MAXDOUBLE)},
    {{.name = "column-width",
      .nick = "Column width",
      .blurb = "Number of adjacent pixel columns joined into one, by the lower median of their "
               "known samples",
      .flags = kWhilePlaying},
     OfParameters::as_uint<&Parameters::column_width>(1, kMaxColumnWidth)},
    {{.name = "max-gap",
      .nick = "Maximum gap",
      .blurb = "Maximum number of consecutive unknown rows that a segment bridges (0 = unlimited)",
      .flags = kWhilePlaying},
     OfParameters::as_uint<&Parameters::max_gap>(0, kMaxSide)},
    {{.name = "refine",
      .nick = "Refine",
      .blurb = "Fit each segment to its own samples, so that neighbours share no row",
      .flags = kWhilePlaying},
     OfParameters::as_boolean<&Parameters::refine>()},
    {{.name = "merge",
      .nick = "Merge",
      .blurb = "Merge neighbouring segments into fitted lines where the added error costs less "
               "than merge-cost",
      .flags = kWhilePlaying},
     OfParameters::as_boolean<&Parameters::merge>()},
    {{.name = "fit",
      .nick = "Fit",
      .blurb = "Line fit of refine and merge: least squares, or robust (approximate least absolute "
               "deviations, segment boundaries re-optimised)",
      .flags = kWhilePlaying},
     OfParameters::as_enum<&Parameters::fit>(segment_fit_get_type)},
    {{.name = "merge-cost",
      .nick = "Merge cost",
      .blurb = "Penalty per segment in the merge cost function (unit as epsilon; 0 = 4 x epsilon)",
      .unit = "as epsilon",
      .needs = "merge=true",
      .flags = kControllable},
     OfParameters::as_double<&Parameters::merge_cost>(0.0, G_MAXDOUBLE)},
    {{.name = "merge-bounded",
      .nick = "Bounded merge",
      .blurb = "Reject merges into a line that ends more than epsilon (at least one sample step) "
               "beyond the ends of the merged lines",
      .needs = "merge=true",
      .flags = kWhilePlaying},
     OfParameters::as_boolean<&Parameters::merge_bounded>()},
    {{.name = "classify",
      .nick = "Classify",
      .blurb =
          "Classify segments as ground, upright, far or other (for disparity, or domain=inverse)",
      .flags = kWhilePlaying},
     OfParameters::as_boolean<&Parameters::classify>()},
    {{.name = "ground-slope",
      .nick = "Ground slope",
      .blurb = "Slope of the ground for classes: change of its values per row (unit as epsilon; 0 "
               "= estimate per frame)",
      .unit = "as epsilon",
      .needs = "classify=true",
      .flags = kControllable},
     OfParameters::as_double<&Parameters::ground_slope>(0.0, G_MAXDOUBLE)},
    {{.name = "far-value",
      .nick = "Far value",
      .blurb = "Largest value of far segments, for classes (unit as epsilon; -1 = epsilon)",
      .unit = "as epsilon",
      .needs = "classify=true",
      .flags = kControllable},
     OfParameters::as_double<&Parameters::far_value>(-1.0, G_MAXDOUBLE)},
});

// The input and the output beside the segments.
using OfSegments = PropertyOf<SegmentSettings>;

inline constexpr auto kResultProperties = std::to_array<PropertyRow<SegmentSettings>>({
    {{.name = "output",
      .nick = "Output",
      .blurb = "Content of src: the samples, or the segments' lines",
      .flags = kWhilePlaying},
     OfSegments::as_enum<&SegmentSettings::output>(segment_output_get_type)},
    {{.name = "ground",
      .nick = "Ground",
      .blurb =
          "Source of the ground for classes: the frame's own columns, or the planes of depthplanes",
      .needs = "classify=true",
      .flags = kWhilePlaying},
     OfSegments::as_enum<&SegmentSettings::ground>(segment_ground_get_type)},
    {{.name = "analytics",
      .nick = "Analytics",
      .blurb = "Content of GStreamer's analytics metadata on frames, in builds with GStreamer 1.26 "
               "or newer: mask of the classes, nearest obstacles",
      .needs = "classify=true",
      .flags = kWhilePlaying},
     OfSegments::as_enum<&SegmentSettings::analytics>(segment_analytics_get_type)},
});

inline constexpr auto kSegmentProperties =
    join(properties_of_member<SegmentSettings, &SegmentSettings::parameters, kRdpProperties>(),
         kResultProperties,
         properties_of_member<SegmentSettings, &SegmentSettings::camera, kCameraProperties>(),
         base_properties<SegmentSettings>(
             "Statistics since the element went to PAUSED: frames, segments, pixels-per-segment, "
             "last-time and mean-time of the segmentation in ns, backend and simd in use; with "
             "ground=planes the frames whose ground comes from planes (ground-planes) and those "
             "that have none there and vote (ground-missing); pictures-dropped of the overlay"));

// Options of the pad `overlay`.
using OfOverlay = PropertyOf<SegmentOverlaySettings>;

inline constexpr auto kStyleProperties = std::to_array<PropertyRow<SegmentOverlaySettings>>({
    {{.name = "style", .nick = "Style", .blurb = "Overlay style", .flags = kWhilePlaying},
     OfOverlay::as_enum<&OverlayOptions::style>(segment_overlay_style_get_type)},
});
inline constexpr auto kRangeProperties = std::to_array<PropertyRow<SegmentOverlaySettings>>({
    {{.name = "birdseye-range",
      .nick = "Bird's-eye range",
      .blurb = "Range of the bird's-eye view in metres (0 = as far as the frame shows)",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfOverlay::as_double<&OverlayOptions::birdseye_range>(0.0, kMaxRange)},
});
inline constexpr auto kSegmentOverlayProperties =
    join(kStyleProperties, palette_properties<SegmentOverlaySettings>(), kRangeProperties,
         surface_property<SegmentOverlaySettings>());

inline constexpr char kSegmentOverlayPad[] = "GstRdpSegmentOverlayPad";
using SegmentOverlayPad =
    OverlayPad<kSegmentOverlayPad, SegmentOverlaySettings, kSegmentOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_PROPERTIES_H_
