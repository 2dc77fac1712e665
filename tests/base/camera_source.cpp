// SPDX-License-Identifier: LGPL-2.1-or-later
// The source of the camera for each frame, and every message about it. The rules themselves:
// camera_choice.cpp.
#include "gst/elements/base/camera_source.h"

#include <string>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>

#include "gst/elements/base/camera_choice.h"
#include "tests/support/allocation_count.h"
#include "tests/support/bus_texts.h"
#include "tests/support/camera_fixture.h"
#include "tests/support/check_test.h"
#include "tests/support/crops.h"
#include "tests/support/temporary_files.h"

using namespace rdp::gst;

namespace {

constexpr int kWidth = 64;
constexpr int kHeight = 48;

GstRdpCameraInfo disparity_info(guint width = kWidth, guint height = kHeight) {
  GstRdpCameraInfo info = disparity_camera_info();
  info.width = width;
  info.height = height;
  info.focal_length = info.focal_length_y = 50;
  info.principal_x = 30;
  info.principal_y = 20;
  info.baseline = 0.2;
  info.disparity_unit = 0.5;
  return info;
}

// A source for frames of one kind, with an element whose messages are kept.
struct Rig {
  explicit Rig(int width = kWidth, int height = kHeight,
               GstVideoFormat format = GST_VIDEO_FORMAT_GRAY16_LE)
      : element(GST_OBJECT(gst_object_ref_sink(gst_bin_new("measurer")))) {
    bus = frames::attach_bus(GST_ELEMENT(element));
    use.measures = true;
    gst_video_info_set_format(&info, format, static_cast<guint>(width), static_cast<guint>(height));
  }
  ~Rig() {
    frames::detach_bus(GST_ELEMENT(element), bus);
    gst_object_unref(element);
  }

  // A frame with the caps and this camera, but without samples.
  GstBuffer* frame(GstRdpCamera* camera = nullptr) const {
    GstBuffer* buffer = gst_buffer_new();
    if (camera != nullptr) gst_buffer_add_rdp_camera_meta(buffer, camera);
    return buffer;
  }
  GstBuffer* frame(const GstRdpCameraInfo& of) const {
    g_autoptr(GstRdpCamera) camera = new_camera(of);
    return frame(camera);
  }
  bool start() {
    started = true;
    return source.start(settings) && source.set_frames(info);
  }
  // Examines the buffer (transfer full).
  void look(GstBuffer* buffer) {
    if (!started) fail_unless(start());
    source.look(settings, use, buffer);
    gst_buffer_unref(buffer);
  }
  // Examines the buffer and attaches the camera to it.
  GstBuffer* through(GstBuffer* buffer) {
    if (!started) fail_unless(start());
    source.look(settings, use, buffer);
    source.attach(buffer);
    return buffer;
  }
  // The messages since the last call: "warning: …" and "error: …", one per line.
  std::string said() { return rdp::test::bus_texts(bus); }
  void check_said(const std::string& expected) {
    const std::string came = said();
    fail_unless(came == expected, "came:\n%sexpected:\n%s", came.c_str(), expected.c_str());
  }
  void check_no_metres(const std::string& reason) {
    fail_unless(source.metric() == nullptr);
    fail_unless(source.reason() == reason, "%s", source.reason().c_str());
  }

  GstObject* element;
  GstBus* bus;
  GstVideoInfo info;
  CameraSettings settings;
  CameraUse use;
  CameraSource source{GST_ELEMENT(element)};
  bool started = false;  // or it does when a frame comes
};

// A temporary file with these views.
class File {
 public:
  explicit File(const std::vector<GstRdpCameraInfo>& views) {
    std::string text;
    for (const GstRdpCameraInfo& view : views) {
      g_autoptr(GstRdpCamera) camera = new_camera(view);
      g_autofree gchar* json = gst_rdp_camera_to_json(camera);
      text += std::string(text.empty() ? "" : ",") + json;
    }
    path_ = folder_.write("camera.json", views.size() > 1 ? "[" + text + "]\n" : text + "\n");
  }
  const char* path() const { return path_.c_str(); }

