// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_PROPERTIES_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_PROPERTIES_H_

#include <array>

#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/median_enum.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/palette_properties.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpsegment/segment_settings.h"

// The properties of rdpsegment, and of its pad `overlay`.

namespace rdp::gst {

// The properties that say how frames are segmented: one row for each member of rdp::Parameters. An
// element that segments takes them in with properties_of_member(). Each is kept in the metadata, so
// with a row go a field of GstRdpSegmentationInfo, its lines in rdpsegmentationparameters.h, its
// place in the serialised form and a row in docs/rdpsegment.md; the test rdpsegment_properties
// compares them all.
using OfParameters = PropertyOf<Parameters>;

inline constexpr auto kRdpProperties = std::to_array<PropertyRow<Parameters>>({
    {{.name = "epsilon",
      .nick = "Epsilon",
      .blurb = "Tolerance: no known sample, after median and column groups, is farther from its "
               "segment, except with merge or refine (unit: sample step times sample-scale)",
      .unit = "sample step times sample-scale",
      .flags = kControllable},
     OfParameters::as_double<&Parameters::epsilon>(0.0, G_MAXDOUBLE)},
    {{.name = "sample-scale",
      .nick = "Sample scale",
      .blurb = "What one sample step is worth (1/256 for KITTI-style disparity, 0.001 for "
               "millimetres with epsilon in metres)",
      .flags = kWhilePlaying},
     OfParameters::as_double<&Parameters::sample_scale>(G_MINDOUBLE, G_MAXDOUBLE)},
    {{.name = "min-value",
      .nick = "Minimum value",
      .blurb = "Smallest known sample; smaller ones are unknown",
      .flags = kWhilePlaying},
     OfParameters::as_uint<&Parameters::min_value>(0, 65535)},
    {{.name = "max-value",
      .nick = "Maximum value",
      .blurb = "Largest known sample; larger ones are unknown",
      .flags = kWhilePlaying},
     OfParameters::as_uint<&Parameters::max_value>(0, 65535)},
    {{.name = "median",
      .nick = "Median",
      .blurb = "Median filter before the segmentation",
      .flags = kWhilePlaying},
     OfParameters::as_enum<&Parameters::median>(gst_rdp_median_get_type)},
    {{.name = "domain",
      .nick = "Domain",
      .blurb = "What is segmented: the samples, or the inverse of metric depth, in which planes "
               "are straight lines",
      .flags = kWhilePlaying},
     OfParameters::as_enum<&Parameters::domain>(segment_domain_get_type)},
    {{.name = "inverse-scale",
      .nick = "Inverse scale",
      .blurb = "In domain=inverse a sample z becomes inverse-scale / z",
      .needs = "domain=inverse",
      .flags = kWhilePlaying},
     OfParameters::as_double<&Parameters::inverse_scale>(G_MINDOUBLE, G_MAXDOUBLE)},
    {{.name = "column-width",
      .nick = "Column width",
      .blurb = "How many neighbouring pixel columns are joined into one, by the lower median of "
               "their known samples",
      .flags = kWhilePlaying},
     OfParameters::as_uint<&Parameters::column_width>(1, kMaxColumnWidth)},
    {{.name = "max-gap",
      .nick = "Maximum gap",
      .blurb = "A segment ends where more rows in a row than this are unknown, instead of "
               "bridging them (0: all are bridged)",
      .flags = kWhilePlaying},
     OfParameters::as_uint<&Parameters::max_gap>(0, kMaxSide)},
    {{.name = "refine",
      .nick = "Refine",
      .blurb = "Segments are least-squares lines of their own samples and share no row with their "
               "neighbours",
      .flags = kWhilePlaying},
     OfParameters::as_boolean<&Parameters::refine>()},
    {{.name = "merge",
      .nick = "Merge",
      .blurb = "After the split, join neighbouring segments into least-squares lines as long as "
               "what that costs in error is less than merge-cost",
      .flags = kWhilePlaying},
     OfParameters::as_boolean<&Parameters::merge>()},
    {{.name = "fit",
      .nick = "Fit",
      .blurb = "Where the lines of refine and merge lie: least sum of squared distances, or near "
               "the least sum of distances, which few outliers do not turn; then the rows between "
               "two lines go to the nearer one, too",
      .flags = kWhilePlaying},
     OfParameters::as_enum<&Parameters::fit>(segment_fit_get_type)},
    {{.name = "merge-cost",
      .nick = "Merge cost",
      .blurb = "What a segment costs, as a distance whose square is compared with sums of squared "
               "distances, truncated at epsilon (unit: as epsilon; 0: 4 times epsilon)",
      .unit = "as epsilon",
      .needs = "merge=true",
      .flags = kControllable},
     OfParameters::as_double<&Parameters::merge_cost>(0.0, G_MAXDOUBLE)},
    {{.name = "merge-bounded",
      .nick = "Bounded merge",
      .blurb =
          "Do not join segments into a line that ends more than epsilon (at least one sample step) "
          "beyond the ends of the lines that are joined",
      .needs = "merge=true",
      .flags = kWhilePlaying},
     OfParameters::as_boolean<&Parameters::merge_bounded>()},
    {{.name = "classify",
      .nick = "Classify",
      .blurb = "Segments have classes: ground, upright, far or other (for disparity, or "
               "domain=inverse)",
      .flags = kWhilePlaying},
     OfParameters::as_boolean<&Parameters::classify>()},
    {{.name = "ground-slope",
      .nick = "Ground slope",
      .blurb = "How much the ground's values rise from one row to the next, for classes (unit: as "
               "epsilon; 0: as the frame shows it)",
      .unit = "as epsilon",
      .needs = "classify=true",
      .flags = kControllable},
     OfParameters::as_double<&Parameters::ground_slope>(0.0, G_MAXDOUBLE)},
    {{.name = "far-value",
      .nick = "Far value",
      .blurb = "Segments that do not exceed it are far, for classes (unit: as epsilon; -1: "
               "epsilon)",
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
      .blurb = "What the pixels on src carry: the samples, or the segments' lines",
      .flags = kWhilePlaying},
     OfSegments::as_enum<&SegmentSettings::output>(segment_output_get_type)},
    {{.name = "ground",
      .nick = "Ground",
      .blurb = "Where the ground comes from that classes are told by: the frame's own columns, or "
               "the planes that depthplanes has put on it",
      .needs = "classify=true",
      .flags = kWhilePlaying},
     OfSegments::as_enum<&SegmentSettings::ground>(segment_ground_get_type)},
    {{.name = "analytics",
      .nick = "Analytics",
      .blurb = "What frames carry as GStreamer's analytics metadata, in builds with GStreamer 1.26 "
               "or newer: a mask of the classes, the nearest obstacles",
      .needs = "classify=true",
      .flags = kWhilePlaying},
     OfSegments::as_enum<&SegmentSettings::analytics>(segment_analytics_get_type)},
});

inline constexpr auto kSegmentProperties = join(
    properties_of_member<SegmentSettings, &SegmentSettings::parameters, kRdpProperties>(),
    kResultProperties,
    properties_of_member<SegmentSettings, &SegmentSettings::camera, kCameraProperties>(),
    base_properties<SegmentSettings>(
        "Since the element went to PAUSED: frames, segments, pixels-per-segment, last-time and "
        "mean-time of the segmentation in nanoseconds, backend and simd in use, with ground=planes "
        "how many frames had their ground from planes (ground-planes) and how many had none there "
        "and voted (ground-missing), pictures-dropped of the overlay"));

// Options of the pad `overlay`.
using OfOverlay = PropertyOf<SegmentOverlaySettings>;

inline constexpr auto kStyleProperties = std::to_array<PropertyRow<SegmentOverlaySettings>>({
    {{.name = "style", .nick = "Style", .blurb = "What is painted", .flags = kWhilePlaying},
     OfOverlay::as_enum<&OverlayOptions::style>(segment_overlay_style_get_type)},
});
inline constexpr auto kRangeProperties = std::to_array<PropertyRow<SegmentOverlaySettings>>({
    {{.name = "birdseye-range",
      .nick = "Bird's-eye range",
      .blurb =
          "How far ahead the picture from above goes, in metres (0: as far as the frame shows)",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfOverlay::as_double<&OverlayOptions::birdseye_range>(0.0, kMostRange)},
});
inline constexpr auto kSegmentOverlayProperties =
    join(kStyleProperties, palette_properties<SegmentOverlaySettings>(), kRangeProperties,
         surface_property<SegmentOverlaySettings>());

inline constexpr char kSegmentOverlayPad[] = "GstRdpSegmentOverlayPad";
using SegmentOverlayPad =
    OverlayPad<kSegmentOverlayPad, SegmentOverlaySettings, kSegmentOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_PROPERTIES_H_
