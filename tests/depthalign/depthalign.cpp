// SPDX-License-Identifier: LGPL-2.1-or-later
// depthalign beyond the common element tests: aligned rooms against the truth, incomplete inputs,
// and the messages about them.
#include <gst/check/gstharness.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <iterator>

#include "common/align/reference.h"
#include "gst/rdpsegment/rdpcamerametric.h"
#include "tests/support/await.h"
#include "tests/support/check_text.h"
#include "tests/support/pipeline_rig.h"
#include "tests/support/temporary_files.h"

using rdp::test::check_has;
using Rig = rdp::test::PipelineRig;

namespace {

const std::string kRoom = "depthtestsrc pattern=room seed=3 ";
const std::string kSmall = "! video/x-raw,width=320,height=240 ";

std::string depth(const std::string& settings = "rig-pose=true num-buffers=12 ") {
  return " " + kRoom + "domain=depth " + settings + kSmall + "! a.depth ";
}
std::string video(const std::string& settings = "num-buffers=12 ") {
  return " " + kRoom + "view=color " + settings + "! video/x-raw,width=640,height=360 ! a.video ";
}
std::string align(const std::string& settings = "") {
  return "depthalign name=a " + settings + " ! fakesink ";
}

std::vector<std::uint16_t> samples_in(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  std::vector<std::uint16_t> samples(bytes.size() / 2);
  std::memcpy(samples.data(), bytes.data(), 2 * samples.size());
  return samples;
}

// A source of black frames of this size, without a camera.
std::string black(const char* format, int width, int height) {
  const int bytes = width * height * 2;
  return " filesrc location=/dev/zero num-buffers=9 blocksize=" + std::to_string(bytes) +
         " ! rawvideoparse format=" + format + " width=" + std::to_string(width) +
         " height=" + std::to_string(height) + " ";
}

const std::string kFiles = RDP_SOURCES "/tests/library/camera_files/";

GstRdpCameraInfo lens(guint width, guint height, double focal_length) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = width;
  info.height = height;
  info.focal_length = info.focal_length_y = focal_length;
  info.principal_x = 0.5 * width;
  info.principal_y = 0.45 * height;
  info.has_pose = TRUE;
  for (const int diagonal : {0, 5, 10}) info.pose[diagonal] = 1.0;
  return info;
}

void add_camera(GstBuffer* frame, const GstRdpCameraInfo& info) {
  GstRdpCamera* camera = gst_rdp_camera_new(&info, nullptr);
  fail_unless(camera != nullptr);
  gst_buffer_add_rdp_camera_meta(frame, camera);
  gst_rdp_camera_unref(camera);
  GST_BUFFER_PTS(frame) = 0;
}

}  // namespace

// The colour camera has a wider view than the depth camera, and sees points hidden from it. All
// other pixels get their depth.
CHECK_TEST(test_truth) {
  rdp::test::Folder folder;
  const std::string aligned = folder.write("aligned", "");
  const std::string truth = folder.write("truth", "");
  const std::string size = "! video/x-raw,width=640,height=360 ";
  Rig rig("depthalign name=a ! filesink location=" + aligned + " " + kRoom +
          "domain=depth rig-pose=true num-buffers=2 ! video/x-raw,width=640,height=480 ! a.depth " +
          kRoom + "view=color num-buffers=2 " + size + "! a.video " + kRoom +
          "view=color-depth num-buffers=2 " + size + "! filesink location=" + truth);
  rig.play();
  fail_unless_equals_text(rig.wait(), "");
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  const std::vector<std::uint16_t> got = samples_in(aligned);
  const std::vector<std::uint16_t> wanted = samples_in(truth);
  fail_unless(got.size() == std::size_t{2 * 640 * 360} && wanted.size() == got.size());
  std::size_t known = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == 0 || wanted[i] == 0) continue;
    ++known;
    wrong += std::abs(1e6 / got[i] - 1e6 / wanted[i]) > 10.0 ? 1 : 0;
  }
  fail_unless(known > got.size() * 8 / 10, "%zu of %zu known", known, got.size());
  fail_unless(wrong < known / 300, "%zu of %zu wrong", wrong, known);
}

