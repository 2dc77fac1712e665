/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpsegmentationparameters.h>
#include <gst/rdpsegment/rdpsegmentationprivate.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "common/boundary.h"
#include "common/image/depth_view.h"
#include "common/image/float_environment.h"

/**
 * SECTION:rdpsegmentation
 * @title: GstRdpSegmentation
 * @short_description: The segments of one frame
 *
 * A #GstRdpSegmentation holds two arrays. One has the segments of all columns: those of column c
 * are its elements offsets[c] to offsets[c + 1] - 1, top to bottom. The other, offsets, has
 * one element more than there are columns. The split is Algorithm 1 of P. Cebrian and J. C. Moure,
 * "GPU-accelerated RDP Algorithm for Data Segmentation", ICCS 2020.
 *
 * A frame segmented on a GPU leaves the arrays there until the first read, by any function, copies
 * them to the host. gst_rdp_segmentation_get_info(), gst_rdp_segmentation_get_n_columns() and
 * gst_rdp_segmentation_get_n_segments() do not need them. If the GPU fails before that, all columns
 * are empty; gst_rdp_segmentation_fetch() tells this from a frame without known samples.
 *
 * Since: 0.2
 */

/* C and other languages read the list's memory directly. */
static_assert(sizeof(GstRdpSegment) == sizeof(rdp::Segment));
static_assert(offsetof(GstRdpSegment, first_row) == offsetof(rdp::Segment, first_row));
static_assert(offsetof(GstRdpSegment, last_row) == offsetof(rdp::Segment, last_row));
static_assert(offsetof(GstRdpSegment, first_value) == offsetof(rdp::Segment, first_value));
static_assert(offsetof(GstRdpSegment, last_value) == offsetof(rdp::Segment, last_value));

/* Registered so that bindings copy it, instead of pointing into memory that may be freed. */
G_DEFINE_BOXED_TYPE(GstRdpSegment, gst_rdp_segment, rdp::meta::copy_plain<GstRdpSegment>, g_free)

/**
 * gst_rdp_segmentation_info_init:
 * @info: the info to fill
 *
 * Fills @info with the defaults of the element rdpsegment, for a frame of 0x0 pixels: set its size
 * before you use it.
 *
 * Since: 0.2
 */
void gst_rdp_segmentation_info_init(GstRdpSegmentationInfo* info) {
  g_return_if_fail(info != nullptr);

  rdp::meta::info_from_parameters(rdp::Parameters(), info);
}

/* The offsets of lost segments: as many zeros as a frame can have columns, plus one. Static, since
 * memory may have run out when they are needed. */
static guint32 no_offsets[rdp::kMaxSide + 1];

rdp::SegmentArrays rdp::meta::host_list(GstRdpSegmentation* self) noexcept {
  const auto without_segments = [](const GstRdpSegmentationArrays& numbers) {
    return GstRdpSegmentationArrays{numbers.n_columns, 0, no_offsets, nullptr};
  };
  const GstRdpSegmentationArrays& arrays = host_arrays(self, "the segments", without_segments);
  return {{arrays.offsets, std::size_t{arrays.n_columns} + 1},
          {reinterpret_cast<const Segment*>(arrays.segments), arrays.n_segments}};
}

GstRdpSegmentation* rdp::meta::new_segmentation(const GstRdpSegmentationInfo& info,
                                                std::unique_ptr<SegmentList> list) {
  const GstRdpSegmentationArrays arrays = {
      static_cast<guint>(list->columns()), list->segment_count(), list->offsets().data(),
      reinterpret_cast<const GstRdpSegment*>(list->segments().data())};
  return new_owning<GstRdpSegmentation>(GST_TYPE_RDP_SEGMENTATION, info, arrays, std::move(list));
}

using rdp::meta::host_list;

