// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/picture_pad.h"

#include <array>
#include <new>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/pad_memory.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/quality.h"

GST_DEBUG_CATEGORY_EXTERN(gst_rdp_extra_pad_debug);
#define GST_CAT_DEFAULT gst_rdp_extra_pad_debug

using rdp::gst::MemoryKind;
using rdp::gst::PadMemory;

namespace {

struct Settings {
  GstRdpDrop drop = GST_RDP_DROP_AUTO;
};

constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "drop",
      .nick = "Drop",
      .blurb = "Drop policy for pictures, so that frames do not wait for a slow sink",
      .flags = rdp::gst::kWhilePlaying},
     rdp::gst::PropertyOf<Settings>::as_enum<&Settings::drop>(gst_rdp_drop_get_type)},
});

}  // namespace

struct GstRdpPicturePadPrivate {
  explicit GstRdpPicturePadPrivate(GstRdpExtraPad* pad) : memory(pad) {}

  PadMemory memory;
  // Under the object lock.
  Settings settings;
  GstClockTime earliest_time = GST_CLOCK_TIME_NONE;  // a picture before this running time is late
};

G_DEFINE_TYPE_WITH_PRIVATE(GstRdpPicturePad, gst_rdp_picture_pad, GST_TYPE_RDP_EXTRA_PAD)

static GstRdpPicturePadPrivate& gst_rdp_picture_pad_private(GstRdpPicturePad* self) {
  return *static_cast<GstRdpPicturePadPrivate*>(gst_rdp_picture_pad_get_instance_private(self));
}

// --- memory -------------------------------------------------------------------------------------

void gst_rdp_picture_pad_set_context(GstRdpPicturePad* self, GstObject* context) {
  gst_rdp_picture_pad_private(self).memory.set_context(context);
}

void gst_rdp_picture_pad_set_nvmm(GstRdpPicturePad* self, guint gpu, gboolean for_host,
                                  gboolean preferred) {
  gst_rdp_picture_pad_private(self).memory.set_nvmm(gpu, for_host != FALSE, preferred != FALSE);
}

const GstVideoInfo* gst_rdp_picture_pad_get_info(GstRdpPicturePad* self) {
  return &gst_rdp_picture_pad_private(self).memory.info();
}

MemoryKind gst_rdp_picture_pad_get_memory(GstRdpPicturePad* self) {
  return gst_rdp_picture_pad_private(self).memory.memory();
}

static GstCaps* gst_rdp_picture_pad_choose_caps(GstRdpExtraPad* pad, GstCaps* told) {
  auto* self = GST_RDP_PICTURE_PAD(pad);
  GstVideoInfo frames;
  if (!gst_video_info_from_caps(&frames, told)) {
    GST_WARNING_OBJECT(self, "no pictures for %" GST_PTR_FORMAT, told);
    return nullptr;
  }
  GstVideoInfo info{};
  gst_video_info_set_format(&info, GST_VIDEO_FORMAT_RGBA,
                            static_cast<guint>(GST_VIDEO_INFO_WIDTH(&frames)),
                            static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&frames)));
  info.fps_n = frames.fps_n;
  info.fps_d = frames.fps_d;
  info.par_n = frames.par_n;
  info.par_d = frames.par_d;
  return gst_rdp_picture_pad_private(self).memory.choose_caps(info);
}

static GstBufferPool* gst_rdp_picture_pad_decide_pool(GstRdpExtraPad* pad, GstCaps*,
                                                      GstQuery* query) {
  return gst_rdp_picture_pad_private(GST_RDP_PICTURE_PAD(pad)).memory.decide_pool(query);
}

static void gst_rdp_picture_pad_negotiated(GstRdpExtraPad* pad, GstBufferPool*) {
  gst_rdp_picture_pad_private(GST_RDP_PICTURE_PAD(pad)).memory.negotiated();
}

// --- being late ---------------------------------------------------------------------------------

gboolean gst_rdp_picture_pad_wants(GstRdpPicturePad* self, GstClockTime running_time,
                                   gboolean* gap) {
  *gap = FALSE;
  if (!gst_rdp_extra_pad_takes(GST_RDP_EXTRA_PAD(self))) return FALSE;
  GST_OBJECT_LOCK(self);
  const GstClockTime earliest_time = gst_rdp_picture_pad_private(self).earliest_time;
  const bool all = gst_rdp_picture_pad_private(self).settings.drop == GST_RDP_DROP_NEVER;
  GST_OBJECT_UNLOCK(self);
  if (!all && GST_CLOCK_TIME_IS_VALID(running_time) && GST_CLOCK_TIME_IS_VALID(earliest_time) &&
      running_time <= earliest_time) {
    GST_LOG_OBJECT(self,
                   "no picture at %" GST_TIME_FORMAT ": the sink is late until %" GST_TIME_FORMAT,
                   GST_TIME_ARGS(running_time), GST_TIME_ARGS(earliest_time));
    gst_rdp_extra_pad_count_dropped(GST_RDP_EXTRA_PAD(self));
    *gap = TRUE;
    return FALSE;
  }
  return TRUE;
}

