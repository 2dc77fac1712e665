// SPDX-License-Identifier: LGPL-2.1-or-later
// depthtestsrc: frames equal common/scene/test_pattern.h with the current properties, in the caps
// that downstream accepts, at the right time.
#include <cmath>

#include "common/scene/test_labels.h"
#include "gst/rdpsegment/rdpcamerameta.h"
#include "tests/support/await.h"
#include "tests/support/check_test.h"
#include "tests/support/depthtestsrc_frames.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>

using namespace depthtestsrc_frames;

namespace {

GstCaps* current_caps(GstHarness* harness) { return gst_pad_get_current_caps(harness->sinkpad); }

void wait_for_eos(GstHarness* harness) {
  for (;;) {
    GstEvent* event = gst_harness_pull_event(harness);
    fail_unless(event != nullptr, "no EOS");
    const GstEventType type = GST_EVENT_TYPE(event);
    gst_event_unref(event);
    if (type == GST_EVENT_EOS) return;
  }
}

}  // namespace

CHECK_TEST(test_frames_of_every_kind) {
  for (const char* format : {"GRAY16_LE", "GRAY8"}) {
    for (auto [width, height] : {std::pair{1, 1}, {2, 3}, {641, 5}, {3, 479}, {320, 240}}) {
      for (int pattern = 0; pattern <= static_cast<int>(rdp::TestPattern::kParcels); ++pattern) {
        if (pattern == static_cast<int>(rdp::TestPattern::kCrowd)) continue;  // has its own test
        for (int domain = 0; domain <= 1; ++domain) {
          g_autoptr(GstHarness) harness = harness_for(caps_of(format, width, height), 2);
          Options options;
          options.pattern = static_cast<rdp::TestPattern>(pattern);
          options.domain = static_cast<rdp::TestDomain>(domain);
          options.seed = 4000000000U;
          options.noise = 0.75;
          options.unknown_ratio = 0.125;
          g_object_set(harness->element, "pattern", pattern, "domain", domain, "seed", options.seed,
                       "noise", options.noise, "unknown-ratio", options.unknown_ratio, nullptr);
          gst_harness_play(harness);
          for (guint64 number = 0; number < 2; ++number) {
            g_autoptr(GstBuffer) buffer = gst_harness_pull(harness);
            fail_unless(buffer != nullptr);
            g_autoptr(GstCaps) caps = current_caps(harness);
            check_frame(buffer, caps, number, options);
          }
        }
      }
    }
  }
}

CHECK_TEST(test_defaults) {
  g_autoptr(GstHarness) harness = harness_for("video/x-raw", 1);
  gst_harness_play(harness);
  g_autoptr(GstBuffer) buffer = gst_harness_pull(harness);
  g_autoptr(GstCaps) caps = current_caps(harness);
  GstCaps* expected = gst_caps_from_string(
      "video/x-raw,format=GRAY16_LE,width=1242,height=376,framerate=30/1,pixel-aspect-ratio=1/1,"
      "interlace-mode=progressive");
  fail_unless(gst_caps_is_subset(caps, expected), "%s", gst_caps_to_string(caps));
  gst_caps_unref(expected);
  check_frame(buffer, caps, 0, Options{});
}

CHECK_TEST(test_fixation_keeps_within_what_downstream_takes) {
  g_autoptr(GstHarness) harness = harness_for(
      "video/x-raw,format=GRAY8,width=[1,640],height=[700,800],framerate=[1/1,15/1]", 1);
  gst_harness_play(harness);
  gst_buffer_unref(gst_harness_pull(harness));
  g_autoptr(GstCaps) caps = current_caps(harness);
  g_autoptr(GstCaps) expected =
      gst_caps_from_string("video/x-raw,format=GRAY8,width=640,height=700,framerate=15/1");
  fail_unless(gst_caps_is_subset(caps, expected));
}

