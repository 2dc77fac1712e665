// SPDX-License-Identifier: LGPL-2.1-or-later
// Sequences of similar sized point clouds: after the first ones, reading and writing any format
// allocates nothing per cloud.
#include "tests/support/allocation_count.h"

// After it, because it includes gst-check.
#include "tests/pointcloud/cloud_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/steady_stream.h"

using namespace rdp::test;

CHECK_TEST(test_steady_state) {
#if RDP_COUNTS_ALLOCATIONS
  Folder folder;
  const char* const ends[] = {"%d.pcd", "%d-mixed.pcd", "%d-text.pcd", "%d-lzf.pcd",
                              "%d.ply", "%d-lists.ply", "%d-text.ply", "%d.bin"};
  for (int i = 0; i < 3; ++i) {
    const Points points = some_points(static_cast<std::size_t>(500 + 10 * i));
    const std::string number = std::to_string(i);
    folder.write(number + ".pcd", pcd_binary(points));
    folder.write(number + "-mixed.pcd", pcd_mixed(points));
    folder.write(number + "-text.pcd", pcd_text(points));
    folder.write(number + "-lzf.pcd", pcd_compressed(points));
    folder.write(number + ".ply", ply_binary(points, false, false));
    folder.write(number + "-lists.ply", ply_binary(points, true, true));
    folder.write(number + "-text.ply", ply_text(points));
    folder.write(number + ".bin", kitti(points));
  }
  const std::string start = folder.path() + "/";
  for (const char* end : ends) {
    const auto read = steady_allocations("pointcloudsrc",
                                         "location=" + start + end + " stop-index=2", "fakesink");
    fail_unless(read == 0, "%s: %d allocations in %d clouds", end, static_cast<int>(read),
                kCountedBuffers);
  }
  fail_unless(allocation_count::count > 0, "allocations are not counted");
  for (const char* out : {"out.pcd", "out.ply"}) {
    const auto copied =
        steady_allocations("pointcloudsrc", "location=" + start + "%d.bin stop-index=2",
                           "pointcloudsink location=" + start + out);
    fail_unless(copied == 0, "%s: %d allocations in %d clouds", out, static_cast<int>(copied),
                kCountedBuffers);
    take_file(start + out);
  }
#endif
}

CHECK_CASE(pointcloud_allocations)
