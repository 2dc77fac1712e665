// SPDX-License-Identifier: LGPL-2.1-or-later
// depthtestsrc pattern=crowd: frames equal common/scene with the properties set, carry the camera
// that they are drawn with, and show the moment of their time.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "common/scene/crowd_scene.h"
#include "gst/rdpsegment/rdpcamerameta.h"
#include "tests/support/check_test.h"
#include "tests/support/depthtestsrc_frames.h"

using depthtestsrc_frames::caps_of;

namespace {

struct Crowd {
  const char* view = "left";
  std::uint32_t seed = 0;
  rdp::CrowdOptions people = {};
  double contrast = 1.0;
  double noise = 0.0;
  double angle = 17.0;
  int index = 0;
  std::int64_t moment = 0;
};

// The expected content of a frame.
std::vector<guint8> drawn(Crowd crowd, int width, int height, bool bytes) {
  std::vector<guint8> samples(static_cast<std::size_t>(width * height * (bytes ? 1 : 2)));
  const rdp::MutableDepthView view = {reinterpret_cast<std::byte*>(samples.data()),
                                      width * (bytes ? 1 : 2), width, height,
                                      bytes ? rdp::SampleType::kU8 : rdp::SampleType::kU16};
  crowd.people.seed = crowd.seed;
  std::vector<rdp::CrowdPerson> people;
  rdp::find_crowd(crowd.people, crowd.moment, &people);
  const rdp::CrowdMatrix projection =
      rdp::crowd_camera(crowd.index, crowd.angle, width, height).projection();
  rdp::CrowdRenderer renderer;
  const std::string what = crowd.view;
  if (what == "depth") {
    renderer.draw_depth(people, projection, view);
  } else if (what == "heights") {
    renderer.draw_heights(people, projection, view);
  } else {
    renderer.draw_picture(people, projection,
                          {.contrast = crowd.contrast,
                           .noise = crowd.noise,
                           .seed = crowd.seed,
                           .view = crowd.index,
                           .moment = crowd.moment,
                           .scale = rdp::crowd_scale(width)},
                          view);
  }
  return samples;
}

// A source in a harness. Frames have no padding: their widths are multiples of 4.
struct Source {
  GstHarness* harness;

  Source(const std::string& settings, const std::string& caps) {
    harness = gst_harness_new_parse(("depthtestsrc pattern=crowd " + settings).c_str());
    gst_harness_set_sink_caps_str(harness, caps.c_str());
    gst_harness_set_blocking_push_mode(harness);
    gst_harness_play(harness);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() { gst_harness_teardown(harness); }

  GstElement* element() const {
    GstElement* found = gst_harness_find_element(harness, "depthtestsrc");
    gst_object_unref(found);  // the harness keeps it
    return found;
  }
  GstBuffer* pull() const {
    GstBuffer* buffer = gst_harness_pull(harness);
    fail_unless(buffer != nullptr);
    return buffer;
  }
  GstBuffer* pull_frame(int number) const {
    for (int i = 0; i < number; ++i) gst_buffer_unref(pull());
    return pull();
  }
};

bool holds(GstBuffer* buffer, const std::vector<guint8>& samples) {
  return gst_buffer_get_size(buffer) == samples.size() &&
         gst_buffer_memcmp(buffer, 0, samples.data(), samples.size()) == 0;
}

const GstRdpCameraInfo& camera_of(GstBuffer* buffer) {
  const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer);
  fail_unless(meta != nullptr && meta->camera != nullptr);
  return *gst_rdp_camera_get_info(meta->camera);
}

}  // namespace

