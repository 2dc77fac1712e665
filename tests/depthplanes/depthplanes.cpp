// SPDX-License-Identifier: LGPL-2.1-or-later
// depthplanes on frames in system memory: metadata bit-identical to the definition for any format,
// layout and settings; labels and pictures; statistics.
#include <algorithm>
#include <functional>

#include "common/planes/frames/engine.h"
#include "common/planes/pictures/overlay.h"
#include "gst/rdpsegment/rdpcamerameta.h"
#include "tests/depthplanes/planes_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"

using frames::Shape;
using namespace planes_rig;
using rdp::planes::Parameters;
using rdp::test::PlaneKind;

namespace {

constexpr Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120};

std::string name_of(const Shape& shape, PlaneKind kind) {
  return std::string(rdp::test::name_of(kind)) + " " + frames::caps_string(shape);
}

}  // namespace

CHECK_TEST(test_frames) {
  const Shape shapes[] = {
      {GST_VIDEO_FORMAT_GRAY16_LE, 160, 120}, {GST_VIDEO_FORMAT_GRAY8, 160, 120},
      {GST_VIDEO_FORMAT_GRAY16_LE, 97, 43},   {GST_VIDEO_FORMAT_GRAY8, 33, 17},
      {GST_VIDEO_FORMAT_GRAY16_LE, 1, 1},     {GST_VIDEO_FORMAT_GRAY16_LE, 120, 80, 6, 250}};
  gsize found = 0;
  for (const Shape& shape : shapes) {
    for (const PlaneKind kind : {PlaneKind::kRoom, PlaneKind::kFlat, PlaneKind::kTiles,
                                 PlaneKind::kNoise, PlaneKind::kConstant, PlaneKind::kUnknown}) {
      const Drawn drawn(shape, kind);
      const Expected expected = expect(drawn);
      Rig rig;
      rig.begin(drawn);
      for (unsigned number = 0; number < 2; ++number) {
        GstBuffer* input = drawn.buffer(number);
        const std::vector<std::uint8_t> before = frames::bytes(input);
        GstMemory* memory = gst_buffer_peek_memory(input, 0);
        g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
        check_planes(output, expected, name_of(shape, kind));
        fail_unless(gst_buffer_peek_memory(output, 0) == memory);
        fail_unless(frames::bytes(output) == before);
        const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(gst_rdp_buffer_get_planes(output));
        fail_unless(info.frame == number && !info.cloud && info.calibrated);
        fail_unless_equals_int(info.width, shape.width);
        fail_unless_equals_int(info.height, shape.height);
        fail_unless(info.focal_length == drawn.camera.focal_x &&
                    info.focal_length_y == drawn.camera.focal_y &&
                    info.principal_x == drawn.camera.principal_x &&
                    info.principal_y == drawn.camera.principal_y);
        fail_unless(info.noise == expected.set.counts.noise && info.tolerance == 0.005);
        fail_unless_equals_uint64(info.min_inliers, std::max(1, shape.width * shape.height / 300));
        found += gst_rdp_planes_get_n_planes(gst_rdp_buffer_get_planes(output));
      }
      // Without planes among many pixels, depthplanes asks whether the unit is right.
      const bool asks = expected.set.planes.empty() && expected.set.counts.known >= 1000;
      std::string said = rdp::test::bus_texts(rig.bus);
      // Kinds that draw the ends of the range also cause the warning about 65535.
      if (kind == PlaneKind::kConstant && said.find("are 65535") != std::string::npos) {
        said.erase(0, said.find('\n') + 1);
      }
      fail_unless(asks ? said.rfind("warning: No plane found in ", 0) == 0 : said.empty(), "%s: %s",
                  name_of(shape, kind).c_str(), said.c_str());
    }
  }
  fail_unless(found > 50, "%d planes in all", static_cast<int>(found));
}

CHECK_TEST(test_disparity) {
  const Drawn drawn(kShape, PlaneKind::kRoom, 1, true);
  Rig rig;
  rig.begin(drawn);
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, drawn.buffer());
  // As the base makes the product of focal length and baseline.
  const GstRdpCameraInfo& info =
      *gst_rdp_camera_get_info(gst_buffer_get_rdp_camera_meta(output)->camera);
  rdp::MetricCamera camera = drawn.camera;
  camera.depth.numerator = info.focal_length * info.baseline;
  check_planes(output, expect(drawn.content.view(), camera), "disparity");
}

