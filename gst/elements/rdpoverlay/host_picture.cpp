// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/host_picture.h"

#include "gst/memory/frame_layout.h"

namespace rdp::gst {

namespace {

// Whether a GstVideoMeta describes a picture of that format, each of whose planes is inside of a
// buffer of `size` bytes. Its size may be another than that of the caps.
bool is_inside(const GstVideoMeta& meta, const GstVideoInfo& info, gsize size,
               std::string* reason) {
  const GstVideoFormatInfo* format = info.finfo;
  if (meta.format != GST_VIDEO_INFO_FORMAT(&info) ||
      meta.n_planes != GST_VIDEO_INFO_N_PLANES(&info)) {
    *reason = format_text(
        "the caps say %dx%d %s, but the buffer's GstVideoMeta says %ux%u of another format",
        GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info), format->name, meta.width,
        meta.height);
    return false;
  }
  // How many bytes the rows of a tile are apart, only its format knows.
  if (GST_VIDEO_FORMAT_INFO_IS_TILED(format)) return true;
  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS(format); ++c) {
    const guint plane = GST_VIDEO_FORMAT_INFO_PLANE(format, c);
    const auto width = static_cast<gsize>(
        GST_VIDEO_FORMAT_INFO_SCALE_WIDTH(format, c, static_cast<gint>(meta.width)));
    const auto rows = static_cast<gsize>(
        GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT(format, c, static_cast<gint>(meta.height)));
    const gsize row = width * static_cast<gsize>(GST_VIDEO_FORMAT_INFO_PSTRIDE(format, c));
    const gint stride = meta.stride[plane];
    if (stride < 0 || static_cast<gsize>(stride) < row) {
      *reason = format_text(
          "the buffer's GstVideoMeta has a stride of %d bytes, but a row of %" G_GSIZE_FORMAT
          " pixels takes %" G_GSIZE_FORMAT,
          stride, width, row);
      return false;
    }
    const gsize needed = rows == 0 ? 0 : static_cast<gsize>(stride) * (rows - 1) + row;
    if (meta.offset[plane] > size || size - meta.offset[plane] < needed) {
      *reason =
          format_text("the buffer's GstVideoMeta places %" G_GSIZE_FORMAT
                      " bytes at offset %" G_GSIZE_FORMAT ", but the buffer has %" G_GSIZE_FORMAT,
                      needed, meta.offset[plane], size);
      return false;
    }
  }
  return true;
}

}  // namespace

bool HostPicture::map(GstBuffer* picture, const GstVideoInfo& info, std::string* reason,
                      GstMapFlags flags) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(picture);
  if (meta != nullptr && !is_inside(*meta, info, gst_buffer_get_size(picture), reason)) {
    return false;
  }
  mapped_ = gst_video_frame_map(&frame_, &info, picture, flags) != FALSE;
  if (mapped_) return true;
  *reason = format_text(
      "a buffer of %" G_GSIZE_FORMAT " bytes cannot be mapped as %dx%d %s for %swriting",
      gst_buffer_get_size(picture), GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info),
      gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)),
      flags == GST_MAP_READWRITE ? "reading and " : "");
  return false;
}

}  // namespace rdp::gst
