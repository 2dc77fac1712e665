// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHSTEREO_CALIBRATION_RIG_H_
#define RDP_TESTS_DEPTHSTEREO_CALIBRATION_RIG_H_

#include <string>
#include <vector>

#include "gst/elements/depthstereo/stereo_calibration.h"
#include "tests/support/bus_texts.h"
#include "tests/support/frames.h"
#include "tests/support/temporary_files.h"

// A calibration under test, and its input files.
namespace calibration_rig {

using rdp::gst::SharedText;
using rdp::gst::StereoCalibration;
using rdp::gst::StereoCalibrationSettings;
using rdp::test::opencv_matrix;

inline constexpr guint kWidth = 320;
inline constexpr guint kHeight = 240;

// A calibration whose element's messages are kept.
struct Rig {
  Rig() : element(GST_OBJECT(gst_object_ref_sink(gst_bin_new("stereo")))) {
    bus = frames::attach_bus(GST_ELEMENT(element));
  }
  ~Rig() {
    calibration.stop();
    frames::detach_bus(GST_ELEMENT(element), bus);
    gst_object_unref(element);
  }
  void set_files(const std::string& files) {
    settings.camera.calibration = SharedText(files.c_str());
  }
  bool change(guint width = kWidth, guint height = kHeight, GstRdpCamera* of_left = nullptr) {
    return calibration.change(settings, width, height, {.left = of_left});
  }
  std::string said() { return rdp::test::bus_texts(bus); }
  void check_said(const std::string& expected) {
    const std::string came = said();
    fail_unless(came == expected, "came:\n%sexpected:\n%s", came.c_str(), expected.c_str());
  }
  // Fails unless the first pair fails with a message that contains all `parts`.
  void check_fails(const std::vector<std::string>& parts, guint width = kWidth,
                   guint height = kHeight) {
    calibration.stop();
    fail_if(change(width, height));
    const std::string came = said();
    fail_unless(came.rfind("error: ", 0) == 0, "%s", came.c_str());
    for (const std::string& part : parts) {
      fail_unless(came.find(part) != std::string::npos, "no \"%s\" in: %s", part.c_str(),
                  came.c_str());
    }
    fail_unless(calibration.maps() == nullptr);
    fail_unless(calibration.camera() == nullptr);
    fail_unless(!calibration.depth_scale());
  }
  const GstRdpCameraInfo& info() {
    fail_unless(calibration.camera() != nullptr, "%s", calibration.reason().c_str());
    return *gst_rdp_camera_get_info(calibration.camera());
  }

  GstObject* element;
  GstBus* bus;
  StereoCalibrationSettings settings;
  StereoCalibration calibration{GST_ELEMENT(element)};
};

inline const std::string kNoTurn = "1., 0., 0., 0., 1., 0., 0., 0., 1.";
// Rotation about y by asin(0.028).
inline const std::string kTurnBack =
    "0.9996079231, 0., -0.028, 0., 1., 0., 0.028, 0., 0.9996079231";
inline const std::string kTurn = "0.9996079231, 0., 0.028, 0., 1., 0., -0.028, 0., 0.9996079231";

// An OpenCV calibration file: intrinsics, then extrinsics from R and T on.
inline std::string cameras(const std::string& k1 = "-0.25",
                           const std::string& principal_y = "120.") {
  return "%YAML:1.0\n---\n" +
         opencv_matrix("M1", 3, 3, "300., 0., 160., 0., 301., 118., 0., 0., 1.") +
         opencv_matrix("D1", 1, 5, k1 + ", 0.06, 0., 0., 0.") +
         opencv_matrix("M2", 3, 3, "302., 0., 158., 0., 303., " + principal_y + ", 0., 0., 1.") +
         opencv_matrix("D2", 1, 5, k1 + ", 0.05, 0., 0., 0.");
}
inline std::string stands(const std::string& turn = kTurn,
                          const std::string& shift = "-0.1, 0.001, 0.") {
  return opencv_matrix("R", 3, 3, turn) + opencv_matrix("T", 3, 1, shift);
}
inline std::string rectified(const std::string& turn, const std::string& right_turn,
                             double baseline = 0.1) {
  g_autofree gchar* fourth = g_strdup_printf("%.6f", -280.0 * baseline);
  return opencv_matrix("R1", 3, 3, turn) + opencv_matrix("R2", 3, 3, right_turn) +
         opencv_matrix("P1", 3, 4, "280., 0., 150., 0., 0., 280., 119., 0., 0., 0., 1., 0.") +
         opencv_matrix(
             "P2", 3, 4,
             "280., 0., 153., " + std::string(fourth) + ", 0., 280., 119., 0., 0., 0., 1., 0.");
}

// A ROS calibration file of one camera. K equals P if there is nothing to rectify.
inline std::string ros(double k1, const std::string& turn, double baseline, double focal = 280,
                       guint width = kWidth) {
  g_autofree gchar* text = g_strdup_printf(
      "image_width: %u\nimage_height: %u\ncamera_name: c\n"
      "camera_matrix:\n  rows: 3\n  cols: 3\n  data: [%.3f, 0., 160., 0., %.3f, 120., 0., 0., 1.]\n"
      "distortion_model: plumb_bob\n"
      "distortion_coefficients:\n  rows: 1\n  cols: 5\n  data: [%.6f, 0., 0., 0., 0.]\n"
      "rectification_matrix:\n  rows: 3\n  cols: 3\n  data: [%s]\n"
      "projection_matrix:\n  rows: 3\n  cols: 4\n"
      "  data: [280., 0., 160., %.6f, 0., 280., 120., 0., 0., 0., 1., 0.]\n",
      width, kHeight, focal, focal, k1, turn.c_str(), -280 * baseline);
  return text;
}

inline std::string kalibr(const std::string& motion_rows,
                          const char* distortion = "-0.28, 0.07, 0., 0.") {
  g_autofree gchar* text = g_strdup_printf(
      "cam0:\n  camera_model: pinhole\n  distortion_coeffs: [%s]\n  distortion_model: radtan\n"
      "  intrinsics: [300.5, 300.5, 160.0, 120.0]\n  resolution: [320, 240]\n"
      "cam1:\n  T_cn_cnm1:\n%s  - [0.0, 0.0, 0.0, 1.0]\n"
      "  camera_model: pinhole\n  distortion_coeffs: [%s]\n  distortion_model: radtan\n"
      "  intrinsics: [300.5, 300.5, 160.0, 120.0]\n  resolution: [320, 240]\n",
      distortion, motion_rows.c_str(), distortion);
  return text;
}
inline const std::string kBeside =
    "  - [0.9996079231, 0.0, 0.028, -0.11]\n  - [0.0, 1.0, 0.0, 0.002]\n"
    "  - [-0.028, 0.0, 0.9996079231, 0.001]\n";

}  // namespace calibration_rig

#endif  // RDP_TESTS_DEPTHSTEREO_CALIBRATION_RIG_H_