// Each property sets the parameter of the same name from the next frame on.
CHECK_TEST(test_parameters) {
  const struct {
    const char* property;
    const char* value;
    std::function<void(Parameters&)> apply;
  } cases[] = {
      {"min-value", "1500", [](Parameters& p) { p.min_value = 1500; }},
      {"max-value", "2500", [](Parameters& p) { p.max_value = 2500; }},
      {"noise", "0.004", [](Parameters& p) { p.noise = 0.004; }},
      {"noise-floor", "0.02", [](Parameters& p) { p.noise_floor = 0.02; }},
      {"bend", "0.1", [](Parameters& p) { p.bend = 0.1; }},
      {"tolerance", "0.2", [](Parameters& p) { p.tolerance = 0.2; }},
      {"tolerance-z2", "0.1", [](Parameters& p) { p.tolerance_z2 = 0.1; }},
      {"max-thickness", "0.01", [](Parameters& p) { p.max_thickness = 0.01; }},
      {"fill", "0.99", [](Parameters& p) { p.fill = 0.99; }},
      {"directions", "20", [](Parameters& p) { p.directions = 20; }},
      {"distance-step", "0.3", [](Parameters& p) { p.distance_step = 0.3; }},
      {"rounds", "1", [](Parameters& p) { p.rounds = 1; }},
      {"min-inliers", "500", [](Parameters& p) { p.min_inliers = 500; }},
      {"max-planes", "2", [](Parameters& p) { p.max_planes = 2; }},
      {"connected", "false", [](Parameters& p) { p.connected = false; }},
      {"hull", "false", [](Parameters& p) { p.hull = false; }},
      {"up", "<0.0,1.0,0.0>", [](Parameters& p) { p.up[1] = 1.0; }},
      {"ground-tilt", "1.5", [](Parameters& p) { p.ground_tilt = 1.5; }},
  };
  const Drawn drawn(kShape);
  int told_apart = 0;
  for (const auto& one : cases) {
    Rig rig;
    rig.begin(drawn);
    const Expected before = expect(drawn);
    GstBuffer* output = gst_harness_push_and_pull(rig.main, drawn.buffer());
    check_planes(output, before, one.property);
    gst_buffer_unref(output);
    rig.set(one.property, one.value);
    Parameters parameters;
    one.apply(parameters);
    const Expected expected = expect(drawn, parameters);
    output = gst_harness_push_and_pull(rig.main, drawn.buffer(1));
    check_planes(output, expected, one.property);
    if (!planes_rig::difference(gst_rdp_buffer_get_planes(output), before).empty()) ++told_apart;
    gst_buffer_unref(output);
  }
  fail_unless(told_apart >= 12, "only %d properties matter", told_apart);
}

// Numbers of any type, from a launch line or a program; none is none.
CHECK_TEST(test_up) {
  Rig rig;
  const auto read = [&] {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, GST_TYPE_ARRAY);
    g_object_get_property(G_OBJECT(rig.element), "up", &value);
    g_autofree gchar* text = gst_value_serialize(&value);
    g_value_unset(&value);
    return std::string(text);
  };
  const std::string none = read();
  rig.set("up", "<0,-1,0.5>");
  const std::string set = read();
  fail_unless(set == "< (double)0, (double)-1, (double)0.5 >", "%s", set.c_str());
  for (const char* wrong : {"<0.0,0.0,0.0>", "<1.0,2.0>", "<1.0,2.0,3.0,4.0>", "<a,b,c>"}) {
    g_test_expect_message("rdpsegment", G_LOG_LEVEL_WARNING, "expected three numbers*");
    rig.set("up", wrong);
    g_test_assert_expected_messages();
    fail_unless(read() == set, "%s", wrong);
  }
  GValue empty = G_VALUE_INIT;
  g_value_init(&empty, GST_TYPE_ARRAY);
  g_object_set_property(G_OBJECT(rig.element), "up", &empty);
  g_value_unset(&empty);
  fail_unless(read() == none);
}

