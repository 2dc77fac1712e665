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

// Returns the name of a format from foreign metadata, which may be invalid.
static const char* format_name(GstVideoFormat format) {
  if (format == GST_VIDEO_FORMAT_UNKNOWN) return "(unknown format)";
  const char* name = gst_video_format_to_string(format);
  return name != nullptr ? name : "(no format)";
}

bool find_frame_origin(GstBuffer* buffer, const GstVideoInfo& info, guint width, guint height,
                       const char* picture, FrameOrigin* origin, std::string* reason) {
  const auto frame_width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  const auto frame_height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
  const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer);
  *origin = {};
  if (crop == nullptr) {
    if (width == frame_width && height == frame_height) return true;
    *reason = format_text("the caps say %ux%u, but %s is %ux%u", frame_width, frame_height, picture,
                          width, height);
    return false;
  }
  if (crop->width != frame_width || crop->height != frame_height) {
    *reason = format_text(
        "the caps say %ux%u, but the buffer's GstVideoCropMeta says %ux%u: the element that crops "
        "has to send caps of the crop's size before the buffer",
        frame_width, frame_height, crop->width, crop->height);
    return false;
  }
  if (crop->x > width || width - crop->x < frame_width || crop->y > height ||
      height - crop->y < frame_height) {
    *reason = format_text(
        "the buffer's GstVideoCropMeta says %ux%u from x=%u, y=%u on, but %s is %ux%u: the element "
        "that crops has to stay inside of it",
        crop->width, crop->height, crop->x, crop->y, picture, width, height);
    return false;
  }
  *origin = {crop->x, crop->y};
  return true;
}

bool find_plane_origin(const GstVideoFormatInfo* format, guint plane, const FrameOrigin& origin,
                       gsize stride, gsize* bytes) {
  *bytes = 0;
  if (origin.x == 0 && origin.y == 0) return true;
  if (GST_VIDEO_FORMAT_INFO_IS_TILED(format)) return false;
  bool first = true;
  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS(format); ++c) {
    if (GST_VIDEO_FORMAT_INFO_PLANE(format, c) != plane) continue;
    const auto pixel = static_cast<gsize>(GST_VIDEO_FORMAT_INFO_PSTRIDE(format, c));
    if (pixel == 0 && origin.x != 0) return false;
    const gsize column = origin.x >> GST_VIDEO_FORMAT_INFO_W_SUB(format, c);
    const gsize row = origin.y >> GST_VIDEO_FORMAT_INFO_H_SUB(format, c);
    const gsize begin = row * stride + column * pixel;
    if (!first && begin != *bytes) return false;
    *bytes = begin;
    first = false;
  }
  return true;
}

bool takes_any_crop(const GstVideoInfo& info) {
  gsize begin = 0;
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES(&info); ++p) {
    const auto stride = static_cast<gsize>(GST_VIDEO_INFO_PLANE_STRIDE(&info, p));
    if (!find_plane_origin(info.finfo, p, {1, 1}, stride, &begin)) return false;
  }
  return true;
}

// Returns the bytes of a frame without padding between its rows; 0 if pixels share bytes.
static gsize tight_size(const GstVideoInfo& info) {
  gsize size = 0;
  guint planes = 0;  // bit mask of the counted planes
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS(&info); ++c) {
    const auto pixel = static_cast<gsize>(GST_VIDEO_INFO_COMP_PSTRIDE(&info, c));
    if (pixel == 0 || GST_VIDEO_FORMAT_INFO_IS_TILED(info.finfo)) return 0;
    const guint plane = 1U << static_cast<guint>(GST_VIDEO_INFO_COMP_PLANE(&info, c));
    if ((planes & plane) == 0) {
      size += pixel * static_cast<gsize>(GST_VIDEO_INFO_COMP_WIDTH(&info, c)) *
              static_cast<gsize>(GST_VIDEO_INFO_COMP_HEIGHT(&info, c));
    }
    planes |= plane;
  }
  return size;
}

int times_too_large(GstBuffer* buffer, const GstVideoInfo& info) {
  constexpr gsize kMost = 4;
  const gsize size = gst_buffer_get_size(buffer);
  const gsize one = GST_VIDEO_INFO_SIZE(&info);
  if (size <= one || size > kMost * one || GST_VIDEO_INFO_N_PLANES(&info) != 1) return 0;
  if (gst_buffer_get_video_meta(buffer) != nullptr) return 0;
  for (const gsize bytes : {one, tight_size(info)}) {
    if (bytes != 0 && size % bytes == 0 && size / bytes <= kMost) {
      return static_cast<int>(size / bytes);
    }
  }
  return 0;
}

std::string too_small_text(const GstVideoInfo& info, const GstVideoInfo& bare, gsize size) {
  const gint stride = GST_VIDEO_INFO_PLANE_STRIDE(&bare, 0);
  const gint row = GST_VIDEO_INFO_COMP_WIDTH(&info, 0) * GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0);
  const std::string remedy =
      size == tight_size(info)
          ? format_text(
                ": its rows are not padded. Pad each row to a multiple of 4 bytes (numpy.pad), "
                "here "
                "from %d to %d, or add a GstVideoMeta with the stride %d (in Python "
                "GstVideo.buffer_add_video_meta_full)",
                row, stride, row)
          : "; a buffer with other strides needs a GstVideoMeta";
  return format_text("the caps say %dx%d %s, which takes %" G_GSIZE_FORMAT
                     " bytes (%d a row), but the buffer has %" G_GSIZE_FORMAT "%s",
                     GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info),
                     gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)),
                     GST_VIDEO_INFO_SIZE(&bare), stride, size, remedy.c_str());
}

