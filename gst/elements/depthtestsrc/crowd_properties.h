// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHTESTSRC_CROWD_PROPERTIES_H_
#define RDP_GST_ELEMENTS_DEPTHTESTSRC_CROWD_PROPERTIES_H_

#include <array>

#include "gst/elements/base/property_table.h"
#include "gst/elements/depthtestsrc/crowd_view.h"

namespace rdp::gst {

using OfCrowd = PropertyOf<CrowdSettings>;

inline constexpr auto kCrowdProperties = std::to_array<PropertyRow<CrowdSettings>>({
    {{.name = "people",
      .nick = "People",
      .blurb = "Number of people in the crowd",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_uint<&CrowdSettings::people>(0, kMaxCrowdPeople)},
    {{.name = "people-height",
      .nick = "Heights of people",
      .blurb = "Minimum and maximum height of people in m: two numbers from 0.5 to 3 (default "
               "<1.5,1.95>)",
      .unit = "m",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_numbers<&CrowdSettings::heights>()},
    {{.name = "contrast",
      .nick = "Contrast",
      .blurb = "Contrast factor of the crowd's pictures (1 = unchanged)",
      .needs = "pattern=crowd",
      .flags = kControllable},
     OfCrowd::as_double<&CrowdSettings::contrast>(0.0, 4.0)},
    {{.name = "cameras",
      .nick = "Cameras",
      .blurb = "Number of cameras that see the crowd",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_uint<&CrowdSettings::cameras>(1, kMaxCrowdCameras)},
    {{.name = "view-index",
      .nick = "View index",
      .blurb = "Index of the crowd camera that the frames show, from 0",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_uint<&CrowdSettings::view_index>(0, kMaxCrowdCameras - 1)},
    {{.name = "camera-angle",
      .nick = "Camera angle",
      .blurb = "Angle between neighbouring cameras as seen from the crowd, in degrees",
      .unit = "degrees",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_double<&CrowdSettings::camera_angle>(0.0, kMaxCrowdAngle)},
    {{.name = "calibration-error",
      .nick = "Calibration error",
      .blurb = "Simulated calibration error: shift the principal point by +N px (odd cameras) or "
               "-N px (even cameras except 0)",
      .unit = "px",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_double<&CrowdSettings::calibration_error>(-kMaxCalibrationError,
                                                           kMaxCalibrationError)},
    {{.name = "moment-offset",
      .nick = "Moment offset",
      .blurb = "Simulated capture delay in ns: the crowd is rendered this much later than the "
               "unchanged timestamp",
      .unit = "ns",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_int64<&CrowdSettings::moment_offset>(-kMaxMomentOffset, kMaxMomentOffset)},
});

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHTESTSRC_CROWD_PROPERTIES_H_
