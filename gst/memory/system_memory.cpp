// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/system_memory.h"

#include <cstdarg>

namespace rdp::gst {
namespace {

struct Layout {
  gsize offset;
  gsize stride;
};

std::string format(const char* text, ...) G_GNUC_PRINTF(1, 2);

std::string format(const char* text, ...) {
  va_list args;
  va_start(args, text);
  gchar* raw = g_strdup_vprintf(text, args);
  va_end(args);
  std::string result(raw);
  g_free(raw);
  return result;
}

// Where the samples are, or false with the reason. All arithmetic is on gsize, which holds any
// product of guint and the frame's height.
bool find_layout(GstBuffer* buffer, const GstVideoInfo& info, Layout* layout, std::string* reason) {
  const gsize size = gst_buffer_get_size(buffer);
  const gsize width = static_cast<gsize>(GST_VIDEO_INFO_WIDTH(&info));
  const gsize height = static_cast<gsize>(GST_VIDEO_INFO_HEIGHT(&info));
  const gsize row_bytes = width * static_cast<gsize>(GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0));
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  if (meta == nullptr) {
    if (size < GST_VIDEO_INFO_SIZE(&info)) {
      *reason = format("the caps say %ux%u %s, which takes %" G_GSIZE_FORMAT
                       " bytes (%d a row), but the buffer "
                       "has %" G_GSIZE_FORMAT "; a buffer with other strides needs a GstVideoMeta",
                       static_cast<guint>(width), static_cast<guint>(height),
                       gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)),
                       GST_VIDEO_INFO_SIZE(&info), GST_VIDEO_INFO_PLANE_STRIDE(&info, 0), size);
      return false;
    }
    *layout = {GST_VIDEO_INFO_PLANE_OFFSET(&info, 0),
               static_cast<gsize>(GST_VIDEO_INFO_PLANE_STRIDE(&info, 0))};
    return true;
  }
  if (meta->format != GST_VIDEO_INFO_FORMAT(&info) || meta->width != width ||
      meta->height != height || meta->n_planes != 1) {
    *reason =
        format("the caps say %ux%u %s, but the buffer's GstVideoMeta says %ux%u %s with %u planes",
               static_cast<guint>(width), static_cast<guint>(height),
               gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)), meta->width, meta->height,
               gst_video_format_to_string(meta->format), meta->n_planes);
    return false;
  }
  if (meta->stride[0] < 0 || static_cast<gsize>(meta->stride[0]) < row_bytes) {
    *reason = format(
        "the buffer's GstVideoMeta has a stride of %d bytes, but a row of %u samples "
        "takes %" G_GSIZE_FORMAT,
        meta->stride[0], static_cast<guint>(width), row_bytes);
    return false;
  }
  const gsize stride = static_cast<gsize>(meta->stride[0]);
  const gsize needed = stride * (height - 1) + row_bytes;
  if (meta->offset[0] > size || size - meta->offset[0] < needed) {
    *reason = format("the buffer's GstVideoMeta places %" G_GSIZE_FORMAT
                     " bytes at offset %" G_GSIZE_FORMAT
                     " (%u rows of stride %d), but the buffer "
                     "has %" G_GSIZE_FORMAT,
                     needed, meta->offset[0], static_cast<guint>(height), meta->stride[0], size);
    return false;
  }
  *layout = {meta->offset[0], stride};
  return true;
}

}  // namespace

bool SystemFrame::map(GstBuffer* buffer, const GstVideoInfo& info, Access access,
                      std::string* reason) {
  unmap();
  Layout layout;
  if (!find_layout(buffer, info, &layout, reason)) return false;
  // The whole buffer rather than gst_video_frame_map(): that maps only the memory a plane starts
  // in, while a plane may go on in the next one.
  const auto flags =
      static_cast<GstMapFlags>(access == Access::kRead ? GST_MAP_READ : GST_MAP_READWRITE);
  if (!gst_buffer_map(buffer, &map_, flags)) {
    *reason =
        format("the buffer of %" G_GSIZE_FORMAT " bytes in %u memories cannot be mapped for %s",
               gst_buffer_get_size(buffer), gst_buffer_n_memory(buffer),
               access == Access::kRead ? "reading" : "reading and writing");
    return false;
  }
  buffer_ = buffer;
  view_ = {
      reinterpret_cast<std::byte*>(map_.data) + layout.offset,
      static_cast<std::ptrdiff_t>(layout.stride), GST_VIDEO_INFO_WIDTH(&info),
      GST_VIDEO_INFO_HEIGHT(&info),
      GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_GRAY8 ? SampleType::kU8 : SampleType::kU16};
  return true;
}

void SystemFrame::unmap() {
  if (buffer_ == nullptr) return;
  gst_buffer_unmap(buffer_, &map_);
  buffer_ = nullptr;
}

}  // namespace rdp::gst