 private:
  rdp::test::Folder folder_;
  std::string path_;
};

// The remedy for a camera like disparity_info() after an unknown crop or scaling.
const std::string kRemedy =
    "set calibration, or focal-length and the related properties, and disparity-unit=0.5 (where it "
    "was scaled: times the factor of its width; a crop changes nothing), on the next element "
    "downstream, for the picture as it is there";

void add_picture(GstBuffer* buffer, guint width, guint height) {
  gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY16_LE, width,
                            height);
}

const GstRdpCameraInfo& camera_on(GstBuffer* buffer) {
  const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(buffer);
  fail_unless(meta != nullptr && meta->camera != nullptr);
  return *gst_rdp_camera_get_info(meta->camera);
}

}  // namespace

// An element that does not measure ignores the camera and posts nothing.
CHECK_TEST(test_not_measuring) {
  Rig rig;
  rig.use.measures = false;
  rig.settings.principal_x = 3;
  rig.look(rig.frame(disparity_info()));
  fail_unless(rig.source.camera() == nullptr && rig.source.metric() == nullptr);
  rig.check_said("");
}

// The incoming camera is forwarded: the same object, and the frame is unchanged.
CHECK_TEST(test_passes) {
  Rig rig;
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_info());
  g_autoptr(GstBuffer) frame = rig.through(rig.frame(camera));
  fail_unless(rig.source.camera() == camera);
  fail_unless(gst_buffer_get_rdp_camera_meta(frame)->camera == camera);
  fail_unless_equals_int(rig.source.meaning().measures, GST_RDP_MEASURE_DISPARITY);
  fail_unless(rig.source.meaning().unit == 0.5);
  fail_unless(rig.source.reason().empty() && !rig.source.lost());
  const rdp::MetricCamera* metric = rig.source.metric();
  fail_unless(metric != nullptr && metric->focal_x == 50 && metric->principal_y == 20);
  fail_unless(rdp::depth_of_value(10, metric->depth) == 2);  // 50 * 0.2 / 5
  gst_buffer_unref(frame);

  // The next frame has none.
  frame = rig.through(rig.frame());
  fail_unless(rig.source.camera() == nullptr && rig.source.metric() == nullptr);
  fail_unless(gst_buffer_get_rdp_camera_meta(frame) == nullptr);
  rig.check_said("");
}

// focal-length makes one camera for all frames, in place of the incoming one.
CHECK_TEST(test_made) {
  Rig rig;
  rig.settings.focal_length = 70;
  rig.settings.baseline = 0.5;
  fail_unless(rig.start());
  g_autoptr(GstRdpCamera) other = new_camera(disparity_info());
  GstRdpCamera* first = nullptr;
  for (GstRdpCamera* came : {static_cast<GstRdpCamera*>(nullptr), other, other}) {
    g_autoptr(GstBuffer) frame = rig.through(rig.frame(came));
    const GstRdpCameraInfo& info = camera_on(frame);
    fail_unless(info.focal_length == 70 && info.baseline == 0.5 && info.principal_x == 31.5);
    // The unit is from the frame's camera, or the usual one.
    fail_unless(info.disparity_unit == (came == nullptr ? 1.0 / 256 : 0.5));
    fail_unless(gst_buffer_get_rdp_camera_meta(frame)->camera == rig.source.camera());
    if (came != nullptr && first != nullptr) fail_unless(rig.source.camera() == first);
    if (came != nullptr) first = rig.source.camera();
  }
  // The change takes effect with the next frame.
  rig.settings.focal_length = 71;
  g_autoptr(GstBuffer) frame = rig.through(rig.frame());
  fail_unless(camera_on(frame).focal_length == 71);
  rig.check_said("");
}

// Setting a unit replaces only the unit.
CHECK_TEST(test_changed) {
  Rig rig;
  rig.settings.disparity_unit = 0.25;
  g_autoptr(GstBuffer) frame = rig.through(rig.frame(disparity_info()));
  GstRdpCameraInfo expected = disparity_info();
  expected.disparity_unit = 0.25;
  fail_unless(same_camera(camera_on(frame), expected));
  gst_buffer_unref(frame);
  // The same as it was: nothing is replaced.
  rig.settings.disparity_unit = 0.5;
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_info());
  frame = rig.through(rig.frame(camera));
  fail_unless(gst_buffer_get_rdp_camera_meta(frame)->camera == camera);
}