CHECK_TEST(test_other_caps_are_refused) {
  for (const char* caps :
       {"video/x-raw,format=I420", "video/x-raw,format=GRAY16_BE", "video/x-raw,width=16385",
        "video/x-raw,format=GRAY8,height=20000", "audio/x-raw"}) {
    const std::string line =
        std::string("depthtestsrc num-buffers=1 ! capsfilter caps=") + caps + " ! fakesink";
    GstElement* pipeline = gst_parse_launch(line.c_str(), nullptr);
    if (pipeline == nullptr) continue;  // linking fails
    gst_object_unref(pipeline);
    fail_if(rdp::test::play_line(line).empty());
  }
}

CHECK_TEST(test_timestamps) {
  struct Rate {
    const char* text;
    guint64 n, d;
  };
  for (const Rate& rate : {Rate{"30/1", 30, 1},
                           {"30000/1001", 30000, 1001},
                           {"1/7", 1, 7},
                           {"2147483647/1", 2147483647, 1}}) {
    g_autoptr(GstHarness) harness = harness_for(caps_of("GRAY8", 8, 4, rate.text), 100);
    gst_harness_play(harness);
    GstClockTime next = 0;
    for (guint64 number = 0; number < 100; ++number) {
      g_autoptr(GstBuffer) buffer = gst_harness_pull(harness);
      const GstClockTime exact = gst_util_uint64_scale(number, rate.d * GST_SECOND, rate.n);
      fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), exact);
      // Each frame lasts until the next: no gaps accumulate.
      fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), next);
      next = GST_BUFFER_PTS(buffer) + GST_BUFFER_DURATION(buffer);
      fail_if(GST_BUFFER_DTS_IS_VALID(buffer));
      fail_unless_equals_uint64(GST_BUFFER_OFFSET(buffer), number);
      fail_unless_equals_uint64(GST_BUFFER_OFFSET_END(buffer), number + 1);
      fail_unless_equals_int(GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DISCONT), number == 0);
    }
    wait_for_eos(harness);
    fail_unless(gst_harness_try_pull(harness) == nullptr);
  }
}

CHECK_TEST(test_timestamp_offset) {
  g_autoptr(GstHarness) harness = harness_for(caps_of("GRAY8", 8, 4, "10/1"), 2);
  g_object_set(harness->element, "timestamp-offset", G_GINT64_CONSTANT(5000000000), nullptr);
  gst_harness_play(harness);
  for (guint64 number = 0; number < 2; ++number) {
    g_autoptr(GstBuffer) buffer = gst_harness_pull(harness);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), 5 * GST_SECOND + number * GST_SECOND / 10);
  }
}

CHECK_TEST(test_without_a_rate_there_is_one_picture) {
  g_autoptr(GstHarness) harness = harness_for(caps_of("GRAY16_LE", 33, 22, "0/1"), -1);
  gst_harness_play(harness);
  GstBuffer* buffer = gst_harness_pull(harness);
  fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), 0);
  fail_if(GST_BUFFER_DURATION_IS_VALID(buffer));
  GstCaps* caps = current_caps(harness);
  check_frame(buffer, caps, 0, Options{});
  gst_caps_unref(caps);
  gst_buffer_unref(buffer);
  wait_for_eos(harness);
}

