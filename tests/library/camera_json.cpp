// SPDX-License-Identifier: LGPL-2.1-or-later
// Cameras as JSON: the bit-identical round trip, and refused texts.
#include <algorithm>
#include <string>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/camera_fixture.h"
#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

static GstRdpCamera* read(const std::string& json) {
  GError* error = nullptr;
  GstRdpCamera* camera = gst_rdp_camera_new_from_json(json.c_str(), &error);
  fail_unless(camera != nullptr, "%s: %s", json.c_str(),
              error != nullptr ? error->message : "no error");
  return camera;
}

CHECK_TEST(test_text) {
  GstRdpCameraInfo info = disparity_camera_info();
  info.baseline = 0.1;
  info.principal_x = -0.0;
  info.distortion[2] = 1e-7;
  info.has_pose = TRUE;
  const double pose[12] = {1, 0, 0, 1e22, 0, 1, 0, -2.5, 0, 0, 1, 0};
  std::copy_n(pose, 12, info.pose);
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  g_autofree gchar* json = gst_rdp_camera_to_json(camera);
  fail_unless_equals_string(
      json,
      R"({"size":[640,480],"focal-length":500.0,"focal-length-y":510.0,"principal-x":-0.0,)"
      R"("principal-y":239.5,"distortion":[0.0,0.0,1e-07,0.0,0.0,0.0,0.0,0.0],"rectified":true,)"
      R"("measures":"disparity","baseline":0.1,"disparity-offset":0.0,)"
      R"("disparity-unit":0.00390625,"depth-unit":0.0,"pose":[[1.0,0.0,0.0,1e+22],)"
      R"([0.0,1.0,0.0,-2.5],[0.0,0.0,1.0,0.0]]})");
}

CHECK_TEST(test_there_and_back) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 5000; ++i) {
    g_autoptr(GstRdpCamera) camera = new_camera(random_camera_info(&random));
    g_autofree gchar* json = gst_rdp_camera_to_json(camera);
    fail_unless(std::string(json).find('\n') == std::string::npos);
    g_autoptr(GstRdpCamera) back = read(json);
    fail_unless(same_camera(camera, back), "%s", json);
  }
}

// Defaults of missing fields.
CHECK_TEST(test_short) {
  g_autoptr(GstRdpCamera) camera = read(R"({"size": [641, 480], "focal-length": 500})");
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera);
  fail_unless_equals_int(info.width, 641);
  fail_unless_equals_float(info.focal_length_y, 500);
  fail_unless_equals_float(info.principal_x, 320);
  fail_unless_equals_float(info.principal_y, 239.5);
  fail_unless_equals_int(info.measures, GST_RDP_MEASURE_UNKNOWN);
  fail_unless_equals_int(info.rectified, FALSE);
  fail_unless_equals_int(info.has_pose, FALSE);

  g_autoptr(GstRdpCamera) given =
      read(R"({"size": [641, 480], "focal-length": 500, "focal-length-y": 0, "principal-x": 0,)"
           R"( "principal-y": 1, "measures": "depth", "depth-unit": 1e-3})");
  fail_unless_equals_float(gst_rdp_camera_get_info(given)->principal_x, 0);
  fail_unless_equals_float(gst_rdp_camera_get_info(given)->principal_y, 1);
  fail_unless_equals_float(gst_rdp_camera_get_depth(given, 1500), 1.5);
}

// A projection matrix alone is decomposed: any camera, pose and scale of the matrix.
CHECK_TEST(test_projection) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 500; ++i) {
    GstRdpCameraInfo any = random_camera_info(&random);
    const auto between = [&](double least, double most) {
      return least + (most - least) * static_cast<double>(random() >> 11) / 9007199254740992.0;
    };
    any.focal_length = between(200, 2000);
    any.focal_length_y = any.focal_length * between(0.9, 1.1);
    any.principal_x = between(-100, 2000);
    any.principal_y = between(-100, 1000);
    for (int r = 0; r < 3; ++r) any.pose[4 * r + 3] = between(-20, 20);
    // K [R' | -R' t], times a factor of either sign.
    const double k[9] = {
        any.focal_length, 0, any.principal_x, 0, any.focal_length_y, any.principal_y, 0, 0, 1};
    const double factor = (i % 2 == 0 ? 1 : -1) * std::pow(10, between(-6, 6));
    double camera_from_world[12];
    for (int r = 0; r < 3; ++r) {
      double shift = 0;
      for (int c = 0; c < 3; ++c) {
        camera_from_world[4 * r + c] = any.pose[4 * c + r];
        shift -= any.pose[4 * c + r] * any.pose[4 * c + 3];
      }
      camera_from_world[4 * r + 3] = shift;
    }
    double matrix[12] = {};
    std::string json = R"({"size":[1920,1080],"name":"any","projection":[)";
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) {
        for (int n = 0; n < 3; ++n) {
          matrix[4 * r + c] += factor * k[3 * r + n] * camera_from_world[4 * n + c];
        }
        gchar text[G_ASCII_DTOSTR_BUF_SIZE];
        json += (c == 0 ? (r == 0 ? "[" : ",[") : ",") +
                std::string(g_ascii_dtostr(text, sizeof text, matrix[4 * r + c]));
      }
      json += "]";
    }
    g_autoptr(GstRdpCamera) camera = read(json + "]}");
    const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera);
    fail_unless_equals_int(info.width, 1920);
    fail_unless(std::fabs(info.focal_length - any.focal_length) < 1e-8);
    fail_unless(std::fabs(info.focal_length_y - any.focal_length_y) < 1e-8);
    fail_unless(std::fabs(info.principal_x - any.principal_x) < 1e-8);
    fail_unless(std::fabs(info.principal_y - any.principal_y) < 1e-8);
    fail_unless(info.has_pose && info.has_projection && info.rectified);
    for (int n = 0; n < 12; ++n) fail_unless(std::fabs(info.pose[n] - any.pose[n]) < 1e-8);
    fail_unless(std::memcmp(info.projection, matrix, sizeof matrix) == 0, "kept as it was read");
  }
}