// Properties and files describe the frame as its caps do; the meta describes the whole picture.
CHECK_TEST(test_cropped_in_place) {
  Rig rig;
  fail_unless(rig.start());
  const GstRdpCameraInfo whole = disparity_info(100, 80);
  g_autoptr(GstRdpCamera) camera = new_camera(whole);
  g_autoptr(GstBuffer) frame = rig.frame(camera);
  add_picture(frame, 100, 80);
  crops::add(frame, {10, 5, kWidth, kHeight});
  rig.through(frame);
  fail_unless(rig.source.metric()->principal_x == 20 && rig.source.metric()->principal_y == 15);
  fail_unless(gst_buffer_get_rdp_camera_meta(frame)->camera == camera);

  // The crop moves.
  gst_buffer_get_video_crop_meta(frame)->x = 11;
  rig.source.look(rig.settings, rig.use, frame);
  fail_unless(rig.source.metric()->principal_x == 19);

  rig.settings.focal_length = 70;
  rig.settings.baseline = 0.2;
  rig.through(frame);
  fail_unless(rig.source.metric()->principal_x == 31.5);
  const GstRdpCameraInfo& placed = camera_on(frame);
  fail_unless(placed.width == 100 && placed.height == 80 && placed.principal_x == 42.5 &&
              placed.principal_y == 28.5 && placed.focal_length == 70);
  rig.check_said("");
}

// A lost camera is not used. The user is warned once, and the meta stays for downstream.
CHECK_TEST(test_lost) {
  const std::string told =
      "warning: The frames give no metres from this one on: the frame's camera is lost: it is for "
      "a picture of 100x80, but the frame is 64x48: an element cropped or scaled it without "
      "updating the camera; " +
      kRemedy + ".\n";
  const GstRdpCameraInfo other = disparity_info(100, 80);
  for (const bool with_picture : {false, true}) {
    Rig rig;
    rig.use.metres_for = "the picture";
    fail_unless(rig.start());
    for (int i = 0; i < 3; ++i) {
      g_autoptr(GstRdpCamera) camera = new_camera(other);
      g_autoptr(GstBuffer) frame = rig.frame(camera);
      if (with_picture) add_picture(frame, kWidth, kHeight);
      rig.through(frame);
      fail_unless(rig.source.lost());
      fail_unless(rig.source.camera() == nullptr && rig.source.metric() == nullptr);
      fail_unless_equals_int(rig.source.meaning().measures, GST_RDP_MEASURE_UNKNOWN);
      // Downstream gets an error, too, and no metres.
      g_autoptr(GError) error = nullptr;
      fail_unless(gst_rdp_buffer_get_camera(frame, &error) == nullptr);
      const std::string lost = error != nullptr ? error->message : "";
      fail_unless(lost.find("picture of 100x80") != std::string::npos, "%s", lost.c_str());
      fail_unless(lost.find("was 64x48") != std::string::npos || with_picture);
      rig.check_said(i == 0 ? told : "");
      fail_unless(
          !rig.source.reason().empty() && told.find(rig.source.reason()) != std::string::npos, "%s",
          rig.source.reason().c_str());
    }
    // A valid camera again.
    rig.look(rig.frame(disparity_info()));
    fail_unless(!rig.source.lost() && rig.source.metric() != nullptr);
    // One warning per stream.
    rig.look(rig.frame(other));
    rig.check_said("");
    fail_unless(rig.start());
    rig.look(rig.frame(other));
    rig.check_said(told);

    // With a replacement there is no warning, and no value of the lost camera is used.
    rig.settings.focal_length = 70;
    fail_unless(rig.start());
    g_autoptr(GstBuffer) frame = rig.through(rig.frame(other));
    fail_unless(!rig.source.lost());
    fail_unless(camera_on(frame).focal_length == 70 && camera_on(frame).disparity_unit == 0);
    fail_unless_equals_int(camera_on(frame).measures, GST_RDP_MEASURE_UNKNOWN);
    rig.check_said("");

    // The lost unit is not used either: the baseline implies disparities, but their unit is
    // unknown.
    rig.settings.baseline = 0.2;
    rig.look(rig.frame(other));
    rig.check_no_metres(
        "the samples are disparity, but their unit was lost with the camera that came on the "
        "frames: set disparity-unit=0.5 (where it was scaled: times the factor of its width; a "
        "crop changes nothing)");
    rig.settings.disparity_unit = 0.25;
    rig.look(rig.frame(other));
    fail_unless(rig.source.metric() != nullptr && rig.source.metric()->depth.factor == 0.25);
  }
}

