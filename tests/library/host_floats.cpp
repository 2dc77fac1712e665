// SPDX-License-Identifier: LGPL-2.1-or-later
// The application's floating-point environment (rounding mode, FTZ, DAZ, traps) does not affect the
// library's C functions. Results are bit-identical to those in the standard environment. The
// functions leave the application's environment unchanged. Elements: the row "floats" of
// tests/conformance.
#include <gst/video/video.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/last_words.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/library/camera_files_support.h"
#include "tests/support/check_test.h"
#include "tests/support/float_environments.h"
#include "tests/support/heights_fixture.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/result_bytes.h"

namespace {

using namespace rdp::test;

struct Call {
  std::string name;
  std::function<std::string()> run;
};

// The results are bit-identical, and no flag stays set.
void check_calls(const std::vector<Call>& calls) {
  rdp::test::LastWords last_words(std::chrono::seconds(60));
  for (const Call& call : calls) {
    std::string expected;
    for (const FloatEnvironment& environment : float_environments()) {
      const std::string where = call.name + ", " + environment.name;
      last_words.at(where);
      std::string got;
      bool is_set;
      int flags;
      {
        const InFloatEnvironment here(environment);
        got = call.run();
        is_set = rdp::test::is_set(environment);
        flags = std::fetestexcept(FE_ALL_EXCEPT);
      }
      fail_unless(is_set, "%s has left another environment", where.c_str());
      fail_unless(flags == 0, "%s has left the flags %#x", where.c_str(),
                  static_cast<unsigned>(flags));
      if (expected.empty()) expected = got;
      fail_if(got.empty());
      fail_unless(got == expected, "%s: other bytes", where.c_str());
    }
  }
}

GstRdpCameraInfo disparity_camera() {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 67;
  info.height = 43;
  info.focal_length = 52.3;
  info.focal_length_y = 51.9;
  info.principal_x = 33.1;
  info.principal_y = 20.7;
  info.rectified = TRUE;
  info.baseline = 0.11;
  info.measures = GST_RDP_MEASURE_DISPARITY;
  info.disparity_unit = 1.0 / 3;
  info.disparity_offset = -0.7;
  return info;
}

GstRdpCamera* new_camera(const GstRdpCameraInfo& info) {
  GstRdpCamera* camera = gst_rdp_camera_new(&info, nullptr);
  fail_unless(camera != nullptr);
  return camera;
}

// The camera as JSON (transfer full).
std::string json_of(GstRdpCamera* camera) {
  if (camera == nullptr) return "none";
  std::string json;
  add_json(&json, camera);
  gst_rdp_camera_unref(camera);
  return json;
}

// A 67x43 frame with segments that reach 0, where depth is undefined.
GstRdpSegmentation* new_segmentation() {
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = 67;
  info.height = 43;
  info.epsilon = 0.3;
  info.sample_scale = 0.1;
  info.classify = TRUE;
  std::vector<guint32> offsets = {0};
  std::vector<GstRdpSegment> segments;
  for (guint16 c = 0; c < 67; ++c) {
    // Values without rounding: this function runs in all environments.
    const float near = 30.25F + 0.125F * static_cast<float>(c % 3);
    segments.push_back({0, 12, 0.0F, static_cast<float>(c % 5) * 0.75F});
    segments.push_back({13, 42, 1.3F, near});
    offsets.push_back(static_cast<guint32>(segments.size()));
  }
  GstRdpSegmentation* result = gst_rdp_segmentation_new(&info, offsets.data(), offsets.size(),
                                                        segments.data(), segments.size());
  fail_unless(result != nullptr);
  return result;
}

// A cropped buffer that was scaled before.
GstBuffer* transformed_buffer() {
  GstBuffer* from = gst_buffer_new();
  const GstRdpCameraInfo info = disparity_camera();
  GstRdpCamera* camera = new_camera(info);
  GstRdpSegmentation* segmentation = new_segmentation();
  gst_buffer_add_rdp_camera_meta(from, camera);
  gst_buffer_add_rdp_segment_meta(from, segmentation);
  gst_rdp_segmentation_unref(segmentation);
  gst_rdp_camera_unref(camera);
  GstBuffer* to = gst_buffer_new();
  GstVideoInfo before;
  GstVideoInfo after;
  gst_video_info_set_format(&before, GST_VIDEO_FORMAT_GRAY16_LE, 67, 43);
  gst_video_info_set_format(&after, GST_VIDEO_FORMAT_GRAY16_LE, 201, 129);
  GstVideoMetaTransform transform = {&before, &after};
  gpointer state = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta(from, &state)) {
    fail_unless(meta->info->transform_func(to, meta, from,
                                           gst_video_meta_transform_scale_get_quark(), &transform));
  }
  gst_buffer_unref(from);
  GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(to);
  crop->x = 7;
  crop->y = 5;
  crop->width = 190;
  crop->height = 100;
  return to;
}

