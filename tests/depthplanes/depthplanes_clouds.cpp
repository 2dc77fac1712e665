// SPDX-License-Identifier: LGPL-2.1-or-later
// depthplanes on point clouds: bit-identical to the definition for any layout, from zero points on;
// buffers pass through; errors.
#include <algorithm>

#include "tests/depthplanes/cloud_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"

using namespace cloud_rig;
using planes_rig::Expected;
using planes_rig::Rig;
using rdp::gst::PointsFormat;

CHECK_TEST(test_formats) {
  gsize found = 0;
  int grounds = 0;
  for (const PointsFormat& format :
       {PointsFormat{}, PointsFormat{.point_step = 16, .offset = 4},
        PointsFormat{.point_step = 19, .offset = 5, .unit = 0.001},
        PointsFormat{.forward_left_up = true}, PointsFormat{.width = 100, .height = 60}}) {
    Rig rig;
    begin(&rig, format);
    for (unsigned number = 0; number < 2; ++number) {
      GstBuffer* input = buffer(draw(6000, number + 1), format);
      const Expected expected = expect(input, format);
      const std::vector<std::uint8_t> before = frames::bytes(input);
      GstMemory* memory = gst_buffer_peek_memory(input, 0);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
      planes_rig::check_planes(output, expected, caps_text(format));
      fail_unless(gst_buffer_peek_memory(output, 0) == memory);
      fail_unless(frames::bytes(output) == before);
      const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(gst_rdp_buffer_get_planes(output));
      fail_unless(info.frame == number && info.cloud && info.calibrated && info.n_points == 6000);
      fail_unless_equals_int(info.width, format.width);
      fail_unless_equals_int(info.height, format.height);
      fail_unless(info.focal_length == 0 && info.tolerance == 0.020 && info.noise == 0);
      fail_unless_equals_uint64(info.min_inliers,
                                static_cast<guint64>(expected.set.counts.known / 500));
      found += expected.set.planes.size();
      grounds += expected.set.ground.plane >= 0 ? 1 : 0;
      fail_unless_equals_uint64(rig.count("known"),
                                static_cast<guint64>(expected.set.counts.known));
    }
    const std::string said = rdp::test::bus_texts(rig.bus);
    fail_unless(said.empty(), "%s", said.c_str());
  }
  fail_unless(found >= 30, "%d planes", static_cast<int>(found));
  fail_unless_equals_int(grounds, 10);
}

// From zero points on; points that are all equal or unknown.
CHECK_TEST(test_few) {
  const PointsFormat format;
  Rig rig;
  begin(&rig, format);
  for (const std::size_t points : {0, 1, 2, 3, 29, 30, 31, 500}) {
    for (const int kind : {0, 1, 2}) {
      std::vector<float> all = draw(points, 3);
      if (kind == 1) std::fill(all.begin(), all.end(), 1.0F);
      if (kind == 2) std::fill(all.begin(), all.end(), std::nanf(""));
      GstBuffer* input = buffer(all, format);
      const Expected expected = expect(input, format);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
      planes_rig::check_planes(output, expected, std::to_string(points) + " points");
    }
  }
}

// Millimetres that are taken for metres: asked once, until then and not later. Not of a cloud like
// the first, nor of one with hardly a point.
CHECK_TEST(test_unit) {
  const PointsFormat metres;
  std::vector<float> far = draw(6000, 1);
  for (float& number : far) number *= 1000.0F;
  for (const bool found_before : {false, true}) {
    Rig rig;
    begin(&rig, metres);
    std::vector<std::vector<float>> clouds = {draw(30, 1), far, far};
    if (found_before) clouds.insert(clouds.begin(), draw(6000, 1));
    for (const std::vector<float>& cloud : clouds) {
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, buffer(cloud, metres));
      fail_unless(output != nullptr);
    }
    const std::string said = rdp::test::bus_texts(rig.bus);
    const char* const expected =
        found_before
            ? "warning: No ground found in 5871 points (extent 4512.1 m) with tolerance=0.02. "
              "Uneven ground needs a larger one, such as tolerance=0.1; else check up and "
              "ground-tilt.\n"
            : "warning: No plane found in 5871 points (extent 4512.1 m). Check the unit of the "
              "points. If the unit is right, uneven ground needs a larger tolerance than 0.02, "
              "such as 0.1.\n";
    fail_unless(said == expected, "%s", said.c_str());
  }
}

// Up follows the pose in the caps, with one message. The property up and other caps override it.
CHECK_TEST(test_pose) {
  const double half = std::sqrt(0.5);
  const struct {
    PointsFormat format;
    const char* pose;
    const char* up;  // "": as the pose says
    double expected[3];
  } cases[] = {
      {{.forward_left_up = true}, "1 2 3 0.707107 0.707107 0 0", "", {0, 1, 0}},
      {{.forward_left_up = true}, "0 0 0 0.5 0.5 0.5 0.5", "", {0, 1, 0}},
      {{.forward_left_up = true}, "0 0 0 0.5 -0.5 -0.5 -0.5", "", {1, 0, 0}},
      {{.forward_left_up = true}, "1 2 3 1 0 0 0", "", {0, 0, 1}},
      {{.forward_left_up = true}, "0 0 0 0.5 -0.5 0.5 -0.5", "", {0, -1, 0}},
      {{.forward_left_up = true}, "1 2 3 1 0 0 0", "<0.0,-1.0,0.0>", {0, -1, 0}},
      {{}, "1 2 3 1 0 0 0", "", {0, -1, 0}},
      {{}, "0 0 0 0.9238795325112867 0 0 0.3826834323650898", "", {-half, -half, 0}},
      {{}, "0 0 0 0.707107 0.707107 0 0", "<0.0,-1.0,0.0>", {0, -1, 0}},
  };
  for (const auto& c : cases) {
    Rig rig;
    if (c.up[0] != '\0') rig.set("up", c.up);
    const std::string caps = caps_text(c.format) + ",pose=(string)\"" + c.pose + "\"";
    gst_harness_set_src_caps_str(rig.main, caps.c_str());
    rdp::planes::Parameters parameters;
    std::copy_n(c.expected, 3, parameters.up);
    parameters.up_given = true;
    for (int i = 0; i < 2; ++i) {
      GstBuffer* input = buffer(draw(6000, 1), c.format);
      const Expected expected = expect(input, c.format, parameters);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
      planes_rig::check_planes(output, expected, c.pose);
    }
    int told = 0;
    while (GstMessage* message = gst_bus_pop_filtered(rig.bus, GST_MESSAGE_INFO)) {
      ++told;
      gst_message_unref(message);
    }
    fail_unless_equals_int(told, c.up[0] == '\0' ? 1 : 0);
  }
}

