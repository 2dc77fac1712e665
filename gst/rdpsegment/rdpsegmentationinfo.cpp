/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The plain types of the library as GObject knows them. They are registered so that bindings copy
 * them, instead of pointing into memory that may go away. */
#include <gst/rdpsegment/rdpsegmentation.h>

#include <cstring>

#include "common/rdp/parameters.h"

static GstRdpSegment* segment_copy(const GstRdpSegment* segment) {
  auto* copy = g_new(GstRdpSegment, 1);
  *copy = *segment;
  return copy;
}

G_DEFINE_BOXED_TYPE(GstRdpSegment, gst_rdp_segment, segment_copy, g_free)

/**
 * gst_rdp_segmentation_info_init:
 * @info: what to fill
 *
 * Fills @info with the defaults of the element rdpsegment, for a frame of 0x0 pixels: set its size
 * before you use it.
 *
 * Since: 0.1
 */
void gst_rdp_segmentation_info_init(GstRdpSegmentationInfo* info) {
  g_return_if_fail(info != nullptr);

  const rdp::Parameters defaults;
  std::memset(info, 0, sizeof *info);
  info->epsilon = defaults.epsilon;
  info->sample_scale = defaults.sample_scale;
  info->min_value = defaults.min_value;
  info->max_value = defaults.max_value;
  info->domain = static_cast<GstRdpDomain>(defaults.domain);
  info->inverse_scale = defaults.inverse_scale;
  info->median = static_cast<GstRdpMedian>(defaults.median);
  info->column_width = static_cast<guint>(defaults.column_width);
  info->merge_cost = defaults.merge_cost;
  info->max_gap = static_cast<guint>(defaults.max_gap);
  info->refine = defaults.refine ? TRUE : FALSE;
  info->merge = defaults.merge ? TRUE : FALSE;
  info->classify = defaults.classify ? TRUE : FALSE;
  info->ground_slope = defaults.ground_slope;
  info->far_value = defaults.far_value;
}

/**
 * gst_rdp_segmentation_info_copy:
 * @info: what to copy
 *
 * Returns: (transfer full): a copy of @info; free it with gst_rdp_segmentation_info_free()
 *
 * Since: 0.1
 */
GstRdpSegmentationInfo* gst_rdp_segmentation_info_copy(const GstRdpSegmentationInfo* info) {
  g_return_val_if_fail(info != nullptr, nullptr);

  auto* copy = g_new(GstRdpSegmentationInfo, 1);
  *copy = *info;
  return copy;
}

/**
 * gst_rdp_segmentation_info_free:
 * @info: (transfer full) (nullable): a copy made by gst_rdp_segmentation_info_copy()
 *
 * Frees @info.
 *
 * Since: 0.1
 */
void gst_rdp_segmentation_info_free(GstRdpSegmentationInfo* info) { g_free(info); }

G_DEFINE_BOXED_TYPE(GstRdpSegmentationInfo, gst_rdp_segmentation_info,
                    gst_rdp_segmentation_info_copy, gst_rdp_segmentation_info_free)

static_assert(GST_RDP_DOMAIN_LINEAR == static_cast<int>(rdp::Domain::kLinear));
static_assert(GST_RDP_DOMAIN_INVERSE == static_cast<int>(rdp::Domain::kInverse));
static_assert(GST_RDP_MEDIAN_NONE == static_cast<int>(rdp::Median::kNone));
static_assert(GST_RDP_MEDIAN_3X3 == static_cast<int>(rdp::Median::k3x3));
static_assert(GST_RDP_MEDIAN_5X5 == static_cast<int>(rdp::Median::k5x5));
