// SPDX-License-Identifier: LGPL-2.1-or-later
// The camera of depthplanes: from properties, from frames, guessed if missing, and errors.
// tests/base covers the rules and messages of all elements.
#include <functional>

#include "gst/rdpsegment/rdpcamerameta.h"
#include "tests/depthplanes/planes_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"

using frames::Shape;
using namespace planes_rig;
using rdp::test::PlaneKind;

namespace {

constexpr Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120};

rdp::MetricCamera guess() {
  rdp::MetricCamera camera;
  camera.focal_x = camera.focal_y = 144;
  camera.principal_x = 79.5;
  camera.principal_y = 59.5;
  camera.depth = {false, 0.0, 0.001, 0.0};
  return camera;
}

// A frame with a camera of this distortion and focal length.
GstBuffer* with_camera(const Drawn& drawn, double k1, double focal) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 160;
  info.height = 120;
  info.focal_length = info.focal_length_y = focal;
  info.principal_x = 79.5;
  info.principal_y = 59.5;
  info.distortion[0] = k1;
  info.measures = GST_RDP_MEASURE_DEPTH;
  info.depth_unit = 0.001;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
  GstBuffer* buffer = drawn.buffer();
  gst_buffer_add_rdp_camera_meta(buffer, camera);
  return buffer;
}

}  // namespace

// No camera: a guess, and one warning for all frames.
CHECK_TEST(test_guess) {
  const Drawn drawn(kShape);
  const planes_rig::Expected expected = expect(drawn.content.view(), guess());
  Rig rig;
  gst_harness_set_src_caps(rig.main, frames::caps(kShape));
  for (unsigned number = 0; number < 3; ++number) {
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, drawn.buffer(number));
    check_planes(output, expected, "a guess");
    const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(gst_rdp_buffer_get_planes(output));
    fail_unless(!info.calibrated && info.focal_length == 144 && info.principal_y == 59.5);
    // The guess is not passed on.
    fail_unless(gst_buffer_get_rdp_camera_meta(output) == nullptr);
  }
  const std::string said = rdp::test::bus_texts(rig.bus);
  fail_unless(said ==
                  "warning: The camera is a guess, focal-length=144 px and depth-unit=0.001 m, "
                  "because the camera of the frames is not known: set calibration, or focal-length "
                  "and, for disparity, baseline. It hardly changes which planes are found, but it "
                  "changes lengths and angles.\n",
              "%s", said.c_str());
}

// An incomplete camera: given properties are used, missing ones are guessed.
CHECK_TEST(test_part_of_the_frame) {
  const Drawn drawn(kShape);
  const struct {
    const char* property;
    double value;
    std::function<void(rdp::MetricCamera&)> apply;
    const char* warning;
  } cases[] = {
      {"focal-length", 100, [](rdp::MetricCamera& c) { c.focal_x = c.focal_y = 100; },
       "depth-unit=0.001 m, because it is not known whether the samples are disparity or depth"},
      {"depth-unit", 0.002, [](rdp::MetricCamera& c) { c.depth.factor = 0.002; },
       "focal-length=144 px and depth-unit=0.002 m, because focal-length is not set: set it, in "
       "pixels, or set calibration. It"},
      {"principal-x", 70, [](rdp::MetricCamera&) {}, "have no effect without focal-length"},
  };
  for (const auto& one : cases) {
    rdp::MetricCamera camera = guess();
    one.apply(camera);
    Rig rig;
    g_object_set(rig.element, one.property, one.value, nullptr);
    gst_harness_set_src_caps(rig.main, frames::caps(kShape));
    GstBuffer* output = gst_harness_push_and_pull(rig.main, drawn.buffer());
    check_planes(output, expect(drawn.content.view(), camera), one.property);
    fail_unless(!gst_rdp_planes_get_info(gst_rdp_buffer_get_planes(output))->calibrated);
    gst_buffer_unref(output);
    const std::string said = rdp::test::bus_texts(rig.bus);
    fail_unless(said.find(one.warning) != std::string::npos, "%s", said.c_str());
    fail_unless(said.find("The camera is a guess") != std::string::npos, "%s", said.c_str());
  }
}

// Frames with a camera, without one (guessed), and with one again.
CHECK_TEST(test_of_frames) {
  const Drawn drawn(kShape);
  Rig rig;
  gst_harness_set_src_caps(rig.main, frames::caps(kShape));
  rdp::MetricCamera camera = guess();
  camera.focal_x = camera.focal_y = 200;
  for (const bool known : {true, false, true}) {
    g_autoptr(GstBuffer) output =
        gst_harness_push_and_pull(rig.main, known ? with_camera(drawn, 0, 200) : drawn.buffer());
    check_planes(output, expect(drawn.content.view(), known ? camera : guess()), "of frames");
    fail_unless_equals_int(gst_rdp_planes_get_info(gst_rdp_buffer_get_planes(output))->calibrated,
                           known);
  }
  const std::string said = rdp::test::bus_texts(rig.bus);
  fail_unless(said.rfind("warning: The camera is a guess", 0) == 0, "%s", said.c_str());
}

