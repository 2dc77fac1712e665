// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthalign
 * @title: depthalign
 * @short_description: Brings depth into the view of another camera
 *
 * Aligns the depth on `depth` to the camera on `video`, or to one in a calibration file. Each
 * sample of `src` is the depth that this camera sees there. The pad `color` does the opposite: it
 * has the picture of `video` in the view of the depth camera.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthalign name=a ! fakesink depthtestsrc pattern=room domain=depth rig-pose=true
 * num-buffers=30 ! a.depth depthtestsrc pattern=room view=color num-buffers=30 ! a.video
 * ]|
 */
#include <gst/video/video.h>

#include "common/boundary.h"
#include "gst/elements/base/depth_caps.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/depthalign/align_method.h"
#include "gst/elements/depthalign/align_properties.h"

GST_DEBUG_CATEGORY(gst_depth_align_debug);
#define GST_CAT_DEFAULT gst_depth_align_debug

using rdp::gst::AlignSettings;
using rdp::gst::AlignShared;
using rdp::gst::JoinerPadRow;
using Role = JoinerPadRow::Role;

G_DECLARE_FINAL_TYPE(GstDepthAlign, gst_depth_align, GST, DEPTH_ALIGN, GstRdpJoiner)

struct _GstDepthAlign {
  GstRdpJoiner parent;

  AlignShared* shared;
};

G_DEFINE_TYPE_WITH_CODE(GstDepthAlign, gst_depth_align, GST_TYPE_RDP_JOINER,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY,
                                              gst_rdp_joiner_child_proxy_init))
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(depthalign, "depthalign", GST_RANK_NONE,
                                      gst_depth_align_get_type(),
                                      GST_DEBUG_CATEGORY_INIT(gst_depth_align_debug, "depthalign",
                                                              0, "depth in another view"))

static const rdp::gst::CapsWords kVideoWords = {
    .takes =
        "format RGB, BGR, RGBA, BGRA, GRAY8 or NV12 in system memory, RGBA or GRAY8 in others, up "
        "to 16384x16384",
    .remedy =
        "Other formats: put videoconvert before the pad video. Other memory: "
        "put cudaconvert ! video/x-raw(memory:CUDAMemory),format=RGBA or nvvideoconvert ! "
        "video/x-raw(memory:NVMM),format=RGBA before it, or the element that downloads it.",
    .example =
        "video/x-raw,format=RGB,width=640,height=480 (rawvideoparse or a capsfilter adds "
        "them to raw data)",
};

// --- pads ---------------------------------------------------------------------------------------

// Two formats in GPU memory, more in system memory, whose structure comes last.
static GstCaps* gst_depth_align_video_caps() {
  GstCaps* caps =
      rdp::gst::video_caps_of_all_memories("format = (string) { RGBA, GRAY8 }, " RDP_SIDES, true);
  gst_caps_remove_structure(caps, gst_caps_get_size(caps) - 1);
  gst_caps_append(caps, gst_caps_from_string("video/x-raw, format = (string) { RGB, BGR, RGBA, "
                                             "BGRA, GRAY8, NV12 }, " RDP_SIDES));
  return caps;
}

static constexpr auto kPads = std::to_array<JoinerPadRow>({
    {.name = "depth",
     .role = Role::kFrames,
     .fields = RDP_DEPTH_FIELDS,
     .words = &rdp::gst::kDepthWords,
     .presence = GST_PAD_ALWAYS},
    {.name = rdp::gst::kVideoPad,
     .role = Role::kFrames,
     .caps = gst_depth_align_video_caps,
     .words = &kVideoWords,
     .chroma = true},
    {.name = "src", .role = Role::kSource, .fields = "format = (string) GRAY16_LE, " RDP_SIDES},
    {.name = "color",
     .role = Role::kData,
     .fields = RDP_PICTURE_FIELDS,
     .type = gst_rdp_data_pad_get_type},
});
static constexpr std::size_t kColorRow = 3;
static_assert(kPads[kColorRow].role == Role::kData);

// --- what the base asks for ---------------------------------------------------------------------

static void gst_depth_align_see(GstRdpJoiner* joiner, GstPad* pad, GstBuffer* frame) {
  auto* self = GST_DEPTH_ALIGN(joiner);
  g_autoptr(GstCaps) caps = gst_pad_get_current_caps(pad);
  rdp::contain(
      [&] {
        self->shared->video.see(frame, caps);
        return true;
      },
      [&](const char* reason) {
        GST_WARNING_OBJECT(self, "the camera of %" GST_PTR_FORMAT ": %s", frame, reason);
        return false;
      });
}

static void gst_depth_align_add_stats(GstRdpJoiner* joiner, const rdp::gst::JoinerStats*,
                                      GstStructure* fields) {
  GST_OBJECT_LOCK(joiner);
  const rdp::gst::AlignStats stats = GST_DEPTH_ALIGN(joiner)->shared->stats;
  GST_OBJECT_UNLOCK(joiner);
  gst_structure_set(fields, "valid", G_TYPE_DOUBLE, stats.valid, "inside", G_TYPE_DOUBLE,
                    stats.inside, nullptr);
}

static void gst_depth_align_finalize(GObject* object) {
  AlignShared* shared = GST_DEPTH_ALIGN(object)->shared;
  G_OBJECT_CLASS(gst_depth_align_parent_class)->finalize(object);
  delete shared;
}

static void gst_depth_align_class_init(GstDepthAlignClass* klass) {
  auto* joiner_class = GST_RDP_JOINER_CLASS(klass);
  rdp::gst::install_element_properties<gst_rdp_joiner_core, AlignSettings,
                                       rdp::gst::kAlignProperties>(joiner_class);
  G_OBJECT_CLASS(klass)->finalize = gst_depth_align_finalize;
  joiner_class->category = gst_depth_align_debug;
  joiner_class->verb = "align";
  joiner_class->participle = "aligned";
  joiner_class->rules = {.unpaired = rdp::gst::PairingRules::Unpaired::kGoesOn};
  joiner_class->pairs_for = kColorRow;
  joiner_class->see_other = gst_depth_align_see;
  joiner_class->new_stream = [](GstRdpJoiner* joiner) -> rdp::gst::JoinerStream* {
    return new rdp::gst::JoinedWork(
        joiner, std::make_unique<rdp::gst::AlignMethod>(joiner, GST_DEPTH_ALIGN(joiner)->shared));
  };
  joiner_class->new_method = [](GstRdpJoiner* joiner) -> rdp::gst::Method* {
    return new rdp::gst::AlignMethod(joiner, GST_DEPTH_ALIGN(joiner)->shared);
  };
  joiner_class->frames = "frames";
  joiner_class->add_stats = gst_depth_align_add_stats;
  gst_rdp_joiner_class_set_pads(joiner_class, kPads);
  gst_element_class_set_static_metadata(
      GST_ELEMENT_CLASS(klass), "Depth alignment", "Filter/Converter/Video",
      "Brings depth into the view of another camera, and colour into the view of the depth camera",
      "The rdpsegment authors");
}

static void gst_depth_align_init(GstDepthAlign* self) { self->shared = new AlignShared; }