CHECK_TEST(test_properties_change_with_the_next_frame) {
  g_autoptr(GstHarness) harness = harness_for(caps_of("GRAY16_LE", 60, 40), -1);
  gst_harness_set_blocking_push_mode(harness);
  gst_harness_play(harness);
  Options options;
  guint64 number = 0;
  // The source blocks with one frame drawn before the change.
  const auto skip_and_check = [&] {
    gst_buffer_unref(gst_harness_pull(harness));
    ++number;
    gst_buffer_unref(gst_harness_pull(harness));
    ++number;
    g_autoptr(GstBuffer) buffer = gst_harness_pull(harness);
    g_autoptr(GstCaps) caps = current_caps(harness);
    check_frame(buffer, caps, number++, options);
  };
  skip_and_check();
  g_object_set(harness->element, "seed", 3, nullptr);
  options.seed = 3;
  skip_and_check();
  gst_util_set_object_arg(G_OBJECT(harness->element), "pattern", "ramp");
  options.pattern = rdp::TestPattern::kRamp;
  skip_and_check();
  gst_util_set_object_arg(G_OBJECT(harness->element), "domain", "depth");
  options.domain = rdp::TestDomain::kDepth;
  skip_and_check();
  g_object_set(harness->element, "noise", 2.5, "unknown-ratio", 0.5, nullptr);
  options.noise = 2.5;
  options.unknown_ratio = 0.5;
  skip_and_check();

  gint pattern, domain;
  guint seed;
  gdouble noise, ratio;
  g_object_get(harness->element, "pattern", &pattern, "domain", &domain, "seed", &seed, "noise",
               &noise, "unknown-ratio", &ratio, nullptr);
  fail_unless_equals_int(pattern, static_cast<gint>(rdp::TestPattern::kRamp));
  fail_unless_equals_int(domain, static_cast<gint>(rdp::TestDomain::kDepth));
  fail_unless_equals_int(seed, 3);
  fail_unless_equals_float(noise, 2.5);
  fail_unless_equals_float(ratio, 0.5);
}

// Controlled noise: each frame has the value at its own time.
CHECK_TEST(test_controlled_noise) {
  g_autoptr(GstHarness) harness = harness_for(caps_of("GRAY16_LE", 60, 40, "10/1"), 5);
  GstControlSource* source = gst_interpolation_control_source_new();
  g_object_set(source, "mode", GST_INTERPOLATION_MODE_LINEAR, nullptr);
  gst_timed_value_control_source_set(GST_TIMED_VALUE_CONTROL_SOURCE(source), 0, 0.0);
  gst_timed_value_control_source_set(GST_TIMED_VALUE_CONTROL_SOURCE(source), GST_SECOND, 8.0);
  gst_object_add_control_binding(
      GST_OBJECT(harness->element),
      gst_direct_control_binding_new_absolute(GST_OBJECT(harness->element), "noise", source));
  gst_object_unref(source);
  gst_harness_play(harness);
  for (guint64 number = 0; number < 5; ++number) {
    g_autoptr(GstBuffer) buffer = gst_harness_pull(harness);
    Options options;
    gdouble value = 0.0;
    fail_unless(gst_control_source_get_value(source, GST_BUFFER_PTS(buffer), &value));
    options.noise = value;
    fail_unless(number == 0 ? value == 0.0 : value > 0.5);
    g_autoptr(GstCaps) caps = current_caps(harness);
    check_frame(buffer, caps, number, options);
  }
}

CHECK_TEST(test_properties_under_stress) {
  g_autoptr(GstHarness) harness = harness_for(caps_of("GRAY16_LE", 64, 48), -1);
  gst_harness_set_drop_buffers(harness, TRUE);
  gst_harness_play(harness);
  std::vector<GstHarnessThread*> threads;
  for (const char* name : {"noise", "unknown-ratio"}) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_DOUBLE);
    g_value_set_double(&value, 0.25);
    threads.push_back(gst_harness_stress_property_start_full(harness, name, &value, 10));
    g_value_unset(&value);
  }
  fail_unless(rdp::test::await([&] { return gst_harness_buffers_received(harness) > 100; }));
  for (GstHarnessThread* thread : threads) gst_harness_stress_thread_stop(thread);
}

// Frames that other elements can display.
CHECK_TEST(test_conversion) {
  const std::string error = rdp::test::play_line(
      "depthtestsrc num-buffers=2 ! video/x-raw,width=64,height=48 ! videoconvert ! "
      "video/x-raw,format=RGB ! fakesink");
  fail_unless(error.empty(), "%s", error.c_str());
}

// --- the camera ---------------------------------------------------------------------------------