GstFlowReturn gst_rdp_picture_pad_skip(GstRdpPicturePad* self, GstBuffer* frame, gboolean gap) {
  GstRdpExtraPad* pad = GST_RDP_EXTRA_PAD(self);
  // A GAP needs a time stamp.
  if (!gap) return GST_FLOW_NOT_LINKED;
  const bool sent = !GST_BUFFER_PTS_IS_VALID(frame) ||
                    gst_rdp_extra_pad_push_event(
                        pad, gst_event_new_gap(GST_BUFFER_PTS(frame), GST_BUFFER_DURATION(frame)));
  return sent ? gst_rdp_extra_pad_get_last_flow(pad) : GST_FLOW_NOT_LINKED;
}

static void gst_rdp_picture_pad_qos(GstRdpExtraPad* pad, GstEvent* event) {
  auto* self = GST_RDP_PICTURE_PAD(pad);
  GstClockTimeDiff diff;
  GstClockTime timestamp;
  gst_event_parse_qos(event, nullptr, nullptr, &diff, &timestamp);
  const GstClockTime earliest_time = rdp::gst::last_late_time(timestamp, diff);
  GST_OBJECT_LOCK(self);
  gst_rdp_picture_pad_private(self).earliest_time = earliest_time;
  GST_OBJECT_UNLOCK(self);
}

static void gst_rdp_picture_pad_reset(GstRdpExtraPad* pad) {
  auto* self = GST_RDP_PICTURE_PAD(pad);
  GST_OBJECT_LOCK(self);
  gst_rdp_picture_pad_private(self).earliest_time = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK(self);
}

// --- object -------------------------------------------------------------------------------------

static void gst_rdp_picture_pad_stopped(GstRdpExtraPad* pad) {
  gst_rdp_picture_pad_private(GST_RDP_PICTURE_PAD(pad)).memory.let_go();
}

static void gst_rdp_picture_pad_set_property(GObject* object, guint id, const GValue* value,
                                             GParamSpec* pspec) {
  auto* self = GST_RDP_PICTURE_PAD(object);
  Settings& settings = gst_rdp_picture_pad_private(self).settings;
  rdp::gst::set_property(object, kProperties, settings, id, value, pspec);
  gst_rdp_extra_pad_set_drop(GST_RDP_EXTRA_PAD(self),
                             static_cast<GstRdpDrop>(g_value_get_enum(value)));
}

static void gst_rdp_picture_pad_get_property(GObject* object, guint id, GValue* value,
                                             GParamSpec* pspec) {
  const Settings& settings = gst_rdp_picture_pad_private(GST_RDP_PICTURE_PAD(object)).settings;
  rdp::gst::get_property(object, kProperties, settings, id, value, pspec);
}

static void gst_rdp_picture_pad_finalize(GObject* object) {
  auto* self = GST_RDP_PICTURE_PAD(object);
  gst_rdp_picture_pad_private(self).~GstRdpPicturePadPrivate();
  G_OBJECT_CLASS(gst_rdp_picture_pad_parent_class)->finalize(object);
}

static void gst_rdp_picture_pad_class_init(GstRdpPicturePadClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  object_class->finalize = gst_rdp_picture_pad_finalize;
  object_class->set_property = gst_rdp_picture_pad_set_property;
  object_class->get_property = gst_rdp_picture_pad_get_property;
  rdp::gst::install_properties(object_class, kProperties);
  gst_type_mark_as_plugin_api(GST_TYPE_RDP_PICTURE_PAD, static_cast<GstPluginAPIFlags>(0));
  auto* pad_class = GST_RDP_EXTRA_PAD_CLASS(klass);
  pad_class->choose_caps = gst_rdp_picture_pad_choose_caps;
  pad_class->decide_pool = gst_rdp_picture_pad_decide_pool;
  pad_class->negotiated = gst_rdp_picture_pad_negotiated;
  pad_class->reset = gst_rdp_picture_pad_reset;
  pad_class->qos = gst_rdp_picture_pad_qos;
  pad_class->stopped = gst_rdp_picture_pad_stopped;
}

static void gst_rdp_picture_pad_init(GstRdpPicturePad* self) {
  new (gst_rdp_picture_pad_get_instance_private(self))
      GstRdpPicturePadPrivate(GST_RDP_EXTRA_PAD(self));
  gst_rdp_extra_pad_set_drop(GST_RDP_EXTRA_PAD(self), Settings().drop);
}