// A wide cloud with planes but no ground causes one warning; other clouds cause none.
CHECK_TEST(test_wide_without_ground) {
  const PointsFormat format;
  Rig rig;
  begin(&rig, format);
  // A wall in front of the sensor, or a floor below it.
  const auto said_of = [&](bool floor, double length) {
    std::vector<float> values;
    for (int i = 0; i < 10000; ++i) {
      const double along = length * (i % 100 / 99.0 - 0.5);
      const double across = i / 100 / 20.0 - 1.0;
      for (const double v : {along, floor ? 1.7 : across, floor ? across : 4.0}) {
        values.push_back(static_cast<float>(v));
      }
    }
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, buffer(values, format));
    const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(gst_rdp_buffer_get_planes(output));
    fail_unless_equals_int(info.ground, floor ? 0 : -1);
    return rdp::test::bus_texts(rig.bus);
  };
  const char* const warning =
      "warning: No ground found in 10000 points (extent 30 m) with tolerance=0.02. Uneven ground "
      "needs a larger one, such as tolerance=0.1; else check up and ground-tilt.\n";
  const struct {
    bool floor;
    double length;
    const char* said;
  } clouds[] = {{false, 19.0, ""}, {true, 30.0, ""}, {false, 30.0, warning}, {false, 30.0, ""}};
  for (const auto& cloud : clouds) {
    const std::string said = said_of(cloud.floor, cloud.length);
    fail_unless(said == cloud.said, "%s", said.c_str());
  }
}

CHECK_TEST(test_parameters) {
  const PointsFormat format;
  Rig rig;
  begin(&rig, format);
  rig.set("tolerance", "0.05");
  rig.set("min-level", "3");
  rig.set("max-depth", "6");
  rig.set("min-points", "10");
  rig.set("resolution", "0.001");
  rig.set("zero-is-unknown", "false");
  rig.set("max-thickness", "0.5");
  rig.set("min-inliers", "100");
  rig.set("up", "<0,0,-1>");
  rdp::planes::Parameters parameters;
  parameters.tolerance = 0.05;
  parameters.min_level = 3;
  parameters.max_depth = 6;
  parameters.min_points = 10;
  parameters.resolution = 0.001;
  parameters.zero_is_unknown = false;
  parameters.max_thickness = 0.5;
  parameters.min_inliers = 100;
  parameters.up[1] = 0;
  parameters.up[2] = -1;
  GstBuffer* input = buffer(draw(8000, 7), format);
  const Expected expected = expect(input, format, parameters);
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
  planes_rig::check_planes(output, expected, "parameters");
  fail_unless_equals_uint64(gst_rdp_planes_get_info(gst_rdp_buffer_get_planes(output))->min_inliers,
                            100);
}

// Point clouds and frames alternately.
CHECK_TEST(test_turns) {
  const planes_rig::Drawn drawn({GST_VIDEO_FORMAT_GRAY16_LE, 96, 72});
  const PointsFormat format;
  Rig rig;
  for (int turn = 0; turn < 2; ++turn) {
    rig.begin(drawn);
    GstBuffer* output = gst_harness_push_and_pull(rig.main, drawn.buffer());
    planes_rig::check_planes(output, planes_rig::expect(drawn), "a frame");
    gst_buffer_unref(output);
    begin(&rig, format);
    GstBuffer* input = buffer(draw(3000, 1), format);
    const Expected expected = expect(input, format);
    output = gst_harness_push_and_pull(rig.main, input);
    planes_rig::check_planes(output, expected, "a cloud");
    gst_buffer_unref(output);
  }
}

CHECK_TEST(test_wrong_size) {
  for (const bool organised : {false, true}) {
    PointsFormat format;
    if (organised) format.width = format.height = 10;
    Rig rig;
    begin(&rig, format);
    GstBuffer* input = gst_buffer_new_allocate(nullptr, organised ? 1199 : 1201, nullptr);
    fail_unless_equals_int(gst_harness_push(rig.main, input), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "expected");
  }
}

CHECK_TEST(test_labels) { cloud_rig::check_labels_of_points("cpu"); }

// Point clouds have no pictures.
CHECK_TEST(test_refused) {
  Rig rig("auto", "video/x-raw,format=RGBA");
  const PointsFormat format;
  begin(&rig, format);
  fail_unless(gst_harness_push(rig.main, buffer(draw(10, 1), format)) != GST_FLOW_OK);
  const std::string said = rdp::test::bus_texts(rig.bus);
  fail_unless(said.find("The pad overlay shows pictures of video frames") != std::string::npos,
              "%s", said.c_str());
}

CHECK_CASE(depthplanes_clouds, .seconds = 120)
