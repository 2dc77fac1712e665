// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/conformance/stream.h"
#include "tests/support/cuda_frames.h"

namespace conformance {
namespace {

// Of the frames of a stream, which are made anew for each, in a context that works. Never freed:
// when static objects are, the driver may be gone.
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

}  // namespace

void forget_context() { gst_clear_object(&context); }

// Without a driver the CPU, with one the GPU: from system memory and from CUDA memory.
std::vector<const Memory*> memories_of(const Element& element) {
  static const Memory kHost;
  static const Memory kBrought{"system memory on the GPU", "", "cuda", nullptr, nullptr};
  static const Memory kDevice{"CUDA memory", GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, "auto",
                              new_context, new_buffer};
  // Before anything is asked of libgstcuda.
  if (!rdp::gst::cuda_memory_usable() || !standin::available()) {
    return element.gpu_only ? std::vector<const Memory*>() : std::vector<const Memory*>{&kHost};
  }
  if (element.factory == "depthupload") return {&kBrought};
  // The CPU draws on pictures in system memory.
  if (element.factory == "depthdownload" || element.factory == "rdpoverlay") return {&kDevice};
  if (!element.on_gpu) return {};
  return {&kBrought, &kDevice};
}

}  // namespace conformance