CHECK_TEST(test_frames_are_the_scenes) {
  constexpr int kWidth = 160;
  constexpr int kHeight = 121;
  const struct {
    const char* settings;
    const char* format;
    Crowd crowd;
  } cases[] = {
      {"", "GRAY16_LE", {.view = "depth"}},
      {"domain=disparity", "GRAY16_LE", {.view = "depth"}},  // has no effect
      {"domain=depth seed=4 unknown-ratio=0.5 noise=3", "GRAY8", {.view = "depth", .seed = 4}},
      {"view=heights view-index=2 seed=1 people=64",
       "GRAY16_LE",
       {.view = "heights", .seed = 1, .people = {.people = 64}, .index = 2}},
      {"view=heights people-height=<0.5,3.0> camera-angle=30 view-index=1 noise=5",
       "GRAY16_LE",
       {.view = "heights",
        .people = {.least_height = 0.5, .most_height = 3.0},
        .angle = 30.0,
        .index = 1}},
      {"view=left noise=2.5 contrast=0.6 seed=7 people=0",
       "GRAY8",
       {.seed = 7, .people = {.people = 0}, .contrast = 0.6, .noise = 2.5}},
      {"view=left noise=1 view-index=15 cameras=16 camera-angle=45 calibration-error=9 "
       "moment-offset=1500000000 timestamp-offset=7",
       "GRAY8",
       {.noise = 1.0, .angle = 45.0, .index = 15, .moment = 1500000000}},
      {"view=left moment-offset=-3000000001", "GRAY8", {.moment = -3000000001}},
  };
  for (const auto& c : cases) {
    const Source source(c.settings, caps_of(c.format, kWidth, kHeight));
    for (int number = 0; number < 3; ++number) {
      Crowd crowd = c.crowd;
      crowd.moment += number * GST_SECOND / 30;
      g_autoptr(GstBuffer) buffer = source.pull();
      fail_unless(holds(buffer, drawn(crowd, kWidth, kHeight, c.format[4] == '8')),
                  "frame %d of %s differs", number, c.settings);
    }
  }
}

CHECK_TEST(test_what_is_left_open) {
  for (const char* view : {"left", "depth", "heights"}) {
    const Source source(std::string("view=") + view, "video/x-raw");
    gst_buffer_unref(source.pull());
    GstCaps* caps = gst_pad_get_current_caps(source.harness->sinkpad);
    GstVideoInfo info;
    fail_unless(gst_video_info_from_caps(&info, caps));
    gst_caps_unref(caps);
    fail_unless_equals_int(GST_VIDEO_INFO_WIDTH(&info), 781);
    fail_unless_equals_int(GST_VIDEO_INFO_HEIGHT(&info), 621);
    fail_unless_equals_int(GST_VIDEO_INFO_FORMAT(&info), g_str_equal(view, "left")
                                                             ? GST_VIDEO_FORMAT_GRAY8
                                                             : GST_VIDEO_FORMAT_GRAY16_LE);
  }
}

CHECK_TEST(test_camera) {
  for (const char* view : {"left", "depth", "heights"}) {
    for (int index = 0; index < 4; ++index) {
      for (const double error : {0.0, 1.5, -2.0}) {
        const Source source(std::string("cameras=4 camera-angle=20 view=") + view +
                                " view-index=" + std::to_string(index) +
                                " calibration-error=" + std::to_string(error),
                            "video/x-raw,width=400,height=300");
        g_autoptr(GstBuffer) buffer = source.pull();
        const GstRdpCameraInfo& info = camera_of(buffer);
        const rdp::CrowdCamera camera = rdp::crowd_camera(index, 20.0, 400, 300);
        const double shift = index == 0 ? 0.0 : index % 2 != 0 ? error : -error;
        fail_unless(info.width == 400 && info.height == 300 && info.baseline == 0.0);
        fail_unless(info.focal_length == 1750.0 * 400 / 781 &&
                    info.focal_length_y == info.focal_length);
        fail_unless(info.principal_x == 199.5 + shift && info.principal_y == 149.5);
        for (const double coefficient : info.distortion) fail_unless(coefficient == 0.0);
        fail_unless(info.has_pose && info.has_projection);
        const rdp::CrowdMatrix projection = camera.projection(shift);
        for (std::size_t row = 0; row < 3; ++row) {
          fail_unless(info.pose[4 * row] == camera.right[row]);
          fail_unless(info.pose[4 * row + 1] == camera.down[row]);
          fail_unless(info.pose[4 * row + 2] == camera.ahead[row]);
          fail_unless(info.pose[4 * row + 3] == camera.eye[row]);
          for (std::size_t column = 0; column < 4; ++column) {
            fail_unless(info.projection[4 * row + column] == projection[row][column]);
          }
        }
        const bool depth = g_str_equal(view, "depth");
        fail_unless_equals_int(info.measures,
                               depth ? GST_RDP_MEASURE_DEPTH : GST_RDP_MEASURE_UNKNOWN);
        fail_unless(info.depth_unit == (depth ? 0.001 : 0.0) && info.disparity_unit == 0.0);
      }
    }
  }
  const Source bytes("domain=disparity", caps_of("GRAY8", 64, 48));
  g_autoptr(GstBuffer) buffer = bytes.pull();
  fail_unless(camera_of(buffer).depth_unit == 0.1);
}