// Settings that rule out a guess: each gives one error with a remedy.
CHECK_TEST(test_refused) {
  const Drawn drawn(kShape);
  const struct {
    const char* properties;
    const char* part;
  } cases[] = {
      {"baseline=0.1", "focal-length is not set: set it, in pixels, or set calibration"},
      {"measures=disparity", "set calibration, or focal-length and, for disparity, baseline"},
      {"measures=disparity focal-length=100", "baseline"},
      {"depth-unit=0.001 disparity-unit=0.5",
       "depth-unit=0.001 is for depth, but disparity-unit=0.5 is for disparity"},
      {"measures=depth disparity-unit=0.5", "measures=depth, but disparity-unit=0.5"},
      {"depth-unit=0.001 focal-length=30", "farther than 64 degrees off its axis"},
      {"depth-unit=0.001 focal-length=100 principal-x=500", "farther than 64 degrees"},
  };
  for (const auto& one : cases) {
    g_autoptr(GstElement) element = gst_parse_bin_from_description(
        (std::string("depthplanes name=p ") + one.properties).c_str(), TRUE, nullptr);
    g_autoptr(GstHarness) harness = gst_harness_new_with_element(element, "sink", "src");
    GstBus* bus = frames::attach_bus(element);
    gst_harness_set_src_caps(harness, frames::caps(kShape));
    fail_unless_equals_int(gst_harness_push(harness, drawn.buffer()), GST_FLOW_ERROR);
    const std::string said = rdp::test::bus_texts(bus);
    fail_unless(said.rfind("error: Frames cannot be searched: ", 0) == 0 &&
                    said.find(one.part) != std::string::npos,
                "%s: %s", one.properties, said.c_str());
    frames::detach_bus(element, bus);
  }
}

CHECK_TEST(test_lens) {
  const Drawn drawn(kShape);
  Rig rig;
  gst_harness_set_src_caps(rig.main, frames::caps(kShape));
  fail_unless_equals_int(gst_harness_push(rig.main, with_camera(drawn, 0.1, 144)), GST_FLOW_ERROR);
  frames::check_error(
      rig.bus, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
      "the camera's lens distorts, but planes need a camera without distortion: rectify");
}

// An invalidated camera is not guessed; the error gives its former unit.
CHECK_TEST(test_lost_camera) {
  const Drawn drawn({GST_VIDEO_FORMAT_GRAY16_LE, 80, 120});
  Rig rig;
  gst_harness_set_src_caps(rig.main, frames::caps(drawn.content.shape));
  GstBuffer* input = drawn.buffer();
  GstBuffer* other = with_camera(Drawn(kShape), 0, 144);
  gst_buffer_add_rdp_camera_meta(input, gst_buffer_get_rdp_camera_meta(other)->camera);
  gst_buffer_unref(other);
  fail_unless_equals_int(gst_harness_push(rig.main, input), GST_FLOW_ERROR);
  const std::string said = rdp::test::bus_texts(rig.bus);
  fail_unless(said.find("error: Frames cannot be searched: the frame's camera is lost") !=
                  std::string::npos,
              "%s", said.c_str());
  fail_unless(said.find("and depth-unit=0.001, on the next element") != std::string::npos, "%s",
              said.c_str());
  fail_unless(said.find("The camera is a guess") == std::string::npos, "%s", said.c_str());
}

// No plane in a room: one warning asks to check the unit.
CHECK_TEST(test_unit) {
  const Drawn drawn(kShape);
  Rig rig;
  rig.begin(drawn);
  g_object_set(rig.element, "min-inliers", 19000, nullptr);
  for (int i = 0; i < 2; ++i) {
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, drawn.buffer());
    fail_unless_equals_int(gst_rdp_planes_get_n_planes(gst_rdp_buffer_get_planes(output)), 0);
  }
  const std::string said = rdp::test::bus_texts(rig.bus);
  fail_unless(said.rfind("warning: No plane found in 1", 0) == 0 &&
                  said.find(" pixels (depth ") != std::string::npos &&
                  said.find(" m). Check depth-unit.\n") + 23 == said.size(),
              "%s", said.c_str());
}

// A unit that puts all samples outside of the range for planes: one warning, with the first frame
// that has samples.
CHECK_TEST(test_unlikely_unit) {
  const Drawn empty(kShape, PlaneKind::kUnknown);
  Drawn floor(kShape);
  for (int row = 0; row < kShape.height; ++row) {
    for (int column = 0; column < kShape.width; ++column) {
      floor.content.view().set(row, column, static_cast<std::uint16_t>(5000 + row));
    }
  }
  const struct {
    double unit;
    const char* warning;
  } cases[] = {
      {5000, "farther than 65.54 m; the middle one is at 2.53e+07 m. Check depth-unit=5000, "},
      {0.02, "farther than 65.54 m; the middle one is at 101.2 m. Check depth-unit=0.02, "},
      {0.000001, "nearer than 0.01 m; the middle one is at 0.00506 m. Check depth-unit=1e-06, "},
      {0.0002, nullptr},
  };
  for (const auto& one : cases) {
    Rig rig;
    g_object_set(rig.element, "focal-length", 144.0, "depth-unit", one.unit, nullptr);
    gst_harness_set_src_caps(rig.main, frames::caps(kShape));
    gst_buffer_unref(gst_harness_push_and_pull(rig.main, empty.buffer()));
    fail_unless_equals_text(rdp::test::bus_texts(rig.bus), "");
    for (unsigned i = 1; i < 3; ++i) {
      gst_buffer_unref(gst_harness_push_and_pull(rig.main, floor.buffer(i)));
    }
    fail_unless_equals_text(rdp::test::bus_texts(rig.bus),
                            one.warning == nullptr
                                ? ""
                                : std::string("warning: Nearly all valid samples are ") +
                                      one.warning +
                                      "metres per sample step: 0.001 for millimetres, 0.0002 for "
                                      "TUM.\n");
  }
}

CHECK_CASE(depthplanes_camera)
