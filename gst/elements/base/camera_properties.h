// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAMERA_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_CAMERA_PROPERTIES_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <array>

#include "gst/elements/base/base_enums.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/shared_text.h"

namespace rdp::gst {

// Above the number of views in any file: larger values are mistakes, such as -1.
inline constexpr guint kMaxCameraView = 1023;

// The user's description of the camera of frames with the caps' size. camera_source.h explains it,
// and how it combines with a camera on the frames.
struct CameraSettings {
  SharedText calibration;
  guint calibration_view = 0;
  double calibration_unit = 1.0;
  double focal_length = 0.0;    // 0: unset
  double focal_length_y = 0.0;  // 0: as focal_length
  double principal_x = -1.0;    // -1: the centre
  double principal_y = -1.0;
  double baseline = 0.0;                             // 0: unset
  double disparity_offset = 0.0;                     // 0: unset
  double disparity_unit = 0.0;                       // 0: unset
  double depth_unit = 0.0;                           // 0: unset
  GstRdpMeasure measures = GST_RDP_MEASURE_UNKNOWN;  // auto

  bool operator==(const CameraSettings&) const = default;
};

// The properties of every element that measures. An element's settings have a CameraSettings
// (AnalyzerSettings does), and its table includes the rows with
//   properties_of_member<Settings, &Settings::camera, kCameraProperties>()
// Its class marks gst_rdp_camera_measures_get_type() as API of the plugin.
using OfCamera = PropertyOf<CameraSettings>;

inline constexpr auto kCameraProperties = std::to_array<PropertyRow<CameraSettings>>({
    {{.name = "calibration",
      .nick = "Calibration",
      .blurb = "Camera calibration file, or several separated by commas (OpenCV, ROS, KITTI, "
               "Kalibr, EuRoC, Middlebury, COLMAP, ZED, DepthAI or JSON)",
      .flags = kInReady},
     OfCamera::as_string<&CameraSettings::calibration>()},
    {{.name = "calibration-view",
      .nick = "Calibration view",
      .blurb = "Index of the frames' camera in the calibration, from 0 (of a stereo pair, the left "
               "camera)",
      .needs = "calibration",
      .flags = kInReady},
     OfCamera::as_uint<&CameraSettings::calibration_view>(0, kMaxCameraView)},
    {{.name = "calibration-unit",
      .nick = "Calibration unit",
      .blurb =
          "Metres per unit of length in a calibration that states no unit (0.001 = millimetres)",
      .unit = "Metres",
      .needs = "calibration",
      .flags = kInReady},
     OfCamera::as_double<&CameraSettings::calibration_unit>(G_MINDOUBLE, G_MAXDOUBLE)},
    {{.name = "focal-length",
      .nick = "Focal length",
      .blurb = "Focal length in pixels (0 = from the calibration or the camera on the frames)",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::focal_length>(0.0, G_MAXDOUBLE)},
    {{.name = "focal-length-y",
      .nick = "Focal length along the columns",
      .blurb = "Focal length along the columns in pixels, for pixels that are not square (0 = "
               "focal-length)",
      .unit = "pixels",
      .needs = "focal-length",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::focal_length_y>(0.0, G_MAXDOUBLE)},
    {{.name = "principal-x",
      .nick = "Principal point column",
      .blurb = "Column of the principal point in pixels (exactly -1 = centre, (width - 1) / 2); "
               "may be negative for a crop beside the optical axis",
      .unit = "pixels",
      .needs = "focal-length",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::principal_x>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "principal-y",
      .nick = "Principal point row",
      .blurb = "Row of the principal point in pixels (exactly -1 = centre, (height - 1) / 2); may "
               "be negative for a crop beside the optical axis",
      .unit = "pixels",
      .needs = "focal-length",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::principal_y>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "baseline",
      .nick = "Baseline",
      .blurb = "Distance between the two stereo cameras in metres (0 = from the calibration or the "
               "camera on the frames)",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::baseline>(0.0, G_MAXDOUBLE)},
    {{.name = "disparity-offset",
      .nick = "Disparity offset",
      .blurb = "Principal point's column in the right view minus that in the left view, in pixels "
               "(0 = from the calibration or the camera on the frames)",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::disparity_offset>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "disparity-unit",
      .nick = "Disparity unit",
      .blurb = "Pixels of disparity per sample step (0.00390625 = 1/256 px, 0 = not set)",
      .unit = "Pixels",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::disparity_unit>(0.0, G_MAXDOUBLE)},
    {{.name = "depth-unit",
      .nick = "Depth unit",
      .blurb = "Metres of depth per sample step (0.001 = millimetres, 0 = not set)",
      .unit = "Metres",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::depth_unit>(0.0, G_MAXDOUBLE)},
    {{.name = "measures",
      .nick = "Measures",
      .blurb = "Quantity in the samples: disparity or depth",
      .flags = kWhilePlaying},
     OfCamera::as_enum<&CameraSettings::measures>(gst_rdp_camera_measures_get_type)},
});

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAMERA_PROPERTIES_H_