/**
 * gst_rdp_segmentation_new:
 * @info: the frame that was segmented, and the parameters
 * @offsets: (array length=n_offsets): the index of each column's first segment, and the end of the
 *   last column's: 0, then values that never fall
 * @n_offsets: the number of columns plus 1; there are width / column_width columns, rounded up
 * @segments: (array length=n_segments) (nullable): the segments of all columns, each column's top
 * to bottom
 * @n_segments: number of @segments, the same as the last offset
 *
 * Makes a segmentation from copies of the arrays. rdpsegment makes those on buffers itself; this is
 * for tests, and for segments from elsewhere.
 *
 * Returns: (transfer full) (nullable): a new segmentation. %NULL after a critical warning if the
 *   arguments do not describe one, and %NULL if there is no memory
 *
 * Since: 0.2
 */
GstRdpSegmentation* gst_rdp_segmentation_new(const GstRdpSegmentationInfo* info,
                                             const guint32* offsets, gsize n_offsets,
                                             const GstRdpSegment* segments, gsize n_segments) {
  g_return_val_if_fail(info != nullptr, nullptr);
  g_return_val_if_fail(offsets != nullptr, nullptr);
  g_return_val_if_fail(segments != nullptr || n_segments == 0, nullptr);

  const auto* source = reinterpret_cast<const rdp::Segment*>(segments);
  const char* error = rdp::with_standard_floats([&] {
    const char* wrong = rdp::meta::info_error(*info);
    if (wrong != nullptr) return wrong;
    return rdp::meta::arrays_error(*info, {offsets, n_offsets}, {source, n_segments});
  });
  if (error != nullptr) {
    g_critical("%s: %s", G_STRFUNC, error);
    return nullptr;
  }

  return rdp::contain(
      [&] {
        auto list = std::make_unique<rdp::SegmentList>();
        std::copy_n(offsets, n_offsets, list->resize_columns(static_cast<int>(n_offsets) - 1));
        std::copy_n(source, n_segments, list->resize_segments());
        return rdp::meta::new_segmentation(*info, std::move(list));
      },
      [&](const char* reason) -> GstRdpSegmentation* {
        GST_ERROR("no segmentation of %" G_GSIZE_FORMAT " segments: %s", n_segments, reason);
        return nullptr;
      });
}

/**
 * gst_rdp_segmentation_get_n_columns:
 * @self: a #GstRdpSegmentation
 *
 * The number of segmented columns, which may be groups of the frame's.
 *
 * Returns: the number of segmented columns: the frame's width divided by the column width, rounded
 *   up
 *
 * Since: 0.2
 */
guint gst_rdp_segmentation_get_n_columns(GstRdpSegmentation* self) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), 0);

  return self->arrays.known(&GstRdpSegmentationArrays::n_columns);
}

/**
 * gst_rdp_segmentation_get_n_segments:
 * @self: a #GstRdpSegmentation
 *
 * The size of the array that gst_rdp_segmentation_peek_segments() gives.
 *
 * Returns: the number of segments in all columns together
 *
 * Since: 0.2
 */
gsize gst_rdp_segmentation_get_n_segments(GstRdpSegmentation* self) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), 0);

  return self->arrays.known(&GstRdpSegmentationArrays::n_segments);
}

/**
 * gst_rdp_segmentation_fetch:
 * @self: a #GstRdpSegmentation
 * @error: return location for a #GError
 *
 * Copies the segments to the host, as their first read would, and reports if they are lost. They
 * are lost if the GPU fails first. All columns are then empty, as in a frame without known samples;
 * only this function tells the difference. It may be called at any time, any number of times, with
 * the same result.
 *
 * Returns: %TRUE if the segments are there, and for segments that were never on a GPU; %FALSE, with
 *   #GST_RESOURCE_ERROR_READ, if they are lost
 *
 * Since: 0.2
 */
gboolean gst_rdp_segmentation_fetch(GstRdpSegmentation* self, GError** error) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), FALSE);
  g_return_val_if_fail(error == nullptr || *error == nullptr, FALSE);

  host_list(self);
  return rdp::meta::tell_lost(self, "segments", error);
}

