// SPDX-License-Identifier: LGPL-2.1-or-later
// The camera in the base of analysing elements: the camera passed to the method, the camera on the
// output frame, and pictures that need metres. Choosing the camera: camera_source.cpp.
#include <gst/rdpsegment/rdpcamerameta.h>

#include <memory>

#include "tests/base/count_known.h"
#include "tests/support/await.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/frames.h"

using frames::Shape;

namespace {

constexpr Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};

using Camera = std::unique_ptr<GstRdpCamera, decltype(&gst_rdp_camera_unref)>;

Camera make_camera(guint width, guint height) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = width;
  info.height = height;
  info.focal_length = info.focal_length_y = 50;
  info.principal_x = 30;
  info.principal_y = 20;
  info.rectified = TRUE;
  info.measures = GST_RDP_MEASURE_DEPTH;
  info.depth_unit = 0.001;
  return {gst_rdp_camera_new(&info, nullptr), gst_rdp_camera_unref};
}

struct Rig : frames::Rig {
  explicit Rig(const char* overlay_caps = nullptr)
      : frames::Rig("cpu", overlay_caps, "countknown") {}
  void begin() { gst_harness_set_src_caps(main, frames::caps(kShape)); }
  GstBuffer* through(GstRdpCamera* camera) {
    GstBuffer* frame = frames::make(kShape);
    if (camera != nullptr) gst_buffer_add_rdp_camera_meta(frame, camera);
    return gst_harness_push_and_pull(main, frame);
  }
  // The text of the only message of this type, or "".
  std::string said(GstMessageType type) {
    const std::string text = rdp::test::next_text(bus, type).text;
    fail_unless(gst_bus_pop_filtered(bus, type) == nullptr, "a second one after: %s", text.c_str());
    return text;
  }
};

int gaps(GstHarness* harness) {
  int count = 0;
  while (GstEvent* event = gst_harness_try_pull_event(harness)) {
    count += GST_EVENT_TYPE(event) == GST_EVENT_GAP ? 1 : 0;
    gst_event_unref(event);
  }
  return count;
}

}  // namespace

CHECK_TEST(test_what_a_method_is_told) {
  Rig rig;
  rig.begin();
  rdp::gst::SampleMeaning meaning;
  GstBuffer* frame = rig.through(make_camera(64, 48).get());
  const rdp::MetricCamera* camera = count_known_camera(frame, &meaning);
  fail_unless(camera != nullptr && camera->focal_x == 50 && camera->principal_x == 30);
  fail_unless(rdp::depth_of_value(2000, camera->depth) == 2);
  fail_unless_equals_int(meaning.measures, GST_RDP_MEASURE_DEPTH);
  fail_unless(meaning.unit == 0.001);
  gst_buffer_unref(frame);

  // The next frame has no camera, but the user says what its samples are.
  gst_util_set_object_arg(G_OBJECT(rig.element), "measures", "disparity");
  frame = rig.through(nullptr);
  fail_unless(count_known_camera(frame, &meaning) == nullptr);
  fail_unless_equals_int(meaning.measures, GST_RDP_MEASURE_DISPARITY);
  fail_unless(meaning.unit == 1.0 / 256);
  gst_buffer_unref(frame);

  // Then the user also sets the camera's geometry.
  g_object_set(rig.element, "focal-length", 70.0, "baseline", 0.5, "principal-x", 3.0, nullptr);
  frame = rig.through(nullptr);
  camera = count_known_camera(frame, &meaning);
  fail_unless(camera != nullptr && camera->focal_x == 70 && camera->principal_x == 3);
  gst_buffer_unref(frame);
}

// A camera made by the settings is attached to the frame; a camera that is only forwarded stays the
// same object. Pictures have no camera: their samples are colours.
CHECK_TEST(test_what_goes_on) {
  Rig rig("video/x-raw");
  rig.begin();
  const Camera camera = make_camera(64, 48);
  for (const double focal : {0.0, 70.0, 0.0}) {
    g_object_set(rig.element, "focal-length", focal, nullptr);
    GstBuffer* frame = rig.through(camera.get());
    const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(frame);
    fail_unless(meta != nullptr && (meta->camera == camera.get()) == (focal == 0.0));
    if (focal != 0.0) fail_unless(gst_rdp_camera_get_info(meta->camera)->focal_length == focal);
    gst_buffer_unref(frame);
    g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
    fail_unless(gst_buffer_get_rdp_camera_meta(picture) == nullptr);
  }
  fail_unless(rig.said(GST_MESSAGE_WARNING).empty());
}

