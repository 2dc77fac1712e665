// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/gstrdpsegmentoverlaypad.h"

#include "gst/elements/base/property_table.h"
#include "gst/elements/rdpsegment/gstrdpsegment.h"
#include "gst/elements/rdpsegment/overlay_properties.h"
#include "gst/memory/nvmm_library.h"
#include "gst/memory/nvmm_picture_pool.h"

#define GST_CAT_DEFAULT gst_rdp_segment_debug

using rdp::gst::MemoryKind;

struct _GstRdpSegmentOverlayPad {
  GstPad parent;

  // Under the object lock.
  rdp::OverlayOptions options;
  GstClockTime earliest_time;  // running time before which a picture would be late
  GstBufferPool* pool;
  gboolean stopped;  // released: no pool any more
  gboolean pushing;  // the streaming thread is in downstream's hands

  // Streaming thread.
  gboolean started;
  gboolean have_info;
  gboolean peer_flushing;      // downstream was shut down or flushed on its own
  gboolean behind_not_linked;  // the last picture met an element with nothing behind it
  gboolean ended;              // downstream has ended on its own
  GstVideoInfo input;          // of the element's sink
  GstVideoInfo info;           // of the pictures
  GstObject* context;          // of pictures in CUDA memory, or null
  MemoryKind memory;           // of the pictures
  guint nvmm_gpu;              // see gst_rdp_segment_overlay_pad_set_nvmm()
  gboolean nvmm_for_host;
  gboolean nvmm_preferred;
};

G_DEFINE_TYPE(GstRdpSegmentOverlayPad, gst_rdp_segment_overlay_pad, GST_TYPE_PAD)

static void gst_rdp_segment_overlay_pad_set_property(GObject* object, guint id, const GValue* value,
                                                     GParamSpec* pspec) {
  auto* self = GST_RDP_SEGMENT_OVERLAY_PAD(object);
  rdp::gst::set_property(object, rdp::gst::kOverlayProperties, self->options, id, value, pspec);
}

static void gst_rdp_segment_overlay_pad_get_property(GObject* object, guint id, GValue* value,
                                                     GParamSpec* pspec) {
  auto* self = GST_RDP_SEGMENT_OVERLAY_PAD(object);
  rdp::gst::get_property(object, rdp::gst::kOverlayProperties, self->options, id, value, pspec);
}

// Replaces the pool; the old one is let go outside the lock. A pad that was stopped in the meantime
// keeps none.
static void gst_rdp_segment_overlay_pad_take_pool(GstRdpSegmentOverlayPad* self,
                                                  GstBufferPool* pool) {
  GST_OBJECT_LOCK(self);
  GstBufferPool* old = self->pool;
  self->pool = self->stopped ? nullptr : pool;
  GstBufferPool* unwanted = self->stopped ? pool : nullptr;
  GST_OBJECT_UNLOCK(self);
  for (GstBufferPool* gone : {old, unwanted}) {
    if (gone == nullptr) continue;
    // Downstream may offer the pool that is in use once more: then only its second reference goes.
    const bool still_used = gone == pool && unwanted == nullptr;
    if (!still_used) gst_buffer_pool_set_active(gone, FALSE);
    gst_object_unref(gone);
  }
}

static void gst_rdp_segment_overlay_pad_finalize(GObject* object) {
  auto* self = GST_RDP_SEGMENT_OVERLAY_PAD(object);
  gst_rdp_segment_overlay_pad_take_pool(self, nullptr);
  gst_clear_object(&self->context);
  G_OBJECT_CLASS(gst_rdp_segment_overlay_pad_parent_class)->finalize(object);
}

static void gst_rdp_segment_overlay_pad_class_init(GstRdpSegmentOverlayPadClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_rdp_segment_overlay_pad_set_property;
  object_class->get_property = gst_rdp_segment_overlay_pad_get_property;
  object_class->finalize = gst_rdp_segment_overlay_pad_finalize;
  rdp::gst::install_properties(object_class, rdp::gst::kOverlayProperties);
}

