// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpmetaconvert reuses its memory: in steady state it allocates only the output buffer, for any
// text.
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/allocation_count.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/check_test.h"
#include "tests/support/heights_fixture.h"
#include "tests/support/motion_fixture.h"
#include "tests/support/obstacles_fixture.h"
#include "tests/support/segmentation_fixture.h"

// Counts allocations for frames of several sizes, with a lens of distortion k1. Some frames carry
// the given motion or heights, too: with points, their texts are so long that GLib allocates them
// differently.
[[maybe_unused]] static std::uint64_t allocations_of(const std::string& properties, double k1,
                                                     GstRdpMotion* motion = nullptr,
                                                     GstRdpHeights* heights = nullptr,
                                                     GstRdpObstacles* obstacles = nullptr) {
  GstRdpCameraInfo of_camera;
  gst_rdp_camera_info_init(&of_camera);
  of_camera.focal_length = of_camera.focal_length_y = 100;
  of_camera.rectified = TRUE;
  of_camera.measures = GST_RDP_MEASURE_DEPTH;
  of_camera.depth_unit = 0.001;
  of_camera.distortion[0] = k1;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&of_camera, nullptr);
  g_autoptr(GstRdpSegmentation) small = new_three_columns();
  GstRdpSegmentationInfo info = info_of(3, 10);
  g_autoptr(GstRdpSegmentation) large =
      new_segmentation(info, {{{0, 4, 10, 20}, {4, 9, 20, 7}}, {{0, 9, 99, 101}}, {{3, 8, 5, 5}}});
  GstHarness* harness = gst_harness_new_parse(("rdpmetaconvert " + properties).c_str());
  gst_harness_set_src_caps_str(harness, "video/x-raw,format=GRAY8,width=3,height=10");
  std::uint64_t total = 0;
  for (int i = 0; i < 40; ++i) {
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 2, nullptr);
    GST_BUFFER_PTS(buffer) = GST_CLOCK_TIME_NONE - 2;  // the largest number of digits
    gst_buffer_add_rdp_segment_meta(buffer, i % 3 == 0 ? large : small);
    if (motion != nullptr && i % 3 == 1) gst_buffer_add_rdp_motion_meta(buffer, motion);
    if (heights != nullptr && i % 3 == 2) gst_buffer_add_rdp_heights_meta(buffer, heights);
    if (obstacles != nullptr) gst_buffer_add_rdp_obstacles_meta(buffer, obstacles);
    gst_buffer_add_rdp_camera_meta(buffer, camera);
    const std::uint64_t before = allocation_count::count;
    fail_unless_equals_int(gst_harness_push(harness, buffer), GST_FLOW_OK);
    gst_buffer_unref(gst_harness_pull(harness));
    if (i >= 10) total += allocation_count::count - before;
  }
  gst_harness_teardown(harness);
  return total;
}

CHECK_TEST(test_steady_state) {
#if RDP_COUNTS_ALLOCATIONS
  allocations_of("", 0);  // GLib's own allocations, once per process
  const std::uint64_t plain = allocations_of("", 0);
  fail_unless(plain >= 30, "allocations are not counted");
  g_autoptr(GstRdpMotion) motion = new_motion(two_of_three());
  fail_unless_equals_uint64(allocations_of("", 0, motion), plain);
  g_autoptr(GstRdpHeights) heights = new_heights(two_heads());
  fail_unless_equals_uint64(allocations_of("", 0, nullptr, heights), plain);
  g_autoptr(GstRdpObstacles) obstacles = new_obstacles(two_obstacles());
  for (const char* properties : {"format=csv", "format=csv csv-content=objects"}) {
    fail_unless_equals_uint64(allocations_of(properties, 0, nullptr, nullptr, obstacles), plain);
  }
  for (const char* properties : {"points=true", "format=ply", "format=ply ply-content=lines"}) {
    for (const double k1 : {0.0, -0.1}) {
      const std::uint64_t count = allocations_of(properties, k1);
      fail_unless(count == plain, "%s: %d allocations in 30 frames, %d without metres", properties,
                  static_cast<int>(count), static_cast<int>(plain));
    }
  }
#endif
}

CHECK_CASE(rdpmetaconvert_allocations)
