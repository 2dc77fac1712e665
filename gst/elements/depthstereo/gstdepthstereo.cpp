// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthstereo
 * @title: depthstereo
 * @short_description: Makes disparity of stereo pairs
 *
 * Matches the pictures on `left` and `right`, or both views in the frames of one of these pads, by
 * semi-global matching. src has the disparity of every pixel of the left view: GRAY16_LE, in 1/256
 * pixels, 0 where it is unknown.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthstereo name=d ! rdpsegment sample-scale=0.00390625 epsilon=2 ! fakesink
 * depthtestsrc view=left ! d.left depthtestsrc view=right ! d.right d.overlay ! videoconvert !
 * autovideosink
 * ]|
 */
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/depthstereo/stereo_caps.h"
#include "gst/elements/depthstereo/stereo_method.h"
#include "gst/elements/depthstereo/stereo_properties.h"

GST_DEBUG_CATEGORY(gst_depth_stereo_debug);
#define GST_CAT_DEFAULT gst_depth_stereo_debug

using rdp::gst::JoinerPadRow;
using rdp::gst::StereoSettings;
using rdp::gst::StereoStats;

// GStreamer calls unnamed elements after their type: depthstereo0.
G_DECLARE_FINAL_TYPE(GstDepthstereo, gst_depth_stereo, GST, DEPTH_STEREO, GstRdpJoiner)

struct _GstDepthstereo {
  GstRdpJoiner parent;

  StereoStats stats;  // under the object lock
};

G_DEFINE_TYPE_WITH_CODE(GstDepthstereo, gst_depth_stereo, GST_TYPE_RDP_JOINER,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY,
                                              gst_rdp_joiner_child_proxy_init))
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(depthstereo, "depthstereo", GST_RANK_NONE,
                                      gst_depth_stereo_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_depth_stereo_debug, "depthstereo",
                                                              0, "disparity of stereo pairs"))

// --- pads and caps ------------------------------------------------------------------------------

#define GST_DEPTH_STEREO_VIEW "format = (string) { GRAY8, NV12, I420 }, " RDP_SIDES
#define GST_DEPTH_STEREO_GRAY "format = (string) GRAY8, " RDP_SIDES

using Role = JoinerPadRow::Role;

// A packed stream comes to left or right alone.
static constexpr auto kPads = std::to_array<JoinerPadRow>({
    {.name = "left",
     .role = Role::kFrames,
     .fields = GST_DEPTH_STEREO_VIEW,
     .words = &rdp::gst::kStereoCapsWords},
    {.name = "right",
     .role = Role::kFrames,
     .fields = GST_DEPTH_STEREO_VIEW,
     .words = &rdp::gst::kStereoCapsWords},
    {.name = "src", .role = Role::kSource, .fields = "format = (string) GRAY16_LE, " RDP_SIDES},
    {.name = "overlay",
     .role = Role::kPicture,
     .fields = RDP_PICTURE_FIELDS,
     .type = rdp::gst::DisparityOverlayPad::get_type},
    {.name = "rectified",
     .role = Role::kData,
     .fields = GST_DEPTH_STEREO_GRAY,
     .type = gst_rdp_data_pad_get_type},
    {.name = "confidence",
     .role = Role::kData,
     .fields = GST_DEPTH_STEREO_GRAY,
     .type = gst_rdp_data_pad_get_type},
});

// With two views, the caps of the second one prefer those of the main one.
static GstCaps* gst_depth_stereo_input_caps(GstRdpJoiner* joiner, GstPad* pad, GstCaps* own) {
  const bool alone = gst_rdp_joiner_count_inputs(joiner) < 2;
  GstPad* main = gst_rdp_joiner_ref_main(joiner);
  GstCaps* like = alone || main == pad ? nullptr : gst_pad_get_current_caps(main);
  gst_clear_object(&main);
  GstPad* src = GST_AGGREGATOR_SRC_PAD(joiner);
  g_autoptr(GstCaps) made = gst_pad_get_pad_template_caps(src);
  g_autoptr(GstCaps) taken = gst_pad_peer_query_caps(src, made);
  GstCaps* caps = rdp::gst::stereo_sink_caps(own, taken, alone, like);
  gst_clear_caps(&like);
  return caps;
}

// --- what the base asks for ---------------------------------------------------------------------

static void gst_depth_stereo_add_stats(GstRdpJoiner* joiner, const rdp::gst::JoinerStats* of_base,
                                       GstStructure* fields) {
  GST_OBJECT_LOCK(joiner);
  const StereoStats stats = GST_DEPTH_STEREO(joiner)->stats;
  GST_OBJECT_UNLOCK(joiner);
  const guint64 pairs = of_base->work.frames;
  gst_structure_set(fields, "largest-distance", G_TYPE_UINT64, of_base->largest_distance, "known",
                    G_TYPE_DOUBLE, stats.known, "mean-known", G_TYPE_DOUBLE,
                    pairs == 0 ? 0.0 : stats.known_sum / static_cast<double>(pairs), "saturated",
                    G_TYPE_DOUBLE, stats.saturated, nullptr);
}

static void gst_depth_stereo_class_init(GstDepthstereoClass* klass) {
  auto* joiner_class = GST_RDP_JOINER_CLASS(klass);
  rdp::gst::install_element_properties<gst_rdp_joiner_core, StereoSettings,
                                       rdp::gst::kStereoProperties>(joiner_class);
  joiner_class->category = gst_depth_stereo_debug;
  joiner_class->verb = "match";
  joiner_class->participle = "matched";
  joiner_class->input = "view";
  joiner_class->new_stream = [](GstRdpJoiner* joiner) -> rdp::gst::JoinerStream* {
    return new rdp::gst::JoinedWork(
        joiner, std::make_unique<rdp::gst::StereoMethod>(joiner, &GST_DEPTH_STEREO(joiner)->stats));
  };
  joiner_class->new_method = [](GstRdpJoiner* joiner) -> rdp::gst::Method* {
    return new rdp::gst::StereoMethod(joiner, &GST_DEPTH_STEREO(joiner)->stats);
  };
  joiner_class->input_caps = gst_depth_stereo_input_caps;
  joiner_class->frames = "pairs";
  joiner_class->add_stats = gst_depth_stereo_add_stats;
  gst_rdp_joiner_class_set_pads(joiner_class, kPads);
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass), "Stereo matching",
                                        "Filter/Analyzer/Video",
                                        "Computes disparity or depth from a rectified or "
                                        "calibrated stereo pair by semi-global matching",
                                        "The rdpsegment authors");
}

static void gst_depth_stereo_init(GstDepthstereo*) {}
