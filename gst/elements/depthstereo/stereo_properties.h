// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_PROPERTIES_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_PROPERTIES_H_

#include <array>

#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/median_enum.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/base/palette_properties.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/depthstereo/stereo_settings.h"

// The properties of depthstereo, and of its pad `overlay`.
namespace rdp::gst {

// Options of the matching: common/stereo/reference.h defines each.
using OfMatch = PropertyOf<MatchSettings>;

inline constexpr auto kMatchProperties = std::to_array<PropertyRow<MatchSettings>>({
    {{.name = "disparities",
      .nick = "Disparities",
      .blurb = "How many disparities are looked at, a multiple of 16, in pixels: the more, the "
               "nearer things may be, and the more time and memory it takes",
      .unit = "pixels",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::disparities>(stereo::kDisparityStep,
                                                   stereo::kMostDisparities)},
    {{.name = "min-disparity",
      .nick = "Minimum disparity",
      .blurb = "Smallest disparity that is looked at, in pixels; with disparities at most 256. If "
               "it is negative, samples of disparity count from it",
      .unit = "pixels",
      .flags = kControllable},
     OfMatch::as_int<&MatchSettings::min_disparity>(-stereo::kMostMinDisparity,
                                                    stereo::kMostMinDisparity)},
    {{.name = "paths",
      .nick = "Paths",
      .blurb = "Along how many directions costs are summed up",
      .flags = kControllable},
     OfMatch::as_enum<&MatchSettings::paths>(stereo_paths_get_type)},
    {{.name = "p1",
      .nick = "Penalty of small steps",
      .blurb = "What a step of the disparity by 1 px from one pixel to the next costs, in bits of "
               "the census",
      .unit = "bits of the census",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::p1>(0, 127)},
    {{.name = "p2",
      .nick = "Penalty of large steps",
      .blurb = "What any larger step costs, in bits of the census; not less than p1",
      .unit = "bits of the census",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::p2>(1, stereo::kMostPenalty)},
    {{.name = "uniqueness",
      .nick = "Uniqueness",
      .blurb = "By how many percent a disparity must be better than all that are farther than 1 px "
               "from it, or the pixel is unknown (0: off)",
      .unit = "percent",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::uniqueness>(0, 50)},
    {{.name = "max-left-right",
      .nick = "Maximum difference from left to right",
      .blurb = "By how many pixels the disparity of the right view may differ from that of the "
               "left one, or the pixel is unknown (-1: off)",
      .unit = "pixels",
      .flags = kControllable},
     OfMatch::as_int<&MatchSettings::max_left_right>(-1, 255)},
    {{.name = "median",
      .nick = "Median",
      .blurb = "Median filter on the disparity",
      .flags = kWhilePlaying},
     OfMatch::as_enum<&MatchSettings::median>(gst_rdp_median_get_type)},
    {{.name = "speckle-size",
      .nick = "Speckle size",
      .blurb = "Connected pixels of like disparity are unknown where they are fewer than this (0: "
               "off)",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::speckle_size>(0, 65535)},
    {{.name = "speckle-range",
      .nick = "Speckle range",
      .blurb = "By how many pixels the disparities of neighbours may differ to be connected",
      .unit = "pixels",
      .needs = "speckle-size",
      .flags = kControllable},
     OfMatch::as_double<&MatchSettings::speckle_range_px>(0.0, 16.0)},
    {{.name = "min-confidence",
      .nick = "Minimum confidence",
      .blurb = "Pixels of less confidence are unknown (0: off); what the pad confidence gives",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::min_confidence>(0, 255)},
});

// The arrangement of the views and the output.
using OfStereo = PropertyOf<StereoSettings>;

inline constexpr auto kViewProperties = std::to_array<PropertyRow<StereoSettings>>({
    {{.name = "output",
      .nick = "Output",
      .blurb = "What the samples on src are: 0 is unknown in both",
      .flags = kWhilePlaying},
     OfStereo::as_enum<&StereoSettings::output>(stereo_output_get_type)},
    {{.name = "packing",
      .nick = "Packing",
      .blurb = "How the views are packed where one of left and right is used alone",
      .flags = kInReady},
     OfStereo::as_enum<&StereoSettings::packing>(packing_choice_get_type)},
    {{.name = "rectify",
      .nick = "Rectify",
      .blurb = "Whether the views are rectified by the calibration before they are matched",
      .needs = "calibration",
      .flags = kInReady},
     OfStereo::as_enum<&StereoSettings::rectify>(rectify_get_type)},
});

// The meaning of the samples is no property: the element knows it.
inline constexpr auto kStereoCalibration = std::to_array<PropertyRow<CameraSettings>>({
    {{.name = "calibration",
      .nick = "Calibration",
      .blurb = "File with both cameras, or one for each, left first, with a comma between them: of "
               "OpenCV, ROS, KITTI, Kalibr, ZED, DepthAI, or JSON",
      .flags = kInReady},
     OfCamera::as_string<&CameraSettings::calibration>()},
});
inline constexpr auto kStereoCamera = choose(
    kCameraProperties, {"calibration-view", "calibration-unit", "focal-length", "focal-length-y",
                        "principal-x", "principal-y", "baseline", "disparity-offset"});

inline constexpr auto kStereoProperties = join(
    properties_of_member<StereoSettings, &StereoSettings::match, kMatchProperties>(),
    kViewProperties,
    properties_of_member<StereoSettings, &StereoSettings::camera, kStereoCalibration>(),
    properties_of_member<StereoSettings, &StereoSettings::camera, kStereoCamera>(),
    properties_of_member<StereoSettings, &StereoSettings::pairing, kPairingProperties>(),
    base_properties<StereoSettings>(
        "Since the element went to PAUSED: pairs; buffers of left that met none of right "
        "(unpaired), of right that met none of left (dropped), pairs left out to catch up (late); "
        "the largest distance of the two of a pair in nanoseconds (largest-distance); of the "
        "pixels the share that is known in the last pair (known) and in all (mean-known), of the "
        "known ones the share with the largest disparity (saturated); last-time and mean-time of "
        "the matching in nanoseconds, backend and simd in use, pictures-dropped of the overlay"));

// Properties of the pad `overlay`.
inline constexpr auto kDisparityOverlayProperties = palette_properties<DisparityOverlaySettings>();

inline constexpr char kDisparityOverlayPad[] = "GstDepthStereoOverlayPad";
using DisparityOverlayPad =
    OverlayPad<kDisparityOverlayPad, DisparityOverlaySettings, kDisparityOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_PROPERTIES_H_
