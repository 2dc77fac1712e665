/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENTATION_PARAMETERS_H__
#define __GST_RDP_SEGMENTATION_PARAMETERS_H__

#include <gst/rdpsegment/rdpsegmentation.h>

#include <cstring>

#include "common/rdp/ground_plane.h"
#include "common/rdp/parameters.h"

/* Private. The only conversion between the engines' Parameters and the info of a segmentation for C
 * programs. The plugin uses it, too, so all of it is in this header. */
namespace rdp::meta {

/* Fills the whole info. Frame, width, height and padding are 0, so that infos can be compared as
 * bytes. Every member of Parameters is named here, so a new one does not compile until it has its
 * field. */
inline void info_from_parameters(const Parameters& parameters, GstRdpSegmentationInfo* info) {
  const auto& [epsilon, sample_scale, min_value, max_value, median, domain, inverse_scale,
               column_width, max_gap, refine, merge, fit, merge_cost, merge_bounded, classify,
               ground_slope, far_value] = parameters;
  std::memset(info, 0, sizeof *info);
  info->epsilon = epsilon;
  info->sample_scale = sample_scale;
  info->min_value = min_value;
  info->max_value = max_value;
  info->domain = static_cast<GstRdpDomain>(domain);
  info->inverse_scale = inverse_scale;
  info->median = static_cast<GstRdpMedian>(median);
  info->column_width = static_cast<guint>(column_width);
  info->merge_cost = merge_cost;
  info->max_gap = static_cast<guint>(max_gap);
  info->refine = refine ? TRUE : FALSE;
  info->merge = merge ? TRUE : FALSE;
  info->fit = static_cast<GstRdpFit>(fit);
  info->classify = classify ? TRUE : FALSE;
  info->ground_slope = ground_slope;
  info->far_value = far_value;
  info->merge_bounded = merge_bounded ? TRUE : FALSE;
}

/* `info` must pass info_error(). */
inline Parameters parameters_from_info(const GstRdpSegmentationInfo& info) {
  return {.epsilon = info.epsilon,
          .sample_scale = info.sample_scale,
          .min_value = info.min_value,
          .max_value = info.max_value,
          .median = static_cast<Median>(info.median),
          .domain = static_cast<Domain>(info.domain),
          .inverse_scale = info.inverse_scale,
          .column_width = static_cast<int>(info.column_width),
          .max_gap = static_cast<int>(info.max_gap),
          .refine = info.refine != FALSE,
          .merge = info.merge != FALSE,
          .fit = static_cast<Fit>(info.fit),
          .merge_cost = info.merge_cost,
          .merge_bounded = info.merge_bounded != FALSE,
          .classify = info.classify != FALSE,
          .ground_slope = info.ground_slope,
          .far_value = info.far_value};
}

/* Stores the frame's ground plane, which is no parameter. */
inline void set_ground_plane(const GroundPlane& plane, GstRdpSegmentationInfo* info) {
  info->ground_offset = plane.offset;
  info->ground_per_column = plane.per_column;
  info->ground_per_row = plane.per_row;
}

inline GroundPlane ground_plane_of(const GstRdpSegmentationInfo& info) {
  return {info.ground_offset, info.ground_per_column, info.ground_per_row};
}

static_assert(GST_RDP_DOMAIN_LINEAR == static_cast<int>(Domain::kLinear));
static_assert(GST_RDP_DOMAIN_INVERSE == static_cast<int>(Domain::kInverse));
static_assert(GST_RDP_FIT_SQUARES == static_cast<int>(Fit::kSquares));
static_assert(GST_RDP_FIT_ABSOLUTE == static_cast<int>(Fit::kAbsolute));
static_assert(GST_RDP_MEDIAN_NONE == static_cast<int>(Median::kNone));
static_assert(GST_RDP_MEDIAN_3X3 == static_cast<int>(Median::k3x3));
static_assert(GST_RDP_MEDIAN_5X5 == static_cast<int>(Median::k5x5));

}  // namespace rdp::meta

#endif /* __GST_RDP_SEGMENTATION_PARAMETERS_H__ */
