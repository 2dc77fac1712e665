// SPDX-License-Identifier: LGPL-2.1-or-later
// ground=planes: classes follow the ground plane on the frame, also for a rolled camera or planes
// of another part of the picture. Frames without it vote, and are counted.
#include <gst/rdpsegment/rdpplanesmeta.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/crops.h"
#include "tests/support/frames.h"
#include "tests/support/ground_frames.h"

using namespace ground_frames;

namespace {

class Rig : public frames::Rig {
 public:
  explicit Rig(const char* ground) : frames::Rig("cpu") {
    g_object_set(element, "classify", TRUE, "epsilon", 1.0, "column-width", 2, nullptr);
    gst_util_set_object_arg(G_OBJECT(element), "ground", ground);
    gst_harness_set_src_caps_str(main, frames::caps_string(kShape).c_str());
  }

  void set_camera() {
    g_object_set(element, "focal-length", kFocal, "baseline", kBaseline, "disparity-unit",
                 1.0 / 256, "epsilon", 1.0 / 256, "sample-scale", 1.0 / 256, nullptr);
  }

  guint64 stat(const char* name) {
    GstStructure* stats = nullptr;
    g_object_get(element, "stats", &stats, nullptr);
    guint64 value = 99;
    fail_unless(gst_structure_get_uint64(stats, name, &value), "%s", name);
    gst_structure_free(stats);
    return value;
  }

  // The segments of a frame. (transfer full)
  GstRdpSegmentation* push(GstBuffer* buffer) {
    GstBuffer* output = gst_harness_push_and_pull(main, buffer);
    fail_unless(output != nullptr);
    GstRdpSegmentation* result = gst_rdp_segmentation_ref(gst_rdp_buffer_get_segmentation(output));
    gst_buffer_unref(output);
    return result;
  }

  // The warning that was posted, or "".
  std::string warning() { return rdp::test::next_text(bus, GST_MESSAGE_WARNING).text; }
};

// True if all segments are ground. Unrefs the segmentation (transfer full).
bool all_ground(GstRdpSegmentation* segmentation) {
  gsize n = 0;
  const guint8* classes = gst_rdp_segmentation_peek_classes(segmentation, &n);
  fail_unless(classes != nullptr && n > kWidth / 2);
  bool all = true;
  for (gsize i = 0; i < n; ++i) all = all && classes[i] == GST_RDP_SEGMENT_CLASS_GROUND;
  gst_rdp_segmentation_unref(segmentation);
  return all;
}

// The info contains the plane, with the floor's value in this pixel.
void check_value(const GstRdpSegmentationInfo* info, int column, int row, double expected) {
  const double step = 4294967296.0;
  const double value = (static_cast<double>(info->ground_offset) +
                        static_cast<double>(info->ground_per_column) * column +
                        static_cast<double>(info->ground_per_row) * row) /
                       step;
  fail_unless(std::abs(value - expected) < 0.01, "%f, not %f, in %d, %d", value, expected, column,
              row);
}

}  // namespace

CHECK_TEST(test_rolled_floor) {
  Rig rig("planes");
  rig.set_camera();
  GstBuffer* buffer = new_floor(false);
  add_planes(buffer, new_planes(true, 1));
  GstRdpSegmentation* segmentation = rig.push(buffer);
  const GstRdpSegmentationInfo* info = gst_rdp_segmentation_get_info(segmentation);
  for (const int column : {0, 20, 63}) {
    for (const int row : {0, 47}) {
      check_value(info, column, row, kFocal * kBaseline * 256 * Floor().inverse_depth(column, row));
    }
  }
  fail_unless(all_ground(segmentation));
  fail_unless_equals_uint64(rig.stat("ground-planes"), 1);
  fail_unless_equals_uint64(rig.stat("ground-missing"), 0);
  fail_unless_equals_text(rig.warning(), "");

  // Without ground=planes, the frame votes, with or without planes.
  Rig voting("auto");
  voting.set_camera();
  buffer = new_floor(false);
  add_planes(buffer, new_planes(true, 1));
  segmentation = voting.push(buffer);
  info = gst_rdp_segmentation_get_info(segmentation);
  fail_unless(info->ground_offset == 0 && info->ground_per_column == 0 &&
              info->ground_per_row == 0);
  gst_rdp_segmentation_unref(segmentation);
  fail_unless_equals_uint64(voting.stat("ground-planes"), 0);
  fail_unless_equals_uint64(voting.stat("ground-missing"), 0);
}

