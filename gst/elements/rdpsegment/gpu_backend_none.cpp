// SPDX-License-Identifier: LGPL-2.1-or-later
// The GPU of a build without CUDA: there is none.
#include "gst/elements/rdpsegment/gpu_backend.h"

#include "common/boundary.h"

namespace rdp::gst {
namespace {

constexpr const char* kMissing = "this rdpsegment was built without CUDA";

}  // namespace

struct GpuBackend::Impl : InstanceMemory {};

bool cuda_memory_available(std::string* reason) noexcept {
  give_reason(reason, kMissing);
  return false;
}

GstBufferPool* gpu_picture_pool_new(GstObject*) { return nullptr; }
bool is_gpu_picture_pool(GstBufferPool*, GstObject*) { return false; }

GpuBackend::GpuBackend(GstElement*) {}
GpuBackend::~GpuBackend() = default;

bool GpuBackend::device_exists(int, std::string* reason) noexcept {
  give_reason(reason, kMissing);
  return false;
}

void GpuBackend::start(int) { throw GpuError(kMissing); }
void GpuBackend::stop() {}

void GpuBackend::set_context(GstContext*, int) {}
bool GpuBackend::answer_context_query(GstQuery*) { return false; }
GstObject* GpuBackend::context() const { return nullptr; }
bool GpuBackend::propose_allocation(GstQuery*, int, bool) { return false; }

bool GpuBackend::map(GstBuffer*, const GstVideoInfo&, MemoryKind, bool, int, std::string*) {
  throw GpuError(kMissing);
}
bool GpuBackend::map_surface(const NvmmSurface&, int, std::string*) { throw GpuError(kMissing); }
bool GpuBackend::map_picture(GstBuffer*, const GstVideoInfo&, MemoryKind, const OverlayOptions&,
                             std::string*) {
  throw GpuError(kMissing);
}
void GpuBackend::process(const Parameters&, bool, SegmentationDraft*) { throw GpuError(kMissing); }
void GpuBackend::unmap() {}

}  // namespace rdp::gst
