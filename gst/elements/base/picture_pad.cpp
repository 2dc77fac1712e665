// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/picture_pad.h"

#include <new>
#include <string>
#include <utility>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/quality.h"
#include "gst/memory/nvmm_library.h"
#include "gst/memory/nvmm_picture_pool.h"
#include "gst/memory/pool_negotiation.h"

GST_DEBUG_CATEGORY_EXTERN(gst_rdp_extra_pad_debug);
#define GST_CAT_DEFAULT gst_rdp_extra_pad_debug

using rdp::gst::MemoryKind;

namespace {

// Where pictures in other memory than the system's lie.
struct Place {
  GstObject* context = nullptr;  // of CUDA memory; owned
  guint nvmm_gpu = 0;
  gboolean nvmm_for_host = FALSE;
  gboolean nvmm_preferred = FALSE;
};

// What a negotiation has come to.
struct Outcome {
  GstVideoInfo info{};
  MemoryKind memory = MemoryKind::kSystem;
};

struct Settings {
  GstRdpDrop drop = GST_RDP_DROP_AUTO;
};

constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "drop",
      .nick = "Drop",
      .blurb = "Which pictures may be dropped, so that frames do not wait for a slow sink",
      .flags = rdp::gst::kWhilePlaying},
     rdp::gst::PropertyOf<Settings>::as_enum<&Settings::drop>(gst_rdp_drop_get_type)},
});

}  // namespace

struct GstRdpPicturePadPrivate {
  // Under the object lock.
  Settings settings;
  GstClockTime earliest_time = GST_CLOCK_TIME_NONE;  // a picture before this running time is late
  Place place;                                       // as the element says
  Outcome decided;                                   // by the pad's thread
  GstObject* pool_context = nullptr;                 // of its pool, for CUDA memory; owned

  // The pad's thread.
  GstVideoInfo info{};
  MemoryKind memory = MemoryKind::kSystem;  // that the caps speak of

  // Streaming thread.
  Outcome current;  // of the pool that buffers are acquired from
};

G_DEFINE_TYPE_WITH_PRIVATE(GstRdpPicturePad, gst_rdp_picture_pad, GST_TYPE_RDP_EXTRA_PAD)

static GstRdpPicturePadPrivate& gst_rdp_picture_pad_private(GstRdpPicturePad* self) {
  return *static_cast<GstRdpPicturePadPrivate*>(gst_rdp_picture_pad_get_instance_private(self));
}

// --- the place ----------------------------------------------------------------------------------

void gst_rdp_picture_pad_set_context(GstRdpPicturePad* self, GstObject* context) {
  GstRdpPicturePadPrivate& priv = gst_rdp_picture_pad_private(self);
  GstObject* old = context == nullptr ? nullptr : GST_OBJECT(gst_object_ref(context));
  GST_OBJECT_LOCK(self);
  std::swap(old, priv.place.context);
  const bool moves = context != nullptr && context != priv.pool_context;
  GST_OBJECT_UNLOCK(self);
  gst_clear_object(&old);
  // The buffers of the pool are in the old one's memory; the caps say nothing of contexts.
  if (moves && priv.current.memory == MemoryKind::kCuda) {
    gst_rdp_extra_pad_renew_pool(GST_RDP_EXTRA_PAD(self));
  }
}

void gst_rdp_picture_pad_set_nvmm(GstRdpPicturePad* self, guint gpu, gboolean for_host,
                                  gboolean preferred) {
  GstRdpPicturePadPrivate& priv = gst_rdp_picture_pad_private(self);
  GST_OBJECT_LOCK(self);
  Place& place = priv.place;
  const bool moves = place.nvmm_gpu != gpu || place.nvmm_for_host != for_host;
  const bool chooses = place.nvmm_preferred != preferred;
  place.nvmm_gpu = gpu;
  place.nvmm_for_host = for_host;
  place.nvmm_preferred = preferred;
  GST_OBJECT_UNLOCK(self);
  if (moves && priv.current.memory == MemoryKind::kNvmm) {
    gst_rdp_extra_pad_renew_pool(GST_RDP_EXTRA_PAD(self));
  }
  // It follows the memory of the frames, whose caps are new then.
  if (chooses) gst_pad_mark_reconfigure(GST_PAD(self));
}

const GstVideoInfo* gst_rdp_picture_pad_get_info(GstRdpPicturePad* self) {
  return &gst_rdp_picture_pad_private(self).current.info;
}

MemoryKind gst_rdp_picture_pad_get_memory(GstRdpPicturePad* self) {
  return gst_rdp_picture_pad_private(self).current.memory;
}

