// SPDX-License-Identifier: LGPL-2.1-or-later
// Steady-state cost of a pair in CUDA memory from depthstereo, with all pads linked, through
// rdpsegment. No sample crosses between host and device, and the device allocates nothing. The
// plugin itself allocates nothing on the host. Runs over the stand-in, which counts.
#include <atomic>

#include "tests/depthstereo/stereo_rig.h"
#include "tests/support/allocation_count.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 80;
constexpr int kSettled = 20;
constexpr int kPairs = 30;
constexpr std::uint64_t kPicture = std::uint64_t{kWidth} * kHeight;  // bytes of a view

// C++ allocations of all libraries, including the plugin.
std::atomic<std::uint64_t> news{0};

bool is_counted() {
  int (*const elsewhere)() = allocation_count::not_counted.load();
  return elsewhere == nullptr || elsewhere() == 0;
}
// The plugin has an operator new of its own.
void count_call(const void* caller) {
  allocation_count::note(caller);
  if (malloc_family::is_of_product(caller) && is_counted()) ++news;
}

// Out of line, so that compilers do not diagnose mismatched allocation functions.
__attribute__((noinline)) void release(void* memory) { std::free(memory); }

}  // namespace

__attribute__((visibility("default"))) void* operator new(std::size_t size) {
  if (is_counted()) ++news;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
__attribute__((visibility("default"))) void operator delete(void* memory) noexcept {
  release(memory);
}
__attribute__((visibility("default"))) void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}

namespace {

const char* const kAllocating[] = {
    "cuMemAlloc_v2",       "cuMemAllocPitch_v2",  "cuMemHostAlloc", "cuMemFree_v2",
    "cuMemFreeHost",       "cuStreamCreate",      "cuEventCreate",  "cuModuleLoadData",
    "cuModuleGetFunction", "cuMemHostRegister_v2"};

// Costs so far.
struct Cost {
  std::uint64_t to_device = 0;
  std::uint64_t to_host = 0;
  std::uint64_t on_device = 0;  // bytes copied there
  std::uint64_t host_to_host = 0;
  int allocations = 0;  // calls of the driver
  std::uint64_t news = 0;
  std::uint64_t mallocs = 0;

  static Cost now() {
    Cost cost;
    cost.to_device = standin::bytes_copied("HtoD");
    cost.to_host = standin::bytes_copied("DtoH");
    cost.on_device = standin::bytes_copied("DtoD");
    cost.host_to_host = standin::bytes_copied("HtoH");
    for (const char* call : kAllocating) cost.allocations += standin::count(call);
    cost.news = ::news;
    cost.mallocs = allocation_count::count;
    return cost;
  }
};

struct Case {
  const char* name;
  std::string properties;
  bool side_pads = true;
  bool segments = true;  // rdpsegment follows
  bool plain = false;    // without an element: the cost of sources and test
};

GstBuffer* device_view(GstCudaContext* context, const stereo_rig::Picture& picture) {
  frames::Content content({GST_VIDEO_FORMAT_GRAY8, picture.width, picture.height});
  std::memcpy(content.samples.data(), picture.samples.data(), picture.samples.size());
  std::string reason;
  GstBuffer* buffer = rdp::test::new_cuda_buffer(context, content, &reason);
  fail_unless(buffer != nullptr, "%s", reason.c_str());
  return buffer;
}

// Makes a new buffer around existing memory, as an upstream element does for each frame.
GstBuffer* again(GstBuffer* source, guint64 number) {
  GstBuffer* buffer = gst_buffer_new();
  gst_buffer_copy_into(
      buffer, source,
      static_cast<GstBufferCopyFlags>(GST_BUFFER_COPY_META | GST_BUFFER_COPY_MEMORY), 0,
      static_cast<gsize>(-1));
  GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  return buffer;
}

std::string line(const Case& what) {
  if (what.plain) {
    return "appsrc name=left format=time ! fakesink name=out_src sync=false async=false "
           "appsrc name=right format=time ! fakesink name=out_right sync=false async=false";
  }
  const std::string cuda = " ! video/x-raw(memory:CUDAMemory) ! fakesink sync=false async=false ";
  std::string text =
      "appsrc name=left format=time ! d.left appsrc name=right format=time ! d.right"
      " depthstereo name=d disparities=32 " +
      what.properties;
  if (what.side_pads) {
    for (const char* pad : {"overlay", "rectified", "confidence"}) {
      text += std::string(" d.") + pad + cuda + "name=out_" + pad;
    }
  }
  return text + " d.src " + (what.segments ? " ! rdpsegment name=s backend=cuda" : "") + cuda +
         "name=out_src";
}

// Cost of kPairs pairs in steady state. Each pair is awaited at every sink.
Cost cost_of(const Case& what) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  rdp::stereo::Parameters parameters;
  parameters.disparities = 32;
  malloc_family::counting = count_call;
  const stereo_rig::Views views = stereo_rig::draw(kWidth, kHeight, parameters);
  GstBuffer* left = device_view(context.get(), views.left);
  GstBuffer* right = device_view(context.get(), views.right);

