// SPDX-License-Identifier: LGPL-2.1-or-later
// depthfilter's engine on the GPU.
#include <cstddef>
#include <memory>

#include "gst/cuda/gpu_session.h"
#include "gst/elements/depthfilter/filter_method.h"
#include "kernels/depthfilter/engine.h"
#include "kernels/depthfilter/overlay.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/copy_rows.h"

namespace rdp::gst {
namespace {

using cuda::DeviceDepthView;

class FilterGpuWorker final : public Worker {
 public:
  FilterGpuWorker(FilterMethod& method, GpuSession& session) : method_(method), session_(session) {}

  void analyze(const Task& task) override {
    method_.start(task);
    if (!method_.works()) return;
    if (method_.forgets(this, &epoch_)) engine_.clear();
    miss_frames(task);
    if (task.device_picture.data != 0) keep_before(task);
    for (std::size_t i = 0; i < task.inputs.size(); ++i) filter(read_view(task, i), after(task, i));
  }

  void paint(const Task& task) override {
    if (painter_ == nullptr) painter_ = std::make_unique<cuda::DepthChangesPainter>();
    const DeviceDepthView& frame = task.inputs[task.painted].device;
    const bool works = method_.works();
    painter_->paint(works ? before_ : frame, works ? after(task, task.painted) : frame,
                    works ? method_.parameters().decimation : 1, method_.picture(),
                    task.device_picture, session_.stream());
  }

  bool finish(const Task&) override {
    session_.synchronize();
    method_.finish(engine_.take_counts());
    return true;
  }

 private:
  void filter(const DeviceDepthView& in, const DeviceDepthView& out) {
    engine_.start(in, method_.parameters(), out, session_.stream());
  }

  // The place of a result.
  const DeviceDepthView& after(const Task& task, std::size_t input) const {
    return method_.decimates() ? task.outputs[input].device : task.inputs[input].device;
  }

  // A frame like another one, in memory that is zero while nothing is written to it.
  static DeviceDepthView view_in(cuda::DeviceBuffer* memory, const DeviceDepthView& like) {
    DeviceDepthView view = like;
    const std::size_t pitch =
        cuda::device_pitch(static_cast<std::size_t>(like.width * bytes_per_sample(like.type)));
    view.data = memory->ensure_zeros(pitch * static_cast<std::size_t>(like.height));
    view.pitch = static_cast<std::int64_t>(pitch);
    return view;
  }

  // The samples of an input; zeros of a gap.
  DeviceDepthView read_view(const Task& task, std::size_t input) {
    const DeviceDepthView& frame = task.inputs[input].device;
    return method_.is_gap() ? view_in(&zeros_, frame) : frame;
  }

  // Feeds missed frames (gap events) to the temporal state as zeros.
  void miss_frames(const Task& task) {
    if (method_.missed() == 0) return;
    const DeviceDepthView zeros = view_in(&zeros_, task.inputs[0].device);
    const DeviceDepthView out = view_in(&scratch_, after(task, 0));
    for (int i = 0; i < method_.missed(); ++i) filter(zeros, out);
    session_.synchronize();
    engine_.take_counts();
  }

  // Keeps the original samples of the painted frame: its picture shows both, but is painted after
  // they are overwritten.
  void keep_before(const Task& task) {
    before_ = read_view(task, task.painted);
    if (method_.decimates() || method_.is_gap()) return;
    const DeviceDepthView frame = before_;
    before_ = view_in(&scratch_, frame);
    cuda::copy_rows(frame, before_, session_.stream(), "keeping a frame for its picture");
  }

  FilterMethod& method_;
  GpuSession& session_;
  cuda::DepthFilter engine_;
  guint64 epoch_ = 0;
  cuda::DeviceBuffer zeros_;
  cuda::DeviceBuffer scratch_;
  std::unique_ptr<cuda::DepthChangesPainter> painter_;
  DeviceDepthView before_;  // the painted frame as it came
};

}  // namespace

std::unique_ptr<Worker> FilterMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<FilterGpuWorker>(*this, session);
}

}  // namespace rdp::gst