// --- caps ---------------------------------------------------------------------------------------

static GstCaps* gst_rdp_picture_pad_make_caps(const GstVideoInfo& info, MemoryKind memory) {
  GstVideoInfo copy = info;
  GstCaps* caps = gst_video_info_to_caps(&copy);
  if (memory != MemoryKind::kSystem) {
    const char* feature =
        memory == MemoryKind::kCuda ? rdp::gst::kCudaFeature : rdp::gst::kNvmmFeature;
    gst_caps_set_features_simple(caps, gst_caps_features_new(feature, nullptr));
  }
  return caps;
}

static bool gst_rdp_picture_pad_can_have(MemoryKind memory, bool has_context) {
#ifdef RDP_HAVE_NVMM
  if (memory == MemoryKind::kNvmm) return rdp::gst::nvmm::library() != nullptr;
#endif
  return memory == MemoryKind::kCuda && has_context;
}

// Other memory than the system's is for whoever asks for it by name: what takes anything could not
// do much with it.
static MemoryKind gst_rdp_picture_pad_choose_memory(GstRdpPicturePad* self,
                                                    const GstVideoInfo& info) {
  const Place& place = gst_rdp_picture_pad_private(self).place;
  GST_OBJECT_LOCK(self);
  bool has_context = place.context != nullptr;
  const bool had_context = gst_rdp_picture_pad_private(self).pool_context != nullptr;
  const bool nvmm_first = place.nvmm_preferred != FALSE;
  GST_OBJECT_UNLOCK(self);
  MemoryKind chosen = MemoryKind::kSystem;
  GstCaps* accepted = gst_pad_peer_query_caps(GST_PAD(self), nullptr);
  if (!has_context && had_context) {
    // Who takes nothing of the system's gets pictures in the last context, as before.
    GstCaps* caps = gst_rdp_picture_pad_make_caps(info, MemoryKind::kSystem);
    has_context = !gst_caps_can_intersect(caps, accepted);
    gst_caps_unref(caps);
  }
  for (const MemoryKind memory : {nvmm_first ? MemoryKind::kNvmm : MemoryKind::kCuda,
                                  nvmm_first ? MemoryKind::kCuda : MemoryKind::kNvmm}) {
    if (gst_caps_is_any(accepted) || !gst_rdp_picture_pad_can_have(memory, has_context)) continue;
    GstCaps* caps = gst_rdp_picture_pad_make_caps(info, memory);
    const gboolean taken = gst_caps_can_intersect(caps, accepted);
    gst_caps_unref(caps);
    if (!taken) continue;
    chosen = memory;
    break;
  }
  gst_caps_unref(accepted);
  return chosen;
}

static GstCaps* gst_rdp_picture_pad_choose_caps(GstRdpExtraPad* pad, GstCaps* told) {
  auto* self = GST_RDP_PICTURE_PAD(pad);
  GstRdpPicturePadPrivate& priv = gst_rdp_picture_pad_private(self);
  GstVideoInfo frames;
  if (!gst_video_info_from_caps(&frames, told)) {
    GST_WARNING_OBJECT(self, "no pictures for %" GST_PTR_FORMAT, told);
    return nullptr;
  }
  gst_video_info_set_format(&priv.info, GST_VIDEO_FORMAT_RGBA,
                            static_cast<guint>(GST_VIDEO_INFO_WIDTH(&frames)),
                            static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&frames)));
  priv.info.fps_n = frames.fps_n;
  priv.info.fps_d = frames.fps_d;
  priv.info.par_n = frames.par_n;
  priv.info.par_d = frames.par_d;
  priv.memory = gst_rdp_picture_pad_choose_memory(self, priv.info);
  return gst_rdp_picture_pad_make_caps(priv.info, priv.memory);
}

// --- the pool -----------------------------------------------------------------------------------

static rdp::gst::PoolKind gst_rdp_picture_pad_pool_kind(MemoryKind memory, Place* place) {
  rdp::gst::PoolKind kind = rdp::gst::video_pools();
  switch (memory) {
    case MemoryKind::kCuda:
      kind.make = [](gpointer data) {
        return rdp::gst::gpu_picture_pool_new(static_cast<Place*>(data)->context);
      };
      kind.takes = [](GstBufferPool* pool, gpointer data) {
        return rdp::gst::is_gpu_picture_pool(pool, static_cast<Place*>(data)->context);
      };
      break;
    case MemoryKind::kNvmm:
#ifdef RDP_HAVE_NVMM
      kind.make = [](gpointer data) {
        const auto* of = static_cast<Place*>(data);
        return rdp::gst::nvmm_picture_pool_new(of->nvmm_gpu, of->nvmm_for_host);
      };
#endif
      // Of a pool that downstream has for NVMM memory nothing is known.
      kind.takes = [](GstBufferPool*, gpointer) { return false; };
      break;
    case MemoryKind::kSystem:
      return kind;
  }
  kind.data = place;
  kind.own_memory = true;
  return kind;
}