CHECK_TEST(test_errors) {
  const std::string far = "extrinsics=\"<1.0,0.0,0.0,-15.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0>\"";
  rdp::test::Folder folder;
  const std::string distorted = folder.write(
      "distorted.json",
      "{\"size\": [320, 240], \"focal-length\": 300, \"baseline\": 0.1, \"rectified\": true, "
      "\"distortion\": [0.1, 0, 0, 0, 0, 0, 0, 0]}");
  const std::string camera = "{\"focal-length\": 500, ";
  const std::string away = folder.write(
      "away.json",
      camera + "\"size\": [640, 360], \"pose\": [[1, 0, 0, 15], [0, 1, 0, 0], [0, 0, 1, 0]]}");
  const std::string sizeless =
      folder.write("sizeless.json", camera + "\"principal-x\": 320, \"principal-y\": 180}");
  const struct {
    std::string line;
    const char* error;
  } cases[] = {
      {align() + depth(), "nothing has come on video; link the colour camera's frames"},
      {align() + depth() + " fakesrc num-buffers=0 ! a.video", "nothing has come on video"},
      {align() + depth() + " videotestsrc num-buffers=9 ! video/x-raw,format=RGB ! a.video",
       "the frames on video carry no camera; set target-calibration"},
      {align() + depth() + " " + kRoom +
           "view=color num-buffers=9 ! video/x-raw,width=640,height=360 ! videoscale "
           "add-borders=false ! video/x-raw,height=300,pixel-aspect-ratio=1/1 ! a.video",
       "The target camera is not known: the frame's camera is lost"},
      {align("target-calibration=" + kFiles + "opencv.json") + depth() +
           " videotestsrc num-buffers=9 ! video/x-raw,format=RGB,width=320,height=200 ! a.video",
       "is of images of 640x480, but the frames on video are 320x200; use a calibration of this "
       "size, or scale behind this element"},
      {align("target-calibration=" + kFiles + "opencv.json target-calibration-view=7") + depth(),
       "target-calibration-view=7, but "},
      {align("target-calibration=" + kFiles + "opencv.json") + depth("num-buffers=12 "),
       "the movement between both cameras is not known, as they have no pose: set extrinsics"},
      {align("target-calibration=" + kFiles + "opencv.json") + depth(),
       "as the target camera has no pose: set extrinsics"},
      {align("target-calibration=" + away) + depth(),
       "15 m apart by their poses, expected at most 10 m: is it in another unit? Set "
       "calibration-unit, or extrinsics"},
      {align("target-calibration=" + sizeless) + depth(),
       "target-calibration states no image size; link the camera's frames to the pad video"},
      {align("measures=disparity disparity-unit=0.0625 calibration=" + distorted) +
           black("gray16-le", 320, 240) + "! a.depth" + video(),
       "the samples are disparities, and the camera's picture is distorted"},
      {align() + depth("num-buffers=12 ") + video(), "the depth camera has no pose"},
      {align(far) + depth() + video(), "15 m apart by extrinsics, expected at most 10 m"},
      {align("target-calibration=/nonexistent.json") + depth(), "/nonexistent.json"},
      {align() + video() + black("gray16-le", 320, 240) + "! a.depth", "Alignment needs metres"},
      {align() + depth() + black("yuy2", 320, 240) + "! a.video",
       "put videoconvert before the pad video"},
  };
  for (const auto& one : cases) {
    Rig rig(one.line);
    gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);
    check_has(rig.wait(), one.error);
  }
}

CHECK_TEST(test_nothing_inside) {
  Rig rig(align("extrinsics=\"<-1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,-1.0,0.0>\"") + depth() +
          video());
  rig.play();
  fail_unless_equals_text(rig.wait(), "");
  fail_unless_equals_int(static_cast<int>(rig.warnings.size()), 1);
  check_has(rig.warnings[0], "Less than 1 % of the valid depth of 10 frames is inside");
}

