// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/picture_mapper.h"

#ifdef RDP_HAVE_CUDA
#include "gst/memory/nvmm_device.h"
#endif

namespace rdp::gst {

bool PictureMapper::map_host(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind,
                             std::string* reason) {
  unmap();
  if (kind == MemoryKind::kNvmm) {
    if (!batch_.map(buffer, info, Access::kReadWrite, reason) ||
        !surface_.map(batch_.view()[0], Access::kReadWrite, reason)) {
      batch_.unmap();
      return false;
    }
    host_ = surface_.picture();
    return true;
  }
  constexpr auto kWrite = static_cast<GstMapFlags>(
      static_cast<int>(GST_MAP_WRITE) | static_cast<int>(GST_VIDEO_FRAME_MAP_FLAG_NO_REF));
  if (!gst_video_frame_map(&frame_, &info, buffer, kWrite)) {
    *reason = "it cannot be mapped for writing";
    return false;
  }
  frame_mapped_ = true;
  host_ = {static_cast<std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame_, 0)),
           GST_VIDEO_FRAME_PLANE_STRIDE(&frame_, 0), GST_VIDEO_INFO_WIDTH(&info),
           GST_VIDEO_INFO_HEIGHT(&info)};
  return true;
}

#ifdef RDP_HAVE_CUDA
bool PictureMapper::map_device(GstBuffer* buffer, const GstVideoInfo& info, MemoryKind kind,
                               CUctx_st* context, const std::shared_ptr<void>& keep_alive,
                               std::string* reason) {
  unmap();
#ifdef RDP_HAVE_GST_CUDA
  if (kind == MemoryKind::kCuda) {
    if (!cuda_.map(buffer, info, Access::kReadWrite, reason)) return false;
    if (cuda_handle(cuda_.context()) == context) {
      device_ = cuda_.picture();
      return true;
    }
    // The picture is in the context of earlier frames.
    cuda_.unmap();
    return map_host(buffer, info, kind, reason);
  }
#endif
  if (kind != MemoryKind::kNvmm) return map_host(buffer, info, kind, reason);
  if (!batch_.map(buffer, info, Access::kReadWrite, reason)) return false;
  const NvmmSurface& surface = batch_.view()[0];
  NvmmDeviceRows rows;
  if (!find_nvmm_on_device(surface, context, keep_alive, &rows, reason)) return false;
  device_ = {rows.data, rows.pitch, surface.width, surface.height};
  return true;
}
#endif

void PictureMapper::unmap() {
  if (frame_mapped_) gst_video_frame_unmap(&frame_);
  frame_mapped_ = false;
#ifdef RDP_HAVE_GST_CUDA
  cuda_.unmap();
#endif
  surface_.unmap();
  batch_.unmap();
  host_ = {};
  device_ = {};
}

}  // namespace rdp::gst
