// SPDX-License-Identifier: LGPL-2.1-or-later
// GPUs in builds without CUDA: there are none.
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

static PoolKind no_pools() {
  PoolKind kind;
  kind.make = [](gpointer) -> GstBufferPool* { return nullptr; };
  kind.takes = [](GstBufferPool*, gpointer) { return false; };
  return kind;
}

PoolKind gpu_picture_pools(GstObject*) { return no_pools(); }
PoolKind gpu_frame_pools(GstObject*) { return no_pools(); }

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
GstAllocator* GpuProvider::new_page_locked() { return nullptr; }
bool GpuProvider::propose_allocation(GstQuery*, int, bool) { return false; }

}  // namespace rdp::gst