// A stream has one camera; a change of its properties creates another.
CHECK_TEST(test_camera_changes) {
  const Source source("view=left", caps_of("GRAY8", 64, 48));
  GstElement* element = source.element();
  const auto camera = [&] {
    GstBuffer* buffer = source.pull();
    GstRdpCamera* found = gst_buffer_get_rdp_camera_meta(buffer)->camera;
    gst_rdp_camera_ref(found);
    gst_buffer_unref(buffer);
    return found;
  };
  GstRdpCamera* before = camera();
  GstRdpCamera* same = camera();
  fail_unless(before == same);
  gst_rdp_camera_unref(same);
  const auto differs = [&](const char* what) {
    for (int i = 0; i < 3; ++i) gst_buffer_unref(source.pull());  // from before the change
    GstRdpCamera* now = camera();
    fail_unless(now != before, "%s changed nothing", what);
    gst_rdp_camera_unref(before);
    before = now;
  };
  g_object_set(element, "view-index", 1, nullptr);
  differs("view-index");
  g_object_set(element, "camera-angle", 20.0, nullptr);
  differs("camera-angle");
  g_object_set(element, "calibration-error", 2.0, nullptr);
  differs("calibration-error");
  gst_rdp_camera_unref(before);
}

// The moment depends on the time without timestamp-offset, not on the frame number.
CHECK_TEST(test_moments) {
  const auto frame_of = [](const char* settings, const char* rate, int number) {
    const Source source(std::string("view=left noise=2 ") + settings,
                        caps_of("GRAY8", 160, 120, rate));
    return source.pull_frame(number);
  };
  const auto check = [&](GstBuffer* buffer, std::int64_t moment, GstClockTime pts) {
    fail_unless(holds(buffer, drawn({.noise = 2.0, .moment = moment}, 160, 120, true)));
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), pts);
    gst_buffer_unref(buffer);
  };
  check(frame_of("", "10/1", 2), 200 * GST_MSECOND, 200 * GST_MSECOND);
  check(frame_of("", "30/1", 6), 200 * GST_MSECOND, 200 * GST_MSECOND);
  check(frame_of("", "5/1", 1), 200 * GST_MSECOND, 200 * GST_MSECOND);
  check(frame_of("", "0/1", 0), 0, 0);
  check(frame_of("moment-offset=20000000", "5/1", 1), 220 * GST_MSECOND, 200 * GST_MSECOND);
  check(frame_of("moment-offset=-20000000", "5/1", 0), -20 * std::int64_t{GST_MSECOND}, 0);
  check(frame_of("timestamp-offset=20000000", "5/1", 1), 200 * GST_MSECOND, 220 * GST_MSECOND);
}

