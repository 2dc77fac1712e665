// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-heightmap
 * @title: heightmap
 * @short_description: Finds heights above the ground from several cameras
 *
 * Estimates heights above the ground from several calibrated cameras that look at people, or at
 * anything of bounded height over a plane. src has the height of the visible surface at every pixel
 * of one view, the reference: GRAY16_LE, in mm, 0 where it is unknown. A pad's number is its view's
 * place in the calibration. The request pad `overlay` makes pictures, `ground` maps of the ground
 * itself.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 heightmap name=h calibration=cameras.json ! videoconvert ! autovideosink
 * v4l2src device=/dev/video0 ! videoconvert ! h.sink_0 v4l2src device=/dev/video1 ! videoconvert !
 * h.sink_1
 * ]|
 */
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/heightmap/height_method.h"
#include "gst/elements/heightmap/height_properties.h"

GST_DEBUG_CATEGORY(gst_heightmap_debug);
#define GST_CAT_DEFAULT gst_heightmap_debug

using rdp::gst::HeightSettings;
using rdp::gst::HeightStats;
using rdp::gst::JoinerPadRow;

G_DECLARE_FINAL_TYPE(GstHeightmap, gst_heightmap, GST, HEIGHTMAP, GstRdpJoiner)

struct _GstHeightmap {
  GstRdpJoiner parent;

  HeightStats stats;  // under the object lock
};

G_DEFINE_TYPE_WITH_CODE(GstHeightmap, gst_heightmap, GST_TYPE_RDP_JOINER,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY,
                                              gst_rdp_joiner_child_proxy_init))
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(heightmap, "heightmap", GST_RANK_NONE,
                                      gst_heightmap_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_heightmap_debug, "heightmap", 0,
                                                              "heights from several cameras"))

using Role = JoinerPadRow::Role;

#define GST_HEIGHTMAP_SAMPLES "format = (string) GRAY16_LE, " RDP_SIDES

// All views may come to sink_0 alone, as batches in NVMM memory.
static constexpr auto kPads = std::to_array<JoinerPadRow>({
    {.name = "sink_%u",
     .role = Role::kFrames,
     .fields = "format = (string) { GRAY8, NV12, I420 }, " RDP_SIDES,
     .words = &rdp::gst::kHeightCapsWords,
     .most = rdp::heightmap::kMaxViews},
    {.name = "src", .role = Role::kSource, .fields = GST_HEIGHTMAP_SAMPLES},
    {.name = "overlay",
     .role = Role::kPicture,
     .fields = RDP_PICTURE_FIELDS,
     .type = rdp::gst::HeightsOverlayPad::get_type},
    {.name = rdp::gst::kGroundPad,
     .role = Role::kData,
     .fields = GST_HEIGHTMAP_SAMPLES,
     .type = gst_rdp_data_pad_get_type},
});

// --- what the base asks for ---------------------------------------------------------------------

static void gst_heightmap_add_stats(GstRdpJoiner* joiner, const rdp::gst::JoinerStats* of_base,
                                    GstStructure* fields) {
  GST_OBJECT_LOCK(joiner);
  const HeightStats stats = GST_HEIGHTMAP(joiner)->stats;
  GST_OBJECT_UNLOCK(joiner);
  gst_structure_set(fields, "wide", G_TYPE_UINT64, of_base->pairing.wide, "spread", G_TYPE_UINT64,
                    stats.spread, "largest-spread", G_TYPE_UINT64, of_base->largest_spread, "known",
                    G_TYPE_DOUBLE, stats.known, "heads", G_TYPE_UINT64, stats.heads, "iterations",
                    G_TYPE_UINT64, stats.iterations, "energy", G_TYPE_INT64, stats.energy, nullptr);
}

static void gst_heightmap_class_init(GstHeightmapClass* klass) {
  auto* joiner_class = GST_RDP_JOINER_CLASS(klass);
  rdp::gst::install_element_properties<gst_rdp_joiner_core, HeightSettings,
                                       rdp::gst::kHeightProperties>(joiner_class);
  joiner_class->category = gst_heightmap_debug;
  joiner_class->verb = "label";
  joiner_class->participle = "labelled";
  joiner_class->input = "view";
  joiner_class->least_inputs = rdp::heightmap::kLeastViews;
  joiner_class->is_whole_set = rdp::gst::is_batch_of_views;
  joiner_class->live_timeout_s = 1;
  joiner_class->rules = {.gaps = true,
                         .within_each_other = true,
                         .tolerance = static_cast<std::int64_t>(5 * GST_MSECOND)};
  joiner_class->main_number = [](GstRdpJoiner* joiner) {
    return rdp::gst::copy_settings<HeightSettings>(joiner).reference;
  };
  joiner_class->new_stream = [](GstRdpJoiner* joiner) -> rdp::gst::JoinerStream* {
    return new rdp::gst::JoinedWork(
        joiner, std::make_unique<rdp::gst::HeightMethod>(joiner, &GST_HEIGHTMAP(joiner)->stats));
  };
  joiner_class->new_method = [](GstRdpJoiner* joiner) -> rdp::gst::Method* {
    return new rdp::gst::HeightMethod(joiner, &GST_HEIGHTMAP(joiner)->stats);
  };
  joiner_class->frames = "sets";
  joiner_class->add_stats = gst_heightmap_add_stats;
  gst_rdp_joiner_class_set_pads(joiner_class, kPads);
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass), "Height map",
                                        "Filter/Analyzer/Video",
                                        "Estimates the height above ground of every pixel from 2 "
                                        "to 16 calibrated cameras, and locates heads",
                                        "The rdpsegment authors");
}

static void gst_heightmap_init(GstHeightmap*) {}