static void gst_rdp_segment_overlay_pad_init(GstRdpSegmentOverlayPad* self) {
  self->options = rdp::OverlayOptions();
  self->earliest_time = GST_CLOCK_TIME_NONE;
}

rdp::OverlayOptions gst_rdp_segment_overlay_pad_get_options(GstRdpSegmentOverlayPad* self) {
  GST_OBJECT_LOCK(self);
  const rdp::OverlayOptions options = self->options;
  GST_OBJECT_UNLOCK(self);
  return options;
}

const GstVideoInfo* gst_rdp_segment_overlay_pad_get_info(GstRdpSegmentOverlayPad* self) {
  return &self->info;
}

MemoryKind gst_rdp_segment_overlay_pad_get_memory(GstRdpSegmentOverlayPad* self) {
  return self->memory;
}

void gst_rdp_segment_overlay_pad_set_context(GstRdpSegmentOverlayPad* self, GstObject* context) {
  if (!gst_object_replace(&self->context, context)) return;
  // Another memory may be chosen, and the pool's buffers are in the old one's.
  if (self->have_info) gst_pad_mark_reconfigure(GST_PAD(self));
}

void gst_rdp_segment_overlay_pad_set_nvmm(GstRdpSegmentOverlayPad* self, guint gpu,
                                          gboolean for_host, gboolean preferred) {
  const gboolean same =
      self->nvmm_gpu == gpu && self->nvmm_for_host == for_host && self->nvmm_preferred == preferred;
  if (same) return;
  self->nvmm_gpu = gpu;
  self->nvmm_for_host = for_host;
  self->nvmm_preferred = preferred;
  // The pool's buffers may lie elsewhere.
  if (self->memory != MemoryKind::kSystem) gst_pad_mark_reconfigure(GST_PAD(self));
}

static GstCaps* gst_rdp_segment_overlay_pad_make_caps(GstRdpSegmentOverlayPad* self) {
  gst_video_info_set_format(&self->info, GST_VIDEO_FORMAT_RGBA,
                            static_cast<guint>(GST_VIDEO_INFO_WIDTH(&self->input)),
                            static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&self->input)));
  self->info.fps_n = self->input.fps_n;
  self->info.fps_d = self->input.fps_d;
  self->info.par_n = self->input.par_n;
  self->info.par_d = self->input.par_d;
  GstCaps* caps = gst_video_info_to_caps(&self->info);
  if (self->memory != MemoryKind::kSystem) {
    const char* feature =
        self->memory == MemoryKind::kCuda ? rdp::gst::kCudaFeature : rdp::gst::kNvmmFeature;
    gst_caps_set_features_simple(caps, gst_caps_features_new(feature, nullptr));
  }
  return caps;
}

static bool gst_rdp_segment_overlay_pad_can_have(GstRdpSegmentOverlayPad* self, MemoryKind memory) {
#ifdef RDP_HAVE_NVMM
  if (memory == MemoryKind::kNvmm) return rdp::gst::nvmm::library() != nullptr;
#endif
  return memory == MemoryKind::kCuda && self->context != nullptr;
}

// Other memory than the system's is for whoever asks for it by name: what takes anything could not
// do much with it.
static void gst_rdp_segment_overlay_pad_choose_memory(GstRdpSegmentOverlayPad* self) {
  const MemoryKind first = self->nvmm_preferred ? MemoryKind::kNvmm : MemoryKind::kCuda;
  const MemoryKind second = self->nvmm_preferred ? MemoryKind::kCuda : MemoryKind::kNvmm;
  GstCaps* accepted = gst_pad_peer_query_caps(GST_PAD(self), nullptr);
  for (const MemoryKind memory : {first, second}) {
    if (gst_caps_is_any(accepted) || !gst_rdp_segment_overlay_pad_can_have(self, memory)) continue;
    self->memory = memory;
    GstCaps* caps = gst_rdp_segment_overlay_pad_make_caps(self);
    const gboolean taken = gst_caps_can_intersect(caps, accepted);
    gst_caps_unref(caps);
    if (!taken) continue;
    gst_caps_unref(accepted);
    return;
  }
  self->memory = MemoryKind::kSystem;
  gst_caps_unref(accepted);
}