// A lost value is not guessed; only a value that was never stated is.
CHECK_TEST(test_no_guess_of_what_was_lost) {
  GstRdpCameraInfo depth = disparity_info();
  depth.measures = GST_RDP_MEASURE_DEPTH;
  depth.disparity_unit = depth.baseline = 0;
  depth.depth_unit = 0.0002;
  GstRdpCameraInfo other = depth;
  other.width = 100;
  other.height = 80;
  GstRdpCameraInfo cleared = depth;
  cleared.depth_unit = 0;
  for (const bool with_lens : {false, true}) {
    Rig rig;
    rig.use.guesses = rig.use.required = true;
    if (with_lens) rig.settings.focal_length = 70;
    rig.look(rig.frame());
    fail_unless(rig.source.guessed() && rig.source.metric() != nullptr);
    rig.look(rig.frame(other));
    fail_unless(!rig.source.guessed() && rig.source.metric() == nullptr);
    fail_unless(rig.source.lost() == !with_lens);
    if (!with_lens) {
      fail_unless(rig.source.reason().find(", and depth-unit=0.0002, on the next element") !=
                      std::string::npos,
                  "%s", rig.source.reason().c_str());
    }
    rig.look(rig.frame(cleared));
    fail_unless(!rig.source.guessed());
    rig.check_no_metres(
        "the samples are depth, but their unit is not known: set depth-unit (0.001 for "
        "millimetres)");
  }
}

CHECK_TEST(test_calibration) {
  GstRdpCameraInfo left = disparity_info();
  GstRdpCameraInfo right = disparity_info();
  left.measures = right.measures = GST_RDP_MEASURE_UNKNOWN;
  left.disparity_unit = right.disparity_unit = 0;
  right.focal_length = 51;
  right.width = right.height = 0;
  const File file({left, right});
  Rig rig;
  rig.settings.calibration = SharedText(file.path());
  g_autoptr(GstBuffer) frame = rig.through(rig.frame(disparity_info()));
  fail_unless(camera_on(frame).focal_length == 50);
  // Units are of the frame's camera.
  fail_unless(camera_on(frame).disparity_unit == 0.5);
  gst_buffer_unref(frame);

  rig.settings.calibration_view = 1;
  fail_unless(rig.start());
  frame = rig.through(rig.frame());
  GstRdpCameraInfo expected = right;
  expected.width = kWidth;
  expected.height = kHeight;
  fail_unless(same_camera(camera_on(frame), expected));
  rig.check_no_metres(
      "it is not known whether the samples are disparity or depth: set measures, disparity-unit or "
      "depth-unit");

  rig.settings.measures = GST_RDP_MEASURE_DISPARITY;
  rig.look(rig.frame());
  fail_unless(rig.source.metric() != nullptr);
  rig.check_said("");
}

CHECK_TEST(test_calibration_errors) {
  const File file({disparity_info()});
  Rig rig;
  rig.settings.calibration = SharedText(file.path());
  rig.settings.calibration_view = 1;
  fail_unless(!rig.start());
  rig.check_said(std::string("error: calibration-view=1, but ") + file.path() +
                 " has 1 view, numbered from 0.\n");

  rig.settings.calibration_view = 0;
  rig.settings.focal_length = 50;
  fail_unless(!rig.start());
  rig.check_said("error: calibration and focal-length are both set: unset one of them.\n");

  // After this change while playing there is no camera, and the user is warned.
  rig.settings.focal_length = 0;
  fail_unless(rig.start());
  rig.settings.focal_length = 50;
  rig.look(rig.frame());
  fail_unless(rig.source.camera() == nullptr);
  rig.check_said(
      "warning: The camera's properties cannot be used: calibration and focal-length are both set: "
      "unset one of them.\n");

  Rig other(kWidth / 2, kHeight);
  other.settings.calibration = SharedText(file.path());
  fail_unless(!other.start());
  other.check_said(
      "error: The calibration is for frames of 64x48, but the frames here are 32x48: use the "
      "calibration for this size, or scale and crop downstream of this element.\n");

  Rig none;
  none.settings.calibration = SharedText("/nowhere/at all.yaml");
  fail_unless(!none.start());
  const std::string said = none.said();
  fail_unless(said.starts_with("error: The calibration cannot be used: ") &&
                  said.find("/nowhere/at all.yaml") != std::string::npos,
              "%s", said.c_str());
}

