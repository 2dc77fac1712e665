// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/host_picture.h"

#include "gst/memory/frame_layout.h"

namespace rdp::gst {

namespace {

// True if the buffer's GstVideoMeta describes a picture of that format, with each plane inside the
// buffer. Its size may differ from the caps'. *spans: a plane spans several of the buffer's
// memories.
bool is_inside(GstBuffer* picture, const GstVideoMeta& meta, const GstVideoInfo& info, bool* spans,
               std::string* reason) {
  constexpr const char* kRemedy =
      ": the element upstream of the pad video has to be right about its frames";
  const gsize size = gst_buffer_get_size(picture);
  const GstVideoFormatInfo* format = info.finfo;
  *spans = false;
  if (meta.format != GST_VIDEO_INFO_FORMAT(&info) ||
      meta.n_planes != GST_VIDEO_INFO_N_PLANES(&info)) {
    *reason = format_text(
        "the caps say %dx%d %s, but the buffer's GstVideoMeta says %ux%u of another format%s",
        GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info), format->name, meta.width,
        meta.height, kRemedy);
    return false;
  }
  // Tiled formats define the distance of rows themselves.
  if (GST_VIDEO_FORMAT_INFO_IS_TILED(format)) return true;
  // If pixels share bytes, use the row size of GStreamer's default layout.
  GstVideoInfo usual;
  if (!gst_video_info_set_format(&usual, meta.format, meta.width, meta.height)) {
    *reason =
        format_text("the buffer's GstVideoMeta says %ux%u%s", meta.width, meta.height, kRemedy);
    return false;
  }
  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS(format); ++c) {
    const guint plane = GST_VIDEO_FORMAT_INFO_PLANE(format, c);
    const auto width = static_cast<gsize>(
        GST_VIDEO_FORMAT_INFO_SCALE_WIDTH(format, c, static_cast<gint>(meta.width)));
    const auto rows = static_cast<gsize>(
        GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT(format, c, static_cast<gint>(meta.height)));
    const auto pixel = static_cast<gsize>(GST_VIDEO_FORMAT_INFO_PSTRIDE(format, c));
    const gsize row =
        pixel != 0 ? width * pixel : static_cast<gsize>(GST_VIDEO_INFO_PLANE_STRIDE(&usual, plane));
    const gint stride = meta.stride[plane];
    if (stride < 0 || static_cast<gsize>(stride) < row) {
      *reason = format_text(
          "the buffer's GstVideoMeta has a stride of %d bytes, but a row of %" G_GSIZE_FORMAT
          " pixels takes %" G_GSIZE_FORMAT "%s",
          stride, width, row, kRemedy);
      return false;
    }
    const gsize needed = rows == 0 ? 0 : static_cast<gsize>(stride) * (rows - 1) + row;
    if (meta.offset[plane] > size || size - meta.offset[plane] < needed) {
      *reason = format_text("the buffer's GstVideoMeta places %" G_GSIZE_FORMAT
                            " bytes at offset %" G_GSIZE_FORMAT
                            ", but the buffer has %" G_GSIZE_FORMAT "%s",
                            needed, meta.offset[plane], size, kRemedy);
      return false;
    }
    guint first = 0;
    guint memories = 0;
    gsize skipped = 0;
    *spans |=
        needed > 0 &&
        gst_buffer_find_memory(picture, meta.offset[plane], needed, &first, &memories, &skipped) &&
        memories > 1;
  }
  return true;
}

// Reduces `frame` to the part of the picture that `buffer`'s GstVideoCropMeta describes.
bool crop(GstBuffer* buffer, const GstVideoInfo& info, GstVideoFrame* frame, std::string* reason) {
  FrameOrigin origin;
  if (!find_frame_origin(buffer, info, static_cast<guint>(GST_VIDEO_FRAME_WIDTH(frame)),
                         static_cast<guint>(GST_VIDEO_FRAME_HEIGHT(frame)), "its picture", &origin,
                         reason)) {
    return false;
  }
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES(frame); ++p) {
    gsize begin = 0;
    if (!find_plane_origin(info.finfo, p, origin,
                           static_cast<gsize>(GST_VIDEO_FRAME_PLANE_STRIDE(frame, p)), &begin)) {
      const bool even_ones = !GST_VIDEO_FORMAT_INFO_IS_TILED(info.finfo) &&
                             GST_VIDEO_FORMAT_INFO_PSTRIDE(info.finfo, 0) != 0;
      *reason = format_text(
          "it is cropped in place from x=%u, y=%u on (GstVideoCropMeta), which divides pixels of "
          "%s that share bytes: %sput videoconvert before the crop",
          origin.x, origin.y, info.finfo->name, even_ones ? "crop at an even x, or " : "");
      return false;
    }
    frame->data[p] = static_cast<guint8*>(frame->data[p]) + begin;
  }
  frame->info.width = GST_VIDEO_INFO_WIDTH(&info);
  frame->info.height = GST_VIDEO_INFO_HEIGHT(&info);
  return true;
}

}  // namespace

bool make_writable(GstBuffer** picture, std::string* reason) {
  *picture = gst_buffer_make_writable(*picture);
  if (*picture != nullptr) return true;
  *reason =
      "another element holds its buffer, which cannot be copied: remove the tee before the pad "
      "video, or copy there";
  return false;
}

bool HostPicture::map(GstBuffer* picture, const GstVideoInfo& info, std::string* reason,
                      GstMapFlags flags) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(picture);
  if (bool spans = false; meta != nullptr) {
    if (!is_inside(picture, *meta, info, &spans, reason)) return false;
    FrameOrigin origin;
    if ((meta->width < static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)) ||
         meta->height < static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info))) &&
        !find_frame_origin(picture, info, meta->width, meta->height, "its GstVideoMeta", &origin,
                           reason)) {
      return false;
    }
    // With a GstVideoMeta GStreamer maps only the memory in which a plane begins.
    GstMemory* whole = spans ? gst_buffer_get_all_memory(picture) : nullptr;
    if (whole != nullptr) gst_buffer_replace_all_memory(picture, whole);
    if (spans && whole == nullptr) {
      *reason = "the buffer's memories cannot be joined: have a plane of a picture in one of them";
      return false;
    }
  }
  mapped_ = gst_video_frame_map(&frame_, &info, picture, flags) != FALSE;
  if (mapped_) return !is_cropped(picture) || crop(picture, info, &frame_, reason);
  if (const gsize size = gst_buffer_get_size(picture);
      meta == nullptr && size < GST_VIDEO_INFO_SIZE(&info)) {
    *reason = too_small_text(info, info, size);
    return false;
  }
  *reason = format_text(
      "a buffer of %" G_GSIZE_FORMAT " bytes cannot be mapped as %dx%d %s for %swriting",
      gst_buffer_get_size(picture), GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info),
      gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)),
      flags == GST_MAP_READWRITE ? "reading and " : "");
  return false;
}

}  // namespace rdp::gst
