// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_HOST_H_
#define RDP_GST_MEMORY_NVMM_HOST_H_

#include <string>

#include "common/image/depth_view.h"
#include "common/rdp/overlay.h"
#include "gst/memory/nvmm_memory.h"

namespace rdp::gst {

// True if the CPU can reach surfaces of this type here: page-locked and system memory always,
// surface arrays if NVIDIA's buffer library is present.
bool nvmm_host_readable(nvmm::MemType type);

// A surface mapped for the CPU during this object's life; NvmmFrame must keep the surface mapped
// meanwhile.
class NvmmHostSurface {
 public:
  NvmmHostSurface() = default;
  ~NvmmHostSurface() { unmap(); }
  NvmmHostSurface(const NvmmHostSurface&) = delete;
  NvmmHostSurface& operator=(const NvmmHostSurface&) = delete;

  // False: *reason says why the CPU cannot reach it.
  bool map(const NvmmSurface& surface, Access access, std::string* reason);
  // Makes written samples visible to other devices.
  void unmap();

  // Only while mapped.
  MutableDepthView view() const;
  RgbaView picture() const;

 private:
  NvmmSurface surface_;
  std::byte* data_ = nullptr;
  bool array_ = false;  // has to be given back
  bool written_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_NVMM_HOST_H_
