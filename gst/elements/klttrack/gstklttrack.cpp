// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-klttrack
 * @title: klttrack
 * @short_description: Tracks features from frame to frame
 *
 * Finds features in video and tracks them from frame to frame (Kanade, Lucas, Tomasi), and attaches
 * them to the buffer as #GstRdpTracksMeta: an id, where each is, how far it has moved, and which
 * were lost and why. The request pad `overlay` makes pictures of them. The frames pass unchanged
 * and uncopied.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc view=left ! klttrack ! rdpmetaconvert ! filesink
 * location=tracks.jsonl
 * ]|
 */
#include <string>
#include <utility>

#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/klttrack/track_method.h"
#include "gst/elements/klttrack/track_properties.h"

GST_DEBUG_CATEGORY(gst_klt_track_debug);
#define GST_CAT_DEFAULT gst_klt_track_debug

using rdp::gst::TrackSettings;

// GStreamer calls unnamed elements after their type: klttrack0.
G_DECLARE_FINAL_TYPE(GstKlttrack, gst_klt_track, GST, KLT_TRACK, GstRdpAnalyzer)

struct _GstKlttrack {
  GstRdpAnalyzer parent;

  rdp::gst::TrackStats stats;  // under the object lock
};

G_DEFINE_TYPE(GstKlttrack, gst_klt_track, GST_TYPE_RDP_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(klttrack, "klttrack", GST_RANK_NONE, gst_klt_track_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_klt_track_debug, "klttrack", 0,
                                                              "feature tracks"))

static const rdp::gst::CapsWords kCapsWords = {
    "format GRAY8, NV12 or I420, up to 16384x16384",
    "Put a converter before it that makes one of them: videoconvert ! video/x-raw,format=GRAY8; "
    "cudaconvert ! video/x-raw(memory:CUDAMemory),format=NV12; nvvideoconvert ! "
    "video/x-raw(memory:NVMM),format=NV12. Other memory: put the element that downloads it before "
    "this one.",
    nullptr,
    "video/x-raw,format=GRAY8,width=640,height=480 (rawvideoparse or a capsfilter adds them to raw "
    "data)",
};

// --- what the base asks for ---------------------------------------------------------------------

static rdp::gst::Method* gst_klt_track_new_method(GstRdpAnalyzer* analyzer) {
  const auto settings = rdp::gst::copy_settings<TrackSettings>(analyzer);
  rdp::gst::Mask mask;
  std::string reason;
  if (settings.mask && !rdp::gst::read_mask(settings.mask.get(), &mask, &reason)) {
    GST_ELEMENT_ERROR(analyzer, LIBRARY, SETTINGS,
                      ("The mask cannot be used: %s.", rdp::gst::ShownText(reason).get()),
                      ("mask=%s", rdp::gst::ShownText(settings.mask.get()).get()));
    return nullptr;
  }
  return new rdp::gst::TrackMethod(analyzer, &GST_KLT_TRACK(analyzer)->stats, std::move(mask));
}

static void gst_klt_track_add_stats(GstRdpAnalyzer* analyzer, const rdp::gst::AnalyzerStats*,
                                    GstStructure* fields) {
  GST_OBJECT_LOCK(analyzer);
  const rdp::gst::TrackStats of = GST_KLT_TRACK(analyzer)->stats;
  GST_OBJECT_UNLOCK(analyzer);
  gst_structure_set(fields, "live", G_TYPE_UINT64, of.live, "new", G_TYPE_UINT64, of.born,
                    "templates", G_TYPE_UINT64, of.templates, nullptr);
  for (guint reason = GST_RDP_LOST_TEXTURE; reason <= GST_RDP_LOST_TEMPLATE; ++reason) {
    const std::string name =
        std::string("lost-") + gst_rdp_lost_reason_get_name(static_cast<GstRdpLostReason>(reason));
    gst_structure_set(fields, name.c_str(), G_TYPE_UINT64, of.lost[reason], nullptr);
  }
}

// --- object -------------------------------------------------------------------------------------

static void gst_klt_track_class_init(GstKlttrackClass* klass) {
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  GstRdpAnalyzerClass* analyzer_class = GST_RDP_ANALYZER_CLASS(klass);

  rdp::gst::install_element_properties<gst_rdp_analyzer_core, TrackSettings,
                                       rdp::gst::kTrackProperties>(analyzer_class);

  analyzer_class->category = gst_klt_track_debug;
  analyzer_class->caps_words = &kCapsWords;
  analyzer_class->verb = "track";
  analyzer_class->participle = "tracked";
  analyzer_class->new_method = gst_klt_track_new_method;
  analyzer_class->items = "tracks";
  analyzer_class->add_stats = gst_klt_track_add_stats;

  gst_rdp_analyzer_class_add_video_pads(analyzer_class,
                                        "format = (string) { GRAY8, NV12, I420 }, " RDP_SIDES,
                                        RDP_PICTURE_FIELDS, rdp::gst::TrackOverlayPad::get_type());
  gst_element_class_set_static_metadata(element_class, "Feature tracking", "Filter/Analyzer/Video",
                                        "Tracks features in video from frame to frame "
                                        "(Kanade-Lucas-Tomasi) and attaches the tracks as metadata",
                                        "The rdpsegment authors");
}

static void gst_klt_track_init(GstKlttrack* self) { self->stats = rdp::gst::TrackStats(); }
