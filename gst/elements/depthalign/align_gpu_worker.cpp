// SPDX-License-Identifier: LGPL-2.1-or-later
// depthalign's engine on the GPU.
#include <memory>

#include "gst/cuda/gpu_session.h"
#include "gst/elements/depthalign/align_method.h"
#include "kernels/align/engine.h"
#include "kernels/runtime/copy_rows.h"

namespace rdp::gst {
namespace {

using cuda::DeviceDepthView;

class AlignGpuWorker final : public Worker {
 public:
  AlignGpuWorker(AlignMethod& method, GpuSession& session) : method_(method), session_(session) {}

  void analyze(const Task& task) override {
    method_.check(task);
    const DeviceDepthView& depth = task.inputs[AlignMethod::kDepth].device;
    const DeviceDepthView& aligned = task.outputs[AlignMethod::kAligned].device;
    const DeviceDepthView& color = task.outputs[AlignMethod::kColor].device;
    const align::Parameters* parameters = method_.parameters();
    if (parameters == nullptr) {
      clear(aligned);
    } else {
      engine_.align(depth, *parameters, aligned, session_.stream());
    }
    if (!method_.colours(task)) {
      if (color.data != 0) clear(color);
      return;
    }
    const FrameSurface& video = task.inputs[AlignMethod::kVideo];
    align::Picture picture = method_.picture();
    picture.data = reinterpret_cast<const unsigned char*>(video.device.data);
    picture.stride = static_cast<std::ptrdiff_t>(video.device.pitch);
    picture.chroma = reinterpret_cast<const unsigned char*>(video.device_chroma.data);
    picture.chroma_stride = static_cast<std::ptrdiff_t>(video.device_chroma.pitch);
    engine_.colour(depth, *parameters, aligned, picture,
                   {color.data, color.pitch, color.width / 4, color.height}, session_.stream());
  }

  bool finish(const Task& task) override {
    session_.synchronize();
    if (method_.parameters() == nullptr) return true;
    const DeviceDepthView& depth = task.inputs[AlignMethod::kDepth].device;
    method_.note_counts(engine_.take_counts(), std::int64_t{depth.width} * depth.height);
    return true;
  }

 private:
  void clear(const DeviceDepthView& view) {
    DeviceDepthView zeros = view;
    zeros.data = zeros_.ensure_zeros(static_cast<std::size_t>(view.pitch) *
                                     static_cast<std::size_t>(view.height));
    cuda::copy_rows(zeros, view, session_.stream(), "clearing a frame");
  }

  AlignMethod& method_;
  GpuSession& session_;
  cuda::DepthAligner engine_;
  cuda::DeviceBuffer zeros_;
};

}  // namespace

std::unique_ptr<Worker> AlignMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<AlignGpuWorker>(*this, session);
}

}  // namespace rdp::gst
