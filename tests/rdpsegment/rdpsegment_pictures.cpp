// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures that need a camera: legends in metres, and the bird's-eye view.
#include <cstring>

#include "tests/support/await.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/expected.h"
#include "tests/support/frames.h"

using frames::Shape;

namespace {

// rdpsegment with both its source pads in harnesses.
struct Pads : frames::Rig {
  explicit Pads(const Shape& of = {GST_VIDEO_FORMAT_GRAY16_LE, 200, 150})
      : Rig("cpu", "video/x-raw"), shape(of), pad(gst_element_get_static_pad(element, "overlay")) {
    gst_harness_set_src_caps(main, frames::caps(shape));
  }
  ~Pads() { gst_object_unref(pad); }

  GstFlowReturn push(unsigned number) {
    return gst_harness_push(main, frames::make(shape, 1, number));
  }
  void check_picture(unsigned number, const rdp::Parameters& parameters,
                     const rdp::OverlayOptions& options) {
    GstBuffer* frame = frames::make(shape, 1, number);
    const std::vector<std::uint8_t> content = frames::bytes(frame);
    fail_unless_equals_int(gst_harness_push(main, frame), GST_FLOW_OK);
    const rdp::DepthView view = frames::view(shape, content);
    rdp::SegmentList segments;
    rdp::reference::segment_filtered(view, parameters, &segments);
    g_autoptr(GstBuffer) picture = gst_harness_pull(overlay);
    fail_unless(frames::bytes(picture) ==
                rdp::test::expect_picture(view, segments, parameters, options));
  }

  const Shape shape;
  GstPad* const pad;
};

// The camera of `focal-length=64 principal-x=100 baseline=0.5 disparity-unit=0.0625`.
constexpr rdp::MetricCamera kCamera = {{64, 64, 100, 74.5, {}}, {true, 32, 0.0625, 0}};

void set_camera(GstElement* element) {
  g_object_set(element, "focal-length", 64.0, "principal-x", 100.0, "baseline", 0.5,
               "disparity-unit", 0.0625, nullptr);
}

}  // namespace

// The legend's unit follows the known meaning of the samples.
CHECK_TEST(test_legends) {
  Pads pads;
  unsigned number = 0;
  rdp::Parameters parameters;
  rdp::OverlayOptions options;
  g_object_set(pads.pad, "legend", TRUE, nullptr);
  options.legend = true;
  pads.check_picture(number++, parameters, options);  // steps
  g_object_set(pads.main->element, "sample-scale", 0.25, nullptr);
  parameters.sample_scale = 0.25;
  pads.check_picture(number++, parameters, options);  // px
  g_object_set(pads.main->element, "disparity-unit", 0.125, nullptr);
  options.disparity_unit = 0.125;
  pads.check_picture(number++, parameters, options);  // px, of another scale
  g_object_set(pads.main->element, "disparity-unit", 0.0, "depth-unit", 0.001, nullptr);
  options.disparity_unit = 0;
  options.depth_unit = 0.001;
  pads.check_picture(number++, parameters, options);  // m
  g_object_set(pads.main->element, "depth-unit", 0.0, nullptr);
  set_camera(pads.main->element);
  options.depth_unit = 0;
  options.camera = &kCamera;
  for (const auto style : {rdp::OverlayStyle::kSegments, rdp::OverlayStyle::kDepth,
                           rdp::OverlayStyle::kEdges, rdp::OverlayStyle::kClasses}) {
    g_object_set(pads.pad, "style", static_cast<int>(style), nullptr);
    options.style = style;
    pads.check_picture(number++, parameters, options);
  }
}

// Successive pictures: the frame's range, then an explicit one.
CHECK_TEST(test_from_above) {
  Pads pads;
  set_camera(pads.main->element);
  rdp::Parameters parameters;
  rdp::OverlayOptions options;
  options.camera = &kCamera;
  pads.check_picture(0, parameters, options);
  gst_util_set_object_arg(G_OBJECT(pads.pad), "style", "birdseye");
  options.style = rdp::OverlayStyle::kBirdsEye;
  pads.check_picture(1, parameters, options);
  g_object_set(pads.pad, "birdseye-range", 12.5, "legend", TRUE, nullptr);
  options.birdseye_range = 12.5;
  options.legend = true;
  pads.check_picture(2, parameters, options);
  g_object_set(pads.main->element, "column-width", 3, "classify", TRUE, "ground-slope", 40.0,
               nullptr);
  parameters.column_width = 3;
  parameters.ground_slope = 40;
  pads.check_picture(3, parameters, options);
}

// Without a camera, a single error names the settings.
CHECK_TEST(test_needs_a_camera) {
  Pads pads;
  gst_util_set_object_arg(G_OBJECT(pads.pad), "style", "birdseye");
  fail_unless_equals_int(pads.push(0), GST_FLOW_ERROR);
  const std::string text = rdp::test::next_text(pads.bus, GST_MESSAGE_ERROR).text;
  for (const char* part : {"style=birdseye", "metres", "calibration", "focal-length", "baseline"}) {
    fail_unless(text.find(part) != std::string::npos, "no %s: %s", part, text.c_str());
  }
  fail_unless(gst_bus_pop_filtered(pads.bus, GST_MESSAGE_ERROR) == nullptr, "said twice");
}

// With the overlay unlinked, or in another style, metres are not needed.
CHECK_TEST(test_other_styles_need_none) {
  Pads pads;
  fail_unless_equals_int(pads.push(0), GST_FLOW_OK);
  gst_util_set_object_arg(G_OBJECT(pads.pad), "style", "birdseye");
  g_autoptr(GstPad) peer = gst_pad_get_peer(pads.pad);
  fail_unless(gst_pad_unlink(pads.pad, peer));
  fail_unless_equals_int(pads.push(1), GST_FLOW_OK);
  gst_util_set_object_arg(G_OBJECT(pads.pad), "style", "classes");
  fail_unless_equals_int(gst_pad_link(pads.pad, peer), GST_PAD_LINK_OK);
  fail_unless_equals_int(pads.push(2), GST_FLOW_OK);
}

// A depth camera with uncorrected distortion: the error names the remedy.
CHECK_TEST(test_refuses_distortion) {
  Pads pads;
  gst_util_set_object_arg(G_OBJECT(pads.pad), "style", "birdseye");
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 200;
  info.height = 150;
  info.focal_length = info.focal_length_y = 150;
  info.principal_x = 99.5;
  info.principal_y = 74.5;
  info.measures = GST_RDP_MEASURE_DEPTH;
  info.depth_unit = 0.001;
  info.distortion[0] = -0.2;
  GstRdpCamera* camera = gst_rdp_camera_new(&info, nullptr);
  GstBuffer* frame = frames::make(pads.shape, 1, 0);
  gst_buffer_add_rdp_camera_meta(frame, camera);
  gst_rdp_camera_unref(camera);
  fail_unless_equals_int(gst_harness_push(pads.main, frame), GST_FLOW_ERROR);
  frames::check_error(pads.bus, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "istort");
}

CHECK_CASE(rdpsegment_pictures)
