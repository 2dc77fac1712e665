// SPDX-License-Identifier: LGPL-2.1-or-later
// depthrvlenc and depthrvldec: what goes along with the samples, and damaged codes. Samples,
// layouts, caps and faults are rows of tests/conformance.
#include "tests/support/check_test.h"
#include "tests/support/frames.h"

// After gst-check.
#include "tests/support/camera_fixture.h"

using frames::Shape;

namespace {

const Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};

GstRdpCamera* camera_of(double focal_length, guint width = 64) {
  GstRdpCameraInfo info = disparity_camera_info();
  info.width = width;
  info.height = 48;
  info.focal_length = focal_length;
  return new_camera(info);
}

// Elements with a bus.
class Line {
 public:
  explicit Line(const char* launch, const std::string& caps)
      : harness(gst_harness_new_parse(launch)), bus(frames::attach_bus(harness->element)) {
    gst_harness_set_src_caps_str(harness, caps.c_str());
  }
  ~Line() {
    frames::detach_bus(harness->element, bus);
    gst_harness_teardown(harness);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  // The camera's text in the caps of what came out last; "": none.
  std::string camera() const {
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(harness->sinkpad);
    const gchar* text = gst_structure_get_string(gst_caps_get_structure(caps, 0), "camera");
    return text == nullptr ? "" : text;
  }
  // The number of caps that have come.
  int caps_events() const {
    int count = 0;
    while (GstEvent* event = gst_harness_try_pull_event(harness)) {
      count += GST_EVENT_TYPE(event) == GST_EVENT_CAPS ? 1 : 0;
      gst_event_unref(event);
    }
    return count;
  }

  GstHarness* harness;
  GstBus* bus;
};

constexpr char kEncoder[] = "depthrvlenc";
constexpr char kDecoder[] = "depthrvldec";
constexpr char kBoth[] = "depthrvlenc ! depthrvldec";
constexpr char kCodeCaps[] = "image/x-rvl,width=64,height=48,framerate=30/1";

GstBuffer* frame_with(GstRdpCamera* camera, unsigned number = 0) {
  GstBuffer* buffer = frames::make(kShape, 1, number);
  if (camera != nullptr) gst_buffer_add_rdp_camera_meta(buffer, camera);
  return buffer;
}

void expect_text(const std::string& text, const std::string& expected) {
  fail_unless(text == expected, "'%s', expected '%s'", text.c_str(), expected.c_str());
}

// A code for which the decoder has caps of kCodeCaps.
GstBuffer* code(unsigned number) {
  Line line(kEncoder, frames::caps_string(kShape));
  return gst_harness_push_and_pull(line.harness, frame_with(nullptr, number));
}

}  // namespace

// Times, offsets, all flags and metas that say nothing of the memory; PTS that are missing or go
// back, too.
CHECK_TEST(test_description) {
  Line line(kBoth, frames::caps_string(kShape));
  g_autoptr(GstCaps) reference = gst_caps_new_empty_simple("timestamp/x-unix");
  constexpr GstBufferFlags kFlags[] = {GST_BUFFER_FLAG_DISCONT,   GST_BUFFER_FLAG_GAP,
                                       GST_BUFFER_FLAG_MARKER,    GST_BUFFER_FLAG_CORRUPTED,
                                       GST_BUFFER_FLAG_DROPPABLE, GST_BUFFER_FLAG_LIVE};
  const GstClockTime times[] = {5, 3, GST_CLOCK_TIME_NONE, 9 * GST_SECOND, 8 * GST_SECOND, 0};
  for (unsigned i = 0; i < G_N_ELEMENTS(times); ++i) {
    GstBuffer* buffer = frame_with(nullptr);
    const auto samples = frames::bytes(buffer);
    GST_BUFFER_PTS(buffer) = times[i];
    GST_BUFFER_DTS(buffer) = i % 2 == 0 ? GST_CLOCK_TIME_NONE : 70 + i;
    GST_BUFFER_DURATION(buffer) = i % 3 == 0 ? GST_CLOCK_TIME_NONE : 40 + i;
    GST_BUFFER_OFFSET(buffer) = 1000 + i;
    GST_BUFFER_FLAG_SET(buffer, kFlags[i]);
    gst_buffer_add_reference_timestamp_meta(buffer, reference, 1000 + i, GST_CLOCK_TIME_NONE);
    g_autoptr(GstBuffer) sent = gst_buffer_copy(buffer);
    g_autoptr(GstBuffer) back = gst_harness_push_and_pull(line.harness, buffer);
    fail_unless(frames::bytes(back) == samples);
    fail_unless_equals_uint64(GST_BUFFER_PTS(back), GST_BUFFER_PTS(sent));
    fail_unless_equals_uint64(GST_BUFFER_DTS(back), GST_BUFFER_DTS(sent));
    fail_unless_equals_uint64(GST_BUFFER_DURATION(back), GST_BUFFER_DURATION(sent));
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(back), GST_BUFFER_OFFSET(sent));
    const guint flags = GST_BUFFER_FLAGS(sent) & ~GST_BUFFER_FLAG_TAG_MEMORY;
    fail_unless_equals_int(GST_BUFFER_FLAGS(back) & ~GST_BUFFER_FLAG_TAG_MEMORY, flags);
    fail_unless_equals_int(gst_buffer_get_n_meta(back, GST_REFERENCE_TIMESTAMP_META_API_TYPE), 1);
    fail_unless_equals_uint64(gst_buffer_get_reference_timestamp_meta(back, reference)->timestamp,
                              1000 + i);
  }
}