// With a camera pose, up is the world's z.
CHECK_TEST(test_up_of_pose) {
  const Drawn drawn(kShape);
  for (const double sign : {1.0, -1.0}) {
    Rig rig;
    gst_harness_set_src_caps(rig.main, frames::caps(kShape));
    GstRdpCameraInfo info;
    gst_rdp_camera_info_init(&info);
    info.width = 160;
    info.height = 120;
    info.focal_length = drawn.camera.focal_x;
    info.focal_length_y = drawn.camera.focal_y;
    info.principal_x = drawn.camera.principal_x;
    info.principal_y = drawn.camera.principal_y;
    info.measures = GST_RDP_MEASURE_DEPTH;
    info.depth_unit = drawn.camera.depth.factor;
    info.has_pose = TRUE;
    // The camera's y is -z of the world, or z.
    const double pose[] = {1, 0, 0, 0, 0, 0, sign, 0, 0, -sign, 0, 2};
    std::copy_n(pose, 12, info.pose);
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, &error);
    fail_unless(camera != nullptr, "%s", error != nullptr ? error->message : "");
    GstBuffer* input = drawn.buffer();
    gst_buffer_add_rdp_camera_meta(input, camera);
    Parameters parameters;
    parameters.up[1] = -sign;
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
    check_planes(output, expect(drawn, parameters), "pose");
  }
}

// Label frames replace depth frames.
CHECK_TEST(test_labels) {
  for (const Shape& shape : {kShape, Shape{GST_VIDEO_FORMAT_GRAY8, 97, 43}}) {
    const Drawn drawn(shape);
    const Expected expected = expect(drawn);
    Rig rig;
    rig.set("output", "labels");
    rig.begin(drawn);
    for (unsigned number = 0; number < 3; ++number) {
      g_autoptr(GstBuffer) input = drawn.buffer(number);
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, gst_buffer_ref(input));
      check_planes(output, expected, "labels");
      fail_unless(output != input && gst_rdp_buffer_get_planes(input) == nullptr);
      fail_unless_equals_uint64(GST_BUFFER_PTS(output), GST_BUFFER_PTS(input));
      GstVideoInfo info = frames::video_info({GST_VIDEO_FORMAT_GRAY8, shape.width, shape.height});
      GstVideoFrame frame;
      fail_unless(gst_video_frame_map(&frame, &info, output, GST_MAP_READ));
      for (int row = 0; row < shape.height; ++row) {
        const auto* got = static_cast<const guint8*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) +
                          row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0);
        fail_unless(std::memcmp(got, expected.labels.data() + row * shape.width,
                                static_cast<std::size_t>(shape.width)) == 0,
                    "row %d", row);
      }
      gst_video_frame_unmap(&frame);
    }
    g_autoptr(GstPad) src = gst_element_get_static_pad(rig.element, "src");
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(src);
    g_autoptr(GstCaps) wanted = frames::caps({GST_VIDEO_FORMAT_GRAY8, shape.width, shape.height});
    fail_unless(gst_caps_is_subset(caps, wanted));
  }
}

// The label caps that downstream accepts determine the depth caps for upstream.
CHECK_TEST(test_labels_caps) {
  Rig rig;
  rig.set("output", "labels");
  gst_harness_set_sink_caps_str(rig.main, "video/x-raw,format=GRAY8,width=32,height=[8,16]");
  g_autoptr(GstPad) sink = gst_element_get_static_pad(rig.element, "sink");
  g_autoptr(GstCaps) taken = gst_pad_query_caps(sink, nullptr);
  for (const auto& [text, wanted] :
       {std::pair{"video/x-raw,format=GRAY16_LE,width=32,height=8,framerate=5/1", true},
        std::pair{"video/x-raw,format=GRAY8,width=32,height=16,framerate=5/1", true},
        std::pair{"video/x-raw,format=GRAY16_LE,width=33,height=8,framerate=5/1", false},
        std::pair{"video/x-raw,format=RGB,width=32,height=8,framerate=5/1", false}}) {
    g_autoptr(GstCaps) caps = gst_caps_from_string(text);
    fail_unless(gst_caps_can_intersect(taken, caps) == wanted, "%s", text);
  }
}