// Without pairing, a single frame on video suffices, and its upstream never blocks.
CHECK_TEST(test_video_of_another_rate) {
  for (const char* settings : {"num-buffers=1 ", "num-buffers=200 "}) {
    Rig rig(align() + depth() + video(settings));
    rig.play();
    fail_unless_equals_text(rig.wait(), "");
    fail_unless(rig.warnings.empty());
  }
}

CHECK_TEST(test_live_without_video) {
  Rig rig(align() + depth("is-live=true rig-pose=true ") + kRoom +
          "view=color is-live=true ! valve drop=true ! a.video");
  gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);
  check_has(rig.wait(), "No frame has come on video for 5 s");
  int said = 0;
  for (const std::string& each : rig.warnings) {
    said += each.starts_with("Depth frames are dropped until the first frame on video") ? 1 : 0;
  }
  fail_unless_equals_int(said, 1);
}

// Depth continues as soon as the camera is known.
CHECK_TEST(test_live_late_video) {
  Rig rig("depthalign name=a ! fakesink name=out sync=false" +
          depth("is-live=true rig-pose=true num-buffers=90 ") + kRoom +
          "view=color is-live=true num-buffers=90 ! valve name=v drop=true ! a.video");
  rdp::test::Received received(rig.get("out"));
  rig.play();
  g_autoptr(GstBus) bus = gst_element_get_bus(rig.pipeline());
  g_autoptr(GstMessage) warning = gst_bus_timed_pop_filtered(
      bus, 20 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_WARNING | GST_MESSAGE_ERROR));
  fail_unless(warning != nullptr && GST_MESSAGE_TYPE(warning) == GST_MESSAGE_WARNING);
  fail_unless(received.count == 0);
  g_object_set(rig.get("v"), "drop", FALSE, nullptr);
  fail_unless_equals_text(rig.wait(), "");
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  fail_unless(rig.warnings.empty());
  fail_unless(received.count > 0 && received.count < 90, "%d frames",
              static_cast<int>(received.count));
}

// One thread feeds both inputs. A picture behind events ends while nothing is paired; the depth
// frame that would meet it does not wait for another when `color` comes just then.
CHECK_TEST(test_picture_passed_over) {
  GstElement* align = gst_element_factory_make("depthalign", nullptr);
  GstHarness* depth = gst_harness_new_with_element(align, "depth", "src");
  GstHarness* video = gst_harness_new_with_element(align, "video", nullptr);
  gst_object_unref(align);
  for (GstHarness* harness : {depth, video}) gst_harness_set_live(harness, FALSE);
  gst_harness_set_src_caps_str(depth, "video/x-raw,format=GRAY16_LE,width=33,height=21");
  gst_harness_set_src_caps_str(video, "video/x-raw,format=GRAY8,width=41,height=25");
  const auto push = [](GstHarness* harness, gsize bytes, int number, const GstRdpCameraInfo& info) {
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, bytes, nullptr);
    gst_buffer_memset(buffer, 0, 0, bytes);
    add_camera(buffer, info);
    GST_BUFFER_PTS(buffer) = static_cast<GstClockTime>(number) * 100 * GST_MSECOND;
    fail_unless_equals_int(gst_harness_push(harness, buffer), GST_FLOW_OK);
  };
  GstRdpCameraInfo source = lens(33, 21, 27.0);
  source.measures = GST_RDP_MEASURE_DEPTH;
  source.depth_unit = 0.001;
  const auto push_depth = [&](int number) { push(depth, 68 * 21, number, source); };
  const GstRdpCameraInfo target = lens(41, 25, 28.0);
  const auto push_video = [&](int number) { push(video, 44 * 25, number, target); };
  push_video(0);
  push_depth(0);
  gst_buffer_unref(gst_harness_pull(depth));

  // Block the element's thread, so that it cannot process further input.
  std::atomic<bool> held{false};
  GstPad* src = gst_element_get_static_pad(align, "src");
  const gulong probe = gst_pad_add_probe(
      src, static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER),
      [](GstPad*, GstPadProbeInfo*, gpointer of) {
        *static_cast<std::atomic<bool>*>(of) = true;
        return GST_PAD_PROBE_OK;
      },
      &held, nullptr);
  push_depth(1);
  fail_unless(rdp::test::await([&] { return held.load(); }));
  fail_unless(gst_harness_push_event(video, gst_event_new_tag(gst_tag_list_new_empty())));
  push_video(1);
  push_video(2);
  push_depth(2);
  GstPad* color = gst_element_request_pad_simple(align, "color");
  GstHarness* pictures = gst_harness_new_with_element(align, nullptr, "color");
  gst_pad_remove_probe(src, probe);
  push_depth(3);
  push_video(3);
  for (const GstClockTime time : {200 * GST_MSECOND, 300 * GST_MSECOND}) {
    g_autoptr(GstBuffer) picture = gst_harness_pull(pictures);
    fail_unless(picture != nullptr);
    fail_unless_equals_uint64(GST_BUFFER_PTS(picture), time);
  }
  gst_object_unref(src);
  gst_object_unref(color);
  gst_harness_teardown(pictures);
  gst_harness_teardown(video);
  gst_harness_teardown(depth);
}

