// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-rdpsegment
 * @title: rdpsegment
 * @short_description: Segments every column of depth frames into straight lines
 *
 * Splits each column of a depth or disparity frame into straight line segments that are nowhere
 * farther from the samples than `epsilon` (Ramer-Douglas-Peucker), attaches them to the buffer as
 * #GstRdpSegmentMeta and, on the request pad `overlay`, makes pictures of them. The frames pass
 * through unchanged and uncopied.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc ! rdpsegment epsilon=2 sample-scale=0.00390625 name=s s.overlay !
 * videoconvert ! autovideosink s.src ! fakesink
 * ]|
 */
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/rdpsegment/segment_method.h"
#include "gst/elements/rdpsegment/segment_properties.h"

GST_DEBUG_CATEGORY(gst_rdp_segment_debug);
#define GST_CAT_DEFAULT gst_rdp_segment_debug

// GStreamer calls unnamed elements after their type: rdpsegment0.
G_DECLARE_FINAL_TYPE(GstRdpsegment, gst_rdpsegment, GST, RDPSEGMENT, GstRdpAnalyzer)

struct _GstRdpsegment {
  GstRdpAnalyzer parent;
  rdp::gst::GroundCounts ground_counts;
};

G_DEFINE_TYPE(GstRdpsegment, gst_rdpsegment, GST_TYPE_RDP_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(rdpsegment, "rdpsegment", GST_RANK_NONE,
                                      gst_rdpsegment_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_rdp_segment_debug, "rdpsegment",
                                                              0, "segmentation of depth columns"))

// --- what the base asks for ---------------------------------------------------------------------

static void gst_rdpsegment_add_stats(GstRdpAnalyzer* analyzer, const rdp::gst::AnalyzerStats* stats,
                                     GstStructure* fields) {
  const rdp::gst::GroundCounts& grounds = GST_RDPSEGMENT(analyzer)->ground_counts;
  const double pixels_per_segment =
      stats->items == 0 ? 0.0
                        : static_cast<double>(stats->pixels) / static_cast<double>(stats->items);
  gst_structure_set(fields, "pixels-per-segment", G_TYPE_DOUBLE, pixels_per_segment,
                    "ground-planes", G_TYPE_UINT64, grounds.planes.load(), "ground-missing",
                    G_TYPE_UINT64, grounds.missing.load(), nullptr);
}

// --- object -------------------------------------------------------------------------------------

static void gst_rdpsegment_class_init(GstRdpsegmentClass* klass) {
  GstRdpAnalyzerClass* analyzer_class = GST_RDP_ANALYZER_CLASS(klass);
  rdp::gst::install_element_properties<gst_rdp_analyzer_core, rdp::gst::SegmentSettings,
                                       rdp::gst::kSegmentProperties>(analyzer_class);

  analyzer_class->category = gst_rdp_segment_debug;
  analyzer_class->caps_words = &rdp::gst::kDepthWords;
  analyzer_class->verb = "segment";
  analyzer_class->participle = "segmented";
  analyzer_class->new_method = [](GstRdpAnalyzer* analyzer) -> rdp::gst::Method* {
    return new rdp::gst::SegmentMethod(analyzer, &GST_RDPSEGMENT(analyzer)->ground_counts);
  };
  analyzer_class->items = "segments";
  analyzer_class->add_stats = gst_rdpsegment_add_stats;

  gst_rdp_analyzer_class_add_video_pads(analyzer_class, RDP_DEPTH_FIELDS, RDP_PICTURE_FIELDS,
                                        rdp::gst::SegmentOverlayPad::get_type());
  gst_element_class_set_static_metadata(
      GST_ELEMENT_CLASS(klass), "RDP column segmentation", "Filter/Analyzer/Video",
      "Splits every column of depth or disparity frames into straight segments "
      "(Ramer-Douglas-Peucker, stixel-like) and attaches them as metadata",
      "The rdpsegment authors");
}

static void gst_rdpsegment_init(GstRdpsegment* self) {
  new (&self->ground_counts) rdp::gst::GroundCounts;  // nothing to free
}
