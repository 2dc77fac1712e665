// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/system_memory.h"

namespace rdp::gst {

// Maps one plane of a colour frame for reading; `view` has its size.
bool SystemFrame::map_plane(GstBuffer* buffer, const FrameLayout& layout, GstMapInfo* map,
                            MutableDepthView* view, std::string* reason) {
  const gsize bytes =
      layout.stride * static_cast<gsize>(view->height - 1) + static_cast<gsize>(view->width);
  guint first = 0;
  guint count = 0;
  gsize skipped = 0;
  if (!gst_buffer_find_memory(buffer, layout.offset, bytes, &first, &count, &skipped) ||
      !gst_buffer_map_range(buffer, first, static_cast<gint>(count), map, GST_MAP_READ)) {
    *reason = format_text("the %s of %" G_GSIZE_FORMAT " bytes at offset %" G_GSIZE_FORMAT
                          " of the buffer in %u memories cannot be mapped for reading",
                          view == &view_ ? "luma" : "chroma", bytes, layout.offset,
                          gst_buffer_n_memory(buffer));
    return false;
  }
  view->data = reinterpret_cast<std::byte*>(map->data) + skipped;
  view->stride = static_cast<std::ptrdiff_t>(layout.stride);
  return true;
}

bool SystemFrame::map(GstBuffer* buffer, const GstVideoInfo& info, Access access,
                      std::string* reason, bool chroma) {
  unmap();
  FrameLayout layout;
  const gsize size = gst_buffer_get_size(buffer);
  if (!find_frame_layout(buffer, size, info, info, &layout, reason)) return false;
  view_ = {nullptr, static_cast<std::ptrdiff_t>(layout.stride), samples_of_row(info),
           GST_VIDEO_INFO_HEIGHT(&info), sample_type(info)};
  if (is_luma_of_colour(info)) {
    if (!map_plane(buffer, layout, &map_, &view_, reason)) return false;
    buffer_ = buffer;
    if (!chroma) return true;
    chroma_ = {nullptr, 0, (view_.width + 1) / 2 * 2, (view_.height + 1) / 2, SampleType::kU8};
    if (find_chroma_layout(buffer, size, info, &layout, reason) &&
        map_plane(buffer, layout, &chroma_map_, &chroma_, reason)) {
      chroma_buffer_ = buffer;
      return true;
    }
    unmap();
    return false;
  }
  // Map the whole buffer, because gst_video_frame_map() maps only the memory in which a plane
  // begins, while the plane may continue in the next one.
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
  if (chroma_buffer_ != nullptr) gst_buffer_unmap(chroma_buffer_, &chroma_map_);
  chroma_buffer_ = nullptr;
  chroma_ = {};
  if (buffer_ == nullptr) return;
  gst_buffer_unmap(buffer_, &map_);
  buffer_ = nullptr;
}

}  // namespace rdp::gst
