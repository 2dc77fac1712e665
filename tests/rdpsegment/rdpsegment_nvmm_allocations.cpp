// SPDX-License-Identifier: LGPL-2.1-or-later
// In steady state rdpsegment allocates nothing for an NVMM frame, on host or device, maps no image,
// and waits once per frame. This holds for any memory, exclusive or shared, with or without
// pictures. Uses the stand-ins, which count.
#include "tests/support/allocation_count.h"
#include "tests/support/meta_allocations.h"
// The counters come first.
#include "tests/support/check_test.h"
#include "tests/support/nvmm_cuda_frames.h"
#include "tests/support/nvmm_rig.h"

using frames::Shape;
using nvmm_cuda_frames::batch_in;
using nvmm_cuda_frames::Device;
using nvmm_frames::Batch;
using nvmm_frames::Rig;

namespace {

constexpr Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120};
constexpr int kFrames = 40;
constexpr int kSettled = 10;
constexpr guint kBuffers = 3;

// The cost of frames after the tenth.
struct Cost {
  std::uint64_t on_host = 0;
  int outside = 0;  // in the driver and the library
  int waits = 0;
};

int outside_allocations() {
  int sum = 0;
  for (const char* call :
       {"cuMemAlloc_v2", "cuMemHostAlloc", "cuMemFree_v2", "cuMemFreeHost", "cuStreamCreate",
        "cuEventCreate", "cuModuleLoadData", "cuGraphicsEGLRegisterImage"}) {
    sum += standin::count(call);
  }
  for (const char* call : {"NvBufSurfaceCreate", "NvBufSurfaceMapEglImage"}) {
    sum += standin_nvmm::count(call);
  }
  return sum;
}

int waits() { return standin::count("cuStreamSynchronize") + standin::count("cuEventSynchronize"); }

// Streams a pool's buffers; if `shared`, the test also holds each of them.
Cost cost_of(GstHarness* harness, GstHarness* overlay, GstBufferPool* pool, bool shared) {
  Cost cost;
  GstBuffer* held[kBuffers - 1] = {};
  for (int number = 0; number < kFrames; ++number) {
    GstBuffer* buffer = nullptr;
    fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
    GstBuffer** place = &held[static_cast<guint>(number) % G_N_ELEMENTS(held)];
    gst_clear_buffer(place);
    if (shared) *place = gst_buffer_ref(buffer);
    const int outside_before = outside_allocations();
    const int waits_before = waits();
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
    cost.outside += outside_allocations() - outside_before;
    cost.waits += waits() - waits_before;
  }
  for (GstBuffer*& buffer : held) gst_clear_buffer(&buffer);
  return cost;
}

void check(const char* what, const char* backend, gsize size, const nvmm_frames::Producer& produce,
           guint surfaces, bool reconstruct) {
  for (const bool shared : {false, true}) {
    // Shared frames cannot be written.
    if (shared && reconstruct) continue;
    for (const char* pictures :
         {static_cast<const char*>(nullptr), "video/x-raw", "video/x-raw(memory:NVMM)"}) {
      g_autoptr(GstBufferPool) pool = nvmm_frames::new_pool(kBuffers, produce, size);
      // The cost of the harness and its buffers.
      GstHarness* plain = gst_harness_new("identity");
      gst_harness_set_src_caps_str(plain, nvmm_frames::caps_string(kShape).c_str());
      const Cost allowed = cost_of(plain, nullptr, pool, shared);
      gst_harness_teardown(plain);
      Cost cost;
      {
        Rig rig(kShape, backend, reconstruct, pictures);
        cost = cost_of(rig.main, rig.overlay, pool, shared);
      }
      const int frames = kFrames - kSettled;
      const std::uint64_t metas = rdp::test::meta_allocations(surfaces + (shared ? 1 : 0));
      const std::uint64_t most = (pictures != nullptr ? 2 : 1) * allowed.on_host +
                                 static_cast<std::uint64_t>(frames) * metas;
      fail_unless(cost.on_host <= most,
                  "%s, shared %d, pictures %s: %" G_GUINT64_FORMAT
                  " allocations, %" G_GUINT64_FORMAT " allowed",
                  what, shared, pictures, cost.on_host, most);
      fail_unless(cost.outside == 0, "%s, shared %d, pictures %s: %d allocations outside", what,
                  shared, pictures, cost.outside);
      const bool to_host = pictures != nullptr && !strstr(pictures, "NVMM");
      if (!g_str_equal(backend, "cpu") && !to_host) {
        // One wait per batch; with reconstruction one per surface, because the output must be
        // complete before the next one is examined.
        fail_unless_equals_int(cost.waits, frames * (reconstruct ? static_cast<int>(surfaces) : 1));
      }
      gst_buffer_pool_set_active(pool, FALSE);
    }
  }
}

}  // namespace

CHECK_TEST(test_device_memory) {
  const auto device = std::make_shared<Device>();
  for (const int type : {nvmm_frames::kDevice, nvmm_frames::kPinned}) {
    for (const bool reconstruct : {false, true}) {
      check(
          "device", "auto", nvmm_frames::kClassic.surface,
          [&] { return nvmm_frames::make(kShape, batch_in(device, type)); }, 1, reconstruct);
    }
  }
}

CHECK_TEST(test_host_memory) {
  for (const bool reconstruct : {false, true}) {
    check(
        "host", "cpu", nvmm_frames::kClassic.surface, [] { return nvmm_frames::make(kShape); }, 1,
        reconstruct);
  }
}

CHECK_TEST(test_batches) {
  const auto device = std::make_shared<Device>();
  check(
      "batch", "auto", nvmm_frames::kExtended.surface,
      [&] {
        Batch batch = batch_in(device, nvmm_frames::kDevice, nvmm_frames::kExtended);
        batch.size = batch.filled = 3;
        return nvmm_frames::make(kShape, batch);
      },
      3, false);
}

CHECK_TEST(test_surface_arrays) {
  for (const char* backend : {"auto", "cpu"}) {
    for (const bool reconstruct : {false, true}) {
      check(
          "surface array", backend, standin_nvmm::surface_size(),
          [] { return nvmm_cuda_frames::make_of_library(kShape, nvmm_frames::kSurfaceArray); }, 1,
          reconstruct);
    }
  }
}

// The stand-ins' own allocations do not count.
static int inside_a_standin() {
  static int (*const in_driver)() = standin::inside();
  static int (*const in_library)() = standin_nvmm::find<int()>("standin_nvmm_inside");
  return in_driver() != 0 || in_library() != 0 ? 1 : 0;
}

static void count_allocations() {
  inside_a_standin();
  allocation_count::not_counted = inside_a_standin;
}

// One run is enough, as on a Jetson.
static std::string missing() {
  if (g_strcmp0(g_getenv("STANDIN_NVMM_PLATFORM"), "dgpu") == 0) return "counted as on a Jetson";
  if (RDP_COUNTS_ALLOCATIONS == 0 || !standin::available() || !standin_nvmm::available()) {
    return "needs the stand-ins, and no sanitizer";
  }
  return nvmm_cuda_frames::missing();
}

CHECK_CASE(rdpsegment_nvmm_allocations, .before = count_allocations, .missing = missing)
