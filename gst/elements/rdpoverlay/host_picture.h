// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_HOST_PICTURE_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_HOST_PICTURE_H_

#include <gst/video/video.h>

#include <cstddef>
#include <string>

#include "gst/memory/frame_layout.h"

namespace rdp::gst {

// A picture in system memory, mapped for as long as this lives.
class HostPicture {
 public:
  HostPicture() = default;
  ~HostPicture() {
    if (mapped_) gst_video_frame_unmap(&frame_);
  }
  HostPicture(const HostPicture&) = delete;
  HostPicture& operator=(const HostPicture&) = delete;

  // `picture` is writable, and its caps are `info`. Once. False: *reason says what failed.
  bool map(GstBuffer* picture, const GstVideoInfo& info, std::string* reason,
           GstMapFlags flags = GST_MAP_READWRITE) {
    mapped_ = gst_video_frame_map(&frame_, &info, picture, flags) != FALSE;
    if (mapped_) return true;
    *reason = format_text(
        "a buffer of %" G_GSIZE_FORMAT " bytes cannot be mapped as %dx%d %s for %swriting",
        gst_buffer_get_size(picture), GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info),
        gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)),
        flags == GST_MAP_READWRITE ? "reading and " : "");
    return false;
  }
  GstVideoFrame& frame() { return frame_; }
  std::byte* plane(guint p) {
    return static_cast<std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame_, p));
  }
  std::ptrdiff_t stride(guint p) const { return GST_VIDEO_FRAME_PLANE_STRIDE(&frame_, p); }

 private:
  GstVideoFrame frame_{};
  bool mapped_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_HOST_PICTURE_H_