CHECK_TEST(test_overlay) {
  using Style = rdp::planes::OverlayStyle;
  const Drawn drawn(kShape);
  const Expected expected = expect(drawn);
  rdp::planes::FrameEngine finder(1);
  std::vector<rdp::planes::NodeSquare> nodes;
  std::vector<std::uint8_t> labels(expected.labels.size());
  finder.find(drawn.content.view(), drawn.camera, {},
              {reinterpret_cast<std::byte*>(labels.data()), kShape.width, kShape.width,
               kShape.height, rdp::SampleType::kU8},
              &nodes);
  const Parameters parameters;
  const rdp::planes::OverlayScene scene{&drawn.camera, &parameters, &expected.set, nodes};
  std::vector<std::vector<std::uint8_t>> seen;
  for (const char* style : {"planes", "normals", "nodes", "residual", "depth"}) {
    Rig rig("cpu", "video/x-raw,format=RGBA");
    gst_child_proxy_set(GST_CHILD_PROXY(rig.element), "overlay::legend", TRUE, nullptr);
    g_autoptr(GstPad) pad = gst_element_get_static_pad(rig.element, "overlay");
    gst_util_set_object_arg(G_OBJECT(pad), "style", style);
    rig.begin(drawn);
    GstBuffer* output = gst_harness_push_and_pull(rig.main, drawn.buffer());
    check_planes(output, expected, style);
    gst_buffer_unref(output);
    g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
    fail_unless(picture != nullptr);

    rdp::planes::OverlayOptions options;
    options.legend = true;
    options.style = static_cast<Style>(seen.size());
    std::vector<std::uint8_t> painted(4 * labels.size());
    rdp::planes::OverlayPainter(1).paint(drawn.content.view(),
                                         {reinterpret_cast<std::byte*>(labels.data()), kShape.width,
                                          kShape.width, kShape.height, rdp::SampleType::kU8},
                                         scene, options,
                                         {reinterpret_cast<std::byte*>(painted.data()),
                                          4 * kShape.width, kShape.width, kShape.height});
    fail_unless(frames::pixels(picture, kShape) == painted, "%s", style);
    fail_unless(std::find(seen.begin(), seen.end(), painted) == seen.end(), "%s", style);
    seen.push_back(painted);
  }
}

CHECK_TEST(test_stats) {
  const Drawn drawn(kShape);
  const Expected expected = expect(drawn);
  Rig rig;
  rig.begin(drawn);
  for (unsigned number = 0; number < 3; ++number) {
    gst_buffer_unref(gst_harness_push_and_pull(rig.main, drawn.buffer(number)));
  }
  const rdp::planes::Counts& counts = expected.set.counts;
  const auto check = [&](const char* field, std::int64_t wanted) {
    fail_unless_equals_uint64(rig.count(field), static_cast<guint64>(wanted));
  };
  const auto planes = static_cast<std::int64_t>(expected.set.planes.size());
  check("frames", 3);
  check("planes", 3 * planes);
  check("found", planes);
  check("known", counts.known);
  check("outside", 0);
  check("nodes", counts.nodes);
  check("planar-nodes", counts.planar_nodes);
  check("voters", counts.voters);
  check("peaks", counts.peaks);
  check("small", counts.small);
  check("thick", counts.thick);
  check("surplus", counts.surplus);
  check("merged", counts.merged);
  fail_unless(planes > 0 && counts.peaks > 0);
  fail_unless(rig.count("last-time") > 0 && rig.count("mean-time") > 0);
  g_autoptr(GstStructure) fields = rig.stats();
  gdouble noise = -1;
  gdouble resolution = 0;
  gint ground = -2;
  fail_unless(gst_structure_get(fields, "noise", G_TYPE_DOUBLE, &noise, "resolution", G_TYPE_DOUBLE,
                                &resolution, "ground", G_TYPE_INT, &ground, nullptr));
  fail_unless(noise == counts.noise && resolution == counts.resolution);
  fail_unless_equals_int(ground, expected.set.ground.plane);
  fail_unless(ground >= 0, "the room has a floor");
  fail_unless(!gst_structure_has_field(fields, "no-ground"));
}