  rdp::test::PipelineRig rig(line(what));
  std::vector<std::unique_ptr<rdp::test::Received>> all;
  for (const char* pad : {"src", "overlay", "rectified", "confidence"}) {
    if (!what.side_pads && !g_str_equal(pad, "src")) continue;
    all.push_back(
        std::make_unique<rdp::test::Received>(rig.get((std::string("out_") + pad).c_str())));
    all.back()->keeps = false;
  }
  for (const char* name : {"left", "right"}) {
    rig.set_caps(name,
                 "video/x-raw(memory:CUDAMemory),format=GRAY8,width=" + std::to_string(kWidth) +
                     ",height=" + std::to_string(kHeight) + ",framerate=30/1");
  }
  rig.play();
  Cost before;
  for (guint64 number = 0; number < kSettled + kPairs; ++number) {
    if (number == kSettled) before = Cost::now();
    rig.push("left", again(left, number));
    rig.push("right", again(right, number));
    fail_unless(rdp::test::await([&] {
                  return std::all_of(all.begin(), all.end(),
                                     [&](const auto& one) { return one->count > number; });
                }),
                "%s: pair %d does not come out everywhere", what.name, static_cast<int>(number));
  }
  const Cost after = Cost::now();
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  all.clear();
  gst_buffer_unref(left);
  gst_buffer_unref(right);
  return {after.to_device - before.to_device,     after.to_host - before.to_host,
          after.on_device - before.on_device,     after.host_to_host - before.host_to_host,
          after.allocations - before.allocations, after.news - before.news,
          after.mallocs - before.mallocs};
}

void check(const Case& what) {
  const Cost cost = cost_of(what);
  std::printf(
      "%s: a pair: to the device %.1f bytes, to the host %.1f, on the device %.1f, %.1f "
      "allocations of GLib's and GStreamer's, %.1f of C++, %.1f of the driver\n",
      what.name, static_cast<double>(cost.to_device) / kPairs,
      static_cast<double>(cost.to_host) / kPairs, static_cast<double>(cost.on_device) / kPairs,
      static_cast<double>(cost.mallocs) / kPairs, static_cast<double>(cost.news) / kPairs,
      static_cast<double>(cost.allocations) / kPairs);
  // Pixel counts need no copy: the device writes them to mapped host memory.
  fail_unless_equals_uint64(cost.to_device, 0);
  fail_unless_equals_uint64(cost.to_host, 0);
  fail_unless_equals_uint64(cost.host_to_host, 0);
  fail_unless_equals_uint64(cost.news, 0);
  // GstAggregator and GstBuffer allocate a little for each pair in any element.
  static const Cost kPlain = cost_of({"no element", "", false, false, true});
  const double more =
      (static_cast<double>(cost.mallocs) - static_cast<double>(kPlain.mallocs)) / kPairs;
  // From GLib 2.76 on, their slices come from malloc().
  const double allowed = glib_check_version(2, 76, 0) == nullptr ? 12 : 0.5;
  fail_unless(more < allowed, "%s: %.1f allocations a pair more than without it", what.name, more);
  // `rectified` without a calibration is the left view.
  fail_unless_equals_uint64(cost.on_device, what.side_pads ? kPairs * kPicture : 0);
  fail_unless_equals_int(cost.allocations, 0);
}

}  // namespace

CHECK_TEST(test_to_src) { check({"src", "", false, false}); }

CHECK_TEST(test_chain) {
  check({"src, rdpsegment", "", false, true});
  check({"all pads, rdpsegment", "", true, true});
  check({"all pads, 8 paths, rdpsegment", "paths=8 median=5x5 min-confidence=10", true, true});
  check({"all pads, metres, rdpsegment", "output=depth-mm focal-length=100 baseline=0.2", true,
         true});
}

static std::string missing() {
  if (RDP_COUNTS_ALLOCATIONS == 0 || !standin::available()) {
    return "needs the stand-in, and no sanitizer";
  }
  return cuda_frames::missing();
}

CHECK_CASE(
    depthstereo_cuda_traffic, .before = [] { allocation_count::not_counted = standin::inside(); },
    .missing = missing)
