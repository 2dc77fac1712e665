// SPDX-License-Identifier: LGPL-2.1-or-later
// What depthplanes costs beyond its kernels: frames in CUDA memory through the element, and the
// same memory through the finder alone, in turns.
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/planes/frame_engine.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/element_stream.h"
#include "tests/bench/gpu_overhead.h"
#include "tests/bench/pushed_stream.h"
#include "tests/depthplanes/planes_expected.h"
#include "tests/support/cuda_rows.h"

namespace {

using planes_rig::Drawn;
using Repeats = rdp::bench::OverheadRepeats;

// What the element does on the GPU, without the element. In a context that is current.
class Kernels {
 public:
  Kernels(const rdp::cuda::DeviceDepthView& frame, const rdp::MetricCamera& camera)
      : frame_(frame), camera_(camera) {
    const std::size_t pitch = rdp::cuda::device_pitch(static_cast<std::size_t>(frame.width));
    labels_ = {memory_.ensure(pitch * static_cast<std::size_t>(frame.height)),
               static_cast<std::int64_t>(pitch), frame.width, frame.height, rdp::SampleType::kU8};
  }

  void enqueue() { finder_.find(frame_, camera_, {}, labels_, stream_.get()); }
  void wait() const { stream_.synchronize(); }
  void take_results() { finder_.planes(); }

 private:
  rdp::cuda::DeviceDepthView frame_;
  rdp::MetricCamera camera_;
  rdp::cuda::Stream stream_;
  rdp::cuda::FramePlanesEngine finder_;
  rdp::cuda::DeviceBuffer memory_;
  rdp::cuda::DeviceDepthView labels_;
};

void measure_size(GstCudaContext* context, int width, int height, const Repeats& repeats) {
  const Drawn drawn({GST_VIDEO_FORMAT_GRAY16_LE, width, height});
  std::string reason;
  GstBuffer* made = rdp::test::new_cuda_buffer(context, drawn.content, &reason);
  if (made == nullptr) throw std::runtime_error(reason);
  const std::unique_ptr<GstBuffer, decltype(&gst_buffer_unref)> buffer(made, gst_buffer_unref);
  g_autoptr(GstCaps) caps = frames::caps(drawn.content.shape, GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
  std::size_t planes = 0;
  rdp::bench::PushedStream stream(
      "depthplanes", caps,
      [&](GstElement* element) { planes_rig::set_camera(element, drawn.camera); },
      [&](GstBuffer* out) {
        planes = gst_rdp_planes_get_n_planes(gst_rdp_buffer_get_planes(out));
      });
  stream.push(made);
  if (planes != planes_rig::expect(drawn).set.planes.size()) {
    throw std::runtime_error("the GPU and the CPU disagree: nothing is timed");
  }
  rdp::gst::CudaFrame frame;
  if (!frame.map(made, frames::video_info(drawn.content.shape), rdp::gst::Access::kRead, &reason)) {
    throw std::runtime_error("a frame in CUDA memory: " + reason);
  }
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
  Kernels kernels(frame.view(), drawn.camera);
  rdp::bench::print_turns(repeats, width, height, kernels, [&] { stream.push(made); });
}

void measure(const Repeats& repeats, bool quick) {
  const rdp::bench::BenchContext context;
  rdp::bench::print_turns_head(context, repeats, "planes");
  measure_size(context.context, repeats.width, repeats.height, repeats);
  if (!quick) measure_size(context.context, 1280, 720, repeats);
  if (rdp::bench::energy_seconds > 0) return;
  std::printf("\nThe goal for the last column is 15 us or less.\n");
}

}  // namespace

int main(int argc, char** argv) {
  return rdp::bench::run_overhead(argc, argv, "gpu_planes_overhead", "depthplanes", [](bool quick) {
    measure(quick ? Repeats{160, 96, 4, 8, 1, 2} : Repeats{}, quick);
  });
}