/**
 * gst_rdp_segmentation_get_column:
 * @self: a #GstRdpSegmentation
 * @column: the number of a segmented column, from 0 to gst_rdp_segmentation_get_n_columns() - 1;
 *   it covers the pixel columns from @column times the column width
 * @n_segments: (out): number of segments of the column, 0 if none of its samples is known
 *
 * The segments of one column, without a copy.
 *
 * Returns: (array length=n_segments) (transfer none) (nullable): the column's segments, top to
 * bottom; they live as long as @self. Read them only up to @n_segments.
 *
 * Since: 0.2
 */
const GstRdpSegment* gst_rdp_segmentation_get_column(GstRdpSegmentation* self, guint column,
                                                     gsize* n_segments) {
  g_return_val_if_fail(n_segments != nullptr, nullptr);
  *n_segments = 0;
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);
  const rdp::SegmentArrays list = host_list(self);
  g_return_val_if_fail(column < static_cast<guint>(list.columns()), nullptr);

  const std::span<const rdp::Segment> segments = list.column(static_cast<int>(column));
  *n_segments = segments.size();
  return reinterpret_cast<const GstRdpSegment*>(segments.data());
}

/**
 * gst_rdp_segmentation_peek_offsets:
 * @self: a #GstRdpSegmentation
 * @n_offsets: (out): the number of columns plus 1
 *
 * The start of each column in the array of segments, without a copy.
 *
 * Returns: (array length=n_offsets) (transfer none): the index of each column's first segment, and
 *   the number of all segments at the end; it lives as long as @self
 *
 * Since: 0.2
 */
const guint32* gst_rdp_segmentation_peek_offsets(GstRdpSegmentation* self, gsize* n_offsets) {
  g_return_val_if_fail(n_offsets != nullptr, nullptr);
  *n_offsets = 0;
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);

  const std::span<const std::uint32_t> offsets = host_list(self).offsets();
  *n_offsets = offsets.size();
  return offsets.data();
}

/**
 * gst_rdp_segmentation_peek_segments:
 * @self: a #GstRdpSegmentation
 * @n_segments: (out): number of segments
 *
 * All segments, in one array, without a copy.
 *
 * Returns: (array length=n_segments) (transfer none) (nullable): the segments of all columns,
 * column after column; they live as long as @self
 *
 * Since: 0.2
 */
const GstRdpSegment* gst_rdp_segmentation_peek_segments(GstRdpSegmentation* self,
                                                        gsize* n_segments) {
  g_return_val_if_fail(n_segments != nullptr, nullptr);
  *n_segments = 0;
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);

  const std::span<const rdp::Segment> segments = host_list(self).segments();
  *n_segments = segments.size();
  return reinterpret_cast<const GstRdpSegment*>(segments.data());
}

/**
 * gst_rdp_segmentation_get_offsets:
 * @self: a #GstRdpSegmentation
 *
 * The array of gst_rdp_segmentation_peek_offsets() as bytes: guint32 in the host's byte order.
 *
 * Returns: (transfer full): the memory of @self itself, not a copy; holds a reference on @self
 *
 * Since: 0.2
 */
GBytes* gst_rdp_segmentation_get_offsets(GstRdpSegmentation* self) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);

  const std::span<const std::uint32_t> offsets = host_list(self).offsets();
  return rdp::meta::bytes_of(self, offsets.data(), offsets.size_bytes());
}

/**
 * gst_rdp_segmentation_get_segments:
 * @self: a #GstRdpSegmentation
 *
 * The array of gst_rdp_segmentation_peek_segments() as bytes: 12 for each segment, in the layout of
 * #GstRdpSegment and the host's byte order.
 *
 * Returns: (transfer full): the memory of @self itself, not a copy; holds a reference on @self
 *
 * Since: 0.2
 */
GBytes* gst_rdp_segmentation_get_segments(GstRdpSegmentation* self) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);

  const std::span<const rdp::Segment> segments = host_list(self).segments();
  return rdp::meta::bytes_of(self, segments.data(), segments.size_bytes());
}
