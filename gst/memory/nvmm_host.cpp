// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/nvmm_host.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "gst/memory/nvmm_library.h"

namespace rdp::gst {

using nvmm::MemType;

namespace {

// A mapped surface. The library keeps one address for a surface, and unmapping invalidates it for
// all users. So if several elements read a surface at the same time, behind a tee, the first maps
// it and the last unmaps it.
struct Mapping {
  const nvmm::SurfaceParams* params;
  int users;
};

struct Mappings {
  std::mutex mutex;
  std::vector<Mapping> list;  // of the few surfaces that are mapped at a time

  std::vector<Mapping>::iterator find(const NvmmSurface& surface) {
    return std::find_if(list.begin(), list.end(),
                        [&](const Mapping& mapping) { return mapping.params == surface.params; });
  }
};

// Never destroyed: buffers may outlive the program's static objects.
Mappings& mappings() {
  static auto* only = new Mappings;
  return *only;
}

bool map_array(const nvmm::Library& library, const NvmmSurface& surface, bool write,
               std::string* reason) {
  Mappings& all = mappings();
  const std::lock_guard lock(all.mutex);
  const auto found = all.find(surface);
  if (found != all.list.end()) {
    ++found->users;
    return true;
  }
  all.list.reserve(all.list.size() + 1);
  const int index = static_cast<int>(surface.index);
  if (library.NvBufSurfaceMap(surface.batch, index, 0,
                              write ? nvmm::MapFlags::kReadWrite : nvmm::MapFlags::kRead) != 0) {
    *reason = format_text("NvBufSurfaceMap() fails for surface %d of the buffer", index);
    return false;
  }
  if (surface.params->mapped[0] == nullptr ||
      library.NvBufSurfaceSyncForCpu(surface.batch, index, 0) != 0) {
    *reason = format_text("NvBufSurfaceSyncForCpu() fails for surface %d of the buffer", index);
    library.NvBufSurfaceUnMap(surface.batch, index, 0);
    return false;
  }
  all.list.push_back({surface.params, 1});
  return true;
}

void unmap_array(const nvmm::Library& library, const NvmmSurface& surface, bool written) {
  Mappings& all = mappings();
  const std::lock_guard lock(all.mutex);
  const int index = static_cast<int>(surface.index);
  if (written) library.NvBufSurfaceSyncForDevice(surface.batch, index, 0);
  const auto found = all.find(surface);
  if (--found->users > 0) return;
  all.list.erase(found);
  library.NvBufSurfaceUnMap(surface.batch, index, 0);
}

}  // namespace

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
  // Only a surface that nobody else holds is written to: see NvmmFrame::map().
  const bool write = access == Access::kReadWrite;
  if (!map_array(*library, surface, write, reason)) return false;
  array_ = true;
  written_ = write;
  data_ = static_cast<std::byte*>(surface.params->mapped[0]) + surface.origin_bytes(surface.pitch);
  return true;
}

void NvmmHostSurface::unmap() {
  if (array_) unmap_array(*nvmm::library(), surface_, written_);
  array_ = written_ = false;
  data_ = nullptr;
}

MutableDepthView NvmmHostSurface::view() const {
  return {data_, static_cast<std::ptrdiff_t>(surface_.pitch), surface_.samples_of_row(),
          surface_.height, surface_.sample_type()};
}

RgbaView NvmmHostSurface::picture() const {
  return {data_, static_cast<std::ptrdiff_t>(surface_.pitch), surface_.width, surface_.height};
}

}  // namespace rdp::gst