// Each warning is posted once, and again if it stopped being true in between.
CHECK_TEST(test_warnings) {
  Rig rig;
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_info());
  const auto look = [&] { rig.look(rig.frame(camera)); };
  rig.use.sample_scale = 0.00390625;
  const std::string scale =
      "warning: sample-scale=0.00390625, but a step of the samples is disparity-unit=0.5 px: "
      "epsilon is measured with sample-scale, metres with disparity-unit: set both to the size "
      "of a step.\n";
  look();
  rig.check_said(scale);
  look();
  rig.settings.baseline = 0.3;  // something else changes
  look();
  rig.check_said("");
  rig.use.sample_scale = 0.5;
  look();
  rig.check_said("");
  rig.use.sample_scale = 0.00390625;
  look();
  rig.check_said(scale);
  rig.use.sample_scale = 1;

  rig.use.inverse = true;
  look();
  rig.check_said(
      "warning: domain=inverse is for depth, but the samples are disparity, in which planes are "
      "straight lines already: set domain=linear, or measures=depth if they are depth.\n");
  // The contradiction leaves the meaning open; metres would be a guess.
  rig.check_no_metres(
      "the camera on the frames says disparity, but domain=inverse is for depth: set "
      "domain=linear, or measures=depth if the samples are depth");
  rig.use.inverse = false;

  for (double CameraSettings::*property :
       {&CameraSettings::principal_x, &CameraSettings::principal_y,
        &CameraSettings::focal_length_y}) {
    rig.settings = {};
    look();
    rig.settings.*property = 5;
    look();
    rig.check_said(
        "warning: principal-x, principal-y and focal-length-y have no effect without "
        "focal-length: set it, too, or unset them.\n");
  }
  rig.settings.focal_length = 50;
  look();
  rig.check_said("");

  // Unit: metres per step.
  rig.settings = {};
  rig.settings.measures = GST_RDP_MEASURE_DEPTH;
  rig.settings.depth_unit = 0.001;
  rig.use.sample_scale = 0.25;
  look();
  rig.check_said(
      "warning: sample-scale=0.25, but a step of the samples is depth-unit=0.001 m: epsilon is "
      "measured with sample-scale, metres with depth-unit: set both to the size of a step.\n");
}

// Units other than metres, and samples that are not depth.
CHECK_TEST(test_other_units) {
  Rig rig;
  fail_unless(rig.start());
  rig.settings.focal_length = 50;
  for (const auto& [baseline, remedy] : {std::pair{537.0, ": for millimetres set baseline=0.537"},
                                         {10.0, nullptr},
                                         {20000.0, ""},
                                         {0.001, nullptr},
                                         {0.0005, ""}}) {
    rig.settings.baseline = baseline;
    for (int i = 0; i < 2; ++i) rig.look(rig.frame());
    gchar text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.9g", baseline);
    rig.check_said(remedy == nullptr ? ""
                                     : std::string("warning: baseline=") + text +
                                           " is in metres, expected 0.001 to 10" + remedy + ".\n");
  }

  Rig bytes(kWidth, kHeight, GST_VIDEO_FORMAT_GRAY8);
  fail_unless(bytes.start());
  bytes.settings.focal_length = 50;
  for (const auto& [unit, warns] : {std::pair{0.002, false}, {0.001, true}, {0.01, false}}) {
    bytes.settings.depth_unit = unit;
    for (int i = 0; i < 2; ++i) bytes.look(bytes.frame());
    bytes.check_said(
        warns ? "warning: With GRAY8 and depth-unit=0.001, nothing is farther than 0.255 m. Are "
                "the frames an image? Depth is usually GRAY16_LE; of 8-bit depth, set depth-unit "
                "to the metres per sample step.\n"
              : "");
  }
}

