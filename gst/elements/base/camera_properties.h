// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_CAMERA_PROPERTIES_H_
#define RDP_GST_ELEMENTS_BASE_CAMERA_PROPERTIES_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <array>

#include "gst/elements/base/camera_enum.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/shared_text.h"

namespace rdp::gst {

// More views than any file has: what is beyond is a mistake, such as -1.
inline constexpr guint kMostCameraView = 1023;

// The user's description of the camera of the frames, as the caps describe them. camera_source.h
// has its meaning, and how it combines with the camera that frames bring along.
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

// The properties of every element that measures, the same everywhere. An element's settings have a
// CameraSettings (AnalyzerSettings does), and its table takes the rows in with
//   properties_of_member<Settings, &Settings::camera, kCameraProperties>()
// Its class marks gst_rdp_camera_measures_get_type() as API of the plugin.
using OfCamera = PropertyOf<CameraSettings>;

inline constexpr auto kCameraProperties = std::to_array<PropertyRow<CameraSettings>>({
    {{.name = "calibration",
      .nick = "Calibration",
      .blurb =
          "File with the camera of the frames, or several with commas between them: of OpenCV, "
          "ROS, KITTI, Kalibr, ZED, DepthAI, or JSON",
      .flags = kInReady},
     OfCamera::as_string<&CameraSettings::calibration>()},
    {{.name = "calibration-view",
      .nick = "Calibration view",
      .blurb = "Which of the views in the calibration the frames are, from 0",
      .needs = "calibration",
      .flags = kInReady},
     OfCamera::as_uint<&CameraSettings::calibration_view>(0, kMostCameraView)},
    {{.name = "calibration-unit",
      .nick = "Calibration unit",
      .blurb = "Metres in a unit of lengths, where the calibration does not state its unit (0.001 "
               "for millimetres)",
      .unit = "Metres",
      .needs = "calibration",
      .flags = kInReady},
     OfCamera::as_double<&CameraSettings::calibration_unit>(G_MINDOUBLE, G_MAXDOUBLE)},
    {{.name = "focal-length",
      .nick = "Focal length",
      .blurb =
          "Focal length of the frames' camera, in pixels (0: that of the calibration or of the "
          "camera on the frames)",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::focal_length>(0.0, G_MAXDOUBLE)},
    {{.name = "focal-length-y",
      .nick = "Focal length along the columns",
      .blurb = "Where pixels are not square, the focal length along the columns, in pixels (0: "
               "focal-length)",
      .unit = "pixels",
      .needs = "focal-length",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::focal_length_y>(0.0, G_MAXDOUBLE)},
    {{.name = "principal-x",
      .nick = "Principal point's column",
      .blurb = "Column of the principal point, in pixels; below 0 where a crop is beside the axis "
               "(exactly -1: the centre, (width - 1) / 2)",
      .unit = "pixels",
      .needs = "focal-length",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::principal_x>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "principal-y",
      .nick = "Principal point's row",
      .blurb = "Row of the principal point, in pixels; below 0 where a crop is beside the axis "
               "(exactly -1: the centre, (height - 1) / 2)",
      .unit = "pixels",
      .needs = "focal-length",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::principal_y>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "baseline",
      .nick = "Baseline",
      .blurb = "Distance of the two cameras that disparity comes from, in metres (0: that of the "
               "calibration or of the camera on the frames)",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::baseline>(0.0, G_MAXDOUBLE)},
    {{.name = "disparity-offset",
      .nick = "Disparity offset",
      .blurb = "Column of the right view's principal point minus the left view's, in pixels (0: "
               "that of the calibration or of the camera on the frames)",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::disparity_offset>(-G_MAXDOUBLE, G_MAXDOUBLE)},
    {{.name = "disparity-unit",
      .nick = "Disparity unit",
      .blurb = "Pixels in a sample step of disparity (0: not set)",
      .unit = "Pixels",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::disparity_unit>(0.0, G_MAXDOUBLE)},
    {{.name = "depth-unit",
      .nick = "Depth unit",
      .blurb = "Metres in a sample step of depth (0.001 for millimetres, 0: not set)",
      .unit = "Metres",
      .flags = kWhilePlaying},
     OfCamera::as_double<&CameraSettings::depth_unit>(0.0, G_MAXDOUBLE)},
    {{.name = "measures",
      .nick = "Measures",
      .blurb = "What the samples measure",
      .flags = kWhilePlaying},
     OfCamera::as_enum<&CameraSettings::measures>(gst_rdp_camera_measures_get_type)},
});

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_CAMERA_PROPERTIES_H_