// A matrix maps straight lines to straight lines: its camera needs no rectification, unless a
// distortion is given as well.
CHECK_TEST(test_projection_rectified) {
  const std::string matrix = R"({"size":[9,9],"projection":[[5,0,4,0],[0,5,4,0],[0,0,1,0]])";
  const struct {
    const char* more;
    gboolean rectified;
  } cases[] = {{"}", TRUE},
               {R"(,"rectified":false})", FALSE},
               {R"(,"distortion":[0,0.1,0,0,0,0,0,0]})", FALSE}};
  for (const auto& one : cases) {
    g_autoptr(GstRdpCamera) camera = read(matrix + one.more);
    fail_unless_equals_int(gst_rdp_camera_get_info(camera)->rectified, one.rectified);
  }
}

CHECK_TEST(test_invalid) {
  const struct {
    const char* json;
    const char* words[2];
  } cases[] = {
      {"", {"invalid JSON", "empty"}},
      {"   ", {"invalid JSON", ""}},
      {"{", {"invalid JSON", ""}},
      {R"({"focal-length": 5} x)", {"invalid JSON", ""}},
      {R"({"focal-length": 5} {"focal-length": 6})", {"invalid JSON", "a second value"}},
      {R"([] {"focal-length": 5})", {"invalid JSON", "a second value"}},
      {"[1]", {"no object", "gst_rdp_camera_read_files()"}},
      {"5", {"no object", "expected one camera"}},
      {"{}", {"no focal-length", "projection"}},
      {R"({"focal-length":5})", {"principal-x is not there", "or size"}},
      {R"({"focal-length":5,"principal-x":2})", {"principal-y is not there", "or size"}},
      {R"({"size":[640,480]})", {"no focal-length", "in pixels"}},
      {R"({"focal-length":"5"})", {"focal-length is \"5\"", "a number"}},
      {R"({"focal-length":null})", {"focal-length is null", "a number"}},
      {R"({"focal-length":[5]})", {"focal-length is a list of 1", "a number"}},
      {R"({"focal-length":true})", {"focal-length is true", "a number"}},
      {R"({"focal-length":1e999})", {"focal_length is inf", "above 0"}},
      {R"({"focal-length":-1})", {"focal_length is -1", "above 0"}},
      {R"({"focal-length":5,"size":[640]})", {"size is a list of 1 numbers", "[width, height]"}},
      {R"({"focal-length":5,"size":[640,-1]})", {"size is", "whole pixels"}},
      {R"({"focal-length":5,"size":[640.5,1]})", {"640.5", "whole pixels"}},
      {R"({"focal-length":5,"size":[65536,1]})", {"65536", "0 to 65535"}},
      {R"({"focal-length":5,"size":{"w":1}})", {"size is an object", "[width, height]"}},
      {R"({"focal-length":5,"size":[0,480]})", {"0x480", "both sides"}},
      {R"({"focal-length":5,"distortion":[1,2,3]})", {"distortion is a list of 3", "eight"}},
      {R"({"focal-length":5,"distortion":[1,2,3,4,5,6,7,8,9]})", {"a list of 9 numbers", "k1"}},
      {R"({"focal-length":5,"distortion":[1,2,3,4,5,6,7,"8"]})", {"with \"8\" in it", "k6"}},
      {R"({"focal-length":5,"rectified":1})", {"rectified is 1", "true or false"}},
      {R"({"focal-length":5,"measures":"metres"})", {"measures is \"metres\"", "\"depth\""}},
      {R"({"focal-length":5,"measures":2})", {"measures is 2", "\"disparity\""}},
      {R"({"focal-length":5,"pose":[1,0,0,0]})", {"pose is a list of 4", "three rows of four"}},
      {R"({"focal-length":5,"pose":[[1,0,0,0],[0,1,0,0],[0,0,2,0]]})", {"pose", "rows 2 and 2"}},
      {R"({"focal-length":5,"distorsion":[1]})",
       {"unknown field \"distorsion\" (is \"distortion\" meant?), expected", " distortion"}},
      {R"({"focal-length":5,"Depth_Unit":1})", {"(is \"depth-unit\" meant?)", ""}},
      {R"({"focal-length":5,"pirncipal-x":1})", {"(is \"principal-x\" meant?)", ""}},
      {R"({"focal-length":5,"colour":1})", {"unknown field \"colour\", expected", ""}},
      {R"({"size":[64,48],"focal-lenght":5})",
       {"no focal-length (but \"focal-lenght\" is: is \"focal-length\" meant?), expected", ""}},
      {R"({"focal_length":5})", {"no focal-length", ""}},
      {R"({"projection":[[1,0,0],[0,1,0],[0,0,1]]})", {"a list of 9", "three rows of four"}},
      {R"({"projection":[[1,0,0,0],[2,0,0,0],[0,0,1,0]]})", {"projection", "cannot be inverted"}},
      {R"({"projection":[[0,0,0,0],[0,0,0,0],[0,0,0,0]]})", {"projection", "cannot be inverted"}},
      {R"({"projection":[[5,1,0,0],[0,5,0,0],[0,0,1,0]]})", {"slanted", "skew 1 px"}},
      {R"({"projection":[[1e300,0,0,0],[0,1e300,0,0],[0,0,1e300,0]]})", {"projection", ""}},
      {R"({"projection":[[1e999,0,0,0],[0,1,0,0],[0,0,1,0]]})", {"projection", "inf"}},
      {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", {"more than 32 levels", ""}},
  };
  for (const auto& wrong : cases) {
    GError* error = nullptr;
    fail_unless(gst_rdp_camera_new_from_json(wrong.json, &error) == nullptr, "%s", wrong.json);
    expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, wrong.words[0], wrong.words[1]);
    fail_unless(gst_rdp_camera_new_from_json(wrong.json, nullptr) == nullptr);
  }
  // Half a million nested lists: json-glib alone would recurse into them on the stack.
  GError* error = nullptr;
  const std::string deep = R"({"focal-length":)" + std::string(500000, '[');
  fail_unless(gst_rdp_camera_new_from_json(deep.c_str(), &error) == nullptr);
  expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "more than 32 levels");
  // A quote that json-glib reads as part of a comment does not hide them.
  for (const char* comment : {"/*\"*/", "//\"\n", "#\"\n"}) {
    const std::string hidden = comment + std::string(500000, '[');
    fail_unless(gst_rdp_camera_new_from_json(hidden.c_str(), &error) == nullptr);
    expect_error(&error, GST_LIBRARY_ERROR_SETTINGS, "outside of a text");
  }
  // Brackets within a string do not count.
  const std::string text = R"({"projection":[[5,0,0,0],[0,5,0,0],[0,0,1,0]],"name":"\"[[[[[[[[[[)" +
                           std::string(40, '{') + "\"}";
  [[maybe_unused]] g_autoptr(GstRdpCamera) camera = read(text);
  expect_critical("*json*", [] { gst_rdp_camera_new_from_json(nullptr, nullptr); });
}

// Any prefix of a text, and any text with one byte changed, gives a camera or an error.
CHECK_TEST(test_any_text) {
  std::mt19937_64 random(13);
  int cameras = 0;
  for (int i = 0; i < 300; ++i) {
    g_autoptr(GstRdpCamera) camera = new_camera(random_camera_info(&random));
    g_autofree gchar* json = gst_rdp_camera_to_json(camera);
    const std::string text = json;
    for (int j = 0; j < 30; ++j) {
      std::string spoilt = text;
      if (j % 3 == 0) {
        spoilt.resize(random() % text.size());
      } else {
        spoilt[random() % text.size()] = "0123456789,.:[]{}\"-e \n\x7f"[random() % 23];
      }
      g_autoptr(GError) error = nullptr;
      g_autoptr(GstRdpCamera) back = gst_rdp_camera_new_from_json(spoilt.c_str(), &error);
      fail_unless((back == nullptr) == (error != nullptr), "%s", spoilt.c_str());
      cameras += back != nullptr ? 1 : 0;
    }
  }
  fail_unless(cameras > 500, "%d", cameras);
}

CHECK_CASE(camera_json)
