/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gst/deepstream/rdpdeepstream.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/image/float_environment.h"
#include "common/rdp/overlay_pixels.h"

namespace {

// DeepStream hands both functions the NvDsUserMeta. A copy shares the segmentation, which nobody
// changes.
gpointer copy_segmentation(gpointer data, gpointer) {
  const auto* meta = static_cast<const NvDsUserMeta*>(data);
  return gst_rdp_segmentation_ref(static_cast<GstRdpSegmentation*>(meta->user_meta_data));
}

void release_segmentation(gpointer data, gpointer) {
  auto* meta = static_cast<NvDsUserMeta*>(data);
  if (meta->user_meta_data == nullptr) return;
  gst_rdp_segmentation_unref(static_cast<GstRdpSegmentation*>(meta->user_meta_data));
  meta->user_meta_data = nullptr;
}

class MetaLock {
 public:
  explicit MetaLock(NvDsBatchMeta* batch) : batch_(batch) { nvds_acquire_meta_lock(batch); }
  ~MetaLock() { nvds_release_meta_lock(batch_); }
  MetaLock(const MetaLock&) = delete;
  MetaLock& operator=(const MetaLock&) = delete;

 private:
  NvDsBatchMeta* batch_;
};

float mean_value(const GstRdpSegment& segment) {
  return 0.5F * (segment.first_value + segment.last_value);
}

template <typename Function>
void for_each_segment(GstRdpSegmentation* segmentation, guint column_step, Function&& function) {
  const guint columns = gst_rdp_segmentation_get_n_columns(segmentation);
  for (guint64 column = 0; column < columns; column += column_step) {
    gsize count = 0;
    const GstRdpSegment* segments =
        gst_rdp_segmentation_get_column(segmentation, static_cast<guint>(column), &count);
    for (gsize i = 0; i < count; ++i) {
      if (!function(static_cast<guint>(column), segments[i])) return;
    }
  }
}

rdp::PaletteRange palette_range(GstRdpSegmentation* segmentation,
                                const GstRdpDeepStreamLines& lines) {
  if (lines.palette_min != lines.palette_max) {
    return rdp::palette_range_between(lines.palette_min, lines.palette_max);
  }
  float low = std::numeric_limits<float>::max();
  float high = std::numeric_limits<float>::lowest();
  for_each_segment(segmentation, lines.column_step, [&](guint, const GstRdpSegment& segment) {
    low = std::min(low, mean_value(segment));
    high = std::max(high, mean_value(segment));
    return true;
  });
  return low > high ? rdp::PaletteRange{} : rdp::palette_range_between(low, high);
}

NvOSD_ColorParams colour_of(float value, const rdp::PaletteRange& range, double alpha) {
  const rdp::Rgb colour = rdp::kPalette[rdp::palette_entry(rdp::palette_position(value, range))];
  return {colour.r / 255.0, colour.g / 255.0, colour.b / 255.0, alpha};
}

// From positions in the segmented frame to pixels of the picture, as the placement of
// GstRdpSegmentMeta maps them: centres of pixels, which have whole numbers, to centres. Never
// beyond the picture's edge: what draws takes unsigned coordinates as they are.
class Placement {
 public:
  Placement(const GstRdpSegmentationInfo& info, guint width, guint height)
      : info_(info),
        scale_x_(static_cast<double>(width) / info.width),
        scale_y_(static_cast<double>(height) / info.height),
        last_x_(width - 1.0),
        last_y_(height - 1.0) {}

  // The middle of the pixel columns that a segmented column covers.
  guint x(guint column) const {
    const double first = static_cast<double>(column) * info_.column_width;
    const double last = std::min(first + info_.column_width, static_cast<double>(info_.width)) - 1;
    return rounded((0.5 * (first + last) + 0.5) * scale_x_ - 0.5, last_x_);
  }
  guint y(guint row) const { return rounded((row + 0.5) * scale_y_ - 0.5, last_y_); }

 private:
  static guint rounded(double position, double last) {
    return static_cast<guint>(std::clamp(std::floor(position + 0.5), 0.0, last));
  }

  const GstRdpSegmentationInfo& info_;
  double scale_x_;
  double scale_y_;
  double last_x_;
  double last_y_;
};

guint first_not_zero(guint chosen, guint of_pipeline, guint of_source) {
  return chosen != 0 ? chosen : of_pipeline != 0 ? of_pipeline : of_source;
}

// An empty display meta on the frame; null where the batch's pool has no more.
NvDsDisplayMeta* add_display_meta(NvDsBatchMeta* batch, NvDsFrameMeta* frame) {
  NvDsDisplayMeta* meta = nvds_acquire_display_meta_from_pool(batch);
  if (meta == nullptr) return nullptr;
  meta->num_rects = 0;
  meta->num_labels = 0;
  meta->num_lines = 0;
  meta->num_arrows = 0;
  meta->num_circles = 0;
  nvds_add_display_meta_to_frame(frame, meta);
  return meta;
}

}  // namespace

/**
 * gst_rdp_deepstream_get_meta_type:
 *
 * The type of a segmentation among the user metadata of a frame: DeepStream's number for
 * "RDPSEGMENT.RDPSEGMENT.SEGMENTATION".
 *
 * Returns: the type, the same for the whole life of the process
 *
 * Since: 0.2
 */
NvDsMetaType gst_rdp_deepstream_get_meta_type(void) {
  static const NvDsMetaType type = [] {
    gchar name[] = "RDPSEGMENT.RDPSEGMENT.SEGMENTATION";
    return nvds_get_user_meta_type(name);
  }();
  return type;
}

