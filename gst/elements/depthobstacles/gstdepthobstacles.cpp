// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthobstacles
 * @title: depthobstacles
 * @short_description: Finds obstacles and free space over the ground of depth frames
 *
 * Finds in every depth or disparity frame what stands on the ground, and attaches it to the buffer
 * as #GstRdpObstaclesMeta: the nearest obstacle and the free distance in each direction, a grid on
 * the ground, and objects with boxes in metres, ids and speeds. The request pad `overlay` makes
 * pictures of them. The frames pass unchanged and uncopied.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc pattern=room ! depthplanes ! depthobstacles ! rdpmetaconvert !
 * filesink location=obstacles.jsonl
 * ]|
 */
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/depthobstacles/obstacle_method.h"
#include "gst/elements/depthobstacles/obstacle_properties.h"

GST_DEBUG_CATEGORY(gst_depth_obstacles_debug);
#define GST_CAT_DEFAULT gst_depth_obstacles_debug

using rdp::gst::ObstacleSettings;

// GStreamer calls unnamed elements after their type: depthobstacles0.
G_DECLARE_FINAL_TYPE(GstDepthobstacles, gst_depth_obstacles, GST, DEPTH_OBSTACLES, GstRdpAnalyzer)

struct _GstDepthobstacles {
  GstRdpAnalyzer parent;

  rdp::gst::ObstacleStats stats;  // under the object lock
};

G_DEFINE_TYPE(GstDepthobstacles, gst_depth_obstacles, GST_TYPE_RDP_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(depthobstacles, "depthobstacles", GST_RANK_NONE,
                                      gst_depth_obstacles_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_depth_obstacles_debug,
                                                              "depthobstacles", 0,
                                                              "obstacles over the ground"))

// --- what the base asks for ---------------------------------------------------------------------

static rdp::gst::Method* gst_depth_obstacles_new_method(GstRdpAnalyzer* analyzer) {
  return new rdp::gst::ObstacleMethod(analyzer, &GST_DEPTH_OBSTACLES(analyzer)->stats);
}

static void gst_depth_obstacles_add_stats(GstRdpAnalyzer* analyzer, const rdp::gst::AnalyzerStats*,
                                          GstStructure* fields) {
  GST_OBJECT_LOCK(analyzer);
  const rdp::gst::ObstacleStats of = GST_DEPTH_OBSTACLES(analyzer)->stats;
  GST_OBJECT_UNLOCK(analyzer);
  const gchar* const source = gst_rdp_ground_source_get_name(of.ground);
  gst_structure_set(fields, "groundless", G_TYPE_UINT64, of.groundless, "ground", G_TYPE_STRING,
                    source != nullptr ? source : "none", "refined", G_TYPE_BOOLEAN,
                    of.refined ? TRUE : FALSE, "inliers", G_TYPE_UINT64, of.inliers,
                    "camera-height", G_TYPE_DOUBLE, of.height, "found", G_TYPE_UINT64, of.found,
                    "tracks", G_TYPE_UINT64, of.tracks, "unknown", G_TYPE_DOUBLE, of.unknown,
                    nullptr);
}

// --- object -------------------------------------------------------------------------------------

static void gst_depth_obstacles_class_init(GstDepthobstaclesClass* klass) {
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  GstRdpAnalyzerClass* analyzer_class = GST_RDP_ANALYZER_CLASS(klass);

  rdp::gst::install_element_properties<gst_rdp_analyzer_core, ObstacleSettings,
                                       rdp::gst::kObstacleProperties>(analyzer_class);

  analyzer_class->category = gst_depth_obstacles_debug;
  analyzer_class->caps_words = &rdp::gst::kDepthWords;
  analyzer_class->verb = "search";
  analyzer_class->participle = "searched";
  analyzer_class->new_method = gst_depth_obstacles_new_method;
  analyzer_class->items = "objects";
  analyzer_class->add_stats = gst_depth_obstacles_add_stats;

  gst_rdp_analyzer_class_add_video_pads(analyzer_class, RDP_DEPTH_FIELDS, RDP_PICTURE_FIELDS,
                                        rdp::gst::ObstacleOverlayPad::get_type());
  gst_element_class_set_static_metadata(
      element_class, "Obstacle detection", "Filter/Analyzer/Video",
      "Finds free space, the nearest obstacles and objects over the ground of depth or disparity "
      "frames, and attaches them as metadata",
      "The rdpsegment authors");
}

static void gst_depth_obstacles_init(GstDepthobstacles* self) {
  self->stats = rdp::gst::ObstacleStats();
}