// Sends the caps that follow from the element's input, if they are not what the pad has already.
static void gst_rdp_segment_overlay_pad_push_caps(GstRdpSegmentOverlayPad* self) {
  gst_rdp_segment_overlay_pad_choose_memory(self);
  GstCaps* caps = gst_rdp_segment_overlay_pad_make_caps(self);
  GstCaps* current = gst_pad_get_current_caps(GST_PAD(self));
  if (current == nullptr || !gst_caps_is_equal(caps, current)) {
    gst_pad_push_event(GST_PAD(self), gst_event_new_caps(caps));
    // The pool's buffers have the old size.
    gst_pad_mark_reconfigure(GST_PAD(self));
  }
  gst_clear_caps(&current);
  gst_caps_unref(caps);
}

static GstEvent* gst_rdp_segment_overlay_pad_translate_stream_start(GstRdpSegmentOverlayPad* self,
                                                                    GstEvent* event) {
  const gchar* stream_id;
  GstStreamFlags flags;
  guint group_id;
  gst_event_parse_stream_start(event, &stream_id);
  gst_event_parse_stream_flags(event, &flags);
  gchar* id = g_strdup_printf("%s/%s", stream_id, GST_PAD_NAME(self));
  GstEvent* result = gst_event_new_stream_start(id);
  g_free(id);
  gst_event_set_stream_flags(result, flags);
  if (gst_event_parse_group_id(event, &group_id)) gst_event_set_group_id(result, group_id);
  gst_event_set_seqnum(result, gst_event_get_seqnum(event));
  return result;
}

void gst_rdp_segment_overlay_pad_push_event(GstRdpSegmentOverlayPad* self, GstEvent* event) {
  GstPad* pad = GST_PAD(self);
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_STREAM_START:
      self->ended = FALSE;
      gst_pad_push_event(pad, gst_rdp_segment_overlay_pad_translate_stream_start(self, event));
      gst_event_unref(event);
      break;
    case GST_EVENT_CAPS: {
      GstCaps* caps;
      gst_event_parse_caps(event, &caps);
      self->have_info = gst_video_info_from_caps(&self->input, caps);
      if (self->have_info) gst_rdp_segment_overlay_pad_push_caps(self);
      gst_event_unref(event);
      break;
    }
    default:
      gst_pad_push_event(pad, event);
  }
}

void gst_rdp_segment_overlay_pad_ensure_started(GstRdpSegmentOverlayPad* self, GstPad* sinkpad) {
  // On a pad that is not active (yet, or any more) core would drop the events.
  if (self->started || GST_PAD_IS_FLUSHING(GST_PAD(self))) return;
  self->started = TRUE;
  gst_pad_sticky_events_foreach(
      sinkpad,
      [](GstPad*, GstEvent** event, gpointer user_data) -> gboolean {
        gst_rdp_segment_overlay_pad_push_event(static_cast<GstRdpSegmentOverlayPad*>(user_data),
                                               gst_event_ref(*event));
        return TRUE;
      },
      self);
}

// Whether the linked pad takes nothing now, because its element was stopped or is being flushed.
// Once it takes data again it has forgotten the stream, and is told anew.
static gboolean gst_rdp_segment_overlay_pad_peer_is_flushing(GstRdpSegmentOverlayPad* self) {
  GstPad* pad = GST_PAD(self);
  GstPad* peer = gst_pad_get_peer(pad);
  const gboolean flushing = peer != nullptr && GST_PAD_IS_FLUSHING(peer);
  gst_clear_object(&peer);
  if (self->peer_flushing && !flushing) {
    GQueue events = G_QUEUE_INIT;
    gst_pad_sticky_events_foreach(
        pad,
        [](GstPad*, GstEvent** event, gpointer user_data) -> gboolean {
          g_queue_push_tail(static_cast<GQueue*>(user_data), gst_event_ref(*event));
          return TRUE;
        },
        &events);
    while (auto* event = static_cast<GstEvent*>(g_queue_pop_head(&events))) {
      gst_pad_push_event(pad, event);
    }
    gst_pad_mark_reconfigure(pad);
  }
  self->peer_flushing = flushing;
  return flushing;
}

