// SPDX-License-Identifier: LGPL-2.1-or-later
// Time of depthfilter beyond its kernels: a frame in CUDA memory through the element, in place, and
// the same memory through the filter alone, in turns.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <utility>

#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/depthfilter/engine.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/gpu_overhead.h"
#include "tests/bench/pushed_stream.h"
#include "tests/depthplanes/planes_expected.h"
#include "tests/support/cuda_rows.h"

namespace {

using Repeats = rdp::bench::OverheadRepeats;

// The element's work on the GPU, without the element. In a context that is current.
class Kernels {
 public:
  explicit Kernels(const rdp::cuda::DeviceDepthView& frame) : frame_(frame) {
    parameters_.tolerance = rdp::filter::inverse_tolerance(6.0, 1e6);
  }

  void enqueue() { filter_.start(frame_, parameters_, frame_, stream_.get()); }
  void wait() const { stream_.synchronize(); }
  void take_results() { filter_.take_counts(); }

 private:
  rdp::cuda::DeviceDepthView frame_;
  rdp::filter::Parameters parameters_;
  rdp::cuda::Stream stream_;
  rdp::cuda::DepthFilter filter_;
};

void measure_size(GstCudaContext* context, int width, int height, const Repeats& repeats) {
  const planes_rig::Drawn drawn({GST_VIDEO_FORMAT_GRAY16_LE, width, height});
  std::string reason;
  GstBuffer* idle = rdp::test::new_cuda_buffer(context, drawn.content, &reason);
  if (idle == nullptr) throw std::runtime_error(reason);
  g_autoptr(GstCaps) caps = frames::caps(drawn.content.shape, GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
  rdp::gst::CudaFrame frame;
  if (!frame.map(idle, frames::video_info(drawn.content.shape), rdp::gst::Access::kRead, &reason)) {
    gst_buffer_unref(idle);
    throw std::runtime_error("a frame in CUDA memory: " + reason);
  }
  const rdp::cuda::DeviceDepthView view = frame.view();
  frame.unmap();
  {
    rdp::bench::PushedStream stream(
        "depthfilter", caps,
        [](GstElement* element) { g_object_set(element, "depth-unit", 0.001, nullptr); },
        [&](GstBuffer* out) { idle = gst_buffer_ref(out); });
    const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
    Kernels kernels(view);
    // The element writes to the frame that it gets, so it gets the only reference.
    rdp::bench::print_turns(repeats, width, height, kernels,
                            [&] { stream.give(std::exchange(idle, nullptr)); });
  }
  gst_buffer_unref(idle);
}

void measure(const Repeats& repeats, bool quick) {
  const rdp::bench::BenchContext context;
  rdp::bench::print_turns_head(context, repeats, "counts");
  measure_size(context.context, repeats.width, repeats.height, repeats);
  if (!quick) measure_size(context.context, 1280, 720, repeats);
  if (rdp::bench::energy_seconds > 0) return;
  std::printf("\nThe goal for the last column is 15 us or less.\n");
}

}  // namespace

int main(int argc, char** argv) {
  return rdp::bench::run_overhead(argc, argv, "gpu_filter_overhead", "depthfilter", [](bool quick) {
    measure(quick ? Repeats{160, 96, 4, 8, 1, 2} : Repeats{}, quick);
  });
}
