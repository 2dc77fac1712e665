// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthfilter
 * @title: depthfilter
 * @short_description: Cleans depth and disparity frames
 *
 * Removes samples out of range, flying pixels and speckles, smooths along surfaces and over time
 * without blurring edges, fills holes, and makes frames smaller. Samples are changed in place; with
 * `decimation` the element sends frames of its own, and their camera (#GstRdpCameraMeta) follows.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc domain=depth noise=0.3 ! depthfilter temporal-frames=4 ! depthplanes
 * ! rdpmetaconvert ! filesink location=planes.jsonl
 * ]|
 */
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/depthfilter/filter_caps.h"
#include "gst/elements/depthfilter/filter_method.h"
#include "gst/elements/depthfilter/filter_properties.h"

GST_DEBUG_CATEGORY(gst_depth_filter_debug);
#define GST_CAT_DEFAULT gst_depth_filter_debug

using rdp::gst::FilterSettings;

// GStreamer calls unnamed elements after their type: depthfilter0.
G_DECLARE_FINAL_TYPE(GstDepthfilter, gst_depth_filter, GST, DEPTH_FILTER, GstRdpAnalyzer)

struct _GstDepthfilter {
  GstRdpAnalyzer parent;

  rdp::gst::FilterStats stats;  // under the object lock
};

G_DEFINE_TYPE(GstDepthfilter, gst_depth_filter, GST_TYPE_RDP_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(depthfilter, "depthfilter", GST_RANK_NONE,
                                      gst_depth_filter_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_depth_filter_debug, "depthfilter",
                                                              0, "filter of depth frames"))

// --- what the base asks for ---------------------------------------------------------------------

static rdp::gst::Method* gst_depth_filter_new_method(GstRdpAnalyzer* analyzer) {
  return new rdp::gst::FilterMethod(analyzer, &GST_DEPTH_FILTER(analyzer)->stats);
}

static int gst_depth_filter_decimation(GstRdpAnalyzer* analyzer) {
  return rdp::gst::copy_settings<FilterSettings>(analyzer).filter.steps.decimation;
}

static bool gst_depth_filter_makes_frames(GstRdpAnalyzer* analyzer) {
  return gst_depth_filter_decimation(analyzer) > 1;
}

static GstCaps* gst_depth_filter_transform_caps(GstRdpAnalyzer* analyzer, GstPadDirection direction,
                                                GstCaps* caps) {
  const int side = gst_depth_filter_decimation(analyzer);
  return direction == GST_PAD_SINK ? rdp::gst::decimated_caps_of(caps, side)
                                   : rdp::gst::frame_caps_for(caps, side);
}

static bool gst_depth_filter_check_caps(GstRdpAnalyzer* analyzer, GstCaps* caps) {
  const int side = gst_depth_filter_decimation(analyzer);
  const GstVideoInfo& info = *gst_rdp_analyzer_get_info(analyzer);
  const int width = GST_VIDEO_INFO_WIDTH(&info);
  const int height = GST_VIDEO_INFO_HEIGHT(&info);
  if (width >= side && height >= side) return true;
  GST_ELEMENT_ERROR(analyzer, LIBRARY, SETTINGS,
                    ("Frames of %dx%d are smaller than a block of decimation=%d: set decimation to "
                     "at most %d.",
                     width, height, side, MIN(width, height)),
                    ("%" GST_PTR_FORMAT, caps));
  return false;
}

static void gst_depth_filter_add_stats(GstRdpAnalyzer* analyzer, const rdp::gst::AnalyzerStats*,
                                       GstStructure* fields) {
  GST_OBJECT_LOCK(analyzer);
  const rdp::gst::FilterStats of = GST_DEPTH_FILTER(analyzer)->stats;
  GST_OBJECT_UNLOCK(analyzer);
  rdp::gst::add_filter_stats(fields, of);
}

// --- object -------------------------------------------------------------------------------------

static void gst_depth_filter_class_init(GstDepthfilterClass* klass) {
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  GstRdpAnalyzerClass* analyzer_class = GST_RDP_ANALYZER_CLASS(klass);

  rdp::gst::install_element_properties<gst_rdp_analyzer_core, FilterSettings,
                                       rdp::gst::kFilterProperties>(analyzer_class);

  analyzer_class->category = gst_depth_filter_debug;
  analyzer_class->caps_words = &rdp::gst::kDepthWords;
  analyzer_class->verb = "filter";
  analyzer_class->participle = "filtered";
  analyzer_class->new_method = gst_depth_filter_new_method;
  analyzer_class->check_caps = gst_depth_filter_check_caps;
  analyzer_class->transform_caps = gst_depth_filter_transform_caps;
  analyzer_class->makes_frames = gst_depth_filter_makes_frames;
  analyzer_class->add_stats = gst_depth_filter_add_stats;

  gst_rdp_analyzer_class_add_video_pads(analyzer_class, RDP_DEPTH_FIELDS, RDP_PICTURE_FIELDS,
                                        rdp::gst::FilterOverlayPad::get_type());
  gst_element_class_set_static_metadata(
      element_class, "Depth filter", "Filter/Effect/Video",
      "Cleans depth or disparity frames: range, median, flying pixels, speckles, decimation, "
      "spatial and temporal smoothing, holes",
      "The rdpsegment authors");
}

static void gst_depth_filter_init(GstDepthfilter* self) { self->stats = rdp::gst::FilterStats(); }
