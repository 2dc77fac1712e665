// SPDX-License-Identifier: LGPL-2.1-or-later
// Caps of point clouds: their fields, the errors, and the number of points in a buffer.
#include "gst/elements/base/points_caps.h"

#include <gst/check/gstcheck.h>

#include <string>

#include "tests/support/check_test.h"

using rdp::gst::PointsFormat;

namespace {

constexpr const char* kGood =
    "application/x-points, format=XYZ32F, point-step=16, offset=4, unit=0.01, axes=camera";

// The problem with the caps; "" if there is none.
std::string problem_of(const char* text, PointsFormat* format) {
  GstCaps* caps = gst_caps_from_string(text);
  fail_unless(caps != nullptr, "%s", text);
  std::string problem;
  const bool read = rdp::gst::read_points_caps(caps, format, &problem);
  gst_caps_unref(caps);
  fail_unless(read == problem.empty(), "%s: %s", text, problem.c_str());
  return problem;
}

}  // namespace

CHECK_TEST(test_read) {
  PointsFormat format;
  fail_unless(problem_of(kGood, &format).empty());
  fail_unless((format == PointsFormat{16, 4, 0.01, false, 0, 0, 0, 1}));
  const std::string all = std::string(kGood) + ", width=640, height=480, framerate=30000/1001";
  fail_unless(problem_of(all.c_str(), &format).empty());
  fail_unless((format == PointsFormat{16, 4, 0.01, false, 640, 480, 30000, 1001}));
}

CHECK_TEST(test_new) {
  g_autoptr(GstCaps) templ = gst_caps_from_string(RDP_POINTS_CAPS);
  for (const PointsFormat& format :
       {PointsFormat{}, PointsFormat{12, 0, 1.0, true, 0, 0, 10, 1},
        PointsFormat{G_MAXINT, G_MAXINT - 12, 1e-9, false, 1, G_MAXINT, 0, 1},
        PointsFormat{48, 36, 1e9, true, 3, 2, 30000, 1001},
        PointsFormat{.pose = {0.1, -2e5, 1e-7, 0.707107, 0.0, -0.707107, 0.0}}}) {
    g_autoptr(GstCaps) caps = rdp::gst::new_points_caps(format);
    fail_unless(gst_caps_is_fixed(caps));
    fail_unless(gst_caps_is_subset(caps, templ));
    PointsFormat read;
    std::string problem;
    fail_unless(rdp::gst::read_points_caps(caps, &read, &problem), "%s", problem.c_str());
    fail_unless(read == format);
  }
}

// Poses: absent where there is none, of length 1, and turned the right way.
CHECK_TEST(test_pose) {
  g_autoptr(GstCaps) none = rdp::gst::new_points_caps({.pose = {0, 0, 0, -1, 0, 0, 0}});
  fail_if(gst_structure_has_field(gst_caps_get_structure(none, 0), "pose"));
  PointsFormat format;
  const auto read = [&](const char* pose) {
    return problem_of((std::string(kGood) + ", pose=(string)\"" + pose + "\"").c_str(), &format);
  };
  fail_unless(read("1 2 3  3 0 0 4").empty());
  fail_unless((format.pose == rdp::clouds::Pose{1, 2, 3, 0.6, 0, 0, 0.8}));
  fail_unless(read("0 0 0 1e300 0 -1e300 0").empty());
  fail_unless_equals_float(format.pose[5], -std::sqrt(0.5));
  for (const char* wrong : {"", "1 2 3", "0 0 0 1 0 0 0 0", "0 0 0 0 0 0 0", "0 0 0 1 nan 0 0",
                            "inf 0 0 1 0 0 0", "0 0 0 1 0 0 x"}) {
    const std::string problem = read(wrong);
    fail_unless(problem.find("expected: seven numbers") != std::string::npos, "%s: %s", wrong,
                problem.c_str());
  }
  // A quarter turn about x: the sensor's y is the world's z.
  double up[3] = {0.0, 0.0, 1.0};
  rdp::clouds::turn_to_sensor({5, 5, 5, 0.707107, 0.707107, 0, 0}, up);
  fail_unless(std::abs(up[0]) < 1e-9 && std::abs(up[1] - 1.0) < 1e-9 && std::abs(up[2]) < 1e-9);
}

