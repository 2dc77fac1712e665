// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/nvmm_host.h"

#include "gst/memory/nvmm_library.h"

namespace rdp::gst {

using nvmm::MemType;

bool nvmm_host_readable(MemType type) {
  return type == MemType::kCudaPinned || type == MemType::kSystem ||
         (type == MemType::kSurfaceArray && nvmm::library() != nullptr);
}

bool NvmmHostSurface::map(const NvmmSurface& surface, Access access, std::string* reason) {
  unmap();
  surface_ = surface;
  if (surface.type == MemType::kCudaPinned || surface.type == MemType::kSystem) {
    data_ = surface.data;
    return true;
  }
  if (surface.type != MemType::kSurfaceArray) {
    *reason = format_text("%s is not for the CPU", nvmm_type_name(surface.type));
    return false;
  }
  const nvmm::Library* library = nvmm::library(reason);
  if (library == nullptr) return false;
  const int index = static_cast<int>(surface.index);
  written_ = access == Access::kReadWrite;
  if (library->NvBufSurfaceMap(surface.batch, index, 0,
                               written_ ? nvmm::MapFlags::kReadWrite : nvmm::MapFlags::kRead) !=
      0) {
    *reason = format_text("NvBufSurfaceMap() fails for surface %d of the buffer", index);
    return false;
  }
  array_ = true;
  if (surface.params->mapped[0] == nullptr ||
      library->NvBufSurfaceSyncForCpu(surface.batch, index, 0) != 0) {
    *reason = format_text("NvBufSurfaceSyncForCpu() fails for surface %d of the buffer", index);
    written_ = false;
    unmap();
    return false;
  }
  data_ = static_cast<std::byte*>(surface.params->mapped[0]);
  return true;
}

void NvmmHostSurface::unmap() {
  if (array_) {
    const nvmm::Library* library = nvmm::library();
    const int index = static_cast<int>(surface_.index);
    if (written_) library->NvBufSurfaceSyncForDevice(surface_.batch, index, 0);
    library->NvBufSurfaceUnMap(surface_.batch, index, 0);
  }
  array_ = written_ = false;
  data_ = nullptr;
}

MutableDepthView NvmmHostSurface::view() const {
  return {data_, static_cast<std::ptrdiff_t>(surface_.pitch), surface_.width, surface_.height,
          surface_.sample_bytes == 1 ? SampleType::kU8 : SampleType::kU16};
}

RgbaView NvmmHostSurface::picture() const {
  return {data_, static_cast<std::ptrdiff_t>(surface_.pitch), surface_.width, surface_.height};
}

}  // namespace rdp::gst
