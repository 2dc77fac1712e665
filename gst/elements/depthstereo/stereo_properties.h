// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_PROPERTIES_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_PROPERTIES_H_

#include <array>

#include "gst/elements/base/base_enums.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
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
      .blurb = "Disparity search range in pixels, a multiple of 16; larger values see nearer "
               "objects but cost time and memory",
      .unit = "pixels",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::disparities>(stereo::kDisparityStep,
                                                   stereo::kMaxDisparities)},
    {{.name = "min-disparity",
      .nick = "Minimum disparity",
      .blurb = "Smallest disparity of the search range in pixels, at most 256 minus disparities; "
               "if negative, samples of disparity count from it",
      .unit = "pixels",
      .flags = kControllable},
     OfMatch::as_int<&MatchSettings::min_disparity>(-stereo::kMaxMinDisparity,
                                                    stereo::kMaxMinDisparity)},
    {{.name = "paths",
      .nick = "Paths",
      .blurb = "Number of directions along which matching costs are summed",
      .flags = kControllable},
     OfMatch::as_enum<&MatchSettings::paths>(stereo_paths_get_type)},
    {{.name = "p1",
      .nick = "Penalty P1",
      .blurb = "SGM penalty P1 for disparity changes of 1 px, in census bits",
      .unit = "census bits",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::p1>(0, 127)},
    {{.name = "p2",
      .nick = "Penalty P2",
      .blurb = "SGM penalty P2 for larger disparity changes, in census bits (>= p1)",
      .unit = "census bits",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::p2>(1, stereo::kMaxPenalty)},
    {{.name = "uniqueness",
      .nick = "Uniqueness",
      .blurb = "Minimum lead of the best cost over those of disparities more than 1 px away, in "
               "percent; else the pixel is unknown (0 = off)",
      .unit = "percent",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::uniqueness>(0, 50)},
    {{.name = "max-left-right",
      .nick = "Maximum left-right difference",
      .blurb = "Left-right consistency check: maximum disparity difference in pixels (-1 = off)",
      .unit = "pixels",
      .flags = kControllable},
     OfMatch::as_int<&MatchSettings::max_left_right>(-1, 255)},
    {{.name = "median",
      .nick = "Median",
      .blurb = "Median filter of the disparity",
      .flags = kWhilePlaying},
     OfMatch::as_enum<&MatchSettings::median>(gst_rdp_median_get_type)},
    {{.name = "speckle-size",
      .nick = "Speckle size",
      .blurb = "Minimum number of pixels in a connected region of similar disparity; smaller "
               "regions become unknown (0 = off)",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::speckle_size>(0, 65535)},
    {{.name = "speckle-range",
      .nick = "Speckle range",
      .blurb = "Maximum disparity difference between connected neighbours, in pixels",
      .unit = "pixels",
      .needs = "speckle-size",
      .flags = kControllable},
     OfMatch::as_double<&MatchSettings::speckle_range_px>(0.0, 16.0)},
    {{.name = "min-confidence",
      .nick = "Minimum confidence",
      .blurb =
          "Minimum confidence, as on the pad confidence; pixels below it become unknown (0 = off)",
      .flags = kControllable},
     OfMatch::as_uint<&MatchSettings::min_confidence>(0, 255)},
});

// The arrangement of the views and the output.
using OfStereo = PropertyOf<StereoSettings>;

inline constexpr auto kViewProperties = std::to_array<PropertyRow<StereoSettings>>({
    {{.name = "output",
      .nick = "Output",
      .blurb = "Quantity in the samples on src: disparity or depth (0 = unknown in both)",
      .flags = kWhilePlaying},
     OfStereo::as_enum<&StereoSettings::output>(stereo_output_get_type)},
    {{.name = "packing",
      .nick = "Packing",
      .blurb = "Layout of both views in the frames of one pad, if left or right is used alone",
      .flags = kInReady},
     OfStereo::as_enum<&StereoSettings::packing>(packing_choice_get_type)},
    {{.name = "rectify",
      .nick = "Rectify",
      .blurb = "Rectification of the views by the calibration, before matching",
      .needs = "calibration",
      .flags = kInReady},
     OfStereo::as_enum<&StereoSettings::rectify>(rectify_get_type)},
});

// The meaning of the samples is no property: the element knows it.
inline constexpr auto kStereoCalibration = std::to_array<PropertyRow<CameraSettings>>({
    {{.name = "calibration",
      .nick = "Calibration",
      .blurb =
          "Calibration file with both cameras, or one per camera separated by a comma, left first "
          "(OpenCV, ROS, KITTI, Kalibr, EuRoC, Middlebury, COLMAP, ZED, DepthAI or JSON)",
      .flags = kInReady},
     OfCamera::as_string<&CameraSettings::calibration>()},
});
inline constexpr auto kStereoCamera = choose(
    kCameraProperties, {"calibration-view", "calibration-unit", "focal-length", "focal-length-y",
                        "principal-x", "principal-y", "baseline", "disparity-offset"});

inline constexpr auto kStereoProperties =
    join(properties_of_member<StereoSettings, &StereoSettings::match, kMatchProperties>(),
         kViewProperties,
         properties_of_member<StereoSettings, &StereoSettings::camera, kStereoCalibration>(),
         properties_of_member<StereoSettings, &StereoSettings::camera, kStereoCamera>(),
         properties_of_member<StereoSettings, &StereoSettings::pairing, kPairingProperties>(),
         base_properties<StereoSettings>(
             "Statistics since the element went to PAUSED: pairs, of those paired; left buffers "
             "without a right one (unpaired), right buffers without a left one (dropped), pairs "
             "skipped to catch up (late); largest time difference in a pair in ns "
             "(largest-distance); share of known pixels in the last pair (known) and in all "
             "(mean-known); share of known pixels with the largest disparity (saturated); "
             "last-time and mean-time of the matching in ns, backend and simd in use, "
             "pictures-dropped of the overlay"));

// Properties of the pad `overlay`.
inline constexpr auto kDisparityOverlayProperties = palette_properties<DisparityOverlaySettings>();

inline constexpr char kDisparityOverlayPad[] = "GstDepthStereoOverlayPad";
using DisparityOverlayPad =
    OverlayPad<kDisparityOverlayPad, DisparityOverlaySettings, kDisparityOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_PROPERTIES_H_
