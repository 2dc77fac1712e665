// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/attach_analytics.h"

#include <algorithm>
#include <span>

namespace rdp::gst {

// Forgets lost ids, which are neither seen nor hidden any more.
void ObjectTimes::update(GstRdpObstacles* obstacles, GstClockTime now) {
  gsize count = 0;
  const guint32* lost = gst_rdp_obstacles_peek_lost(obstacles, &count);
  std::erase_if(times_, [&](const Time& time) {
    return std::find(lost, lost + count, time.id) != lost + count;
  });
  const GstRdpObstacle* objects = gst_rdp_obstacles_peek_objects(obstacles, &count);
  for (const GstRdpObstacle& object : std::span(objects, count)) {
    const bool known =
        std::ranges::any_of(times_, [&](const Time& time) { return time.id == object.id; });
    if (!known) times_.push_back({object.id, now});
  }
}

GstClockTime ObjectTimes::first_seen(std::uint32_t id) const {
  const auto found = std::ranges::find(times_, id, &Time::id);
  return found == times_.end() ? GST_CLOCK_TIME_NONE : found->first;
}

void warn_without_analytics(GstElement* element) {
  GST_ELEMENT_WARNING(element, LIBRARY, SETTINGS,
                      ("This build of rdpsegment makes no analytics metadata: it needs GStreamer "
                       "1.26 or newer, and was made with %d.%d.",
                       GST_VERSION_MAJOR, GST_VERSION_MINOR),
                      ("Build it where gstreamer-analytics-1.0 is installed, or set "
                       "analytics=none. The results are on the frames all the same."));
}

}  // namespace rdp::gst

#ifdef RDP_HAVE_ANALYTICS

#include <gst/analytics/analytics.h>

namespace rdp::gst {
namespace {

// Detections have no confidence, but displays may hide uncertain ones.
constexpr gfloat kCertain = 1.0F;

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
    gst_analytics_relation_meta_add_od_mtd(relations, type, box.first_column, box.first_row,
                                           box.last_column - box.first_column + 1,
                                           box.last_row - box.first_row + 1, kCertain, &detection);
  }
}

}  // namespace

bool have_analytics() noexcept { return true; }

static GstAnalyticsRelationMeta* relations_on(GstBuffer* buffer) {
  GstAnalyticsRelationMeta* relations = gst_buffer_get_analytics_relation_meta(buffer);
  return relations != nullptr ? relations : gst_buffer_add_analytics_relation_meta(buffer);
}

void attach_objects(GstBuffer* buffer, GstRdpObstacles* obstacles, ObjectTimes* times) {
  times->update(obstacles, GST_BUFFER_PTS(buffer));
  gsize count = 0;
  const GstRdpObstacle* objects = gst_rdp_obstacles_peek_objects(obstacles, &count);
  GstAnalyticsRelationMeta* relations = relations_on(buffer);
  if (relations == nullptr) return;
  const GQuark type = g_quark_from_static_string("obstacle");
  for (const GstRdpObstacle& object : std::span(objects, count)) {
    GstAnalyticsODMtd detection;
    GstAnalyticsTrackingMtd tracking;
    if (!gst_analytics_relation_meta_add_od_mtd(relations, type, object.column, object.row,
                                                object.columns, object.rows, kCertain,
                                                &detection) ||
        !gst_analytics_relation_meta_add_tracking_mtd(relations, object.id,
                                                      times->first_seen(object.id), &tracking)) {
      return;
    }
    gst_analytics_tracking_mtd_update_last_seen(&tracking, GST_BUFFER_PTS(buffer));
    gst_analytics_relation_meta_set_relation(relations, GST_ANALYTICS_REL_TYPE_RELATE_TO,
                                             detection.id, tracking.id);
  }
}

void attach_analytics(GstBuffer* buffer, GstRdpSegmentation* segmentation, GstRdpCamera* camera,
                      AnalyticsContent content, FrameAnalytics* frame) {
  if (content == AnalyticsContent::kNone) return;
  GstAnalyticsRelationMeta* relations = relations_on(buffer);
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

void attach_objects(GstBuffer*, GstRdpObstacles*, ObjectTimes*) {}

}  // namespace rdp::gst

#endif