// Statistics explain a missing ground or missing planes.
CHECK_TEST(test_stats_of_nothing) {
  const struct {
    PlaneKind kind;
    const char* up;
    guint most;
    const char* why;
  } cases[] = {{PlaneKind::kUnknown, nullptr, 65535, "no plane was found"},
               {PlaneKind::kRoom, "<0.3,0.2,1.0>", 65535,
                "no plane below the camera is within ground-tilt of up"},
               // A pole in front of the remaining walls.
               {PlaneKind::kRoom, "<0.0,0.0,-1.0>", 3500,
                "below each plane that faces up there are more than 1/12 as many points as on it"}};
  for (const auto& one : cases) {
    const Drawn drawn(kShape, one.kind);
    Rig rig;
    if (one.up != nullptr) rig.set("up", one.up);
    g_object_set(rig.element, "max-value", one.most, nullptr);
    rig.begin(drawn);
    gst_buffer_unref(gst_harness_push_and_pull(rig.main, drawn.buffer()));
    g_autoptr(GstStructure) fields = rig.stats();
    const gchar* why = gst_structure_get_string(fields, "no-ground");
    fail_unless_equals_string(why, one.why);
    // Statistics restart with the next stream.
    gst_element_set_state(rig.element, GST_STATE_READY);
    gst_element_set_state(rig.element, GST_STATE_PAUSED);
    fail_unless_equals_uint64(rig.count("nodes"), 0);
    gst_element_set_state(rig.element, GST_STATE_PLAYING);
  }
}

// The warning shows the values as set, although 0 is never valid.
CHECK_TEST(test_empty_range) {
  const Drawn drawn({GST_VIDEO_FORMAT_GRAY8, 64, 48});
  for (const auto& [least, most] : {std::pair{256U, 65535U}, {0U, 0U}}) {
    Rig rig;
    g_object_set(rig.element, "min-value", least, "max-value", most, nullptr);
    rig.begin(drawn);
    for (unsigned number = 0; number < 2; ++number) {
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, drawn.buffer(number));
      fail_unless_equals_int(gst_rdp_planes_get_n_planes(gst_rdp_buffer_get_planes(output)), 0);
    }
    const std::string said = rdp::test::bus_texts(rig.bus);
    const std::string wanted =
        "warning: No sample is valid with min-value=" + std::to_string(least) +
        " and max-value=" + std::to_string(most) + ": frames will have no planes.\n";
    fail_unless(said == wanted, "%s", said.c_str());
  }
}

CHECK_TEST(test_wrong_settings) {
  const struct {
    const char* property;
    const char* value;
    const char* said;
  } cases[] = {
      {"distance-step", "0.0001", "distance-step=0.0001 is below the minimum of 0.001 m"},
      {"directions", "1", "directions=1 is below the minimum of 2: set directions=2 or more, or 0"},
  };
  const Drawn drawn(kShape);
  for (const auto& one : cases) {
    Rig rig;
    rig.set(one.property, one.value);
    rig.begin(drawn);
    fail_unless_equals_int(gst_harness_push(rig.main, drawn.buffer()), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, one.said);
  }
}

// Size and camera change in mid-stream; planes of an upstream depthplanes are replaced.
CHECK_TEST(test_renegotiation) {
  Rig rig;
  for (const Shape& shape : {kShape, Shape{GST_VIDEO_FORMAT_GRAY8, 80, 64}, kShape}) {
    const Drawn drawn(shape);
    rig.begin(drawn);
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, drawn.buffer());
    check_planes(output, expect(drawn), frames::caps_string(shape));
    output = gst_harness_push_and_pull(rig.main, output);
    check_planes(output, expect(drawn), "once more");
    fail_unless_equals_int(gst_buffer_get_n_meta(output, GST_RDP_PLANES_META_API_TYPE), 1);
  }
}

CHECK_CASE(depthplanes, .seconds = 120)
