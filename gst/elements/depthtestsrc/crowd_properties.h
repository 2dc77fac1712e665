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
      .blurb = "How many people the crowd has",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_uint<&CrowdSettings::people>(0, kMostCrowdPeople)},
    {{.name = "people-height",
      .nick = "People's heights",
      .blurb = "The least and the greatest height of people, in m, from 0.5 to 3: two numbers "
               "(default <1.5,1.95>)",
      .unit = "m",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_numbers<&CrowdSettings::heights>()},
    {{.name = "contrast",
      .nick = "Contrast",
      .blurb = "Contrast of the pictures of a crowd; 1: as it is",
      .needs = "pattern=crowd",
      .flags = kControllable},
     OfCrowd::as_double<&CrowdSettings::contrast>(0.0, 4.0)},
    {{.name = "cameras",
      .nick = "Cameras",
      .blurb = "How many cameras look at the crowd",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_uint<&CrowdSettings::cameras>(1, kMostCrowdCameras)},
    {{.name = "view-index",
      .nick = "View index",
      .blurb = "Which camera of the crowd's the frames are of, from 0",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_uint<&CrowdSettings::view_index>(0, kMostCrowdCameras - 1)},
    {{.name = "camera-angle",
      .nick = "Camera angle",
      .blurb = "Between neighbouring cameras of the crowd, as it sees them, in degrees",
      .unit = "degrees",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_double<&CrowdSettings::camera_angle>(0.0, kMostCrowdAngle)},
    {{.name = "calibration-error",
      .nick = "Calibration error",
      .blurb = "By how many px the crowd's cameras other than 0 say that their picture is further "
               "to the right than it is, those with an even number to the left",
      .unit = "px",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_double<&CrowdSettings::calibration_error>(-kMostCalibrationError,
                                                           kMostCalibrationError)},
    {{.name = "moment-offset",
      .nick = "Moment offset",
      .blurb = "How much later than its time says the crowd in a frame is seen, in ns; the time "
               "stays as it is",
      .unit = "ns",
      .needs = "pattern=crowd",
      .flags = kWhilePlaying},
     OfCrowd::as_int64<&CrowdSettings::moment_offset>(-kMostMomentOffset, kMostMomentOffset)},
});

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHTESTSRC_CROWD_PROPERTIES_H_
