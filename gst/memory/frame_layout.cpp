// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/frame_layout.h"

#include <cstdarg>

namespace rdp::gst {

std::string format_text(const char* format, ...) {
  va_list args;
  va_start(args, format);
  g_autofree gchar* raw = g_strdup_vprintf(format, args);
  va_end(args);
  return std::string(raw);
}

// The name of a format that anybody may have written, also of one that is none.
static const char* format_name(GstVideoFormat format) {
  if (format == GST_VIDEO_FORMAT_UNKNOWN) return "(unknown format)";
  const char* name = gst_video_format_to_string(format);
  return name != nullptr ? name : "(no format)";
}

// All arithmetic is on gsize, which holds any product of guint and the frame's height.
bool find_frame_layout(GstBuffer* buffer, gsize size, const GstVideoInfo& info,
                       const GstVideoInfo& bare, FrameLayout* layout, std::string* reason) {
  const gsize width = static_cast<gsize>(GST_VIDEO_INFO_WIDTH(&info));
  const gsize height = static_cast<gsize>(GST_VIDEO_INFO_HEIGHT(&info));
  const gsize row_bytes = width * static_cast<gsize>(GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0));
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  if (meta == nullptr) {
    if (size < GST_VIDEO_INFO_SIZE(&bare)) {
      *reason =
          format_text("the caps say %ux%u %s, which takes %" G_GSIZE_FORMAT
                      " bytes (%d a row), but the buffer "
                      "has %" G_GSIZE_FORMAT "; a buffer with other strides needs a GstVideoMeta",
                      static_cast<guint>(width), static_cast<guint>(height),
                      gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)),
                      GST_VIDEO_INFO_SIZE(&bare), GST_VIDEO_INFO_PLANE_STRIDE(&bare, 0), size);
      return false;
    }
    *layout = {GST_VIDEO_INFO_PLANE_OFFSET(&bare, 0),
               static_cast<gsize>(GST_VIDEO_INFO_PLANE_STRIDE(&bare, 0))};
    return true;
  }
  if (meta->format != GST_VIDEO_INFO_FORMAT(&info) || meta->width != width ||
      meta->height != height || meta->n_planes != 1) {
    *reason = format_text(
        "the caps say %ux%u %s, but the buffer's GstVideoMeta says %ux%u %s with %u planes",
        static_cast<guint>(width), static_cast<guint>(height),
        gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)), meta->width, meta->height,
        format_name(meta->format), meta->n_planes);
    return false;
  }
  if (meta->stride[0] < 0 || static_cast<gsize>(meta->stride[0]) < row_bytes) {
    *reason = format_text(
        "the buffer's GstVideoMeta has a stride of %d bytes, but a row of %u samples "
        "takes %" G_GSIZE_FORMAT,
        meta->stride[0], static_cast<guint>(width), row_bytes);
    return false;
  }
  const gsize stride = static_cast<gsize>(meta->stride[0]);
  const gsize needed = stride * (height - 1) + row_bytes;
  if (meta->offset[0] > size || size - meta->offset[0] < needed) {
    *reason = format_text(
        "the buffer's GstVideoMeta places %" G_GSIZE_FORMAT " bytes at offset %" G_GSIZE_FORMAT
        " (%u rows of stride %d), but the buffer "
        "has %" G_GSIZE_FORMAT,
        needed, meta->offset[0], static_cast<guint>(height), meta->stride[0], size);
    return false;
  }
  *layout = {meta->offset[0], stride};
  return true;
}

}  // namespace rdp::gst
