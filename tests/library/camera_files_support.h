// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_LIBRARY_CAMERA_FILES_SUPPORT_H_
#define RDP_TESTS_LIBRARY_CAMERA_FILES_SUPPORT_H_

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/temporary_files.h"

// The examples in tests/library/camera_files, one of each format, and files made of them.
namespace camera_files {

using rdp::test::Folder;

inline const std::string kFolder = RDP_SOURCES "/tests/library/camera_files/";

// Every example, in the words of gst_rdp_camera_read_files ().
inline const std::vector<std::string> kExamples = {
    "opencv.yml",        "intrinsics.yml",   "extrinsics.yml", "opencv.json",    "ros_left.yaml",
    "ros_right.yaml",    "ros_message.yaml", "kitti.txt",      "kitti_raw.txt",  "kitti_alone.txt",
    "camchain.yaml",     "zed.conf",         "depthai.json",   "cameras.json",   "projections.json",
    "views.json",        "middlebury.txt",   "asl_left.yaml",  "asl_right.yaml", "colmap.txt",
    "drivingstereo.txt", "camchain_imu.yaml"};

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  fail_unless(file.good(), "cannot read %s", path.c_str());
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string example(const std::string& name) { return text_of(kFolder + name); }

// The result of reading: views, or the error.
struct Read {
  std::vector<GstRdpCameraInfo> views;
  std::string error;
};

inline Read read(const std::string& files, double unit = 1.0, guint width = 0, guint height = 0) {
  Read result;
  GError* error = nullptr;
  GPtrArray* cameras = gst_rdp_camera_read_files(files.c_str(), unit, width, height, &error);
  fail_unless((cameras == nullptr) == (error != nullptr));
  if (error != nullptr) {
    fail_unless(g_error_matches(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS));
    fail_unless(g_utf8_validate(error->message, -1, nullptr), "%s", files.c_str());
    result.error = error->message;
    fail_unless(!result.error.empty());
    g_error_free(error);
    return result;
  }
  fail_unless(cameras->len > 0);
  for (guint i = 0; i < cameras->len; ++i) {
    auto* camera = GST_RDP_CAMERA(g_ptr_array_index(cameras, i));
    result.views.push_back(*gst_rdp_camera_get_info(camera));
  }
  g_ptr_array_unref(cameras);
  return result;
}

// The views of valid files.
inline std::vector<GstRdpCameraInfo> views_of(const std::string& files, double unit = 1.0,
                                              guint width = 0, guint height = 0) {
  Read result = read(files, unit, width, height);
  fail_unless(result.error.empty(), "%s", result.error.c_str());
  return result.views;
}

}  // namespace camera_files

#endif  // RDP_TESTS_LIBRARY_CAMERA_FILES_SUPPORT_H_