static GstBufferPool* gst_rdp_picture_pad_decide_pool(GstRdpExtraPad* pad, GstCaps*,
                                                      GstQuery* query) {
  auto* self = GST_RDP_PICTURE_PAD(pad);
  GstRdpPicturePadPrivate& priv = gst_rdp_picture_pad_private(self);
  GST_OBJECT_LOCK(self);
  Place place = priv.place;
  // The caps promise memory in a context: the last one, where the element has none any more.
  if (place.context == nullptr) place.context = priv.pool_context;
  if (place.context != nullptr) gst_object_ref(place.context);
  GST_OBJECT_UNLOCK(self);

  rdp::gst::PoolNeeds needs;
  needs.kind = gst_rdp_picture_pad_pool_kind(priv.memory, &place);
  needs.size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&priv.info));
  std::string reason;
  GstBufferPool* pool = rdp::gst::decide_pool(query, needs, &reason);
  if (pool == nullptr) GST_WARNING_OBJECT(self, "no pool for pictures: %s", reason.c_str());

  GST_OBJECT_LOCK(self);
  priv.decided.info = priv.info;
  priv.decided.memory = priv.memory;
  if (priv.memory == MemoryKind::kCuda) std::swap(priv.pool_context, place.context);
  GST_OBJECT_UNLOCK(self);
  gst_clear_object(&place.context);
  return pool;
}

static void gst_rdp_picture_pad_negotiated(GstRdpExtraPad* pad, GstBufferPool*) {
  auto* self = GST_RDP_PICTURE_PAD(pad);
  GstRdpPicturePadPrivate& priv = gst_rdp_picture_pad_private(self);
  GST_OBJECT_LOCK(self);
  priv.current = priv.decided;
  GST_OBJECT_UNLOCK(self);
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
  // A GAP has to say when it begins.
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

// A primary context that is lost is a new one only after all have let go of it.
static void gst_rdp_picture_pad_stopped(GstRdpExtraPad* pad) {
  auto* self = GST_RDP_PICTURE_PAD(pad);
  GstRdpPicturePadPrivate& priv = gst_rdp_picture_pad_private(self);
  GST_OBJECT_LOCK(self);
  GstObject* told = std::exchange(priv.place.context, nullptr);
  GstObject* of_pool = std::exchange(priv.pool_context, nullptr);
  GST_OBJECT_UNLOCK(self);
  gst_clear_object(&told);
  gst_clear_object(&of_pool);
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
  GstRdpPicturePadPrivate& priv = gst_rdp_picture_pad_private(self);
  gst_clear_object(&priv.place.context);
  gst_clear_object(&priv.pool_context);
  priv.~GstRdpPicturePadPrivate();
  G_OBJECT_CLASS(gst_rdp_picture_pad_parent_class)->finalize(object);
}

static void gst_rdp_picture_pad_class_init(GstRdpPicturePadClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  object_class->finalize = gst_rdp_picture_pad_finalize;
  object_class->set_property = gst_rdp_picture_pad_set_property;
  object_class->get_property = gst_rdp_picture_pad_get_property;
  rdp::gst::install_properties(object_class, kProperties);
  for (const GType type : {gst_rdp_drop_get_type(), GST_TYPE_RDP_PICTURE_PAD}) {
    gst_type_mark_as_plugin_api(type, static_cast<GstPluginAPIFlags>(0));
  }
  auto* pad_class = GST_RDP_EXTRA_PAD_CLASS(klass);
  pad_class->choose_caps = gst_rdp_picture_pad_choose_caps;
  pad_class->decide_pool = gst_rdp_picture_pad_decide_pool;
  pad_class->negotiated = gst_rdp_picture_pad_negotiated;
  pad_class->reset = gst_rdp_picture_pad_reset;
  pad_class->qos = gst_rdp_picture_pad_qos;
  pad_class->stopped = gst_rdp_picture_pad_stopped;
}

static void gst_rdp_picture_pad_init(GstRdpPicturePad* self) {
  new (gst_rdp_picture_pad_get_instance_private(self)) GstRdpPicturePadPrivate();
  gst_rdp_extra_pad_set_drop(GST_RDP_EXTRA_PAD(self), Settings().drop);
}