// Only a picture in metres needs a metric camera. Without one, the first frame fails; later frames
// go on without pictures.
CHECK_TEST(test_metres) {
  const std::string why =
      "the camera of the frames is not known: set calibration, or focal-length and, for disparity, "
      "baseline.";
  Rig without("video/x-raw");
  g_object_set(without.element, "metres", TRUE, nullptr);
  without.begin();
  fail_unless_equals_int(gst_harness_push(without.main, frames::make(kShape)), GST_FLOW_ERROR);
  const std::string error = without.said(GST_MESSAGE_ERROR);
  fail_unless(error == "metres=true needs metres: " + why, "%s", error.c_str());

  Rig rig("video/x-raw");
  g_object_set(rig.element, "metres", TRUE, nullptr);
  rig.begin();
  gst_buffer_unref(rig.through(make_camera(64, 48).get()));
  gst_buffer_unref(gst_harness_pull(rig.overlay));
  gst_buffer_unref(rig.through(nullptr));
  const std::string warning = rig.said(GST_MESSAGE_WARNING);
  fail_unless(warning == "metres=true needs metres, and frames go on without it: " + why, "%s",
              warning.c_str());
  fail_unless(rig.said(GST_MESSAGE_ERROR).empty());

  Rig bare;
  g_object_set(bare.element, "metres", TRUE, nullptr);
  bare.begin();
  gst_buffer_unref(bare.through(nullptr));
  fail_unless(bare.said(GST_MESSAGE_ERROR).empty());
}

// If the camera was lost, the frame goes on and a GAP replaces its picture.
CHECK_TEST(test_lost) {
  Rig rig("video/x-raw");
  g_object_set(rig.element, "metres", TRUE, nullptr);
  rig.begin();
  gst_buffer_unref(rig.through(make_camera(64, 48).get()));
  gst_buffer_unref(gst_harness_pull(rig.overlay));
  gaps(rig.overlay);
  for (int i = 0; i < 3; ++i) {
    rdp::gst::SampleMeaning meaning;
    GstBuffer* frame = rig.through(make_camera(65, 48).get());
    fail_unless(frame != nullptr && !count_known_get(frame).empty());
    fail_unless(count_known_camera(frame, &meaning) == nullptr);
    gst_buffer_unref(frame);
    fail_unless(rdp::test::await([&] { return gaps(rig.overlay) == 1; }));
    fail_unless(gst_harness_try_pull(rig.overlay) == nullptr);
    const std::string said = rig.said(GST_MESSAGE_WARNING);
    fail_unless(said.starts_with("The frames give no metres from this one on: ") == (i == 0), "%s",
                said.c_str());
  }
  gst_buffer_unref(rig.through(make_camera(64, 48).get()));
  gst_buffer_unref(gst_harness_pull(rig.overlay));
  fail_unless(rig.said(GST_MESSAGE_ERROR).empty());
}

// An unusable calibration fails the state change, before any frame.
CHECK_TEST(test_calibration_refused) {
  g_autoptr(GstElement) element = gst_element_factory_make("countknown", nullptr);
  GstBus* bus = frames::attach_bus(element);
  g_object_set(element, "calibration", "/nowhere/camera.yaml", nullptr);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED),
                         GST_STATE_CHANGE_FAILURE);
  frames::check_error(bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "/nowhere/camera.yaml");
  // Without that calibration the element starts.
  gst_element_set_state(element, GST_STATE_NULL);
  g_object_set(element, "calibration", "", nullptr);
  gchar* set = nullptr;
  g_object_get(element, "calibration", &set, nullptr);
  fail_unless(set == nullptr);
  fail_unless(gst_element_set_state(element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
  gst_element_set_state(element, GST_STATE_NULL);
  frames::detach_bus(element, bus);
}

static void register_elements() { GST_ELEMENT_REGISTER(countknown, nullptr); }

CHECK_CASE(analyzer_camera, .before = register_elements)