namespace {

// Consecutive frames of one kind.
struct Frames {
  Frames(const char* format, const char* pattern, const char* domain, int width = 200,
         int height = 100)
      : harness(harness_for(caps_of(format, width, height), -1)), bytes(format[4] == '8') {
    gst_harness_set_blocking_push_mode(harness);
    gst_util_set_object_arg(G_OBJECT(harness->element), "pattern", pattern);
    gst_util_set_object_arg(G_OBJECT(harness->element), "domain", domain);
    gst_harness_play(harness);
    next();
  }
  ~Frames() {
    gst_clear_buffer(&buffer);
    gst_harness_teardown(harness);
  }
  void next() {
    gst_clear_buffer(&buffer);
    buffer = gst_harness_pull(harness);
    const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer);
    camera = meta == nullptr ? nullptr : meta->camera;
  }
  // The distance of a sample by the camera metadata.
  double depth(int column, int row) const {
    guint8 sample[2] = {0, 0};
    const int width = static_cast<int>(gst_rdp_camera_get_info(camera)->width);
    const gsize size = bytes ? 1 : 2;
    gst_buffer_extract(buffer, static_cast<gsize>(row * width + column) * size, sample, size);
    return gst_rdp_camera_get_depth(camera, sample[0] + 256 * sample[1]);
  }

  GstHarness* harness;
  bool bytes;
  GstBuffer* buffer = nullptr;
  GstRdpCamera* camera = nullptr;
};

bool near(double value, double expected, double relative) {
  return std::fabs(value - expected) <= relative * expected;
}

}  // namespace

// The camera as in docs/depthtestsrc.md, in every format, from the first frame on.
CHECK_TEST(test_camera) {
  const struct {
    const char* format;
    const char* domain;
    GstRdpMeasure measures;
    double disparity_unit, depth_unit;
  } kinds[] = {{"GRAY16_LE", "disparity", GST_RDP_MEASURE_DISPARITY, 1.0 / 256, 0},
               {"GRAY8", "disparity", GST_RDP_MEASURE_DISPARITY, 1, 0},
               {"GRAY16_LE", "depth", GST_RDP_MEASURE_DEPTH, 0, 0.001},
               {"GRAY8", "depth", GST_RDP_MEASURE_DEPTH, 0, 0.1}};
  for (const auto& kind : kinds) {
    for (const char* pattern : {"street", "ramp", "steps"}) {
      Frames frames(kind.format, pattern, kind.domain);
      fail_unless(frames.camera != nullptr);
      const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(frames.camera);
      fail_unless(info.width == 200 && info.height == 100);
      fail_unless(near(info.focal_length, 720.0 * 200 / 1242, 1e-12));
      fail_unless(info.focal_length_y == info.focal_length);
      fail_unless(info.principal_x == 0.5 * 199 && info.principal_y == 0.46 * 99);
      fail_unless(info.baseline == 0.54 && info.rectified && !info.has_pose);
      fail_unless(info.disparity_offset == 0 && info.distortion[0] == 0);
      fail_unless(info.measures == kind.measures);
      fail_unless(info.disparity_unit == kind.disparity_unit);
      fail_unless(info.depth_unit == kind.depth_unit);
      // All frames of a kind share one camera.
      g_autoptr(GstRdpCamera) first = gst_rdp_camera_ref(frames.camera);
      frames.next();
      fail_unless(frames.camera == first);
    }
    for (const char* pattern : {"noise", "unknown"}) {
      fail_unless(Frames(kind.format, pattern, kind.domain).camera == nullptr);
    }
  }
  const Frames room("GRAY16_LE", "room", "depth", 1280, 480);
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(room.camera);
  fail_unless(info.focal_length == 1050 && info.focal_length_y == 1050);
  fail_unless(info.principal_x == 639.5 && info.principal_y == 239.5 && info.baseline == 0.075);
  fail_unless(info.measures == GST_RDP_MEASURE_DEPTH && info.depth_unit == 0.001);
  const Frames large_room("GRAY8", "room", "disparity", 4, 3840);
  fail_unless(near(gst_rdp_camera_get_info(large_room.camera)->baseline, 0.0303571, 1e-5));
  const Frames large("GRAY8", "ramp", "disparity", 4096, 8);
  fail_unless(gst_rdp_camera_get_info(large.camera)->baseline == 0.27);
}

