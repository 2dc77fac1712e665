// SPDX-License-Identifier: LGPL-2.1-or-later
// The GPUs of a build without CUDA: there are none.
#include "common/boundary.h"
#include "gst/cuda/gpu_provider.h"

namespace rdp::gst {
namespace {

constexpr const char* kMissing = "this rdpsegment was built without CUDA";

}  // namespace

struct GpuProvider::Impl : InstanceMemory {};

bool cuda_memory_available(std::string* reason) noexcept {
  give_reason(reason, kMissing);
  return false;
}

GstBufferPool* gpu_picture_pool_new(GstObject*) { return nullptr; }
bool is_gpu_picture_pool(GstBufferPool*, GstObject*) { return false; }

GpuProvider::GpuProvider(GstElement*) {}
GpuProvider::~GpuProvider() = default;

bool GpuProvider::device_exists(int, std::string* reason) noexcept {
  give_reason(reason, kMissing);
  return false;
}

void GpuProvider::start(int) { throw GpuError(kMissing); }
void GpuProvider::stop() {}
void GpuProvider::drop_states() {}
GpuSession* GpuProvider::session_for(const FrameContext&, int, std::string*) {
  throw GpuError(kMissing);
}
void GpuProvider::forget() {}
void GpuProvider::set_context(GstContext*, int) {}
bool GpuProvider::answer_context_query(GstQuery*) { return false; }
GstObject* GpuProvider::context() const { return nullptr; }
bool GpuProvider::propose_allocation(GstQuery*, int, bool) { return false; }

}  // namespace rdp::gst
