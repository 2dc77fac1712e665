// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/host_picture.h"

#include "gst/memory/frame_layout.h"

namespace rdp::gst {

bool HostPicture::map(GstBuffer* picture, const GstVideoInfo& info, std::string* reason) {
  mapped_ = gst_video_frame_map(&frame_, &info, picture, GST_MAP_READWRITE) != FALSE;
  if (!mapped_) {
    *reason = format_text("a buffer of %" G_GSIZE_FORMAT
                          " bytes cannot be mapped as %dx%d %s for reading and writing",
                          gst_buffer_get_size(picture), GST_VIDEO_INFO_WIDTH(&info),
                          GST_VIDEO_INFO_HEIGHT(&info),
                          gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)));
  }
  return mapped_;
}

}  // namespace rdp::gst
