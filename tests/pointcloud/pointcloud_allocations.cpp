// SPDX-License-Identifier: LGPL-2.1-or-later
// Sequences of clouds of about the same size: after the first ones nothing is allocated for a
// cloud, neither to read it, in any format, nor to write it.
#include "tests/support/allocation_count.h"

// After it, because it includes gst-check.
#include "tests/pointcloud/cloud_rig.h"
#include "tests/support/check_test.h"

using namespace rdp::test;

namespace {

constexpr int kFirst = 20;  // clouds, until everybody has what it needs
constexpr int kCounted = 40;

// Whether this is the thread that the clouds come in: others still start the pipeline.
thread_local bool streaming = false;

// When the cloud `kFirst` came, and `kCounted` later. Streaming thread.
struct Counts {
  int buffers = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

GstPadProbeReturn count(GstPad*, GstPadProbeInfo*, gpointer data) {
  auto* counts = static_cast<Counts*>(data);
  if (counts->buffers == kFirst) counts->first = allocation_count::count;
  if (counts->buffers == kFirst + kCounted) counts->last = allocation_count::count;
  ++counts->buffers;
  // GLib uses its threads again, for other work.
  streaming = counts->buffers <= kFirst + kCounted;
  return GST_PAD_PROBE_OK;
}

// Of kCounted clouds of the files, which are read again and again.
std::uint64_t allocations_of(const std::string& location, const std::string& sink) {
  PipelineRig rig("pointcloudsrc name=source loop=true num-buffers=" +
                  std::to_string(kFirst + kCounted + 5) + " location=" + location + " ! " + sink);
  Counts counts;
  GstPad* pad = gst_element_get_static_pad(rig.get("source"), "src");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, count, &counts, nullptr);
  gst_object_unref(pad);
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(counts.buffers, kFirst + kCounted + 5);
  return counts.last - counts.first;
}

}  // namespace

CHECK_TEST(test_steady_state) {
#if RDP_COUNTS_ALLOCATIONS
  allocation_count::not_counted = [] { return streaming ? 0 : 1; };
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
    const std::string words = start + end + " stop-index=2";
    const auto read = allocations_of(words, "fakesink");
    fail_unless(read == 0, "%s: %d allocations in %d clouds", end, static_cast<int>(read),
                kCounted);
  }
  fail_unless(allocation_count::count > 0, "allocations are not counted");
  for (const char* out : {"out.pcd", "out.ply"}) {
    const auto copied =
        allocations_of(start + "%d.bin stop-index=2", "pointcloudsink location=" + start + out);
    fail_unless(copied == 0, "%s: %d allocations in %d clouds", out, static_cast<int>(copied),
                kCounted);
    take_file(start + out);
  }
#endif
}

CHECK_MAIN(pointcloud_allocations)