// The reason for missing metres, for callers that ask for them.
CHECK_TEST(test_reasons) {
  Rig rig;
  rig.look(rig.frame());
  const std::string unknown =
      "the camera of the frames is not known: set calibration, or focal-length and, for disparity, "
      "baseline";
  rig.check_no_metres(unknown);
  rig.check_said("");
  fail_unless(!rig.source.go_on_without("style=birdseye", false));
  rig.check_said("error: style=birdseye needs metres: " + unknown + ".\n");
  const std::string once =
      "warning: style=birdseye needs metres, and frames go on without it: " + unknown + ".\n";
  for (const std::string& said : {once, std::string()}) {
    fail_unless(rig.source.go_on_without("style=birdseye", true));
    rig.check_said(said);
  }

  rig.settings.focal_length = 50;
  rig.settings.measures = GST_RDP_MEASURE_DISPARITY;
  rig.look(rig.frame());
  rig.check_no_metres(
      "the samples are disparities, and the distance between the cameras is not known: set "
      "baseline, in metres");

  rig.settings = {};
  rig.settings.depth_unit = 0.001;
  rig.look(rig.frame(disparity_info()));
  rig.check_no_metres(
      "the camera on the frames says disparity, but depth-unit=0.001 is for depth: unset it and "
      "set disparity-unit (0.00390625 where a pixel is 256 steps), or set measures=depth");
  // Downstream does not read them as metres either.
  fail_unless(gst_rdp_camera_measures_metres(rig.source.camera(), nullptr) == FALSE);

  // A camera that cannot give metres.
  GstRdpCameraInfo raw = disparity_info();
  raw.rectified = FALSE;
  rig.settings = {};
  rig.look(rig.frame(raw));
  fail_unless(rig.source.reason().find("not rectified") != std::string::npos);
  rig.check_said("");
}

// In domain=inverse the values are inverse depths.
CHECK_TEST(test_inverse) {
  Rig rig;
  rig.settings.focal_length = 50;
  rig.settings.depth_unit = 0.001;
  rig.use.inverse = true;
  rig.use.inverse_scale = 1e6;
  rig.look(rig.frame());
  fail_unless(rdp::depth_of_value(200, rig.source.metric()->depth) == 5);
  rig.use.inverse = false;
  rig.look(rig.frame());
  fail_unless(rdp::depth_of_value(5000, rig.source.metric()->depth) == 5);
  // GRAY8 has another usual unit: camera_choice.cpp.
  Rig bytes(kWidth, kHeight, GST_VIDEO_FORMAT_GRAY8);
  bytes.settings.baseline = 0.1;
  bytes.look(bytes.frame());
  fail_unless(bytes.source.meaning().unit == 1);
}

// A frame like the previous one allocates nothing, whatever its camera, also when cropped or lost.
// The frame's own metas are counted separately.
CHECK_TEST(test_no_allocation, RDP_COUNTS_ALLOCATIONS != 0) {
  const File file({disparity_info()});
  g_autoptr(GstRdpCamera) camera = new_camera(disparity_info());
  const GstRdpCameraInfo large_info = disparity_info(100, 80);
  g_autoptr(GstRdpCamera) large = new_camera(large_info);
  for (int kind = 0; kind < 6; ++kind) {
    Rig rig;
    if (kind == 1) rig.settings.focal_length = 70;
    if (kind == 2) rig.settings.calibration = SharedText(file.path());
    if (kind == 3) rig.settings.disparity_unit = 0.25;
    fail_unless(rig.start());
    std::vector<GstBuffer*> frames;
    for (int i = 0; i < 10; ++i) {
      GstBuffer* frame = rig.frame(kind < 4 ? camera : large);
      add_picture(frame, kind < 4 ? kWidth : 100, kind < 4 ? kHeight : 80);
      if (kind == 5) crops::add(frame, {3, 2, kWidth, kHeight});
      frames.push_back(frame);
    }
    rig.through(frames[0]);
    const std::uint64_t before = allocation_count::count;
    for (std::size_t i = 1; i < frames.size(); ++i) {
      const CameraSettings copy = rig.settings;  // as an element does it
      rig.source.look(copy, rig.use, frames[i]);
      rig.source.attach(frames[i]);
    }
    const std::uint64_t spent = allocation_count::count - before;
    fail_unless_equals_uint64(spent, 0);
    fail_unless(rig.source.lost() == (kind == 4));
    for (GstBuffer* frame : frames) gst_buffer_unref(frame);
  }
}

CHECK_CASE(camera_source)
