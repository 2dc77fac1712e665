// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_RDP_PROPERTIES_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_RDP_PROPERTIES_H_

#include <array>

#include "common/rdp/parameters.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpsegment/enums.h"

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
     OfParameters::as_enum<&Parameters::domain>(gst_rdp_domain_get_type)},
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
     OfParameters::as_enum<&Parameters::fit>(gst_rdp_fit_get_type)},
    {{.name = "merge-cost",
      .nick = "Merge cost",
      .blurb = "What a segment costs, as a distance whose square is compared with sums of squared "
               "distances, truncated at epsilon (unit: as epsilon; 0: 4 times epsilon)",
      .unit = "as epsilon",
      .needs = "merge=true",
      .flags = kControllable},
     OfParameters::as_double<&Parameters::merge_cost>(0.0, G_MAXDOUBLE)},
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

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_RDP_PROPERTIES_H_