// Depths in millimetres with a guessed camera: planes use the guess, and so does the ground.
CHECK_TEST(test_guessed_camera) {
  Rig rig("planes");
  g_object_set(rig.element, "inverse-scale", 1e7, nullptr);
  gst_util_set_object_arg(G_OBJECT(rig.element), "domain", "inverse");
  GstBuffer* buffer = new_floor(true);
  add_planes(buffer, new_planes(false, 1));
  GstRdpSegmentation* segmentation = rig.push(buffer);
  check_value(gst_rdp_segmentation_get_info(segmentation), 40, 40,
              1e4 * Floor().inverse_depth(40, 40));
  fail_unless(all_ground(segmentation));
}

// The planes are of a half-size frame of the whole picture; the segmented frame is a part of it.
CHECK_TEST(test_other_frame) {
  Rig rig("planes");
  rig.set_camera();
  GstBuffer* buffer = new_floor(false);
  add_planes(buffer, new_planes(true, 1, kWidth / 2, kHeight / 2));
  GstRdpPlanesMeta* meta = gst_buffer_get_rdp_planes_meta(buffer);
  meta->scale_x = meta->scale_y = 2.0;
  gst_buffer_add_video_meta(buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY16_LE, kWidth,
                            kHeight);
  const crops::Rectangle crop{8, 4, 40, 36};
  crops::add(buffer, crop);
  gst_harness_set_src_caps_str(rig.main,
                               frames::caps_string(crops::shape_of(crop, kShape)).c_str());
  g_autoptr(GstRdpSegmentation) segmentation = rig.push(buffer);
  check_value(gst_rdp_segmentation_get_info(segmentation), 10, 30,
              kFocal * kBaseline * 256 * Floor().inverse_depth(18, 34));
}

// The reason for a missing ground is reported once, with the remedy, and counted.
CHECK_TEST(test_missing) {
  struct Case {
    const char* words;
    GstRdpPlanes* planes;  // null: none on the buffer
    bool camera;
    bool depths;
  };
  const Case cases[] = {
      {"put depthplanes before rdpsegment", nullptr, true, false},
      {"does not have the camera", new_planes(true, 1), false, false},
      {"guessed camera", new_planes(false, 1), true, false},
      {"domain=inverse", new_planes(true, 1), false, true},
      {"", new_planes(true, -1), true, false},  // no plane is the ground
  };
  for (const Case& c : cases) {
    Rig rig("planes");
    if (c.camera) rig.set_camera();
    if (c.depths) {
      g_object_set(rig.element, "focal-length", kFocal, "depth-unit", 0.001, nullptr);
    }
    for (int i = 0; i < 2; ++i) {
      GstBuffer* buffer = new_floor(c.depths);
      if (c.planes != nullptr) add_planes(buffer, gst_rdp_planes_ref(c.planes));
      GstRdpSegmentation* segmentation = rig.push(buffer);
      fail_unless_equals_int64(gst_rdp_segmentation_get_info(segmentation)->ground_per_row, 0);
      gst_rdp_segmentation_unref(segmentation);
      const std::string warning = rig.warning();
      const bool expected = i == 0 && *c.words != '\0';
      fail_unless(expected == !warning.empty(), "%s: '%s'", c.words, warning.c_str());
      fail_unless(warning.find(expected ? c.words : "") != std::string::npos, "%s: '%s'", c.words,
                  warning.c_str());
    }
    fail_unless_equals_uint64(rig.stat("ground-planes"), 0);
    fail_unless_equals_uint64(rig.stat("ground-missing"), 2);
    if (c.planes != nullptr) gst_rdp_planes_unref(c.planes);
  }
}

// No ground is needed: none is searched, and nothing is posted.
CHECK_TEST(test_unclassified) {
  Rig rig("planes");
  g_object_set(rig.element, "classify", FALSE, nullptr);
  gst_rdp_segmentation_unref(rig.push(new_floor(false)));
  fail_unless_equals_text(rig.warning(), "");
  fail_unless_equals_uint64(rig.stat("ground-missing"), 0);
}

CHECK_CASE(rdpsegment_ground)
