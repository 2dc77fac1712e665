// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/system_memory.h"

namespace rdp::gst {

bool SystemFrame::map_luma(GstBuffer* buffer, const FrameLayout& layout, gsize rows,
                           gsize row_bytes, std::string* reason) {
  const gsize bytes = layout.stride * (rows - 1) + row_bytes;
  guint first = 0;
  guint count = 0;
  gsize skipped = 0;
  if (!gst_buffer_find_memory(buffer, layout.offset, bytes, &first, &count, &skipped) ||
      !gst_buffer_map_range(buffer, first, static_cast<gint>(count), &map_, GST_MAP_READ)) {
    *reason = format_text("the luma of %" G_GSIZE_FORMAT " bytes at offset %" G_GSIZE_FORMAT
                          " of the buffer in %u memories cannot be mapped for reading",
                          bytes, layout.offset, gst_buffer_n_memory(buffer));
    return false;
  }
  buffer_ = buffer;
  view_.data = reinterpret_cast<std::byte*>(map_.data) + skipped;
  return true;
}

bool SystemFrame::map(GstBuffer* buffer, const GstVideoInfo& info, Access access,
                      std::string* reason) {
  unmap();
  FrameLayout layout;
  if (!find_frame_layout(buffer, gst_buffer_get_size(buffer), info, info, &layout, reason)) {
    return false;
  }
  view_ = {nullptr, static_cast<std::ptrdiff_t>(layout.stride), GST_VIDEO_INFO_WIDTH(&info),
           GST_VIDEO_INFO_HEIGHT(&info), sample_type(info)};
  if (is_luma_of_colour(info)) {
    return map_luma(buffer, layout, static_cast<gsize>(view_.height),
                    static_cast<gsize>(view_.width), reason);
  }
  // The whole buffer rather than gst_video_frame_map(): that maps only the memory a plane starts
  // in, while a plane may go on in the next one.
  const auto flags =
      static_cast<GstMapFlags>(access == Access::kRead ? GST_MAP_READ : GST_MAP_READWRITE);
  if (!gst_buffer_map(buffer, &map_, flags)) {
    *reason = format_text("the buffer of %" G_GSIZE_FORMAT
                          " bytes in %u memories cannot be mapped for %s",
                          gst_buffer_get_size(buffer), gst_buffer_n_memory(buffer),
                          access == Access::kRead ? "reading" : "reading and writing");
    return false;
  }
  buffer_ = buffer;
  view_.data = reinterpret_cast<std::byte*>(map_.data) + layout.offset;
  return true;
}

void SystemFrame::unmap() {
  if (buffer_ == nullptr) return;
  gst_buffer_unmap(buffer_, &map_);
  buffer_ = nullptr;
}

}  // namespace rdp::gst
