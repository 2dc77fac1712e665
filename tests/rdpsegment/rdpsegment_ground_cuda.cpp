// SPDX-License-Identifier: LGPL-2.1-or-later
// ground=planes on the GPU: metadata and class picture equal the CPU's.
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/ground_frames.h"

using namespace ground_frames;

namespace {

struct Result {
  GstRdpSegmentationInfo info;
  std::vector<guint8> classes;
  std::vector<std::uint8_t> picture;
};

Result run(const char* backend, bool with_planes) {
  frames::Rig rig(backend, "video/x-raw,format=RGBA");
  g_object_set(rig.element, "classify", TRUE, "epsilon", 1.0, "column-width", 3, "focal-length",
               kFocal, "baseline", kBaseline, "disparity-unit", 1.0 / 256, nullptr);
  gst_util_set_object_arg(G_OBJECT(rig.element), "ground", "planes");
  GstPad* pad = gst_element_get_static_pad(rig.element, "overlay");
  gst_util_set_object_arg(G_OBJECT(pad), "style", "classes");
  gst_object_unref(pad);
  gst_harness_set_src_caps_str(rig.main, frames::caps_string(kShape).c_str());
  GstBuffer* buffer = new_floor(false);
  // Far below the floor, so that the classes differ from the vote's.
  if (with_planes) add_planes(buffer, new_planes(true, 1, kWidth, kHeight, 10 * kHeightAbove));
  GstBuffer* output = gst_harness_push_and_pull(rig.main, buffer);
  fail_unless(output != nullptr);
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(output);
  Result result;
  result.info = *gst_rdp_segmentation_get_info(segmentation);
  gsize n = 0;
  const guint8* classes = gst_rdp_segmentation_peek_classes(segmentation, &n);
  result.classes.assign(classes, classes + n);
  GstBuffer* picture = gst_harness_pull(rig.overlay);
  fail_unless(picture != nullptr);
  result.picture = frames::bytes(picture);
  gst_buffer_unref(picture);
  gst_buffer_unref(output);
  fail_unless_equals_text(frames::backend_in_use(rig.element), backend);
  return result;
}

}  // namespace

CHECK_TEST(test_same_as_cpu) {
  std::vector<std::uint8_t> pictures[2];
  for (const bool with_planes : {false, true}) {
    const Result cpu = run("cpu", with_planes);
    const Result cuda = run("cuda", with_planes);
    fail_unless((cpu.info.ground_per_row > 0) == with_planes);
    fail_unless(std::memcmp(&cpu.info, &cuda.info, sizeof cpu.info) == 0);
    fail_unless(cpu.classes == cuda.classes);
    fail_unless(cpu.picture == cuda.picture);
    pictures[with_planes ? 1 : 0] = cuda.picture;
  }
  fail_unless(pictures[0] != pictures[1]);
}

CHECK_CASE(rdpsegment_ground_cuda, .missing = cuda_frames::missing)
