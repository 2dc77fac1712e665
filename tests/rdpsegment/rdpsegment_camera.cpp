// SPDX-License-Identifier: LGPL-2.1-or-later
// The camera of frames in pipelines: it is forwarded, replaced by properties or a calibration,
// follows scaling, and is lost if it cannot follow. The rules and all messages:
// tests/base/camera_choice.cpp and camera_source.cpp.
#include <glib/gstdio.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "gst/rdpsegment/rdpcamerameta.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/frames.h"

namespace {

// depthtestsrc and these elements; stores the frames and messages.
struct Pipeline {
  explicit Pipeline(const std::string& elements, const std::string& source =
                                                     "depthtestsrc num-buffers=4 pattern=ramp ! "
                                                     "video/x-raw,width=64,height=48") {
    const std::string line =
        source + " ! " + elements + " ! fakesink name=end signal-handoffs=true";
    g_autoptr(GError) error = nullptr;
    pipeline = gst_parse_launch(line.c_str(), &error);
    fail_unless(pipeline != nullptr && error == nullptr, "%s: %s", line.c_str(),
                error != nullptr ? error->message : "");
    GstElement* end = gst_bin_get_by_name(GST_BIN(pipeline), "end");
    g_signal_connect(end, "handoff",
                     G_CALLBACK(+[](GstElement*, GstBuffer* buffer, GstPad*, Pipeline* self) {
                       self->frames.push_back(gst_buffer_ref(buffer));
                     }),
                     this);
    gst_object_unref(end);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
    const auto wanted =
        static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    for (bool running = true; running;) {
      g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(bus, 20 * GST_SECOND, wanted);
      fail_unless(message != nullptr, "%s came to no end", line.c_str());
      running = GST_MESSAGE_TYPE(message) == GST_MESSAGE_WARNING;
      ended = GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS;
      if (!ended) {
        const std::string text = rdp::test::text_of(message).text;
        // A message that only one of these tests is about.
        (text.starts_with("epsilon=") ? said_of_epsilon : said).push_back(text);
      }
    }
    gst_element_set_state(pipeline, GST_STATE_NULL);
  }
  ~Pipeline() {
    for (GstBuffer* frame : frames) gst_buffer_unref(frame);
    gst_object_unref(pipeline);
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // The camera of the last of four frames, which all have the same one.
  const GstRdpCameraInfo* info() const {
    fail_unless(ended && frames.size() == 4, "%s", said.empty() ? "" : said[0].c_str());
    const GstRdpCamera* first = nullptr;
    for (GstBuffer* frame : frames) {
      const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(frame);
      if (frame == frames[0] && meta != nullptr) first = meta->camera;
      fail_unless((meta == nullptr ? nullptr : meta->camera) == first);
      fail_unless(gst_rdp_buffer_get_segmentation(frame) != nullptr);
    }
    return first == nullptr ? nullptr : gst_rdp_camera_get_info(const_cast<GstRdpCamera*>(first));
  }
  bool silent() const { return said.empty(); }
  bool said_once(const std::string& part) const {
    return said.size() == 1 && said[0].find(part) != std::string::npos;
  }

  GstElement* pipeline;
  std::vector<GstBuffer*> frames;
  std::vector<std::string> said;
  std::vector<std::string> said_of_epsilon;
  bool ended = false;
};

constexpr double kFocal = 720.0 * 64 / 1242;
constexpr const char* kLost =
    "The frames give no metres from this one on: the frame's camera is lost: ";

bool same(double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fabs(b); }

}  // namespace

CHECK_TEST(test_passes) {
  const Pipeline plain("rdpsegment");
  const GstRdpCameraInfo* info = plain.info();
  fail_unless(info != nullptr && same(info->focal_length, kFocal) && plain.silent());
  // Frames without a camera stay so, and no message asks for one.
  const Pipeline none("rdpsegment",
                      "depthtestsrc num-buffers=4 pattern=noise ! video/x-raw,width=64,height=48");
  fail_unless(none.info() == nullptr && none.silent());
}

CHECK_TEST(test_properties) {
  const Pipeline made(
      "rdpsegment focal-length=50 focal-length-y=51 principal-x=30 principal-y=20 baseline=0.25 "
      "disparity-offset=-2 disparity-unit=0.5");
  const GstRdpCameraInfo* info = made.info();
  fail_unless(info != nullptr && made.silent());
  fail_unless(info->width == 64 && info->height == 48 && info->focal_length == 50 &&
              info->focal_length_y == 51 && info->principal_x == 30 && info->principal_y == 20 &&
              info->baseline == 0.25 && info->disparity_offset == -2 &&
              info->disparity_unit == 0.5 && info->measures == GST_RDP_MEASURE_DISPARITY);
  const Pipeline depth("rdpsegment measures=depth depth-unit=0.01");
  info = depth.info();
  fail_unless(info->measures == GST_RDP_MEASURE_DEPTH && info->depth_unit == 0.01 &&
              same(info->focal_length, kFocal) && depth.silent());
  // A crop beside the optical axis. -1 alone means the centre.
  const Pipeline beside("rdpsegment focal-length=50 principal-x=-30.5 principal-y=-1");
  info = beside.info();
  fail_unless(info->principal_x == -30.5 && info->principal_y == 23.5 && beside.silent());
  // The second element sees the first one's camera.
  const Pipeline twice("rdpsegment focal-length=50 ! rdpsegment baseline=0.125");
  fail_unless(twice.info()->focal_length == 50 && twice.info()->baseline == 0.125);
}

// In steps of 1/256 px of disparity, epsilon is nearly 0: one warning, with the remedy.
CHECK_TEST(test_epsilon) {
  const Pipeline tiny("rdpsegment");
  fail_unless(tiny.silent() && tiny.said_of_epsilon.size() == 1);
  fail_unless(
      tiny.said_of_epsilon[0] ==
          "epsilon=4 is 0.016 px of disparity, because sample-scale is 1 and a step of the samples "
          "is 0.00390625 px: set sample-scale=0.00390625 to have epsilon in pixels.",
      "%s", tiny.said_of_epsilon[0].c_str());
  const std::string small = "depthtestsrc num-buffers=4 ! video/x-raw,width=64,height=48";
  const struct {
    const char* elements;
    std::string source;
  } cases[] = {
      {"rdpsegment sample-scale=0.00390625", small},
      {"rdpsegment epsilon=100", small},
      {"rdpsegment epsilon=0", small},
      {"rdpsegment disparity-unit=0.0625", small},
      {"rdpsegment", small + ",format=GRAY8"},
      {"rdpsegment", "depthtestsrc num-buffers=4 domain=depth ! video/x-raw,width=64,height=48"},
      {"rdpsegment", "depthtestsrc num-buffers=4 pattern=noise ! video/x-raw,width=64,height=48"},
  };
  for (const auto& one : cases) {
    const Pipeline pipeline(one.elements, one.source);
    fail_unless(pipeline.said_of_epsilon.empty(), "%s: %s", one.elements,
                pipeline.said_of_epsilon.empty() ? "" : pipeline.said_of_epsilon[0].c_str());
  }
}

CHECK_TEST(test_calibration) {
  g_autofree gchar* folder = g_dir_make_tmp("camera-XXXXXX", nullptr);
  const std::string path = std::string(folder) + "/camera.json";
  const auto write = [&](guint width) {
    GstRdpCameraInfo info;
    gst_rdp_camera_info_init(&info);
    info.width = width;
    info.height = 48;
    info.focal_length = info.focal_length_y = 77;
    info.rectified = TRUE;
    g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
    g_autofree gchar* json = gst_rdp_camera_to_json(camera);
    std::ofstream(path) << json;
  };
  write(64);
  const Pipeline right("rdpsegment calibration=" + path);
  fail_unless(right.info()->focal_length == 77 && right.silent());
  write(65);
  const Pipeline wrong("rdpsegment calibration=" + path);
  fail_unless(!wrong.ended && wrong.frames.empty());
  fail_unless(wrong.said[0] ==
                  "The calibration is for frames of 65x48, but the frames here are 64x48: use the "
                  "calibration for this size, or scale and crop downstream of this element.",
              "%s", wrong.said[0].c_str());
  g_unlink(path.c_str());
  g_rmdir(folder);
}

// Metres stay valid: focal length and unit scale with the width.
CHECK_TEST(test_scaled) {
  for (const char* elements : {"videoscale ! video/x-raw,width=32,height=24 ! rdpsegment",
                               "rdpsegment ! videoscale ! video/x-raw,width=32,height=24"}) {
    const Pipeline pipeline(elements);
    const GstRdpCameraInfo* info = pipeline.info();
    fail_unless(info != nullptr && pipeline.silent(), "%s", elements);
    fail_unless(info->width == 32 && info->height == 24);
    fail_unless(same(info->focal_length, kFocal / 2));
    fail_unless(info->disparity_unit == 1.0 / 512);
  }
  // epsilon keeps its unit, but the samples no longer have it.
  const Pipeline scaled(
      "videoscale ! video/x-raw,width=32,height=24 ! rdpsegment sample-scale=0.00390625");
  fail_unless(scaled.said_once("sample-scale=0.00390625"));
}

CHECK_TEST(test_lost) {
  const Pipeline shape(
      "videoscale ! video/x-raw,width=32,height=48,pixel-aspect-ratio=1/1 ! rdpsegment");
#if GST_CHECK_VERSION(1, 28, 0)
  // videoscale reports its borders: 12 rows above and 12 below.
  const Pipeline plain("rdpsegment");
  fail_unless(shape.info() != nullptr && shape.silent());
  fail_unless(same(shape.info()->focal_length, kFocal / 2) &&
              same(shape.info()->focal_length_y, kFocal / 2) &&
              same(shape.info()->principal_y, (plain.info()->principal_y - 0.5) / 2 + 12));
#else
  fail_unless(shape.info() == nullptr && shape.said_once(kLost));
#endif
  const Pipeline saved(
      "videoscale ! video/x-raw,width=32,height=48,pixel-aspect-ratio=1/1 ! rdpsegment "
      "focal-length=50");
  fail_unless(saved.info()->focal_length == 50 && saved.silent());
  // Before 1.28 these elements drop the camera themselves.
  for (const char* elements :
       {"videoflip video-direction=horiz ! rdpsegment", "videocrop left=4 top=2 ! rdpsegment"}) {
    const Pipeline pipeline(elements);
    const GstRdpCameraInfo* info = pipeline.info();
    const bool follows = info != nullptr && info->width == 60 && info->principal_x == 31.5 - 4;
    fail_unless(info == nullptr || follows, "%s", elements);
    fail_unless(pipeline.silent() || pipeline.said_once(kLost), "%s", elements);
  }
}

// The unit belonged to other samples, so neither the frame nor its segments have metres. Samples
// converted behind the segments do not affect them.
CHECK_TEST(test_converted) {
  const auto metres_of_segments = [](const Pipeline& pipeline) {
    GstBuffer* frame = pipeline.frames.at(0);
    g_autoptr(GstRdpCamera) camera =
        gst_rdp_segment_meta_get_camera(frame, gst_buffer_get_rdp_segment_meta(frame), nullptr);
    return camera != nullptr && gst_rdp_camera_measures_metres(camera, nullptr) != FALSE;
  };
  constexpr const char* kSource =
      "depthtestsrc num-buffers=4 pattern=ramp ! video/x-raw,format=GRAY16_LE,width=64,height=48";
  constexpr const char* kConvert = "videoconvert ! video/x-raw,format=GRAY8";
  const Pipeline before(std::string(kConvert) + " ! rdpsegment", kSource);
  fail_unless(before.ended && before.frames.size() == 4);
  fail_if(metres_of_segments(before));
  const Pipeline told(std::string(kConvert) +
                          " ! rdpsegment disparity-unit=1 focal-length=50 "
                          "baseline=0.5",
                      kSource);
  fail_unless(metres_of_segments(told));
  fail_unless(told.info()->disparity_unit == 1.0);
  // Other versions of GStreamer may drop the camera here.
  const Pipeline behind(std::string("rdpsegment ! ") + kConvert, kSource);
  fail_unless(behind.info() == nullptr || metres_of_segments(behind));
}

CHECK_CASE(rdpsegment_camera)