gboolean gst_rdp_segment_overlay_pad_wants(GstRdpSegmentOverlayPad* self, GstClockTime running_time,
                                           gboolean* gap) {
  GstPad* pad = GST_PAD(self);
  *gap = FALSE;
  if (!self->have_info || !gst_pad_is_linked(pad) || GST_PAD_IS_FLUSHING(pad) ||
      gst_rdp_segment_overlay_pad_peer_is_flushing(self)) {
    return FALSE;
  }
  // Core sets the flag when something is linked.
  if (gst_pad_needs_reconfigure(pad)) {
    self->ended = FALSE;
    self->behind_not_linked = FALSE;
  }
  if (self->ended || self->behind_not_linked) return FALSE;
  GST_OBJECT_LOCK(self);
  const GstClockTime earliest_time = self->earliest_time;
  GST_OBJECT_UNLOCK(self);
  if (GST_CLOCK_TIME_IS_VALID(running_time) && GST_CLOCK_TIME_IS_VALID(earliest_time) &&
      running_time <= earliest_time) {
    GST_LOG_OBJECT(self,
                   "no picture at %" GST_TIME_FORMAT ": the sink is late until %" GST_TIME_FORMAT,
                   GST_TIME_ARGS(running_time), GST_TIME_ARGS(earliest_time));
    *gap = TRUE;
    return FALSE;
  }
  return TRUE;
}

GstFlowReturn gst_rdp_segment_overlay_pad_push(GstRdpSegmentOverlayPad* self, GstBuffer* picture) {
  GST_OBJECT_LOCK(self);
  self->pushing = TRUE;
  GST_OBJECT_UNLOCK(self);
  const GstFlowReturn flow = gst_pad_push(GST_PAD(self), picture);
  GST_OBJECT_LOCK(self);
  self->pushing = FALSE;
  GST_OBJECT_UNLOCK(self);
  self->ended = flow == GST_FLOW_EOS;
  self->behind_not_linked = flow == GST_FLOW_NOT_LINKED;
  self->peer_flushing = flow == GST_FLOW_FLUSHING;
  return flow;
}

static GstBufferPool* gst_rdp_segment_overlay_pad_own_pool(GstRdpSegmentOverlayPad* self,
                                                           GstCaps* caps, guint size,
                                                           GstAllocator* allocator,
                                                           const GstAllocationParams* params) {
  GstBufferPool* pool = nullptr;
  switch (self->memory) {
    case MemoryKind::kCuda:
      pool = rdp::gst::gpu_picture_pool_new(self->context);
      break;
    case MemoryKind::kNvmm:
      pool = rdp::gst::nvmm_picture_pool_new(self->nvmm_gpu, self->nvmm_for_host);
      break;
    case MemoryKind::kSystem:
      pool = gst_video_buffer_pool_new();
      break;
  }
  GstStructure* config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_set_params(config, caps, size, 0, 0);
  gst_buffer_pool_config_set_allocator(config, allocator, params);
  gst_buffer_pool_set_config(pool, config);
  return pool;
}