CHECK_TEST(test_people_height) {
  g_autoptr(GstElement) element = gst_element_factory_make("depthtestsrc", nullptr);
  const auto range = [&] {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, GST_TYPE_ARRAY);
    g_object_get_property(G_OBJECT(element), "people-height", &value);
    std::vector<double> numbers;
    for (guint i = 0; i < gst_value_array_get_size(&value); ++i) {
      numbers.push_back(g_value_get_double(gst_value_array_get_value(&value, i)));
    }
    g_value_unset(&value);
    return numbers;
  };
  const auto set = [&](const char* text) {
    gst_util_set_object_arg(G_OBJECT(element), "people-height", text);
    return range();
  };
  const std::vector<double> first = {1.5, 1.95};
  const std::vector<double> other = {0.5, 3.0};
  fail_unless(range() == first);
  fail_unless(set("<0.5,3>") == other);
  for (const char* wrong : {"<1.9,1.5>", "<0.4,1.5>", "<1.5,3.1>", "<1.5>", "<1.5,1.6,1.7>",
                            "<nan,1.7>", "<1.5,tall>"}) {
    fail_unless(set(wrong) == other, "%s was taken", wrong);
  }
  fail_unless(set("<>") == first);
  fail_unless(set("<1.7,1.7>") == (std::vector<double>{1.7, 1.7}));
}

// Expected, got, remedy.
CHECK_TEST(test_errors) {
  const struct {
    const char* settings;
    const char* says[3];
  } cases[] = {
      {"view=right",
       {"view=right with pattern=crowd", "view=left, depth, heights, color or color-depth",
        "view-index=1"}},
      {"view=side-by-side",
       {"view=side-by-side", "view=left, depth, heights, color or color-depth", "view-index=1"}},
      {"view=labels",
       {"view=labels", "view=left, depth, heights, color or color-depth", "view-index=1"}},
      {"view=flow",
       {"view=flow", "view=left, depth, heights, color or color-depth", "view-index=1"}},
      {"view-index=3", {"view-index=3 with cameras=3", "expected 0 to 2", "set cameras=4"}},
      {"view-index=1 cameras=1", {"view-index=1 with cameras=1", "expected 0 to 0", "cameras=2"}},
      {"pattern=street view=heights", {"view=heights", "expected pattern=crowd", "set pattern"}},
      {"view=heights ! video/x-raw,format=GRAY8",
       {"format GRAY16_LE", "(string)GRAY8", "no converter"}},
      {"view=left ! video/x-raw,format=GRAY16_LE",
       {"format GRAY8", "(string)GRAY16_LE", "videoconvert"}},
  };
  for (const auto& c : cases) {
    const std::string text = rdp::test::play_line(
        std::string("depthtestsrc num-buffers=1 pattern=crowd ") + c.settings + " ! fakesink");
    for (const char* part : c.says) {
      fail_unless(text.find(part) != std::string::npos, "%s: no \"%s\" in: %s", c.settings, part,
                  text.c_str());
    }
  }
}

// After a seek, all views show the target moment.
CHECK_TEST(test_seek) {
  for (const char* view : {"left", "heights"}) {
    const bool bytes = g_str_equal(view, "left");
    g_autoptr(GstElement) pipeline = gst_parse_launch(
        (std::string("depthtestsrc pattern=crowd view=") + view +
         " ! video/x-raw,width=60,height=40,framerate=10/1 ! fakesink name=sink sync=false "
         "enable-last-sample=true")
            .c_str(),
        nullptr);
    fail_unless(pipeline != nullptr);
    gst_element_set_state(pipeline, GST_STATE_PAUSED);
    gst_element_get_state(pipeline, nullptr, nullptr, 20 * GST_SECOND);
    fail_unless(gst_element_seek_simple(pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                                        777 * GST_SECOND / 10));
    gst_element_get_state(pipeline, nullptr, nullptr, 20 * GST_SECOND);
    g_autoptr(GstElement) sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
    GstSample* sample = nullptr;
    g_object_get(sink, "last-sample", &sample, nullptr);
    fail_unless(sample != nullptr);
    fail_unless(
        holds(gst_sample_get_buffer(sample),
              drawn({.view = view, .moment = 777 * std::int64_t{GST_SECOND} / 10}, 60, 40, bytes)));
    gst_sample_unref(sample);
    gst_element_set_state(pipeline, GST_STATE_NULL);
  }
}

CHECK_CASE(depthtestsrc_crowd)
