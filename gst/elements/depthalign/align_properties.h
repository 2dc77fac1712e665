// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHALIGN_ALIGN_PROPERTIES_H_
#define RDP_GST_ELEMENTS_DEPTHALIGN_ALIGN_PROPERTIES_H_

#include <array>

#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/depthalign/align_settings.h"

// The properties of depthalign.
namespace rdp::gst {

using OfAlign = PropertyOf<AlignSettings>;

inline constexpr auto kAlignOwnProperties = std::to_array<PropertyRow<AlignSettings>>({
    {{.name = "target-calibration",
      .nick = "Target calibration",
      .blurb = "Calibration file of the target camera, used if the frames on video carry no camera "
               "or nothing is linked there (formats as of calibration)",
      .flags = kInReady},
     OfAlign::as_string<&AlignSettings::target_calibration>()},
    {{.name = "target-calibration-view",
      .nick = "Target calibration view",
      .blurb = "Index of the target camera in target-calibration, from 0",
      .needs = "target-calibration",
      .flags = kInReady},
     OfAlign::as_uint<&AlignSettings::target_calibration_view>(0, kMaxCameraView)},
    {{.name = "extrinsics",
      .nick = "Extrinsics",
      .blurb = "Transform from the depth camera to the target camera: 12 numbers, the rows of "
               "[R | t], t in metres (empty = from the poses of both cameras)",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfAlign::as_numbers<&AlignSettings::extrinsics>()},
    {{.name = "fill-cracks",
      .nick = "Fill cracks",
      .blurb = "Fill one-pixel cracks between samples of one surface",
      .flags = kWhilePlaying},
     OfAlign::as_boolean<&AlignSettings::fill_cracks>()},
    {{.name = "tolerance",
      .nick = "Tolerance",
      .blurb = "Largest depth difference within one surface, in 1/km (6 = 6 mm at 1 m, 54 mm at "
               "3 m)",
      .unit = "1/km",
      .flags = kControllable},
     OfAlign::as_double<&AlignSettings::tolerance>(0.0, G_MAXDOUBLE)},
});

inline constexpr auto kAlignProperties = join(
    kAlignOwnProperties,
    properties_of_member<AlignSettings, &AlignSettings::camera, kCameraProperties>(),
    properties_of_member<AlignSettings, &AlignSettings::pairing, kPairingProperties>(),
    base_properties<AlignSettings>(
        "Statistics since the element went to PAUSED: depth frames aligned (frames), with a frame "
        "on video (paired; without the pad color all) and without (unpaired), frames on video "
        "without depth (dropped), frames skipped to catch up (late); in the last frame: share of "
        "valid depth pixels (valid), share of these inside the target's image (inside); last-time "
        "and mean-time of a frame in ns, backend and simd in use; inputs: for each pad the frames "
        "in a pair (used) and in none (dropped)"));

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHALIGN_ALIGN_PROPERTIES_H_