std::string placement_of(GstBuffer* buffer) {
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer);
  gdouble numbers[4];
  gst_rdp_segment_meta_get_placement(buffer, meta, &numbers[0], &numbers[1], &numbers[2],
                                     &numbers[3]);
  std::string result;
  for (const gdouble number : numbers) add_number(&result, number);
  return result + json_of(gst_rdp_segment_meta_get_camera(buffer, meta, nullptr)) +
         json_of(gst_rdp_buffer_get_camera(buffer, nullptr));
}

}  // namespace

CHECK_TEST(test_cameras) {
  std::vector<Call> calls;
  for (const std::string& name : camera_files::kExamples) {
    calls.push_back({name, [&name] {
                       const camera_files::Read read =
                           camera_files::read(camera_files::kFolder + name, 0.001, 640, 480);
                       std::string result = read.error;
                       for (const GstRdpCameraInfo& view : read.views) {
                         result += json_of(gst_rdp_camera_new(&view, nullptr));
                       }
                       return result;
                     }});
  }
  g_autoptr(GstRdpCamera) plain = new_camera(disparity_camera());
  GstRdpCameraInfo info = disparity_camera();
  const double distortion[8] = {-0.31, 0.12, 0.001, -0.002, 0.03, 0.11, -0.04, 0.01};
  std::copy_n(distortion, 8, info.distortion);
  info.rectified = FALSE;
  g_autoptr(GstRdpCamera) bent = new_camera(info);
  calls.push_back({"json", [] {
                     return json_of(gst_rdp_camera_new_from_json(
                         "{\"size\":[67,43],\"focal-length\":0.1e3,\"projection\":[[0.1,0.2,0.3,"
                         "0.4],[1e-300,4.9e-324,1e300,0.30000000000000004],[0,0,1,0]]}",
                         nullptr));
                   }});
  calls.push_back({"scale", [=] { return json_of(gst_rdp_camera_scale(plain, 31, 17)); }});
  calls.push_back({"crop", [=] { return json_of(gst_rdp_camera_crop(plain, 3, 5, 40, 20)); }});
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const double sample : {0.0, 2.1, 2.2, 7.0, -1.0, 1e-300, 1e300, kNone}) {
    calls.push_back({"depth of " + std::to_string(sample), [=] {
                       std::string result;
                       const double depth = gst_rdp_camera_get_depth(plain, sample);
                       add_number(&result, std::isnan(depth) ? kNone : depth);
                       return result;
                     }});
  }
  for (GstRdpCamera* camera : {plain, bent}) {
    calls.push_back({"unproject", [=] {
                       std::string result;
                       for (const double column : {0.0, 12.3, 33.1, 66.9, 1e6, kNone}) {
                         gdouble x = 0;
                         gdouble y = 0;
                         add_number(&result, gst_rdp_camera_unproject(camera, column, 7.7, &x, &y));
                         add_number(&result, x);
                         add_number(&result, y);
                       }
                       return result;
                     }});
    calls.push_back({"project", [=] {
                       std::string result;
                       for (const double z : {1.0, 3.3, 0.0, -1.0, 1e-320, 1e308, kNone}) {
                         gdouble column = 0;
                         gdouble row = 0;
                         add_number(&result,
                                    gst_rdp_camera_project(camera, 0.1, -0.3, z, &column, &row));
                         add_number(&result, column);
                         add_number(&result, row);
                       }
                       return result;
                     }});
  }
  check_calls(calls);
}

CHECK_TEST(test_metadata) {
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_camera());
  check_calls({
      {"segments",
       [=] {
         GstRdpSegmentation* segmentation = new_segmentation();
         std::string result;
         add_segmentation(&result, segmentation, camera);
         GBytes* bytes = gst_rdp_segmentation_to_bytes(segmentation);
         GstRdpSegmentation* again = gst_rdp_segmentation_new_from_bytes(bytes, nullptr);
         fail_unless(again != nullptr);
         gst_rdp_segmentation_unref(again);
         g_bytes_unref(bytes);
         gst_rdp_segmentation_unref(segmentation);
         return result;
       }},
      {"planes",
       [] {
         GstRdpPlanes* planes = new_planes(wall_and_floor());
         std::string result;
         add(&result, gst_rdp_planes_to_bytes(planes));
         add(&result, gst_rdp_planes_to_ply(planes));
         gst_rdp_planes_unref(planes);
         return result;
       }},
      {"heights",
       [] {
         HeightsContent content = two_heads();
         content.info.ground_cell = std::numeric_limits<double>::denorm_min();
         GstRdpHeights* heights = new_heights(content);
         fail_unless(heights != nullptr);
         std::string result;
         add_number(&result, gst_rdp_heights_get_known(heights));
         GBytes* bytes = gst_rdp_heights_to_bytes(heights);
         GstRdpHeights* again = gst_rdp_heights_new_from_bytes(bytes, nullptr);
         fail_unless(again != nullptr);
         gst_rdp_heights_unref(again);
         add(&result, bytes);
         gst_rdp_heights_unref(heights);
         return result;
       }},
      {"transforms",
       [] {
         GstBuffer* buffer = transformed_buffer();
         const std::string result = placement_of(buffer);
         gst_buffer_unref(buffer);
         return result;
       }},
  });
}

CHECK_CASE(host_floats)
