// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/nvmm_video.h"

#include "gst/memory/nvmm_device.h"
#include "gst/memory/nvmm_egl.h"

namespace rdp::gst {

bool find_nvmm_video(const NvmmSurface& surface, CUcontext context,
                     const std::shared_ptr<void>& keep_alive, DeviceVideo* video,
                     std::string* reason) {
  NvmmDeviceRows rows;
  if (!find_nvmm_on_device(surface, context, keep_alive, &rows, reason)) return false;
  *video = {};
  video->width = surface.width;
  video->height = surface.height;
  video->planes[0] = rows.data;
  video->pitches[0] = rows.pitch;
  const nvmm::PlaneParams& planes = surface.params->planes;
  if (planes.num_planes < 2) return true;
  if (surface.origin.x != 0 || surface.origin.y != 0) {
    *reason = "it is cropped in place (GstVideoCropMeta): put nvvideoconvert before this element";
    return false;
  }
  if (surface.type != nvmm::MemType::kSurfaceArray) {
    video->planes[1] = rows.data + planes.offset[1] - planes.offset[0];
    video->pitches[1] = planes.pitch[1];
    return true;
  }
  cuda::EglFrame frame;
  if (!find_egl_frame(surface, context, keep_alive, &frame, reason)) return false;
  if (frame.frame.pitch[1] == nullptr) {
    *reason = "the EGL image of the buffer's surface has one plane, where NV12 has two";
    return false;
  }
  video->planes[1] = reinterpret_cast<CUdeviceptr>(frame.frame.pitch[1]);
  video->pitches[1] = static_cast<std::int64_t>(frame.pitch);
  return true;
}

}  // namespace rdp::gst