// The allocation query and what GstBaseTransform makes of its answer: the pool downstream offers if
// it takes our caps, else one of our own.
static GstBufferPool* gst_rdp_segment_overlay_pad_decide_pool(GstRdpSegmentOverlayPad* self,
                                                              GstCaps* caps) {
  GstQuery* query = gst_query_new_allocation(caps, TRUE);
  GstAllocator* allocator = nullptr;
  GstAllocationParams params;
  GstBufferPool* pool = nullptr;
  guint size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&self->info));
  guint min = 0;
  guint max = 0;
  gst_allocation_params_init(&params);
  if (!gst_pad_peer_query(GST_PAD(self), query)) {
    GST_DEBUG_OBJECT(self, "downstream did not answer the allocation query");
  }
  if (gst_query_get_n_allocation_params(query) > 0) {
    gst_query_parse_nth_allocation_param(query, 0, &allocator, &params);
  }
  if (gst_query_get_n_allocation_pools(query) > 0) {
    guint offered_size;
    gst_query_parse_nth_allocation_pool(query, 0, &pool, &offered_size, &min, &max);
    size = MAX(size, offered_size);
  }
  if (self->memory != MemoryKind::kSystem) {
    // The allocator is that of the pool, and the pool has to be in the context of the frames. Of
    // one that downstream has for NVMM memory nothing is known.
    gst_clear_object(&allocator);
    gst_allocation_params_init(&params);
    if (pool != nullptr && (self->memory == MemoryKind::kNvmm ||
                            !rdp::gst::is_gpu_picture_pool(pool, self->context))) {
      gst_clear_object(&pool);
    }
  }
  if (pool != nullptr) {
    GstStructure* config = gst_buffer_pool_get_config(pool);
    gst_buffer_pool_config_set_params(config, caps, size, min, max);
    gst_buffer_pool_config_set_allocator(config, allocator, &params);
    if (gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr) &&
        gst_buffer_pool_has_option(pool, GST_BUFFER_POOL_OPTION_VIDEO_META)) {
      gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
    }
    if (!gst_buffer_pool_set_config(pool, config)) {
      GST_INFO_OBJECT(self, "downstream's pool %" GST_PTR_FORMAT " does not take %" GST_PTR_FORMAT,
                      pool, caps);
      gst_clear_object(&pool);
    }
  }
  if (pool == nullptr) {
    size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&self->info));
    pool = gst_rdp_segment_overlay_pad_own_pool(self, caps, size, allocator, &params);
  }
  gst_clear_object(&allocator);
  gst_query_unref(query);
  return pool;
}

static void gst_rdp_segment_overlay_pad_post_no_memory(GstRdpSegmentOverlayPad* self,
                                                       GstBufferPool* pool) {
  auto* element = GST_ELEMENT_CAST(GST_OBJECT_PARENT(self));
  if (element == nullptr) return;
  GST_ELEMENT_ERROR(element, RESOURCE, NO_SPACE_LEFT, ("No memory for the overlay's pictures."),
                    ("%" GST_PTR_FORMAT " gives none", pool));
}

static GstFlowReturn gst_rdp_segment_overlay_pad_negotiate(GstRdpSegmentOverlayPad* self) {
  GstPad* pad = GST_PAD(self);
  GstElement* element = GST_ELEMENT_CAST(GST_OBJECT_PARENT(self));
  gst_rdp_segment_overlay_pad_push_caps(self);
  gst_pad_check_reconfigure(pad);
  // Another sink may be there now; how late the last one was says nothing of it.
  gst_rdp_segment_overlay_pad_reset(self);
  GstCaps* caps = gst_rdp_segment_overlay_pad_make_caps(self);
  GstCaps* accepted = gst_pad_peer_query_caps(pad, nullptr);
  GstFlowReturn flow = GST_FLOW_OK;
  if (!gst_caps_can_intersect(caps, accepted)) {
    gchar* wanted = gst_caps_to_string(accepted);
    gchar* offered = gst_caps_to_string(caps);
    if (element != nullptr) {
      GST_ELEMENT_ERROR(element, CORE, NEGOTIATION,
                        ("What is linked to the overlay pad does not take its pictures. Put a "
                         "videoconvert, and a "
                         "videoscale for another size, behind it."),
                        ("overlay has %s; downstream takes %s", offered, wanted));
    }
    g_free(wanted);
    g_free(offered);
    flow = GST_FLOW_NOT_NEGOTIATED;
  } else {
    GstBufferPool* pool = gst_rdp_segment_overlay_pad_decide_pool(self, caps);
    if (gst_buffer_pool_set_active(pool, TRUE)) {
      gst_rdp_segment_overlay_pad_take_pool(self, pool);
    } else {
      gst_rdp_segment_overlay_pad_post_no_memory(self, pool);
      gst_object_unref(pool);
      flow = GST_FLOW_ERROR;
    }
  }
  gst_caps_unref(accepted);
  gst_caps_unref(caps);
  // Asked again for the next frame, if there is one.
  if (flow != GST_FLOW_OK) gst_pad_mark_reconfigure(pad);
  return flow;
}