// Each caps has one wrong field; the text names the field and its value.
CHECK_TEST(test_refused) {
  const struct {
    const char* caps;
    const char* text;
  } cases[] = {
      {"video/x-raw, format=GRAY8", "the caps are video/x-raw"},
      {"ANY", "one kind of points"},
      {"application/x-points(memory:CUDAMemory), format=XYZ32F, point-step=12, offset=0, unit=1.0, "
       "axes=camera",
       "memory:CUDAMemory, expected: points in system memory"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=(double)nan, "
       "axes=camera",
       "unit=nan"},
      {"application/x-points, point-step=12, offset=0, unit=1.0, axes=camera", "no format"},
      {"application/x-points, format=XYZ64F, point-step=24, offset=0, unit=1.0, axes=camera",
       "format=XYZ64F"},
      {"application/x-points, format=XYZ32F, offset=0, unit=1.0, axes=camera", "no point-step"},
      {"application/x-points, format=XYZ32F, point-step=11, offset=0, unit=1.0, axes=camera",
       "point-step=11"},
      {"application/x-points, format=XYZ32F, point-step=[12, 16], offset=0, unit=1.0, axes=camera",
       "point-step=[ 12, 16 ]"},
      {"application/x-points, format=XYZ32F, point-step=16, offset=5, unit=1.0, axes=camera",
       "offset=5"},
      {"application/x-points, format=XYZ32F, point-step=16, offset=-1, unit=1.0, axes=camera",
       "offset=-1"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=0.0, axes=camera",
       "unit=0"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=1, axes=camera",
       "with a point"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=1.0", "no axes"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=1.0, axes=enu",
       "axes=enu"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=1.0, axes=camera, "
       "width=640",
       "no height"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=1.0, axes=camera, "
       "height=480",
       "no width"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=1.0, axes=camera, "
       "width=0, height=0",
       "width=0"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=1.0, axes=camera, "
       "width=65536, height=65536",
       "65536x65536"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=0, unit=1.0, axes=camera, "
       "framerate=-1/1",
       "framerate=-1/1"},
  };
  for (const auto& [caps, text] : cases) {
    PointsFormat format;
    const std::string problem = problem_of(caps, &format);
    fail_unless(problem.find(text) != std::string::npos, "%s: %s", caps, problem.c_str());
    fail_unless(problem.find("expected") != std::string::npos, "%s", problem.c_str());
    fail_unless((format == PointsFormat{}), "%s", caps);
  }
  PointsFormat format;
  std::string problem;
  fail_unless(!rdp::gst::read_points_caps(nullptr, &format, &problem));
}

CHECK_TEST(test_count) {
  gsize points = 99;
  std::string problem;
  const PointsFormat loose{16, 4};
  fail_unless(rdp::gst::count_points(loose, 0, &points, &problem) && points == 0);
  fail_unless(rdp::gst::count_points(loose, 160, &points, &problem) && points == 10);
  fail_unless(!rdp::gst::count_points(loose, 161, &points, &problem));
  fail_unless(problem.find("161 bytes") != std::string::npos, "%s", problem.c_str());
  PointsFormat rows{16, 4};
  rows.width = 5;
  rows.height = 2;
  fail_unless(rdp::gst::count_points(rows, 160, &points, &problem) && points == 10);
  for (const gsize size : {gsize{0}, gsize{144}, gsize{159}, gsize{161}, gsize{176}}) {
    fail_unless(!rdp::gst::count_points(rows, size, &points, &problem));
    fail_unless(problem.find("5x2") != std::string::npos, "%s", problem.c_str());
  }
}

CHECK_CASE(points_caps)
