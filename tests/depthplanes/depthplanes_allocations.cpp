// SPDX-License-Identifier: LGPL-2.1-or-later
// In steady state depthplanes on the CPU allocates nothing: after the tenth frame a stream through
// it makes as many allocations as the same stream through `identity`.
#include "tests/depthplanes/planes_rig.h"
#include "tests/support/allocation_count.h"
#include "tests/support/meta_allocations.h"

using planes_rig::Drawn;

namespace {

constexpr frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120};
constexpr int kFrames = 40;

GstBufferPool* make_pool() {
  GstBufferPool* pool = gst_video_buffer_pool_new();
  GstStructure* config = gst_buffer_pool_get_config(pool);
  g_autoptr(GstCaps) caps = frames::caps(kShape);
  gst_buffer_pool_config_set_params(config, caps, 160 * 120 * 2, 3, 0);
  fail_unless(gst_buffer_pool_set_config(pool, config));
  fail_unless(gst_buffer_pool_set_active(pool, TRUE));
  return pool;
}

// How many allocations the frames after the tenth took, among them frames of other content.
std::uint64_t allocations_of(const char* launch, const char* style = nullptr) {
  const Drawn drawn[] = {Drawn(kShape, rdp::test::PlaneKind::kRoom, 1),
                         Drawn(kShape, rdp::test::PlaneKind::kRoom, 2),
                         Drawn(kShape, rdp::test::PlaneKind::kTiles, 3)};
  GstHarness* harness = gst_harness_new_parse(launch);
  gst_harness_set_live(harness, FALSE);
  GstHarness* overlay = nullptr;
  if (style != nullptr) {
    g_autoptr(GstElement) element = gst_harness_find_element(harness, "depthplanes");
    overlay = gst_harness_new_with_element(element, nullptr, "overlay");
    gst_harness_set_sink_caps_str(overlay, "video/x-raw");
    g_autoptr(GstPad) pad = gst_element_get_static_pad(element, "overlay");
    gst_util_set_object_arg(G_OBJECT(pad), "style", style);
  }
  gst_harness_set_src_caps(harness, frames::caps(kShape));
  GstBufferPool* pool = make_pool();
  std::uint64_t total = 0;
  for (int number = 0; number < kFrames; ++number) {
    GstBuffer* buffer = nullptr;
    fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
    const std::vector<std::byte>& samples = drawn[number % 3].content.samples;
    gst_buffer_fill(buffer, 0, samples.data(), samples.size());
    const std::uint64_t before = allocation_count::count;
    const GstFlowReturn flow = gst_harness_push(harness, buffer);
    buffer = gst_harness_try_pull(harness);
    if (buffer != nullptr) gst_buffer_unref(buffer);
    if (overlay != nullptr) {
      buffer = gst_harness_pull(overlay);
      if (buffer != nullptr) gst_buffer_unref(buffer);
    }
    if (number >= 10) total += allocation_count::count - before;
    fail_unless_equals_int(flow, GST_FLOW_OK);
    fail_unless(buffer != nullptr);
  }
  gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
  if (overlay != nullptr) gst_harness_teardown(overlay);
  gst_harness_teardown(harness);
  return total;
}

void check(const char* launch, const char* style, std::uint64_t allowed) {
  const std::uint64_t taken = allocations_of(launch, style);
  fail_unless(taken <= allowed,
              "%s%s%s: %" G_GUINT64_FORMAT " allocations, %" G_GUINT64_FORMAT " allowed", launch,
              style == nullptr ? "" : ", style=", style == nullptr ? "" : style, taken, allowed);
}

}  // namespace

GST_START_TEST(test_no_allocation) {
  if (!RDP_COUNTS_ALLOCATIONS) return;
  const std::uint64_t metas = rdp::test::meta_allocations(kFrames - 10);
  const std::uint64_t allowed = allocations_of("identity") + metas;
  for (const char* launch :
       {"depthplanes backend=cpu threads=1 focal-length=144 depth-unit=0.001",
        "depthplanes backend=cpu threads=2 focal-length=144 depth-unit=0.001",
        "depthplanes backend=cpu threads=1", "depthplanes backend=cpu threads=1 connected=false",
        "depthplanes backend=cpu threads=1 up=<0.1,-1.0,0.0> max-planes=3"}) {
    // A camera that the properties make is one more meta.
    const bool adds = std::strstr(launch, "focal-length") != nullptr;
    check(launch, nullptr, allowed + (adds ? metas : 0));
  }
  // Its own frames have no other metas than those.
  check("depthplanes backend=cpu threads=1 output=labels", nullptr, allowed);
}
GST_END_TEST

// Beside what a picture takes of its pad's queue, whatever is painted.
GST_START_TEST(test_no_allocation_for_pictures) {
  if (!RDP_COUNTS_ALLOCATIONS) return;
  const char* launch = "depthplanes backend=cpu threads=1";
  const std::uint64_t depth = allocations_of(launch, "depth");
  for (const char* style : {"planes", "normals", "nodes", "residual"}) check(launch, style, depth);
}
GST_END_TEST

static Suite* depthplanes_allocations_suite() {
  Suite* suite = suite_create("depthplanes_allocations");
  TCase* tests = tcase_create("all");
  suite_add_tcase(suite, tests);
  tcase_add_test(tests, test_no_allocation);
  tcase_add_test(tests, test_no_allocation_for_pictures);
  return suite;
}

GST_CHECK_MAIN(depthplanes_allocations)