GstBuffer* gst_rdp_segment_overlay_pad_acquire(GstRdpSegmentOverlayPad* self, GstFlowReturn* flow) {
  if (gst_pad_needs_reconfigure(GST_PAD(self)) || self->pool == nullptr) {
    *flow = gst_rdp_segment_overlay_pad_negotiate(self);
    if (*flow != GST_FLOW_OK) return nullptr;
  }
  GST_OBJECT_LOCK(self);
  GstBufferPool* pool = self->pool;
  if (pool != nullptr) gst_object_ref(pool);
  GST_OBJECT_UNLOCK(self);
  if (pool == nullptr) {  // stopped in the meantime
    *flow = GST_FLOW_FLUSHING;
    return nullptr;
  }
  GstBuffer* buffer = nullptr;
  *flow = gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr);
  if (*flow == GST_FLOW_ERROR) gst_rdp_segment_overlay_pad_post_no_memory(self, pool);
  gst_object_unref(pool);
  return buffer;
}

void gst_rdp_segment_overlay_pad_handle_qos(GstRdpSegmentOverlayPad* self, GstEvent* event) {
  GstClockTimeDiff diff;
  GstClockTime timestamp;
  gst_event_parse_qos(event, nullptr, nullptr, &diff, &timestamp);
  GstClockTime earliest_time = GST_CLOCK_TIME_NONE;
  if (GST_CLOCK_TIME_IS_VALID(timestamp)) {
    // As GstVideoDecoder and GstBaseTransform do: late by diff, so only what is due after twice
    // that has a chance to be in time. Unsigned, and up to the last time there is: a sink may send
    // any numbers.
    constexpr GstClockTime kLast = GST_CLOCK_TIME_NONE - 1;
    const auto late = static_cast<GstClockTime>(diff);
    if (diff < 0) {
      earliest_time = timestamp - MIN(timestamp, -late);
    } else {
      earliest_time = timestamp + MIN(kLast - timestamp, 2 * late);
    }
  }
  GST_OBJECT_LOCK(self);
  self->earliest_time = earliest_time;
  GST_OBJECT_UNLOCK(self);
}

void gst_rdp_segment_overlay_pad_reset(GstRdpSegmentOverlayPad* self) {
  self->ended = FALSE;
  self->behind_not_linked = FALSE;
  GST_OBJECT_LOCK(self);
  self->earliest_time = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK(self);
}

void gst_rdp_segment_overlay_pad_set_flushing(GstRdpSegmentOverlayPad* self, gboolean flushing) {
  GST_OBJECT_LOCK(self);
  GstBufferPool* pool = self->pool;
  if (pool != nullptr) gst_object_ref(pool);
  GST_OBJECT_UNLOCK(self);
  if (pool == nullptr) return;
  gst_buffer_pool_set_flushing(pool, flushing);
  gst_object_unref(pool);
}

void gst_rdp_segment_overlay_pad_interrupt(GstRdpSegmentOverlayPad* self) {
  // A push that is only on its way gets the time to return: flushing would cost pictures.
  constexpr int kTries = 40;
  for (int i = 0; i < kTries; ++i) {
    GST_OBJECT_LOCK(self);
    const gboolean pushing = self->pushing;
    GST_OBJECT_UNLOCK(self);
    if (!pushing) return;
    g_usleep(G_USEC_PER_SEC / 1000);
  }
  gst_pad_push_event(GST_PAD(self), gst_event_new_flush_start());
  gst_pad_push_event(GST_PAD(self), gst_event_new_flush_stop(TRUE));
}

void gst_rdp_segment_overlay_pad_stop(GstRdpSegmentOverlayPad* self, gboolean released) {
  GST_OBJECT_LOCK(self);
  self->stopped = released;
  self->earliest_time = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK(self);
  gst_rdp_segment_overlay_pad_take_pool(self, nullptr);
}