/**
 * gst_rdp_deepstream_add_segmentation:
 * @batch: the batch that @frame belongs to, which is locked meanwhile
 * @frame: a frame
 * @segmentation: (transfer none): its segments; a reference is taken
 *
 * Puts the segments on the frame, as user metadata of gst_rdp_deepstream_get_meta_type(). A copy of
 * the batch's metadata shares the segmentation; the reference ends with the metadata.
 *
 * Returns: (transfer none) (nullable): the user metadata, or %NULL where the batch's pool has none
 *
 * Since: 0.2
 */
NvDsUserMeta* gst_rdp_deepstream_add_segmentation(NvDsBatchMeta* batch, NvDsFrameMeta* frame,
                                                  GstRdpSegmentation* segmentation) {
  g_return_val_if_fail(batch != nullptr && frame != nullptr, nullptr);
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(segmentation), nullptr);
  const MetaLock lock(batch);
  NvDsUserMeta* meta = nvds_acquire_user_meta_from_pool(batch);
  if (meta == nullptr) return nullptr;
  meta->user_meta_data = gst_rdp_segmentation_ref(segmentation);
  meta->base_meta.meta_type = gst_rdp_deepstream_get_meta_type();
  meta->base_meta.copy_func = copy_segmentation;
  meta->base_meta.release_func = release_segmentation;
  nvds_add_user_meta_to_frame(frame, meta);
  return meta;
}

/**
 * gst_rdp_deepstream_get_segmentation:
 * @frame: a frame
 *
 * Hold the batch's lock (nvds_acquire_meta_lock()) where other threads may change its metadata.
 *
 * Returns: (transfer none) (nullable): the segments that gst_rdp_deepstream_add_segmentation() put
 *   on the frame, the first if there are several, or %NULL
 *
 * Since: 0.2
 */
GstRdpSegmentation* gst_rdp_deepstream_get_segmentation(const NvDsFrameMeta* frame) {
  g_return_val_if_fail(frame != nullptr, nullptr);
  for (const GList* link = frame->frame_user_meta_list; link != nullptr; link = link->next) {
    const auto* meta = static_cast<const NvDsUserMeta*>(link->data);
    if (meta->base_meta.meta_type == gst_rdp_deepstream_get_meta_type()) {
      return static_cast<GstRdpSegmentation*>(meta->user_meta_data);
    }
  }
  return nullptr;
}

/**
 * gst_rdp_deepstream_lines_init:
 * @lines: (out caller-allocates): the lines to initialise
 *
 * The defaults: lines one pixel wide, opaque, of every eighth column, on a picture of the size in
 * the frame's metadata. Colours go from the smallest to the largest value.
 *
 * Since: 0.2
 */
void gst_rdp_deepstream_lines_init(GstRdpDeepStreamLines* lines) {
  g_return_if_fail(lines != nullptr);
  *lines = {};
  lines->column_step = 8;
  lines->line_width = 1;
  lines->alpha = 1.0;
}

/**
 * gst_rdp_deepstream_add_lines:
 * @batch: the batch that @frame belongs to, which is locked meanwhile
 * @frame: the frame that is drawn on, in colour
 * @segmentation: (transfer none): the segments to draw; it is not kept
 * @lines: the style of the lines
 *
 * Adds a line for each segment, from its first to its last row, in the colour that the palette of
 * the overlays has for its mean value. The segmented frame covers the whole picture: both cameras
 * must see the same, or one was registered to the other.
 *
 * A display metadata of DeepStream holds MAX_ELEMENTS_IN_DISPLAY_META lines (16), so there will be
 * many, all from the batch's pool. nvdsosd draws those of all frames of a batch on one picture.
 *
 * Returns: the number of lines; less than the segments of the columns that were to be drawn only
 *   where the batch's pool has no more. 0 also where gst_rdp_segmentation_fetch() says that the
 *   segments are lost
 *
 * Since: 0.2
 */
guint gst_rdp_deepstream_add_lines(NvDsBatchMeta* batch, NvDsFrameMeta* frame,
                                   GstRdpSegmentation* segmentation,
                                   const GstRdpDeepStreamLines* lines) {
  g_return_val_if_fail(batch != nullptr && frame != nullptr && lines != nullptr, 0);
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(segmentation), 0);
  g_return_val_if_fail(lines->column_step >= 1 && lines->line_width >= 1, 0);
  g_return_val_if_fail(lines->alpha >= 0.0 && lines->alpha <= 1.0, 0);
  g_return_val_if_fail(std::isfinite(lines->palette_min) && std::isfinite(lines->palette_max), 0);
  const guint width =
      first_not_zero(lines->width, frame->pipeline_width, frame->source_frame_width);
  const guint height =
      first_not_zero(lines->height, frame->pipeline_height, frame->source_frame_height);
  g_return_val_if_fail(width > 0 && height > 0, 0);

  // Whatever the application has made of its floating-point environment.
  return rdp::with_standard_floats([&] {
    const Placement placement(*gst_rdp_segmentation_get_info(segmentation), width, height);
    const rdp::PaletteRange range = palette_range(segmentation, *lines);
    const MetaLock lock(batch);
    NvDsDisplayMeta* meta = nullptr;
    guint count = 0;
    for_each_segment(segmentation, lines->column_step,
                     [&](guint column, const GstRdpSegment& segment) {
                       if (meta == nullptr || meta->num_lines == MAX_ELEMENTS_IN_DISPLAY_META) {
                         meta = add_display_meta(batch, frame);
                         if (meta == nullptr) return false;
                       }
                       NvOSD_LineParams& line = meta->line_params[meta->num_lines++];
                       line.x1 = line.x2 = placement.x(column);
                       line.y1 = placement.y(segment.first_row);
                       line.y2 = placement.y(segment.last_row);
                       line.line_width = lines->line_width;
                       line.line_color = colour_of(mean_value(segment), range, lines->alpha);
                       ++count;
                       return true;
                     });
    return count;
  });
}
