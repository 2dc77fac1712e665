// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine on the GPU.
#include "gst/elements/base/frame_work.h"
#ifdef RDP_HAVE_CUDA
#include "gst/cuda/gpu_session.h"
#endif

#define GST_CAT_DEFAULT (words_.category)

namespace rdp::gst {

#ifdef RDP_HAVE_CUDA
namespace {

// The worker of a method in a session.
struct WorkerState final : GpuSessionState {
  explicit WorkerState(std::unique_ptr<Worker> of_method) : worker(std::move(of_method)) {}
  std::unique_ptr<Worker> worker;
};

// In the session's context.
Worker& worker_in(GpuSession& gpu, Method& method) {
  if (gpu.state() == nullptr) {
    std::unique_ptr<Worker> worker = method.new_gpu_worker(gpu);
    if (worker == nullptr) throw GpuError("this element has no engine on the GPU");
    gpu.state() = std::make_unique<WorkerState>(std::move(worker));
  }
  return *static_cast<WorkerState&>(*gpu.state()).worker;
}

}  // namespace

void prepare_gpu(GpuProvider& provider, Method& method, int cuda_device_id) {
  std::string reason;
  GpuSession* gpu = provider.session_for({}, cuda_device_id, &reason);
  gpu->in_context([&] { worker_in(*gpu, method); });
}

// Runs in the session's context, with everything mapped.
GstFlowReturn FrameWork::run_on_gpu(GpuSession& gpu) {
  Task task = make_task();
  if (GstRdpPicturePad* overlay = frame_.overlay) {
    std::string reason;
    // The frame may have brought another context.
    gst_rdp_picture_pad_set_context(overlay, gpu_->context());
    if (acquire_picture(task) &&
        !picture_.map_device(frame_.picture, *gst_rdp_picture_pad_get_info(overlay),
                             gst_rdp_picture_pad_get_memory(overlay), gpu.handle(),
                             gpu.context()->keeper(), &reason)) {
      drop_picture(reason.c_str());
    }
    // Stop: an error has been posted, and other memory may be lost, too.
    if (frame_.picture_flow == GST_FLOW_ERROR) return GST_FLOW_ERROR;
  }
  const Clock::time_point start = Clock::now();
  Worker& worker = worker_in(gpu, *method_);
  const std::span<const FrameSurface> brought = gpu.bring(in_surfaces_);
  task.inputs = brought;
  arrange(&task);
  task.outputs = gpu.place_outputs(out_surfaces_);
  // A picture in host memory is painted on the GPU, too: samples and results are there.
  const RgbaView& host_picture = picture_.host();
  task.device_picture =
      host_picture.data != nullptr ? gpu.picture_for(host_picture) : picture_.device();
  run_steps(worker, task);
  if (frame_.plan.writes) gpu.copy_back(brought);
  gpu.copy_back(task.outputs);
  if (host_picture.data != nullptr) gpu.deliver(task.device_picture, host_picture);
  frame_.time = frame_.time_with_picture = Clock::now() - start;
  return GST_FLOW_OK;
}

// Finds the context that all frames of `mappers` share. False: they have different ones.
bool FrameWork::find_context(const std::vector<std::unique_ptr<FrameMapper>>& mappers,
                             std::size_t count, FrameContext* context, std::string* reason) {
  opened_.clear();
  for (std::size_t i = 0; i < count; ++i) opened_.push_back(mappers[i].get());
  return find_shared_context(opened_, cuda_device_id_, context, reason);
}

// Opens the outputs, and finds the session for all frames on a device. The inputs decide; if they
// are in system memory, the outputs do. Null, with *flow.
GpuSession* FrameWork::find_session(GstFlowReturn* flow) {
  FrameContext wanted;
  std::string reason;
  GpuSession* gpu = nullptr;
  *flow = GST_FLOW_ERROR;
  if (find_context(inputs_, open_inputs_, &wanted, &reason)) {
    gpu = gpu_->session_for(wanted, cuda_device_id_, &reason);
  }
  if (gpu == nullptr) {
    refuse(frame_.main(), reason.c_str());
    return nullptr;
  }
  *flow = open_outputs();
  if (*flow != GST_FLOW_OK) return nullptr;
  if (!wanted.any() || open_outputs_ == 0) return gpu;
  gpu = nullptr;
  if (find_context(outputs_, open_outputs_, &wanted, &reason)) {
    gpu = gpu_->session_for(wanted, cuda_device_id_, &reason);
  }
  if (gpu == nullptr) *flow = refuse_output(frame_.outputs[0], reason.c_str());
  return gpu;
}

// The inputs are open. May throw GpuError and std::bad_alloc.
GstFlowReturn FrameWork::work_on_gpu() {
  frame_.on_gpu = true;
  GstFlowReturn flow = GST_FLOW_OK;
  GpuSession* gpu = find_session(&flow);
  if (gpu == nullptr) return flow;
  gpu->in_context([&] {
    std::string reason;
    for (std::size_t i = 0; i < open_inputs_; ++i) {
      if (inputs_[i]->map_device(gpu->handle(), gpu->context()->keeper(), &reason)) continue;
      flow = refuse(frame_.inputs[i], reason.c_str());
      return;
    }
    for (std::size_t i = 0; i < open_outputs_; ++i) {
      if (outputs_[i]->map_device(gpu->handle(), gpu->context()->keeper(), &reason)) continue;
      flow = refuse_output(frame_.outputs[i], reason.c_str());
      return;
    }
    flow = run_on_gpu(*gpu);
  });
  return flow;
}
#else
void prepare_gpu(GpuProvider&, Method&, int) {}

GstFlowReturn FrameWork::work_on_gpu() { throw GpuError("this rdpsegment was built without CUDA"); }
#endif

}  // namespace rdp::gst
