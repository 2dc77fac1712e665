// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthplanes
 * @title: depthplanes
 * @short_description: Finds the planes of depth frames and point clouds
 *
 * Finds floor, walls, tables and steps as planes with extent in every depth or disparity frame, or
 * in every cloud, and attaches them to the buffer as #GstRdpPlanesMeta. The request pad `overlay`
 * makes pictures of them. Frames and clouds pass through unchanged and uncopied, or, with
 * output=labels, frames of labels take the place of depth, and points get a label.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc pattern=room domain=depth ! depthplanes name=p p.overlay !
 * videoconvert ! autovideosink p.src ! fakesink
 * ]|
 */
#include <string>

#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/points_caps.h"
#include "gst/elements/depthplanes/planes_caps.h"
#include "gst/elements/depthplanes/planes_method.h"
#include "gst/elements/depthplanes/planes_properties.h"

GST_DEBUG_CATEGORY(gst_depth_planes_debug);
#define GST_CAT_DEFAULT gst_depth_planes_debug

using rdp::gst::PlanesSettings;

// GStreamer calls unnamed elements after their type: depthplanes0.
G_DECLARE_FINAL_TYPE(GstDepthplanes, gst_depth_planes, GST, DEPTH_PLANES, GstRdpAnalyzer)

struct _GstDepthplanes {
  GstRdpAnalyzer parent;

  rdp::gst::PlanesStream stream;  // of the session
};

G_DEFINE_TYPE(GstDepthplanes, gst_depth_planes, GST_TYPE_RDP_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(depthplanes, "depthplanes", GST_RANK_NONE,
                                      gst_depth_planes_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_depth_planes_debug, "depthplanes",
                                                              0, "planes of depth and clouds"))

static const rdp::gst::CapsWords kCapsWords = {
    "format GRAY16_LE or GRAY8, up to 16384x16384, and application/x-points, format XYZ32F",
    rdp::gst::kDepthRemedy,
};

// --- what the base asks for ---------------------------------------------------------------------

static rdp::gst::Method* gst_depth_planes_new_method(GstRdpAnalyzer* analyzer) {
  return new rdp::gst::PlanesMethod(analyzer, &GST_DEPTH_PLANES(analyzer)->stream);
}

static bool gst_depth_planes_makes_frames(GstRdpAnalyzer* analyzer) {
  return rdp::gst::copy_settings<PlanesSettings>(analyzer).output ==
         rdp::gst::PlanesOutput::kLabels;
}

static GstCaps* gst_depth_planes_transform_caps(GstRdpAnalyzer*, GstPadDirection direction,
                                                GstCaps* caps) {
  return direction == GST_PAD_SINK ? rdp::gst::label_caps_of(caps)
                                   : rdp::gst::depth_caps_for_labels(caps);
}

static bool gst_depth_planes_check_caps(GstRdpAnalyzer* analyzer, GstCaps* caps) {
  rdp::gst::PlanesStream& stream = GST_DEPTH_PLANES(analyzer)->stream;
  stream.cloud = !gst_structure_has_name(gst_caps_get_structure(caps, 0), "video/x-raw");
  if (!stream.cloud) return true;
  std::string problem;
  if (!rdp::gst::read_points_caps(caps, &stream.points, &problem)) {
    GST_ELEMENT_ERROR(analyzer, CORE, NEGOTIATION,
                      ("The caps do not describe a cloud: %s.", problem.c_str()),
                      ("%" GST_PTR_FORMAT, caps));
    return false;
  }
  return true;
}

static void gst_depth_planes_add_stats(GstRdpAnalyzer* analyzer, const rdp::gst::AnalyzerStats*,
                                       GstStructure* fields) {
  GST_OBJECT_LOCK(analyzer);
  const rdp::gst::PlanesStats last = GST_DEPTH_PLANES(analyzer)->stream.stats;
  GST_OBJECT_UNLOCK(analyzer);
  rdp::gst::add_planes_stats(fields, last);
}

// --- object -------------------------------------------------------------------------------------

static void gst_depth_planes_class_init(GstDepthplanesClass* klass) {
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  GstRdpAnalyzerClass* analyzer_class = GST_RDP_ANALYZER_CLASS(klass);

  rdp::gst::install_element_properties<gst_rdp_analyzer_core, PlanesSettings,
                                       rdp::gst::kPlanesProperties>(analyzer_class);

  analyzer_class->category = gst_depth_planes_debug;
  analyzer_class->caps_words = &kCapsWords;
  analyzer_class->verb = "search";
  analyzer_class->participle = "searched";
  analyzer_class->new_method = gst_depth_planes_new_method;
  analyzer_class->check_caps = gst_depth_planes_check_caps;
  analyzer_class->transform_caps = gst_depth_planes_transform_caps;
  analyzer_class->makes_frames = gst_depth_planes_makes_frames;
  analyzer_class->items = "planes";
  analyzer_class->add_stats = gst_depth_planes_add_stats;

  gst_rdp_analyzer_class_add_pads(analyzer_class, RDP_DEPTH_FIELDS, RDP_POINTS_CAPS,
                                  RDP_PICTURE_FIELDS, rdp::gst::PlanesOverlayPad::get_type());
  gst_element_class_set_static_metadata(element_class, "Plane detection", "Filter/Analyzer/Video",
                                        "Finds planes and the ground in depth or disparity frames "
                                        "and in point clouds, and attaches them as metadata",
                                        "The rdpsegment authors");
}

static void gst_depth_planes_init(GstDepthplanes* self) { self->stream = rdp::gst::PlanesStream(); }
