/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gst/rdpsegment/private/placement.h"

#include <gst/video/video.h>

#include <cmath>

#include "gst/rdpsegment/private/little_endian.h"

namespace rdp::meta {

/* Scales the picture, then shifts it. */
static void change(Placement* placement, double scale_x, double scale_y, double shift_x,
                   double shift_y) {
  placement->scale_x *= scale_x;
  placement->scale_y *= scale_y;
  placement->offset_x = placement->offset_x * scale_x + shift_x;
  placement->offset_y = placement->offset_y * scale_y + shift_y;
}

Placement placement_of_new(GstBuffer* buffer) {
  Placement placement;
  if (const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer)) {
    placement.offset_x = crop->x;
    placement.offset_y = crop->y;
  }
  return placement;
}

Placement without_crop(GstBuffer* buffer, Placement placement) {
  if (const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer)) {
    placement.offset_x -= crop->x;
    placement.offset_y -= crop->y;
  }
  return placement;
}

static bool scale(const GstVideoMetaTransform& transform, Placement* placement) {
  const int in_width = GST_VIDEO_INFO_WIDTH(transform.in_info);
  const int in_height = GST_VIDEO_INFO_HEIGHT(transform.in_info);
  if (in_width <= 0 || in_height <= 0) return false;
  change(placement, static_cast<double>(GST_VIDEO_INFO_WIDTH(transform.out_info)) / in_width,
         static_cast<double>(GST_VIDEO_INFO_HEIGHT(transform.out_info)) / in_height, 0.0, 0.0);
  return true;
}

#if GST_CHECK_VERSION(1, 28, 0)
/* The shift of one axis. The matrix maps pixel edges, but videoflip's maps pixel numbers when
 * mirroring: the last pixel becomes pixel 0. Its shift is one too small for edges. */
static double shift(double factor, double shift, int in_start, int out_start, int out_size) {
  if (factor < 0 && shift == out_size - 1) shift = out_size;
  return shift - factor * in_start + out_start;
}

/* Scaling, mirroring and shifting keep columns vertical. Other transforms do not, and metadata of
 * columns and rows cannot follow them. */
static bool matrix(const GstVideoMetaTransformMatrix& transform, Placement* placement) {
  const auto& m = transform.matrix;
  if (m[0][1] != 0 || m[1][0] != 0 || m[2][0] != 0 || m[2][1] != 0 || m[2][2] != 1) return false;
  /* The matrix maps positions within the first rectangle to positions within the second. */
  const GstVideoRectangle& in = transform.in_rectangle;
  const GstVideoRectangle& out = transform.out_rectangle;
  change(placement, m[0][0], m[1][1], shift(m[0][0], m[0][2], in.x, out.x, out.w),
         shift(m[1][1], m[1][2], in.y, out.y, out.h));
  return true;
}
#endif

bool transform_placement(GstBuffer* source, GQuark type, gpointer data, Placement* placement) {
  /* A copy of the whole buffer keeps its crop. A partial copy is no frame. */
  if (GST_META_TRANSFORM_IS_COPY(type)) {
    return static_cast<const GstMetaTransformCopy*>(data)->region == FALSE;
  }
  /* Elements that write new pixels read only the shown ones. Their sizes and rectangles refer to
   * the caps' picture, without the crop. */
  *placement = without_crop(source, *placement);
  if (GST_VIDEO_META_TRANSFORM_IS_SCALE(type)) {
    return scale(*static_cast<const GstVideoMetaTransform*>(data), placement);
  }
#if GST_CHECK_VERSION(1, 28, 0)
  if (GST_VIDEO_META_TRANSFORM_IS_MATRIX(type)) {
    return matrix(*static_cast<const GstVideoMetaTransformMatrix*>(data), placement);
  }
#endif
  return false;
}

void write_placement(const Placement& placement, guint8* out) {
  write_le<gdouble>(out, placement.scale_x);
  write_le<gdouble>(out + 8, placement.scale_y);
  write_le<gdouble>(out + 16, placement.offset_x);
  write_le<gdouble>(out + 24, placement.offset_y);
}

bool read_placement(const guint8* in, Placement* placement) {
  *placement = {read_le<gdouble>(in), read_le<gdouble>(in + 8), read_le<gdouble>(in + 16),
                read_le<gdouble>(in + 24)};
  return std::isfinite(placement->scale_x) && std::isfinite(placement->scale_y) &&
         std::isfinite(placement->offset_x) && std::isfinite(placement->offset_y);
}

}  // namespace rdp::meta
