// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-rdpmotion
 * @title: rdpmotion
 * @short_description: Finds how segments move
 *
 * Pairs frames with segments on `depth` with frames with tracks on `video`, of the same rectified
 * camera. Attaches a GstRdpMotionMeta to the depth frames. It has the motion of each segment, in
 * pixels and, with a known camera, in metres a second. It also has the motion of each track in
 * space.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc pattern=traffic view=left ! d.left depthtestsrc pattern=traffic
 * view=right ! d.right depthstereo name=d ! rdpsegment epsilon=2 sample-scale=0.00390625
 * merge=true ! m.depth d.rectified ! klttrack cell=8 ! m.video rdpmotion name=m
 * ego-motion=estimate ! rdpmetaconvert ! filesink location=motion.jsonl
 * ]|
 */
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "gst/elements/base/base_enums.h"
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/rdpmotion/motion_properties.h"
#include "gst/elements/rdpmotion/motion_stream.h"

GST_DEBUG_CATEGORY_STATIC(gst_rdp_motion_debug);
#define GST_CAT_DEFAULT gst_rdp_motion_debug

using rdp::gst::JoinerPadRow;
using rdp::gst::MotionSettings;
using rdp::gst::MotionStats;

// GStreamer calls unnamed elements after their type: rdpmotion0.
G_DECLARE_FINAL_TYPE(GstRdpmotion, gst_rdp_motion_element, GST, RDP_MOTION_ELEMENT, GstRdpJoiner)

struct _GstRdpmotion {
  GstRdpJoiner parent;

  MotionStats stats;  // under the object lock
};

G_DEFINE_TYPE_WITH_CODE(GstRdpmotion, gst_rdp_motion_element, GST_TYPE_RDP_JOINER,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY,
                                              gst_rdp_joiner_child_proxy_init))
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(rdpmotion, "rdpmotion", GST_RANK_NONE,
                                      gst_rdp_motion_element_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_rdp_motion_debug, "rdpmotion", 0,
                                                              "segments that move"))

// --- pads and caps ------------------------------------------------------------------------------

static GstCaps* gst_rdp_motion_any_video() { return gst_caps_from_string("video/x-raw(ANY)"); }

// The frames on depth go out as they came.
static constexpr auto kPads = std::to_array<JoinerPadRow>({
    {.name = "depth",
     .role = JoinerPadRow::Role::kPassing,
     .fields = RDP_DEPTH_FIELDS,
     .words = &rdp::gst::kDepthWords,
     .presence = GST_PAD_ALWAYS},
    {.name = "video",
     .role = JoinerPadRow::Role::kMetadata,
     .caps = gst_rdp_motion_any_video,
     .words = &rdp::gst::kDepthWords,
     .presence = GST_PAD_ALWAYS},
    {.name = "src", .role = JoinerPadRow::Role::kSource, .fields = RDP_DEPTH_FIELDS},
    {.name = "overlay",
     .role = JoinerPadRow::Role::kPicture,
     .fields = RDP_PICTURE_FIELDS,
     .type = rdp::gst::MotionOverlayPad::get_type},
});

static constexpr std::size_t kOverlayRow = 3;
static_assert(kPads[kOverlayRow].role == JoinerPadRow::Role::kPicture);

// The caps that downstream takes.
static GstCaps* gst_rdp_motion_input_caps(GstRdpJoiner* joiner, GstPad*, GstCaps* own) {
  GstCaps* taken = gst_pad_peer_query_caps(GST_AGGREGATOR_SRC_PAD(joiner), own);
  gst_caps_unref(own);
  return taken;
}

// --- the element --------------------------------------------------------------------------------

static void gst_rdp_motion_add_stats(GstRdpJoiner* joiner, const rdp::gst::JoinerStats*,
                                     GstStructure* fields) {
  GST_OBJECT_LOCK(joiner);
  const MotionStats stats = GST_RDP_MOTION_ELEMENT(joiner)->stats;
  GST_OBJECT_UNLOCK(joiner);
  const auto of = [](int count) { return static_cast<guint64>(count); };
  const double looked_at = stats.counts.ego_tracks;
  gst_structure_set(fields, "frames", G_TYPE_UINT64, stats.frames, "segments", G_TYPE_UINT64,
                    stats.segments, "known", G_TYPE_UINT64, of(stats.counts.known), "moving",
                    G_TYPE_UINT64, of(stats.counts.moving), "tracks", G_TYPE_UINT64,
                    of(stats.counts.tracks), "filters", G_TYPE_UINT64, of(stats.counts.filters),
                    "ego-inliers", G_TYPE_DOUBLE,
                    looked_at > 0.0 ? stats.counts.ego_inliers / looked_at : 0.0, "last-time",
                    G_TYPE_UINT64, stats.last_time, "mean-time", G_TYPE_UINT64,
                    stats.frames == 0 ? 0 : stats.total_time / stats.frames, nullptr);
}

static void gst_rdp_motion_element_class_init(GstRdpmotionClass* klass) {
  auto* joiner_class = GST_RDP_JOINER_CLASS(klass);
  rdp::gst::install_element_properties<gst_rdp_joiner_core, MotionSettings,
                                       rdp::gst::kMotionProperties>(joiner_class);
  joiner_class->category = gst_rdp_motion_debug;
  joiner_class->verb = "find motion in";
  joiner_class->participle = "looked at";
  joiner_class->rules = {.unpaired = rdp::gst::PairingRules::Unpaired::kGoesOn};
  joiner_class->new_stream = [](GstRdpJoiner* joiner) -> rdp::gst::JoinerStream* {
    return new rdp::gst::MotionStream(joiner, kOverlayRow, &GST_RDP_MOTION_ELEMENT(joiner)->stats);
  };
  // There is no backend to choose.
  joiner_class->check_backend = [](GstRdpJoiner*) { return true; };
  joiner_class->input_caps = gst_rdp_motion_input_caps;
  joiner_class->add_stats = gst_rdp_motion_add_stats;
  gst_rdp_joiner_class_set_pads(joiner_class, kPads);
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass), "Segment motion",
                                        "Filter/Analyzer/Video",
                                        "Estimates the velocities of depth segments from feature "
                                        "tracks and attaches them as metadata",
                                        "The rdpsegment authors");
}

static void gst_rdp_motion_element_init(GstRdpmotion* self) { self->stats = MotionStats(); }
