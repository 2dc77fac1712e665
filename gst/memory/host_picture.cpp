// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/host_picture.h"

namespace rdp::gst {

bool HostPicture::map(GstBuffer* buffer, const GstVideoInfo& info, bool nvmm, std::string* reason) {
  unmap();
  if (nvmm) {
    if (!batch_.map(buffer, info, Access::kReadWrite, reason) ||
        !surface_.map(batch_.view()[0], Access::kReadWrite, reason)) {
      batch_.unmap();
      return false;
    }
    view_ = surface_.picture();
    return true;
  }
  constexpr auto kWrite = static_cast<GstMapFlags>(
      static_cast<int>(GST_MAP_WRITE) | static_cast<int>(GST_VIDEO_FRAME_MAP_FLAG_NO_REF));
  if (!gst_video_frame_map(&frame_, &info, buffer, kWrite)) {
    *reason = "it cannot be mapped for writing";
    return false;
  }
  frame_mapped_ = true;
  view_ = {static_cast<std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame_, 0)),
           GST_VIDEO_FRAME_PLANE_STRIDE(&frame_, 0), GST_VIDEO_INFO_WIDTH(&info),
           GST_VIDEO_INFO_HEIGHT(&info)};
  return true;
}

void HostPicture::unmap() {
  if (frame_mapped_) gst_video_frame_unmap(&frame_);
  frame_mapped_ = false;
  surface_.unmap();
  batch_.unmap();
  view_ = {};
}

}  // namespace rdp::gst