// Integers by the colorimetry of the caps, with the nearest chroma and odd sides.
CHECK_TEST(test_nv12) {
  using frames::Content;
  const struct {
    const char* caps;
    double red, blue;
    bool full;
  } cases[] = {{"", 0.299, 0.114, false},
               {",colorimetry=bt709", 0.2126, 0.0722, false},
               {",colorimetry=1:4:0:0", 0.299, 0.114, true}};
  const GstRdpCameraInfo target = lens(41, 25, 28.0);
  GstRdpCameraInfo source = lens(33, 21, 27.0);
  source.measures = GST_RDP_MEASURE_DEPTH;
  source.depth_unit = 0.001;
  const Content depth =
      frames::draw({GST_VIDEO_FORMAT_GRAY16_LE, 33, 21}, frames::Scene::kSurface, 3);
  for (const auto& one : cases) {
    Rig rig(
        "appsrc name=depth format=time ! a.depth appsrc name=video format=time ! a.video "
        "depthalign name=a ! fakesink a.color ! fakesink name=color async=false");
    rdp::test::Received received(rig.get("color"));
    const std::string text =
        "video/x-raw,format=NV12,width=41,height=25,framerate=30/1" + std::string(one.caps);
    rig.set_caps("depth", frames::caps_string(depth.shape));
    rig.set_caps("video", text);
    GstVideoInfo info;
    g_autoptr(GstCaps) caps = gst_caps_from_string(text.c_str());
    fail_unless(gst_video_info_from_caps(&info, caps));
    std::vector<unsigned char> bytes(GST_VIDEO_INFO_SIZE(&info));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<unsigned char>(i * 37 + i / 251);
    }
    GstBuffer* picture = gst_buffer_new_memdup(bytes.data(), bytes.size());
    add_camera(picture, target);
    GstBuffer* frame = frames::new_buffer(depth);
    add_camera(frame, source);
    rig.push("video", picture);
    rig.push("depth", frame);
    rig.end({"depth", "video"});
    rig.play();
    fail_unless_equals_text(rig.wait(), "");
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);

    rdp::align::Parameters parameters;
    parameters.source = {rdp::meta::camera_lens(source), {.factor = 0.001}};
    parameters.target = rdp::meta::camera_lens(target);
    Content aligned({GST_VIDEO_FORMAT_GRAY16_LE, 41, 25});
    rdp::align::reference::align(depth.view(), parameters, aligned.view());
    Content color({GST_VIDEO_FORMAT_RGBA, 33, 21});
    rdp::align::reference::colour(
        depth.view(), parameters, aligned.view(),
        {rdp::align::PictureFormat::kNv12, bytes.data(), GST_VIDEO_INFO_PLANE_STRIDE(&info, 0),
         bytes.data() + GST_VIDEO_INFO_PLANE_OFFSET(&info, 1),
         GST_VIDEO_INFO_PLANE_STRIDE(&info, 1), 41, 25,
         rdp::align::rgb_matrix(one.red, one.blue, one.full)},
        {color.samples.data(), 4 * 33, 33, 21});
    const std::vector<std::uint8_t> got = frames::pixels(received.buffers.at(0), color.shape);
    const auto* wanted = reinterpret_cast<const std::uint8_t*>(color.samples.data());
    fail_unless(std::equal(got.begin(), got.end(), wanted, wanted + color.samples.size()), "%s",
                one.caps);
  }
}

