// SPDX-License-Identifier: LGPL-2.1-or-later
// The choice of the engine: what frames of given caps require, and the trial of the engines.
#include <algorithm>
#include <exception>

#include "gst/elements/base/frame_work.h"

#define GST_CAT_DEFAULT (words_.category)

namespace rdp::gst {

// --- before frames come -------------------------------------------------------------------------

bool FrameWork::refuse_caps(const GstCaps* caps, const char* reason) {
  GST_ELEMENT_ERROR(element_, RESOURCE, NOT_FOUND,
                    ("The GPU engine cannot be started: %s.", reason),
                    ("cuda-device-id=%d, for %" GST_PTR_FORMAT, cuda_device_id_, caps));
  return false;
}

// Returns the caps with the strictest need of a GPU: CUDA memory needs it started, NVMM memory
// found.
static const GstCaps* most_demanding(std::span<const GstCaps* const> caps) {
  const auto demand = [](const GstCaps* of) {
    const MemoryKind memory = memory_kind(of);
    return memory == MemoryKind::kCuda ? 2 : memory == MemoryKind::kNvmm ? 1 : 0;
  };
  return *std::max_element(caps.begin(), caps.end(), [&](const GstCaps* a, const GstCaps* b) {
    return demand(a) < demand(b);
  });
}

bool FrameWork::choose_backend(std::span<const GstCaps* const> all_caps) {
  using Gpu = BackendChoice::Gpu;
  const GstCaps* caps = most_demanding(all_caps);
  const MemoryKind memory = memory_kind(caps);
  const bool interchangeable = method_->engines_interchangeable();
  const Gpu need = choice_.needs(memory, interchangeable);
  bool there = false;
  std::string missing;
  if (need != Gpu::kNone && need != Gpu::kRequireNow) {
    there = GpuProvider::device_exists(cuda_device_id_, &missing);
    if (!there && need == Gpu::kRequireLater) return refuse_caps(caps, missing.c_str());
    if (!there) GST_INFO_OBJECT(element_, "the CPU works: %s", missing.c_str());
  }
  if (need == Gpu::kRequireNow || (need == Gpu::kTryNow && there)) {
    try {
      gpu_->start(cuda_device_id_);
      prepare_gpu(*gpu_, *method_, cuda_device_id_);
      there = true;
    } catch (const std::exception& error) {
      if (need == Gpu::kRequireNow) return refuse_caps(caps, error.what());
      GST_WARNING_OBJECT(element_, "the CPU works, as the GPU cannot: %s", error.what());
      choice_.give_up_gpu();
      gpu_->stop();
    }
  }
  choice_.begin(memory, there, interchangeable);
  frames_to_look_at_ = kMaxLooks;
  return true;
}

// --- the trial ----------------------------------------------------------------------------------

// Saves the inputs, in case the GPU fails while it overwrites them.
static std::vector<std::vector<guint8>> save(std::span<const FrameBuffer> inputs) {
  std::vector<std::vector<guint8>> saved;
  for (const FrameBuffer& input : inputs) {
    std::vector<guint8>& bytes = saved.emplace_back(gst_buffer_get_size(input.buffer));
    gst_buffer_extract(input.buffer, 0, bytes.data(), bytes.size());
  }
  return saved;
}

// Lets the GPU process a frame of the trial. Its time includes the copy to the host, which readers
// of the results need.
GstFlowReturn FrameWork::try_gpu() {
  std::vector<std::vector<guint8>> saved;
  if (frame_.plan.writes) saved = save(frame_.inputs);
  try {
    GstFlowReturn flow = open();
    if (flow == GST_FLOW_OK) flow = work_on_gpu();
    const Clock::time_point start = Clock::now();
    for (GstMiniObject* result : results_) {
      std::string reason;
      if (result != nullptr && !method_->fetch(result, &reason)) throw GpuError(reason);
    }
    frame_.time_with_picture += Clock::now() - start;
    return flow;
  } catch (const GpuError& error) {
    GST_ELEMENT_WARNING(element_, RESOURCE, FAILED,
                        ("The GPU failed while it was tried; the CPU goes on."),
                        ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT ": %s", number_,
                         GST_TIME_ARGS(frame_.pts()), error.what()));
  }
  choice_.give_up_gpu();
  drop_results();
  close();
  gpu_->forget();
  gst_clear_buffer(&frame_.picture);
  // The context may be lost, and pictures in CUDA memory with it: choose the memory again.
  if (GstRdpPicturePad* overlay = frame_.overlay) {
    gst_rdp_picture_pad_set_context(overlay, nullptr);
    gst_pad_mark_reconfigure(GST_PAD(overlay));
  }
  for (std::size_t i = 0; i < saved.size(); ++i) {
    gst_buffer_fill(frame_.inputs[i].buffer, 0, saved[i].data(), saved[i].size());
  }
  const GstFlowReturn flow = open();
  return flow == GST_FLOW_OK ? work_on_cpu() : flow;
}

// Frees all memory on the GPU.
void FrameWork::leave_gpu() {
  method_->leave_gpu();
  gpu_->stop();
}

GstFlowReturn FrameWork::run_trial() {
  using Microseconds = std::chrono::duration<double, std::micro>;
  GstFlowReturn flow = GST_FLOW_ERROR;
  if (choice_.next(false) == BackendTrial::Engine::kGpu) {
    flow = try_gpu();
    if (!choice_.on_trial()) {  // given up
      leave_gpu();
      return flow;
    }
  } else {
    flow = open();
    if (flow == GST_FLOW_OK) flow = work_on_cpu();
  }
  if (flow != GST_FLOW_OK || !choice_.record(std::chrono::duration_cast<BackendTrial::Duration>(
                                 frame_.time_with_picture))) {
    return flow;
  }
  const bool gpu = choice_.next(false) == BackendTrial::Engine::kGpu;
  GST_INFO_OBJECT(
      element_, "the %s works from now on; us a frame on the CPU: %.0f, on the GPU: %.0f",
      gpu ? "GPU" : "CPU", Microseconds(choice_.trial().median(BackendTrial::Engine::kCpu)).count(),
      Microseconds(choice_.trial().median(BackendTrial::Engine::kGpu)).count());
  if (!gpu) leave_gpu();
  return flow;
}

// True if a device can work in place on all inputs outside of system memory, or on one that the CPU
// cannot reach. Inputs in system memory are copied anyway.
bool FrameWork::device_reaches() const {
  bool all = true;
  bool alone = false;
  bool outside = false;
  for (std::size_t i = 0; i < open_inputs_; ++i) {
    const FrameMapper& frame = *inputs_[i];
    if (frame.kind() == MemoryKind::kSystem) continue;
    outside = true;
    const bool reaches = frame.device_reaches();
    all = all && reaches;
    alone = alone || (reaches && !frame.host_reaches());
  }
  return outside && (all || alone);
}

GstFlowReturn FrameWork::run_engine() {
  // A property may have made the method stateful.
  if (choice_.on_trial() && !method_->engines_interchangeable()) {
    choice_.end_trial();
    leave_gpu();
  }
  if (choice_.on_trial()) return run_trial();
  const GstFlowReturn flow = open();
  if (flow != GST_FLOW_OK) return flow;
  return choice_.next(device_reaches()) == BackendTrial::Engine::kGpu ? work_on_gpu()
                                                                      : work_on_cpu();
}

}  // namespace rdp::gst
