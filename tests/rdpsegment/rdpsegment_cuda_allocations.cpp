// SPDX-License-Identifier: LGPL-2.1-or-later
// In steady state rdpsegment on the GPU allocates nothing, neither on the host nor on the device,
// and waits once a frame. Over the stand-in, which can tell.
#include "tests/support/allocation_count.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/meta_allocations.h"

using cuda_frames::Rig;

static constexpr frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 320, 240};
static constexpr int kFrames = 40;
static constexpr int kSettled = 10;

namespace {

// What frames after the tenth cost.
struct Cost {
  std::uint64_t on_host = 0;
  int in_driver = 0;  // of memory, streams, events and modules
  int waits = 0;      // of the host for the device
};

int driver_allocations() {
  int sum = 0;
  for (const char* call :
       {"cuMemAlloc_v2", "cuMemAllocPitch_v2", "cuMemHostAlloc", "cuMemFree_v2", "cuMemFreeHost",
        "cuStreamCreate", "cuEventCreate", "cuModuleLoadData", "cuModuleGetFunction"}) {
    sum += standin::count(call);
  }
  return sum;
}

// The sources are pushed in turn.
Cost cost_of(GstHarness* harness, GstHarness* overlay, const std::vector<GstBuffer*>& sources) {
  Cost cost;
  for (int number = 0; number < kFrames; ++number) {
    GstBuffer* source = sources[static_cast<std::size_t>(number) % sources.size()];
    // What an upstream element makes for each frame: a buffer around memory that exists.
    GstBuffer* buffer = gst_buffer_new();
    gst_buffer_copy_into(
        buffer, source,
        static_cast<GstBufferCopyFlags>(GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_META |
                                        GST_BUFFER_COPY_MEMORY),
        0, static_cast<gsize>(-1));
    const int driver_before = driver_allocations();
    const int waits_before =
        standin::count("cuStreamSynchronize") + standin::count("cuEventSynchronize");
    const std::uint64_t before = allocation_count::count;
    const GstFlowReturn flow = gst_harness_push(harness, buffer);
    const std::uint64_t pushed = allocation_count::count;
    fail_unless_equals_int(flow, GST_FLOW_OK);
    for (GstHarness* sink : {harness, overlay}) {
      GstBuffer* output = sink == nullptr ? nullptr : gst_harness_pull(sink);
      if (output != nullptr) gst_buffer_unref(output);
    }
    if (number < kSettled) continue;
    cost.on_host += pushed - before;
    cost.in_driver += driver_allocations() - driver_before;
    cost.waits +=
        standin::count("cuStreamSynchronize") + standin::count("cuEventSynchronize") - waits_before;
  }
  return cost;
}

std::vector<GstBuffer*> make_sources(GstCudaContext* context, bool in_cuda) {
  std::vector<GstBuffer*> sources;
  for (unsigned seed = 0; seed < 3; ++seed) {
    sources.push_back(in_cuda ? cuda_frames::make(context, kShape, seed)
                              : frames::make(kShape, seed));
  }
  return sources;
}

// With `after_split`, segments are merged and classified as well. output=reconstruct is left out:
// the sources hold the memory, which would be copied before it is written to.
void check(bool in_cuda, bool after_split, const char* pictures, int waits_a_frame) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const std::vector<GstBuffer*> sources = make_sources(context.get(), in_cuda);
  const std::string caps = in_cuda ? cuda_frames::caps_string(kShape) : frames::caps_string(kShape);
  // What the harness and its buffers cost by themselves.
  GstHarness* plain = gst_harness_new("identity");
  gst_harness_set_src_caps_str(plain, caps.c_str());
  const Cost allowed = cost_of(plain, nullptr, sources);
  gst_harness_teardown(plain);

  Rig rig(caps, in_cuda ? "auto" : "cuda", pictures);
  if (after_split) {
    g_object_set(rig.element, "merge", TRUE, "max-gap", 3U, "classify", TRUE, nullptr);
    gst_util_set_object_arg(G_OBJECT(rig.element), "overlay-style", "classes");
  }
  const Cost cost = cost_of(rig.main, rig.overlay, sources);
  const int frames = kFrames - kSettled;
  const std::uint64_t metas = rdp::test::meta_allocations(static_cast<std::uint64_t>(frames));
  const std::uint64_t twice = pictures != nullptr ? 2 : 1;
  fail_unless(cost.on_host <= twice * allowed.on_host + metas,
              "%d, %d, %s: %" G_GUINT64_FORMAT " allocations, %" G_GUINT64_FORMAT " allowed",
              in_cuda, after_split, pictures, cost.on_host, twice * allowed.on_host + metas);
  fail_unless_equals_int(cost.in_driver, 0);
  if (waits_a_frame > 0) fail_unless_equals_int(cost.waits, waits_a_frame * frames);
  for (GstBuffer* source : sources) gst_buffer_unref(source);
}

}  // namespace

GST_START_TEST(test_cuda_memory) {
  check(true, false, nullptr, 1);
  check(true, false, "video/x-raw(memory:CUDAMemory)", 1);
  check(true, true, nullptr, 1);
  check(true, true, "video/x-raw(memory:CUDAMemory)", 1);
}
GST_END_TEST

GST_START_TEST(test_system_memory) {
  check(false, false, nullptr, 0);
  check(false, false, "video/x-raw", 0);
  check(false, true, nullptr, 0);
  check(false, true, "video/x-raw", 0);
}
GST_END_TEST

static Suite* rdpsegment_cuda_allocations_suite(void) {
  Suite* suite = suite_create("rdpsegment_cuda_allocations");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  allocation_count::not_counted = standin::inside();
  tcase_add_test(tcase, test_cuda_memory);
  tcase_add_test(tcase, test_system_memory);
  return suite;
}

int main(int argc, char** argv) {
  if (RDP_COUNTS_ALLOCATIONS == 0 || !standin::available()) {
    std::puts("skipped: needs the stand-in, and no sanitizer");
    return 77;
  }
  return cuda_frames::run(rdpsegment_cuda_allocations_suite, argc, argv,
                          "rdpsegment_cuda_allocations", __FILE__);
}
