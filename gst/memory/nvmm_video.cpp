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
  // The crop's first chroma sample.
  const auto chroma_at = [&](CUdeviceptr plane, std::int64_t pitch) {
    gsize origin = 0;
    find_plane_origin(gst_video_format_get_info(GST_VIDEO_FORMAT_NV12), 1, surface.origin,
                      static_cast<gsize>(pitch), &origin);
    video->planes[1] = plane + origin;
    video->pitches[1] = pitch;
  };
  if (surface.type != nvmm::MemType::kSurfaceArray) {
    const CUdeviceptr luma = rows.data - surface.origin_bytes(planes.pitch[0]);
    chroma_at(luma - planes.offset[0] + planes.offset[1], planes.pitch[1]);
    return true;
  }
  cuda::EglFrame frame;
  if (!find_egl_frame(surface, context, keep_alive, &frame, reason)) return false;
  if (frame.frame.pitch[1] == nullptr) {
    *reason = "the EGL image of the buffer's surface has one plane, where NV12 has two";
    return false;
  }
  chroma_at(reinterpret_cast<CUdeviceptr>(frame.frame.pitch[1]),
            static_cast<std::int64_t>(frame.pitch));
  return true;
}

}  // namespace rdp::gst
