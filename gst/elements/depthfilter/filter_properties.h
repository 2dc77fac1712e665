// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_PROPERTIES_H_
#define RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_PROPERTIES_H_

#include <array>

#include "gst/elements/base/base_enums.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/view_properties.h"
#include "gst/elements/depthfilter/filter_settings.h"

// The properties of depthfilter, and of its pad `overlay`.
namespace rdp::gst {

using OfFilterSteps = PropertyOf<filter::Parameters>;
using OfFilterChoice = PropertyOf<FilterChoice>;

inline constexpr auto kFilterToleranceProperties = std::to_array<PropertyRow<FilterChoice>>({
    {{.name = "tolerance",
      .nick = "Tolerance",
      .blurb = "Largest difference of samples of one surface, in the unit of the domain (1/km of "
               "millimetres, pixels of disparity; 0 = 6 inverse, 1 linear)",
      .unit = "unit of the domain",
      .flags = kControllable},
     OfFilterChoice::as_double<&FilterChoice::tolerance>(0.0, G_MAXDOUBLE)},
    {{.name = "domain",
      .nick = "Domain",
      .blurb = "Domain of the tolerance: the samples, or their inverses (auto = by the camera)",
      .flags = kWhilePlaying},
     OfFilterChoice::as_enum<&FilterChoice::domain>(filter_domain_get_type)},
    {{.name = "sample-scale",
      .nick = "Sample scale",
      .blurb = "Value of one sample step with domain=linear",
      .needs = "domain=linear",
      .flags = kWhilePlaying},
     OfFilterChoice::as_double<&FilterChoice::sample_scale>(G_MINDOUBLE, G_MAXDOUBLE)},
    {{.name = "inverse-scale",
      .nick = "Inverse scale",
      .blurb = "Scale of domain=inverse: a sample z becomes inverse-scale / z",
      .needs = "domain=inverse",
      .flags = kWhilePlaying},
     OfFilterChoice::as_double<&FilterChoice::inverse_scale>(G_MINDOUBLE, G_MAXDOUBLE)},
    {{.name = "min-distance",
      .nick = "Minimum distance",
      .blurb = "Smallest valid distance in metres; nearer samples are removed (0 = off)",
      .unit = "metres",
      .flags = kControllable},
     OfFilterChoice::as_double<&FilterChoice::min_distance>(0.0, G_MAXDOUBLE)},
    {{.name = "max-distance",
      .nick = "Maximum distance",
      .blurb = "Largest valid distance in metres; farther samples are removed (0 = off)",
      .unit = "metres",
      .flags = kControllable},
     OfFilterChoice::as_double<&FilterChoice::max_distance>(0.0, G_MAXDOUBLE)},
    {{.name = "min-value",
      .nick = "Minimum value",
      .blurb = "Smallest valid sample; smaller ones are removed",
      .flags = kWhilePlaying},
     OfFilterChoice::as_uint<&FilterChoice::min_value>(0, 65535)},
    {{.name = "max-value",
      .nick = "Maximum value",
      .blurb = "Largest valid sample; larger ones are removed",
      .flags = kWhilePlaying},
     OfFilterChoice::as_uint<&FilterChoice::max_value>(0, 65535)},
});

// The steps, in their order.
inline constexpr auto kFilterStepProperties = std::to_array<PropertyRow<filter::Parameters>>({
    {{.name = "median",
      .nick = "Median",
      .blurb = "Median filter of the known samples",
      .flags = kWhilePlaying},
     OfFilterSteps::as_enum<&filter::Parameters::median>(gst_rdp_median_get_type)},
    {{.name = "flying",
      .nick = "Flying pixels",
      .blurb = "Remove flying pixels: samples between two surfaces, with few neighbours alike",
      .flags = kWhilePlaying},
     OfFilterSteps::as_boolean<&filter::Parameters::flying>()},
    {{.name = "speckle-size",
      .nick = "Speckle size",
      .blurb = "Minimum number of pixels of a surface; smaller ones are removed (0 = off)",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfFilterSteps::as_uint<&filter::Parameters::speckle_size>(0, 65535)},
    {{.name = "decimation",
      .nick = "Decimation",
      .blurb = "Side of the blocks of pixels that become one pixel, their lower median (1 = off)",
      .unit = "pixels",
      .flags = kInReady},
     OfFilterSteps::as_uint<&filter::Parameters::decimation>(1, filter::kMaxDecimation)},
    {{.name = "spatial-radius",
      .nick = "Spatial radius",
      .blurb = "Reach of the spatial smoothing in pixels (0 = off)",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfFilterSteps::as_uint<&filter::Parameters::spatial_radius>(0, filter::kMaxRadius)},
    {{.name = "temporal-frames",
      .nick = "Temporal frames",
      .blurb = "Number of frames of the temporal mean, the current one included (1 = off)",
      .flags = kWhilePlaying},
     OfFilterSteps::as_uint<&filter::Parameters::temporal_frames>(1, filter::kMaxFrames)},
    {{.name = "persistence",
      .nick = "Persistence",
      .blurb = "Previous frames in which an unknown pixel was known, for its mean to fill it",
      .needs = "temporal-frames=4",
      .flags = kWhilePlaying},
     OfFilterSteps::as_enum<&filter::Parameters::persistence>(filter_persistence_get_type)},
    {{.name = "motion-check",
      .nick = "Motion check",
      .blurb = "Start the temporal mean anew where a neighbourhood moves, and do not fill there",
      .needs = "temporal-frames=4",
      .flags = kWhilePlaying},
     OfFilterSteps::as_boolean<&filter::Parameters::motion_check>()},
    {{.name = "hole-filling",
      .nick = "Hole filling",
      .blurb = "Filling of unknown pixels from known samples around them",
      .flags = kWhilePlaying},
     OfFilterSteps::as_enum<&filter::Parameters::hole_filling>(filter_hole_filling_get_type)},
    {{.name = "hole-size",
      .nick = "Hole size",
      .blurb = "Maximum distance of those samples, or width of a gap, in pixels",
      .unit = "pixels",
      .needs = "hole-filling=gap",
      .flags = kWhilePlaying},
     OfFilterSteps::as_uint<&filter::Parameters::hole_size>(1, filter::kMaxHole)},
});

inline constexpr auto kFilterChoiceProperties =
    join(kFilterToleranceProperties,
         properties_of_member<FilterChoice, &FilterChoice::steps, kFilterStepProperties>());

inline constexpr auto kFilterProperties =
    join(properties_of_member<FilterSettings, &FilterSettings::filter, kFilterChoiceProperties>(),
         properties_of_member<FilterSettings, &FilterSettings::camera, kCameraProperties>(),
         base_properties<FilterSettings>(
             "Statistics since the element went to PAUSED: frames; pixels by step, of the last "
             "frame and, with -sum behind the name, of all: range-removed, median-changed, "
             "flying-removed, speckle-removed, spatial-changed, temporal-changed, "
             "temporal-filled, hole-filled; last-time and mean-time of a frame in ns, backend and "
             "simd in use, pictures-dropped of the overlay"));

// Options of the pad `overlay`.
using OfFilterOverlay = PropertyOf<FilterOverlaySettings>;

inline constexpr auto kFilterStyleProperties = std::to_array<PropertyRow<FilterOverlaySettings>>({
    {{.name = "style", .nick = "Style", .blurb = "Overlay style", .flags = kWhilePlaying},
     OfFilterOverlay::as_enum<&filter::OverlayOptions::style>(filter_overlay_style_get_type)},
});
inline constexpr auto kFilterOverlayProperties =
    join(kFilterStyleProperties, legend_property<FilterOverlaySettings>(),
         surface_property<FilterOverlaySettings>());

inline constexpr char kFilterOverlayPad[] = "GstDepthFilterOverlayPad";
using FilterOverlayPad =
    OverlayPad<kFilterOverlayPad, FilterOverlaySettings, kFilterOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_PROPERTIES_H_
