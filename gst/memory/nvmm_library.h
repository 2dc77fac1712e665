// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_NVMM_LIBRARY_H_
#define RDP_GST_MEMORY_NVMM_LIBRARY_H_

#include <string>

#include "gst/memory/nvmm_layout.h"

// NVIDIA's libnvbufsurface, loaded at run time, so that one binary runs on machines with and
// without it. Needed where the structures alone do not suffice: surface arrays of Jetsons, and
// surfaces of our own.
namespace rdp::gst::nvmm {

// The functions in use, which all releases have. They return 0 on success.
#define RDP_NVMM_FUNCTIONS(F)                                         \
  F(NvBufSurfaceCreate, int(Surface**, std::uint32_t, CreateParams*)) \
  F(NvBufSurfaceDestroy, int(Surface*))                               \
  F(NvBufSurfaceMap, int(Surface*, int, int, MapFlags))               \
  F(NvBufSurfaceUnMap, int(Surface*, int, int))                       \
  F(NvBufSurfaceSyncForCpu, int(Surface*, int, int))                  \
  F(NvBufSurfaceSyncForDevice, int(Surface*, int, int))               \
  F(NvBufSurfaceMapEglImage, int(Surface*, int))                      \
  F(NvBufSurfaceUnMapEglImage, int(Surface*, int))

struct Library {
#define RDP_NVMM_MEMBER(name, ...)     \
  using name##_function = __VA_ARGS__; \
  name##_function* name = nullptr;
  RDP_NVMM_FUNCTIONS(RDP_NVMM_MEMBER)
#undef RDP_NVMM_MEMBER
  BatchLayout layout;  // layout of the surfaces that the library makes
};

// Loads the library on the first call. Null: there is none; *reason, if given, tells the user why.
// Any thread.
const Library* library(std::string* reason = nullptr) noexcept;

}  // namespace rdp::gst::nvmm

#endif  // RDP_GST_MEMORY_NVMM_LIBRARY_H_
