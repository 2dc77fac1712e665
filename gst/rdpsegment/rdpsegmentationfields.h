/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENTATION_FIELDS_H__
#define __GST_RDP_SEGMENTATION_FIELDS_H__

#include <gst/rdpsegment/rdpsegmentation.h>
#include <gst/rdpsegment/rdpsegmentationparameters.h>

#include "common/image/depth_view.h"
#include "gst/rdpsegment/private/info_fields.h"

/* Private: the info of segments, member by member. docs/internals/metadata-formats.md describes the
 * header. Version 2 adds the steps after the split and the fit, version 3 the classes, version 4
 * their ground plane, version 5 the bounded merge. */
namespace rdp::meta {

/* The largest possible sample. */
inline constexpr guint kMaxSample = 65535;

/* Rules over several members, or other than a range. */
inline bool has_scale(const GstRdpSegmentationInfo& info) {
  return member_number<&GstRdpSegmentationInfo::domain>(info) != GST_RDP_DOMAIN_INVERSE ||
         info.inverse_scale > 0;
}
inline bool has_median(const GstRdpSegmentationInfo& info) {
  const guint32 median = member_number<&GstRdpSegmentationInfo::median>(info);
  return median == GST_RDP_MEDIAN_NONE || median == GST_RDP_MEDIAN_3X3 ||
         median == GST_RDP_MEDIAN_5X5;
}
inline bool has_ground_within_limits(const GstRdpSegmentationInfo& info) {
  return is_within_limits(ground_plane_of(info));
}

inline constexpr auto kSegmentationFields = [] {
  using Info = GstRdpSegmentationInfo;
  constexpr InfoRule kFinite = {InfoRule::kFinite};
  constexpr InfoRule kNotNegative = {InfoRule::kNotNegative};
  constexpr InfoRule kTwo = {InfoRule::kWithin, 0, 1};
  constexpr InfoRule kSample = {InfoRule::kWithin, 0, kMaxSample};
  constexpr const char* kRange = "min_value and max_value must be 0 to 65535, as samples are";
  return std::to_array<InfoField<Info>>({
      info_number<&Info::frame>("frame", {8}),
      info_number<&Info::width>("width", {16}, kSide, kSize),
      info_number<&Info::height>("height", {20}, kSide, kSize),
      info_number<&Info::epsilon>("epsilon", {24}, kNotNegative, "epsilon must be 0 or more"),
      info_number<&Info::sample_scale>("sample_scale", {32}, {InfoRule::kPositive},
                                       "sample_scale must be more than 0"),
      info_number<&Info::min_value>("min_value", {40}, kSample, kRange),
      info_number<&Info::max_value>("max_value", {44}, kSample, kRange),
      info_number<&Info::domain>("domain", {48}, kTwo, "domain must be linear (0) or inverse (1)"),
      info_number<&Info::inverse_scale>("inverse_scale", {56}, kNotNegative,
                                        "inverse_scale must be more than 0", has_scale),
      info_number<&Info::median>("median", {52}, {InfoRule::kWithin, 0, 5},
                                 "median must be none (0), 3x3 (3) or 5x5 (5)", has_median),
      info_number<&Info::column_width>("column_width", {64},
                                       {InfoRule::kWithin, 1, kMaxColumnWidth},
                                       "column_width must be 1 to 16"),
      info_flag<&Info::fit>("fit", {.at = 92, .since = 2, .bit = 8}, kTwo,
                            "fit must be squares (0) or absolute (1)"),
      info_number<&Info::merge_cost>("merge_cost", {80, 2}, kNotNegative,
                                     "merge_cost must be 0 or more"),
      info_number<&Info::max_gap>("max_gap", {88, 2}, {InfoRule::kWithin, 0, kMaxSide},
                                  "max_gap must be 0 to 16384"),
      info_flag<&Info::refine>("refine", {.at = 92, .since = 2, .bit = 1}),
      info_flag<&Info::merge>("merge", {.at = 92, .since = 2, .bit = 2}),
      info_flag<&Info::merge_bounded>("merge_bounded", {.at = 92, .since = 5, .bit = 16}),
      info_flag<&Info::classify>("classify", {.at = 92, .since = 3, .bit = 4}),
      info_number<&Info::ground_slope>("ground_slope", {96, 3}, kNotNegative,
                                       "ground_slope must be 0 or more"),
      info_number<&Info::far_value>("far_value", {104, 3}, kFinite, "far_value must be a number"),
      info_number<&Info::ground_offset>("ground_offset", {112, 4}),
      info_number<&Info::ground_per_column>("ground_per_column", {120, 4}),
      info_number<&Info::ground_per_row>(
          "ground_per_row", {128, 4}, {},
          "ground_per_row must be more than 0, it and ground_per_column at most 2^44, and "
          "ground_offset at most 2^58, or all three 0",
          has_ground_within_limits),
  });
}();

}  // namespace rdp::meta

#endif /* __GST_RDP_SEGMENTATION_FIELDS_H__ */