namespace {

// The place of a picture in its buffer.
struct Picture {
  guint width;
  guint height;
  gsize offset;
  gint stride;
};

// Reads the picture that a GstVideoMeta describes. It must have the caps' format and, unless
// cropped, the caps' size.
bool describe(const GstVideoMeta& meta, const GstVideoInfo& info, bool cropped, Picture* picture,
              std::string* reason) {
  const auto width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  const auto height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
  const bool size_fits = cropped || (meta.width == width && meta.height == height);
  if (meta.format != GST_VIDEO_INFO_FORMAT(&info) || !size_fits ||
      meta.n_planes != GST_VIDEO_INFO_N_PLANES(&info)) {
    *reason = format_text(
        "the caps say %ux%u %s, but the buffer's GstVideoMeta says %ux%u %s with %u planes", width,
        height, gst_video_format_to_string(GST_VIDEO_INFO_FORMAT(&info)), meta.width, meta.height,
        format_name(meta.format), meta.n_planes);
    return false;
  }
  *picture = {meta.width, meta.height, meta.offset[0], meta.stride[0]};
  return true;
}

// Checks that the picture is inside a buffer of `size` bytes, and that its rows do not overlap. All
// arithmetic is on gsize, which holds any product of guint and gint. Neither side of the picture is
// 0.
bool is_inside(const Picture& picture, gsize sample_bytes, gsize size, std::string* reason) {
  const gsize row_bytes = static_cast<gsize>(picture.width) * sample_bytes;
  if (picture.stride < 0 || static_cast<gsize>(picture.stride) < row_bytes) {
    *reason = format_text(
        "the buffer's GstVideoMeta has a stride of %d bytes, but a row of %u samples "
        "takes %" G_GSIZE_FORMAT,
        picture.stride, picture.width, row_bytes);
    return false;
  }
  const gsize needed = static_cast<gsize>(picture.stride) * (picture.height - 1) + row_bytes;
  if (picture.offset > size || size - picture.offset < needed) {
    *reason = format_text("the buffer's GstVideoMeta places %" G_GSIZE_FORMAT
                          " bytes at offset %" G_GSIZE_FORMAT
                          " (%u rows of stride %d), but the buffer "
                          "has %" G_GSIZE_FORMAT,
                          needed, picture.offset, picture.height, picture.stride, size);
    return false;
  }
  return true;
}

}  // namespace

bool find_frame_layout(GstBuffer* buffer, gsize size, const GstVideoInfo& info,
                       const GstVideoInfo& bare, FrameLayout* layout, std::string* reason) {
  const auto sample_bytes = static_cast<gsize>(GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0));
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  Picture picture{static_cast<guint>(GST_VIDEO_INFO_WIDTH(&bare)),
                  static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&bare)),
                  GST_VIDEO_INFO_PLANE_OFFSET(&bare, 0), GST_VIDEO_INFO_PLANE_STRIDE(&bare, 0)};
  FrameOrigin origin;
  if (meta == nullptr) {
    if (size < GST_VIDEO_INFO_SIZE(&bare)) {
      *reason = too_small_text(info, bare, size);
      return false;
    }
    if (!find_frame_origin(buffer, info, picture.width, picture.height,
                           "the picture, without a GstVideoMeta,", &origin, reason)) {
      return false;
    }
  } else if (!describe(*meta, info, is_cropped(buffer), &picture, reason) ||
             !find_frame_origin(buffer, info, picture.width, picture.height,
                                "the picture of its GstVideoMeta", &origin, reason) ||
             !is_inside(picture, sample_bytes, size, reason)) {
    return false;
  }
  const auto stride = static_cast<gsize>(picture.stride);
  *layout = {picture.offset + origin.y * stride + origin.x * sample_bytes, stride};
  return true;
}

bool find_chroma_layout(GstBuffer* buffer, gsize size, const GstVideoInfo& info,
                        FrameLayout* layout, std::string* reason) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  const guint width = meta != nullptr ? meta->width : static_cast<guint>(info.width);
  const guint height = meta != nullptr ? meta->height : static_cast<guint>(info.height);
  const Picture chroma{(width + 1) / 2, (height + 1) / 2,
                       meta != nullptr ? meta->offset[1] : GST_VIDEO_INFO_PLANE_OFFSET(&info, 1),
                       meta != nullptr ? meta->stride[1] : GST_VIDEO_INFO_PLANE_STRIDE(&info, 1)};
  FrameOrigin origin;
  if (!find_frame_origin(buffer, info, width, height, "the picture", &origin, reason) ||
      !is_inside(chroma, 2, size, reason)) {
    return false;
  }
  gsize begin = 0;
  find_plane_origin(info.finfo, 1, origin, static_cast<gsize>(chroma.stride), &begin);
  *layout = {chroma.offset + begin, static_cast<gsize>(chroma.stride)};
  return true;
}

std::string number_text(double value, const char* format) {
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_ascii_formatd(text, sizeof text, format, value);
}

}  // namespace rdp::gst
