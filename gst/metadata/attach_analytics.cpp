// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/attach_analytics.h"

#ifdef RDP_HAVE_ANALYTICS

#include <gst/analytics/analytics.h>

namespace rdp::gst {
namespace {

// The regions of a mask, by the values of its pixels.
constexpr const char* kRegions[kMaskValues] = {"unknown", "other", "ground", "upright", "far"};

void add_mask(GstAnalyticsRelationMeta* relations, GstRdpSegmentation* segmentation,
              FrameAnalytics* frame) {
  GstBuffer* mask = frame->mask(segmentation);
  if (mask == nullptr) return;
  guint ids[kMaskValues];
  gfloat confidences[kMaskValues];
  GQuark names[kMaskValues];
  for (int i = 0; i < kMaskValues; ++i) {
    ids[i] = static_cast<guint>(i);
    confidences[i] = -1.0F;  // not known
    names[i] = g_quark_from_static_string(kRegions[i]);
  }
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  GstAnalyticsSegmentationMtd regions;
  if (!gst_analytics_relation_meta_add_segmentation_mtd(
          relations, mask, GST_SEGMENTATION_TYPE_SEMANTIC, kMaskValues, ids, 0, 0, info.width,
          info.height, &regions)) {
    gst_buffer_unref(mask);
    return;
  }
  GstAnalyticsClsMtd classes;
  if (gst_analytics_relation_meta_add_cls_mtd(relations, kMaskValues, confidences, names,
                                              &classes)) {
    gst_analytics_relation_meta_set_relation(relations, GST_ANALYTICS_REL_TYPE_RELATE_TO,
                                             regions.id, classes.id);
  }
}

void add_obstacles(GstAnalyticsRelationMeta* relations, GstRdpSegmentation* segmentation,
                   GstRdpCamera* camera, FrameAnalytics* frame) {
  const GQuark type = g_quark_from_static_string("obstacle");
  for (const Obstacle& box : frame->obstacles(segmentation, camera)) {
    GstAnalyticsODMtd detection;
    // Nothing says how certain it is, and what shows detections may hide those that are not.
    gst_analytics_relation_meta_add_od_mtd(relations, type, box.first_column, box.first_row,
                                           box.last_column - box.first_column + 1,
                                           box.last_row - box.first_row + 1, 1.0F, &detection);
  }
}

}  // namespace

bool have_analytics() noexcept { return true; }

void attach_analytics(GstBuffer* buffer, GstRdpSegmentation* segmentation, GstRdpCamera* camera,
                      AnalyticsContent content, FrameAnalytics* frame) {
  if (content == AnalyticsContent::kNone) return;
  GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer);
  if (relations == nullptr) relations = gst_buffer_add_analytics_relation_meta(buffer);
  if (relations == nullptr) return;
  if (content != AnalyticsContent::kObstacles) add_mask(relations, segmentation, frame);
  if (content != AnalyticsContent::kClasses) add_obstacles(relations, segmentation, camera, frame);
}

}  // namespace rdp::gst

#else

namespace rdp::gst {

bool have_analytics() noexcept { return false; }

void attach_analytics(GstBuffer*, GstRdpSegmentation*, GstRdpCamera*, AnalyticsContent,
                      FrameAnalytics*) {}

}  // namespace rdp::gst

#endif
