// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cstdlib>

#include "tests/conformance/nvmm.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/nvmm_device.h"

namespace conformance {
namespace {

// The context of a stream's frames, which are made anew for each stream. Never freed, because the
// driver may be gone when static objects are destroyed.
GstCudaContext* context = nullptr;

void new_context() {
  forget_context();
  context = cuda_frames::new_context().release();
}

GstBuffer* new_buffer(const Content& content) {
  if (context == nullptr) new_context();
  std::string reason;
  GstBuffer* buffer = rdp::test::new_cuda_buffer(context, content, &reason);
  fail_unless(buffer != nullptr, "%s", reason.c_str());
  return buffer;
}

// The device of surfaces, which are in its primary context.
std::shared_ptr<nvmm_cuda_frames::Device>& device() {
  static auto* const current = new std::shared_ptr<nvmm_cuda_frames::Device>;
  return *current;
}

// The memory of a stream's surfaces, kept until the next stream begins.
std::vector<nvmm_frames::Block>& blocks() {
  static auto* const held = new std::vector<nvmm_frames::Block>;
  return *held;
}

void new_device() {
  forget_context();
  device() = std::make_shared<nvmm_cuda_frames::Device>();
}

// A surface in device memory or, every other time, in page-locked memory.
GstBuffer* new_device_surface(const Content& content) {
  static unsigned made = 0;
  if (device() == nullptr) new_device();
  nvmm_frames::Batch batch = nvmm_cuda_frames::batch_in(
      device(), made++ % 2 == 0 ? nvmm_frames::kDevice : nvmm_frames::kPinned);
  batch.allocate = [allocate = batch.allocate](gsize bytes) {
    const nvmm_frames::Block block = allocate(bytes);
    if (surfaces_are_held) blocks().push_back(block);
    return block;
  };
  return new_nvmm_buffer(content, batch);
}

}  // namespace

void forget_context() {
  gst_clear_object(&context);
  blocks().clear();
  device().reset();
}

// Without a driver the CPU; with one the GPU, from system, CUDA and NVMM memory.
std::vector<const Memory*> memories_of(const Element& element) {
  static const Memory kBrought{"system memory on the GPU", "", "cuda", nullptr, nullptr};
  static const Memory kDevice{"CUDA memory", GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, "auto",
                              new_context, new_buffer};
  static const Memory kDeviceSurfaces{"NVMM memory on the GPU", kNvmm, "cuda", new_device,
                                      new_device_surface};
  // Decided before the first call to libgstcuda. Only endurance works without the stand-in's
  // counters.
  const bool on_gpu = standin::available() || std::getenv("RDP_ON_GPU") != nullptr;
  if (!on_gpu || !rdp::gst::cuda_memory_usable()) {
    return memories_of_cpu(element);
  }
  if (element.factory == "depthupload") return {&kBrought};
  // System memory on the GPU is left out: depthdownload accepts CUDA memory only, and on pictures
  // in system memory the CPU draws.
  if (element.factory == "depthdownload") return {&kDevice};
  if (element.factory == "rdpoverlay") {
    if (!takes_nvmm(element)) return {&kDevice};
    return {&kDevice, &kDeviceSurfaces};
  }
  if (!element.on_gpu) return {};
  if (!takes_nvmm(element)) return {&kBrought, &kDevice};
  return {&kBrought, &kDevice, &kDeviceSurfaces};
}

}  // namespace conformance