// --- chains of the pages ------------------------------------------------------------------------

// Planes of aligned depth are drawn where the colour camera sees them.
CHECK_TEST(test_planes_on_color) {
  Rig rig(
      "rdpoverlay name=o style=planes opacity=1 ! fakesink name=out async=false "
      "depthalign name=a ! depthplanes ! queue ! o.segments " +
      depth("rig-pose=true num-buffers=2 ") + kRoom +
      "view=color num-buffers=2 ! video/x-raw,width=640,height=360 ! tee name=t t. ! queue ! "
      "a.video t. ! queue ! videoconvert ! video/x-raw,format=RGBA ! tee name=v v. ! queue ! "
      "o.video v. ! queue ! "
      "fakesink name=before async=false");
  rdp::test::Received drawn(rig.get("out")), before(rig.get("before"));
  rig.play();
  fail_unless_equals_text(rig.wait(), "");
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  fail_unless(rig.warnings.empty());
  const frames::Shape shape{GST_VIDEO_FORMAT_RGBA, 640, 360};
  fail_unless(drawn.buffers.size() == 2 && before.buffers.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<std::uint8_t> ours = frames::pixels(drawn.buffers[i], shape);
    const std::vector<std::uint8_t> bare = frames::pixels(before.buffers[i], shape);
    fail_unless(ours.size() == bare.size() && !bare.empty());
    int other = 0;
    for (std::size_t p = 0; p < bare.size(); p += 4) {
      other += std::equal(&ours[p], &ours[p] + 3, &bare[p]) ? 0 : 1;
    }
    fail_unless(other > 640 * 360 / 2, "planes on %d pixels", other);
  }
}

// Points have the colours of the pad `color`, if the colour camera sees them; the others have its
// transparent pixels.
CHECK_TEST(test_coloured_cloud) {
  Rig rig(
      "depthpoints name=p ! fakesink name=cloud async=false depthalign name=a ! fakesink "
      "a.color ! tee name=c c. ! queue ! p.video c. ! queue ! fakesink name=color async=false " +
      kRoom + "domain=depth rig-pose=true num-buffers=2 " + kSmall +
      "! tee name=t t. ! queue ! a.depth t. ! queue ! p.sink " + video("num-buffers=2 "));
  rdp::test::Received cloud(rig.get("cloud")), color(rig.get("color"));
  rig.play();
  fail_unless_equals_text(rig.wait(), "");
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  const frames::Shape shape{GST_VIDEO_FORMAT_RGBA, 320, 240};
  fail_unless(cloud.buffers.size() == 2 && color.buffers.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<std::uint8_t> points = frames::bytes(cloud.buffers[i]);
    const std::vector<std::uint8_t> pixels = frames::pixels(color.buffers[i], shape);
    fail_unless(points.size() == 4 * pixels.size() && !pixels.empty());
    int seen = 0;
    for (std::size_t p = 0; p < pixels.size(); p += 4) {
      fail_unless(std::equal(&pixels[p], &pixels[p] + 4, &points[4 * p + 12]), "point %d",
                  static_cast<int>(p / 4));
      seen += pixels[p + 3] == 255 ? 1 : 0;
    }
    fail_unless(seen > 320 * 240 / 2, "%d points have colours", seen);
  }
}

CHECK_CASE(depthalign, .seconds = 120)