// The camera is in the caps, which are new where it is another one, and on the frames behind.
CHECK_TEST(test_camera) {
  Line encoder(kEncoder, frames::caps_string(kShape));
  Line both(kBoth, frames::caps_string(kShape));
  g_autoptr(GstRdpCamera) one = camera_of(500);
  g_autoptr(GstRdpCamera) same = camera_of(500);
  g_autoptr(GstRdpCamera) other = camera_of(501);
  int changes = 0;
  GstRdpCamera* before = nullptr;
  for (GstRdpCamera* camera :
       {one, one, same, other, one, static_cast<GstRdpCamera*>(nullptr), other}) {
    gst_buffer_unref(gst_harness_push_and_pull(encoder.harness, frame_with(camera)));
    g_autofree gchar* json = camera == nullptr ? nullptr : gst_rdp_camera_to_json(camera);
    expect_text(encoder.camera(), json == nullptr ? "" : json);
    const bool differs = before == nullptr || camera == nullptr || !same_camera(before, camera);
    fail_unless_equals_int(encoder.caps_events(), differs ? 1 : 0);
    changes += differs ? 1 : 0;
    before = camera;

    g_autoptr(GstBuffer) back = gst_harness_push_and_pull(both.harness, frame_with(camera));
    g_autoptr(GstRdpCamera) found = gst_rdp_buffer_get_camera(back, nullptr);
    fail_unless((found == nullptr) == (camera == nullptr));
    fail_unless(camera == nullptr || same_camera(found, camera));
  }
  fail_unless_equals_int(changes, 5);
  fail_unless(rdp::test::bus_texts(both.bus).empty());
}

// A crop has a camera of its own, one of another size has none, which is said once.
CHECK_TEST(test_cameras_of_other_pictures) {
  Line line(kEncoder, "video/x-raw,format=GRAY16_LE,width=60,height=48,framerate=30/1");
  g_autoptr(GstRdpCamera) camera = camera_of(500);
  GstBuffer* cropped = frame_with(camera);
  frames::add_video_meta(cropped, kShape, frames::stride_of(kShape));
  GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(cropped);
  crop->x = 4;
  crop->width = 60;
  crop->height = 48;
  gst_buffer_unref(gst_harness_push_and_pull(line.harness, cropped));
  g_autoptr(GstRdpCamera) expected = gst_rdp_camera_crop(camera, 4, 0, 60, 48);
  g_autofree gchar* json = gst_rdp_camera_to_json(expected);
  expect_text(line.camera(), json);
  fail_unless(rdp::test::bus_texts(line.bus).empty());

  gst_harness_set_src_caps_str(line.harness, frames::caps_string(kShape).c_str());
  g_autoptr(GstRdpCamera) small = camera_of(500, 32);
  for (int i = 0; i < 2; ++i) {
    gst_buffer_unref(gst_harness_push_and_pull(line.harness, frame_with(small)));
    expect_text(line.camera(), "");
  }
  expect_text(
      rdp::test::bus_texts(line.bus),
      "warning: Frames are encoded without their camera from this one on: it is of images of "
      "32x48, and the frames are 64x48.\n");
}

// Frames without a camera come of caps whose camera cannot be used, with a warning.
CHECK_TEST(test_bad_cameras) {
  g_autoptr(GstRdpCamera) small = camera_of(500, 32);
  g_autofree gchar* of_small = gst_rdp_camera_to_json(small);
  for (const auto& [json, words] : {std::pair{"{", "cannot be used"}, {of_small, "of 32x48"}}) {
    g_autoptr(GstCaps) caps = gst_caps_from_string(kCodeCaps);
    gst_caps_set_simple(caps, "camera", G_TYPE_STRING, json, nullptr);
    g_autofree gchar* text = gst_caps_to_string(caps);
    Line line(kDecoder, text);
    g_autoptr(GstBuffer) back = gst_harness_push_and_pull(line.harness, code(0));
    fail_unless(gst_buffer_get_rdp_camera_meta(back) == nullptr);
    rdp::test::check_has(rdp::test::bus_texts(line.bus), words);
  }
}

// Damaged frames are left out; a row of them is one warning, or an error beyond max-errors.
CHECK_TEST(test_damaged) {
  for (const int most : {-1, 1}) {
    Line line(kDecoder, kCodeCaps);
    g_autoptr(GstElement) decoder = gst_harness_find_element(line.harness, kDecoder);
    g_object_set(decoder, "max-errors", most, nullptr);
    const auto push = [&](unsigned number, gssize size) {
      GstBuffer* buffer = gst_buffer_make_writable(code(number));
      gst_buffer_set_size(buffer,
                          size < 0 ? static_cast<gssize>(gst_buffer_get_size(buffer)) : size);
      return gst_harness_push(line.harness, buffer);
    };
    for (const gssize size : {-1, 100, -1, 8, 0}) {
      const GstFlowReturn flow = push(0, size);
      fail_unless_equals_int(flow, most == 1 && size == 0 ? GST_FLOW_ERROR : GST_FLOW_OK);
    }
    const std::string said = rdp::test::bus_texts(line.bus);
    rdp::test::check_has(said,
                         "warning: A frame cannot be decoded and is left out: offset 100: "
                         "found the end of the code, expected it after ");
    rdp::test::check_has(said, "warning: A frame cannot be decoded and is left out: offset 8: ");
    fail_unless((said.find("offset 0") == std::string::npos) == (most < 0), "%s", said.c_str());
    if (most == 1) rdp::test::check_has(said, "error: A frame cannot be decoded: offset 0: ");
    if (most < 0) fail_unless_equals_int(push(1, -1), GST_FLOW_OK);
    fail_unless_equals_int(gst_harness_buffers_received(line.harness), most < 0 ? 3 : 2);
  }
}

CHECK_CASE(depthrvl)