// Samples give the known distances of the ramp's ends and of the road below the camera.
CHECK_TEST(test_metres) {
  for (const char* domain : {"disparity", "depth"}) {
    const Frames ramp("GRAY16_LE", "ramp", domain);
    fail_unless(near(ramp.depth(7, 0), 25, 2e-3) && near(ramp.depth(7, 99), 3, 2e-3));
    const Frames bytes("GRAY8", "ramp", domain);
    fail_unless(near(bytes.depth(7, 99), 3, 3e-2));
    const Frames street("GRAY16_LE", "street", domain);
    double x, y;
    fail_unless(gst_rdp_camera_unproject(street.camera, 100, 99, &x, &y));
    fail_unless(near(y * street.depth(100, 99), 1.65, 2e-3), "%g", y * street.depth(100, 99));
  }
}

// Samples and camera reproduce the planes of a room.
CHECK_TEST(test_metres_of_a_room) {
  for (const char* domain : {"disparity", "depth"}) {
    const Frames room("GRAY16_LE", "room", domain, 320, 240);
    std::vector<guint8> labels(320 * 240);
    rdp::TestLabelRenderer renderer;
    renderer.draw(
        0, {.pattern = rdp::TestPattern::kRoom},
        {reinterpret_cast<std::byte*>(labels.data()), 320, 320, 240, rdp::SampleType::kU8});
    for (int row = 0; row < 240; ++row) {
      for (int column = 0; column < 320; ++column) {
        const guint8 label = labels[static_cast<gsize>(row * 320 + column)];
        if (label == 0) continue;
        const rdp::RoomView::SeenPlane plane = renderer.seen_plane(label);
        const double z = room.depth(column, row);
        double x, y;
        fail_unless(gst_rdp_camera_unproject(room.camera, column, row, &x, &y));
        // Half a step of the samples: 1/512 px of 19.7 px at 1 m, or half a millimetre.
        const double step = std::max(0.0005, z * z / (262.5 * 0.075 * 512)) * 1.01;
        const double along = plane.normal.x * x + plane.normal.y * y + plane.normal.z;
        fail_unless(std::fabs(along * z - plane.distance) <= std::fabs(along) * step,
                    "%s, label %d, %d %d", domain, label, column, row);
      }
    }
  }
}

// Properties and caps may change between frames, and the camera with them.
CHECK_TEST(test_camera_changes) {
  Frames frames("GRAY16_LE", "street", "disparity");
  const auto until = [&](auto&& holds) {
    for (int i = 0; i < 5 && !holds(); ++i) frames.next();
    fail_unless(holds());
  };
  const auto info = [&] { return gst_rdp_camera_get_info(frames.camera); };
  gst_util_set_object_arg(G_OBJECT(frames.harness->element), "domain", "depth");
  until([&] { return info()->measures == GST_RDP_MEASURE_DEPTH; });
  gst_util_set_object_arg(G_OBJECT(frames.harness->element), "pattern", "noise");
  until([&] { return frames.camera == nullptr; });
  gst_util_set_object_arg(G_OBJECT(frames.harness->element), "pattern", "ramp");
  until([&] { return frames.camera != nullptr; });
  gst_harness_set_sink_caps_str(frames.harness, caps_of("GRAY8", 100, 60).c_str());
  until([&] { return info()->width == 100; });
  fail_unless(info()->height == 60 && info()->depth_unit == 0.1);
  gst_util_set_object_arg(G_OBJECT(frames.harness->element), "pattern", "room");
  until([&] { return info()->baseline == 0.075; });
}

CHECK_CASE(depthtestsrc)
