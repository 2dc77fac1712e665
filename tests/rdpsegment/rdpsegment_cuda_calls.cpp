// SPDX-License-Identifier: LGPL-2.1-or-later
// The CUDA driver calls of rdpsegment per frame in steady state. Each call takes a context lock
// that all elements of a process share. Uses the stand-in, which counts.
#include <map>
#include <string>

#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using cuda_frames::Rig;
using Calls = std::map<std::string, int>;

static constexpr frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 320, 240};
static constexpr int kSettled = 40;
static constexpr int kFrames = 10;

namespace {

struct Case {
  const char* name;
  bool in_cuda = true;
  const char* pictures = nullptr;
  bool read = false;  // a reader reads each frame's segments
  bool merge = false;
  double epsilon = 4;
};

void push(GstHarness* main, GstHarness* overlay, GstBuffer* source, bool read) {
  GstBuffer* buffer = gst_buffer_copy(source);
  fail_unless_equals_int(gst_harness_push(main, buffer), GST_FLOW_OK);
  for (GstHarness* sink : {main, overlay}) {
    g_autoptr(GstBuffer) output = sink == nullptr ? nullptr : gst_harness_pull(sink);
    if (output == nullptr) continue;
    if (read && sink == main) {
      gsize count = 0;
      gst_rdp_segmentation_peek_segments(gst_rdp_buffer_get_segmentation(output), &count);
      fail_unless(count > 0);
    }
  }
}

// Fails unless each kind of call happens exactly `expected` times per frame, and no other.
void check(const Case& what, const Calls& expected) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  g_autoptr(GstBuffer) source =
      what.in_cuda ? cuda_frames::make(context.get(), kShape) : frames::make(kShape);
  Rig rig(what.in_cuda ? cuda_frames::caps_string(kShape) : frames::caps_string(kShape),
          what.in_cuda ? "auto" : "cuda", what.pictures);
  g_object_set(rig.element, "merge", what.merge, "epsilon", what.epsilon, nullptr);
  for (int i = 0; i < kSettled; ++i) push(rig.main, rig.overlay, source, what.read);

  Calls before;
  for (const auto& [name, calls] : expected) before[name] = standin::count(name.c_str());
  const int all_before = standin::count(nullptr);
  for (int i = 0; i < kFrames; ++i) push(rig.main, rig.overlay, source, what.read);
  const int all = standin::count(nullptr) - all_before;

  int sum = 0;
  for (const auto& [name, calls] : expected) {
    sum += calls;
    const int made = standin::count(name.c_str()) - before[name];
    fail_unless(made == calls * kFrames, "%s: %s: %d calls in %d frames, expected %d", what.name,
                name.c_str(), made, kFrames, calls * kFrames);
  }
  fail_unless(all == sum * kFrames, "%s: %d calls in %d frames, expected %d", what.name, all,
              kFrames, sum * kFrames);
}

}  // namespace

CHECK_TEST(test_calls, standin::available()) {
  const Calls common = {{"cuCtxPushCurrent_v2", 1},
                        {"cuCtxPopCurrent_v2", 1},
                        {"cuLaunchKernel", 1},
                        {"cuStreamSynchronize", 1}};
  const auto with = [&](const Calls& others) {
    Calls all = common;
    for (const auto& [name, calls] : others) all[name] = calls;
    return all;
  };
  check({"CUDA memory"}, common);
  check({"CUDA memory, merge", true, nullptr, false, true, 4000}, common);
  // More pieces than a warp can hold.
  check({"CUDA memory, merge of noise", true, nullptr, false, true}, with({{"cuLaunchKernel", 2}}));
  // The reader adds no calls.
  check({"CUDA memory, read", true, nullptr, true}, with({{"cuLaunchKernel", 2}}));
  // Palette, and picture.
  check({"CUDA memory, picture", true, "video/x-raw(memory:CUDAMemory)"},
        with({{"cuLaunchKernel", 3}}));
}

CHECK_CASE(rdpsegment_cuda_calls, .missing = cuda_frames::missing)
