// SPDX-License-Identifier: LGPL-2.1-or-later
// What flows through rdpsegment: buffers, events and queries. A frame walks one way: sink → memory
// adapter → engine → segmentation → meta and picture → overlay and src.
#include <chrono>
#include <exception>
#include <string>

#include "gst/elements/gstrdpsegment-private.h"
#include "gst/memory/system_memory.h"
#include "gst/rdpsegment/rdpsegment.h"

#define GST_CAT_DEFAULT gst_rdp_segment_debug

namespace {

// An overlay pad for the length of a scope; may be null.
class OverlayRef {
 public:
  explicit OverlayRef(GstRdpSegmentElement* self)
      : pad_(gst_rdp_segment_element_ref_overlay(self)) {}
  ~OverlayRef() {
    if (pad_ != nullptr) gst_object_unref(pad_);
  }
  OverlayRef(const OverlayRef&) = delete;
  OverlayRef& operator=(const OverlayRef&) = delete;

  GstRdpSegmentOverlayPad* get() const { return pad_; }
  explicit operator bool() const { return pad_ != nullptr; }

 private:
  GstRdpSegmentOverlayPad* pad_;
};

// What becomes of the overlay for one frame.
struct Picture {
  GstBuffer* buffer = nullptr;  // owned
  bool gap = false;             // none is wanted, but the stream runs
  GstFlowReturn flow = GST_FLOW_OK;
};

}  // namespace

// --- buffers ----------------------------------------------------------------------------------

static GstRdpSegmentSettings gst_rdp_segment_element_snapshot(GstRdpSegmentElement* self,
                                                              GstBuffer* buffer) {
  const GstSegment& segment = self->session->segment;
  if (segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(buffer)) {
    const GstClockTime stream_time =
        gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
    if (GST_CLOCK_TIME_IS_VALID(stream_time)) {
      gst_object_sync_values(GST_OBJECT(self), stream_time);
    }
  }
  GST_OBJECT_LOCK(self);
  const GstRdpSegmentSettings settings = *self->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}

static void gst_rdp_segment_element_paint(GstRdpSegmentElement* self, OverlayRef& overlay,
                                          const rdp::DepthView& frame,
                                          const rdp::SegmentList& segments,
                                          const rdp::Parameters& parameters, const GstBuffer* input,
                                          Picture* picture) {
  GstRdpSegmentSession& session = *self->session;
  const GstClockTime running_time =
      session.segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(input)
          ? gst_segment_to_running_time(&session.segment, GST_FORMAT_TIME, GST_BUFFER_PTS(input))
          : GST_CLOCK_TIME_NONE;
  gboolean gap;
  if (!gst_rdp_segment_overlay_pad_wants(overlay.get(), running_time, &gap)) {
    picture->gap = gap;
    picture->flow = gap ? GST_FLOW_OK : GST_FLOW_NOT_LINKED;
    return;
  }
  GstBuffer* buffer = gst_rdp_segment_overlay_pad_acquire(overlay.get(), &picture->flow);
  if (buffer == nullptr) return;
  constexpr auto kWrite = static_cast<GstMapFlags>(
      static_cast<int>(GST_MAP_WRITE) | static_cast<int>(GST_VIDEO_FRAME_MAP_FLAG_NO_REF));
  GstVideoFrame mapped;
  if (!gst_video_frame_map(&mapped, gst_rdp_segment_overlay_pad_get_info(overlay.get()), buffer,
                           kWrite)) {
    GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("The overlay's picture cannot be written."),
                      ("%" GST_PTR_FORMAT " cannot be mapped for writing", buffer));
    gst_buffer_unref(buffer);
    picture->flow = GST_FLOW_ERROR;
    return;
  }
  const rdp::RgbaView view{static_cast<std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&mapped, 0)),
                           GST_VIDEO_FRAME_PLANE_STRIDE(&mapped, 0), frame.width, frame.height};
  session.engine.paint(frame, segments, parameters,
                       gst_rdp_segment_overlay_pad_get_options(overlay.get()), view);
  gst_video_frame_unmap(&mapped);
  GST_BUFFER_PTS(buffer) = GST_BUFFER_PTS(input);
  GST_BUFFER_DTS(buffer) = GST_BUFFER_DTS(input);
  GST_BUFFER_DURATION(buffer) = GST_BUFFER_DURATION(input);
  GST_BUFFER_OFFSET(buffer) = GST_BUFFER_OFFSET(input);
  GST_BUFFER_OFFSET_END(buffer) = GST_BUFFER_OFFSET_END(input);
  constexpr guint kCarriedFlags = GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_LIVE |
                                  GST_BUFFER_FLAG_RESYNC | GST_BUFFER_FLAG_DROPPABLE;
  GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAGS(input) & kCarriedFlags);
  picture->buffer = buffer;
}

static void gst_rdp_segment_element_describe(const GstRdpSegmentElement* self,
                                             const rdp::Parameters& parameters,
                                             GstRdpSegmentationInfo* info) {
  *info = GstRdpSegmentationInfo();
  info->frame = self->session->frame;
  info->width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&self->session->info));
  info->height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&self->session->info));
  info->epsilon = parameters.epsilon;
  info->sample_scale = parameters.sample_scale;
  info->min_value = parameters.min_value;
  info->max_value = parameters.max_value;
  info->domain = static_cast<GstRdpDomain>(parameters.domain);
  info->inverse_scale = parameters.inverse_scale;
  info->median = static_cast<GstRdpMedian>(parameters.median);
  info->column_width = static_cast<guint>(parameters.column_width);
}

static void gst_rdp_segment_element_count(GstRdpSegmentElement* self, gsize segments,
                                          GstClockTime time) {
  const GstVideoInfo& info = self->session->info;
  GST_OBJECT_LOCK(self);
  GstRdpSegmentStats& stats = *self->stats;
  stats.frames++;
  stats.segments += segments;
  stats.pixels += static_cast<guint64>(GST_VIDEO_INFO_WIDTH(&info)) *
                  static_cast<guint64>(GST_VIDEO_INFO_HEIGHT(&info));
  stats.last_time = time;
  stats.total_time += time;
  GST_OBJECT_UNLOCK(self);
  self->session->frame++;
}

// Segments `buffer`, which is writable, and attaches the result. May throw std::bad_alloc.
static GstFlowReturn gst_rdp_segment_element_process(GstRdpSegmentElement* self,
                                                     OverlayRef& overlay,
                                                     const GstRdpSegmentSettings& settings,
                                                     GstBuffer* buffer, Picture* picture) {
  using Clock = std::chrono::steady_clock;
  GstRdpSegmentSession& session = *self->session;
  const rdp::Parameters& parameters = settings.parameters;
  const bool reconstruct = settings.output == GST_RDP_OUTPUT_RECONSTRUCT;
  rdp::gst::SystemFrame frame;
  std::string reason;
  if (!frame.map(buffer, session.info,
                 reconstruct ? rdp::gst::Access::kReadWrite : rdp::gst::Access::kRead, &reason)) {
    GST_ELEMENT_ERROR(self, STREAM, FORMAT, ("A frame cannot be read: %s.", reason.c_str()),
                      ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT ": %" GST_PTR_FORMAT,
                       session.frame, GST_TIME_ARGS(GST_BUFFER_PTS(buffer)), buffer));
    return GST_FLOW_ERROR;
  }

  g_autoptr(GstRdpSegmentation) segmentation = gst_rdp_segmentation_pool_acquire(session.pool);
  rdp::SegmentList* segments = gst_rdp_segmentation_list(segmentation);
  if (settings.threads != session.threads) {
    session.engine.set_threads(settings.threads);
    session.threads = settings.threads;
  }
  const Clock::time_point start = Clock::now();
  session.engine.segment(frame.view(), parameters, segments);
  Clock::duration time = Clock::now() - start;
  // Before the samples are overwritten: the picture shows the frame as it came.
  if (overlay) {
    gst_rdp_segment_element_paint(self, overlay, frame.view(), *segments, parameters, buffer,
                                  picture);
  }
  if (reconstruct) {
    const Clock::time_point restart = Clock::now();
    session.engine.reconstruct(frame.view(), parameters, *segments);
    time += Clock::now() - restart;
  }
  frame.unmap();

  GstRdpSegmentationInfo info;
  gst_rdp_segment_element_describe(self, parameters, &info);
  gst_rdp_segmentation_set_info(segmentation, &info);
  // A frame has one segmentation: that of an rdpsegment before this one is replaced.
  if (GstRdpSegmentMeta* old = gst_buffer_get_rdp_segment_meta(buffer)) {
    gst_buffer_remove_meta(buffer, &old->meta);
  }
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  gst_rdp_segment_element_count(
      self, segments->segment_count(),
      static_cast<GstClockTime>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()));
  return GST_FLOW_OK;
}

// Takes the picture. The main path never notices an overlay that is being shut down or released;
// other failures are combined with the main path's as GstFlowCombiner does.
static void gst_rdp_segment_element_push_picture(GstRdpSegmentElement* self, OverlayRef& overlay,
                                                 const GstBuffer* input, Picture* picture) {
  GstPad* pad = GST_PAD(overlay.get());
  if (picture->buffer != nullptr) {
    picture->flow = gst_rdp_segment_overlay_pad_push(overlay.get(), picture->buffer);
    picture->buffer = nullptr;
  } else if (picture->gap) {
    gst_pad_push_event(pad, gst_event_new_gap(GST_BUFFER_PTS(input), GST_BUFFER_DURATION(input)));
  }
  if (picture->flow == GST_FLOW_FLUSHING) picture->flow = GST_FLOW_NOT_LINKED;
}

static GstFlowReturn gst_rdp_segment_element_combine(GstRdpSegmentElement* self, GstPad* pad,
                                                     GstFlowReturn flow) {
  // A pad that was released in the meantime is not in the combiner any more.
  GST_OBJECT_LOCK(self);
  const bool ours = pad == self->srcpad || pad == GST_PAD(self->overlay);
  GST_OBJECT_UNLOCK(self);
  g_mutex_lock(&self->flow_lock);
  const GstFlowReturn result = ours ? gst_flow_combiner_update_pad_flow(self->combiner, pad, flow)
                                    : gst_flow_combiner_update_flow(self->combiner, GST_FLOW_OK);
  g_mutex_unlock(&self->flow_lock);
  return result;
}

static GstFlowReturn gst_rdp_segment_element_chain(GstPad*, GstObject* parent, GstBuffer* buffer) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  if (self->session == nullptr) {  // not started
    gst_buffer_unref(buffer);
    return GST_FLOW_FLUSHING;
  }
  if (!self->session->have_info) {
    GST_ELEMENT_ERROR(
        self, CORE, NEGOTIATION,
        ("A frame came before its caps: the element before rdpsegment has to say what "
         "it sends."),
        ("expected caps like video/x-raw,format=GRAY16_LE,width=640,height=480 "
         "(rawvideoparse or a capsfilter adds them to raw data)"));
    gst_buffer_unref(buffer);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  const GstRdpSegmentSettings settings = gst_rdp_segment_element_snapshot(self, buffer);
  OverlayRef overlay(self);
  if (overlay) gst_rdp_segment_overlay_pad_ensure_started(overlay.get(), self->sinkpad);

  // The buffer gets a meta, so the buffer object must be ours alone; its memory stays shared, and
  // is copied only if it is written to while others hold it.
  buffer = gst_buffer_make_writable(buffer);
  Picture picture;
  GstFlowReturn flow;
  try {
    flow = gst_rdp_segment_element_process(self, overlay, settings, buffer, &picture);
  } catch (const std::exception& error) {
    // No memory, or no thread for a new value of `threads`.
    GST_ELEMENT_ERROR(
        self, RESOURCE, FAILED, ("A frame could not be segmented."),
        ("%dx%d at %" GST_TIME_FORMAT ": %s", GST_VIDEO_INFO_WIDTH(&self->session->info),
         GST_VIDEO_INFO_HEIGHT(&self->session->info), GST_TIME_ARGS(GST_BUFFER_PTS(buffer)),
         error.what()));
    flow = GST_FLOW_ERROR;
  }
  if (flow != GST_FLOW_OK) {
    gst_clear_buffer(&picture.buffer);
    gst_buffer_unref(buffer);
    return flow;
  }
  if (overlay) {
    gst_rdp_segment_element_push_picture(self, overlay, buffer, &picture);
    gst_rdp_segment_element_combine(self, GST_PAD(overlay.get()), picture.flow);
  }
  flow = gst_pad_push(self->srcpad, buffer);
  return gst_rdp_segment_element_combine(self, self->srcpad, flow);
}

// --- events -----------------------------------------------------------------------------------

// GStreamer refuses caps that the template does not allow before the element sees them, and all the
// user reads is "not-negotiated" from the source. This probe sees the event first and says why.
static GstPadProbeReturn gst_rdp_segment_element_explain_caps(GstPad* pad, GstPadProbeInfo* info,
                                                              gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return GST_PAD_PROBE_OK;
  GstCaps* caps;
  gst_event_parse_caps(event, &caps);
  GstObject* parent = gst_pad_get_parent(pad);
  if (parent == nullptr) return GST_PAD_PROBE_OK;
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  GstCaps* templ = gst_pad_get_pad_template_caps(pad);
  GstCaps* allowed = gst_pad_query_caps(pad, nullptr);
  gchar* text = gst_caps_to_string(caps);
  if (!gst_caps_is_subset(caps, templ)) {
    GST_ELEMENT_ERROR(
        self, CORE, NEGOTIATION,
        ("rdpsegment takes video/x-raw in system memory, format GRAY16_LE or GRAY8, up "
         "to 16384x16384; it was given %s.",
         text),
        ("for other formats put videoconvert ! video/x-raw,format=GRAY16_LE before it; "
         "for other memories the element that downloads them"));
  } else if (!gst_caps_is_subset(caps, allowed)) {
    gchar* wanted = gst_caps_to_string(allowed);
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION,
                      ("What follows rdpsegment does not take the frames that pass through it."),
                      ("rdpsegment was given %s; downstream takes %s", text, wanted));
    g_free(wanted);
  }
  g_free(text);
  gst_caps_unref(allowed);
  gst_caps_unref(templ);
  gst_object_unref(parent);
  return GST_PAD_PROBE_OK;
}

static bool gst_rdp_segment_element_set_caps(GstRdpSegmentElement* self, GstEvent* event) {
  GstRdpSegmentSession& session = *self->session;
  GstCaps* caps;
  gst_event_parse_caps(event, &caps);
  session.have_info = gst_video_info_from_caps(&session.info, caps);
  if (!session.have_info) {
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION, ("The caps do not describe a frame."),
                      ("%" GST_PTR_FORMAT, caps));
  }
  return session.have_info;
}

static gboolean gst_rdp_segment_element_sink_event(GstPad* pad, GstObject* parent,
                                                   GstEvent* event) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  OverlayRef overlay(self);
  const bool in_stream =
      (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_SERIALIZED) != 0;
  if (in_stream && self->session == nullptr) {  // not started
    gst_event_unref(event);
    return FALSE;
  }
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_START:
      if (overlay) gst_rdp_segment_overlay_pad_set_flushing(overlay.get(), TRUE);
      break;
    case GST_EVENT_FLUSH_STOP:
      g_mutex_lock(&self->flow_lock);
      gst_flow_combiner_reset(self->combiner);
      g_mutex_unlock(&self->flow_lock);
      gst_segment_init(&self->session->segment, GST_FORMAT_UNDEFINED);
      if (overlay) {
        gst_rdp_segment_overlay_pad_set_flushing(overlay.get(), FALSE);
        gst_rdp_segment_overlay_pad_reset(overlay.get());
      }
      break;
    case GST_EVENT_CAPS:
      if (!gst_rdp_segment_element_set_caps(self, event)) {
        gst_event_unref(event);
        return FALSE;
      }
      break;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment(event, &self->session->segment);
      break;
    default:
      break;
  }
  if (overlay) {
    if (in_stream && GST_EVENT_TYPE(event) != GST_EVENT_FLUSH_STOP) {
      gst_rdp_segment_overlay_pad_ensure_started(overlay.get(), pad);
    }
    gst_rdp_segment_overlay_pad_push_event(overlay.get(), gst_event_ref(event));
  }
  return gst_pad_push_event(self->srcpad, event);
}

// A pipeline sends the same seek to each of its sinks, and one of them is enough for upstream. The
// same event from the same pad once more is a new seek: applications loop that way.
static bool gst_rdp_segment_element_has_seek(GstRdpSegmentElement* self, GstPad* pad,
                                             guint32 seqnum) {
  const guint bit = pad == self->srcpad ? 1 : 2;
  GST_OBJECT_LOCK(self);
  const bool seen = self->seek_seqnum == seqnum && (self->seek_pads & bit) == 0;
  self->seek_pads = seen ? self->seek_pads | bit : bit;
  self->seek_seqnum = seqnum;
  GST_OBJECT_UNLOCK(self);
  return seen;
}

static gboolean gst_rdp_segment_element_src_event(GstPad* pad, GstObject* parent, GstEvent* event) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  if (GST_EVENT_TYPE(event) != GST_EVENT_SEEK) return gst_pad_event_default(pad, parent, event);
  if (gst_rdp_segment_element_has_seek(self, pad, gst_event_get_seqnum(event))) {
    GST_DEBUG_OBJECT(pad, "this seek is on its way already");
    gst_event_unref(event);
    return TRUE;
  }
  const gboolean done = gst_pad_event_default(pad, parent, event);
  if (!done) {  // the other pad may try
    GST_OBJECT_LOCK(self);
    self->seek_seqnum = GST_SEQNUM_INVALID;
    GST_OBJECT_UNLOCK(self);
  }
  return done;
}

static gboolean gst_rdp_segment_element_overlay_event(GstPad* pad, GstObject* parent,
                                                      GstEvent* event) {
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_QOS:
      // A slow display leaves pictures out; it must not make the source drop frames.
      gst_rdp_segment_overlay_pad_handle_qos(GST_RDP_SEGMENT_OVERLAY_PAD(pad), event);
      gst_event_unref(event);
      return TRUE;
    case GST_EVENT_RECONFIGURE:
      // The pad's flag is set already, and what is before the element is not concerned.
      gst_event_unref(event);
      return TRUE;
    default:
      return gst_rdp_segment_element_src_event(pad, parent, event);
  }
}

// --- queries ----------------------------------------------------------------------------------

// What can pass: the template, as far as the other side of the element takes it. The overlay has no
// say in it.
static void gst_rdp_segment_element_query_caps(GstPad* pad, GstPad* other, GstQuery* query) {
  GstCaps* filter;
  gst_query_parse_caps(query, &filter);
  GstCaps* templ = gst_pad_get_pad_template_caps(pad);
  GstCaps* peer = gst_pad_peer_query_caps(other, templ);
  GstCaps* caps = gst_caps_intersect_full(peer, templ, GST_CAPS_INTERSECT_FIRST);
  if (filter != nullptr) {
    GstCaps* filtered = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(caps);
    caps = filtered;
  }
  gst_query_set_caps_result(query, caps);
  gst_caps_unref(caps);
  gst_caps_unref(peer);
  gst_caps_unref(templ);
}

static gboolean gst_rdp_segment_element_sink_query(GstPad* pad, GstObject* parent,
                                                   GstQuery* query) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CAPS:
      gst_rdp_segment_element_query_caps(pad, self->srcpad, query);
      return TRUE;
    case GST_QUERY_ALLOCATION:
      // The buffers go on to src as they are: only downstream knows which it can read, and whether
      // it honours a GstVideoMeta.
      return gst_pad_peer_query(self->srcpad, query);
    default:
      return gst_pad_query_default(pad, parent, query);
  }
}

static gboolean gst_rdp_segment_element_src_query(GstPad* pad, GstObject* parent, GstQuery* query) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  if (GST_QUERY_TYPE(query) == GST_QUERY_CAPS) {
    gst_rdp_segment_element_query_caps(pad, self->sinkpad, query);
    return TRUE;
  }
  return gst_pad_query_default(pad, parent, query);
}

// The pictures have the size and rate of the frames, once those are known.
static gboolean gst_rdp_segment_element_overlay_query(GstPad* pad, GstObject* parent,
                                                      GstQuery* query) {
  if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return gst_pad_query_default(pad, parent, query);
  GstCaps* filter;
  gst_query_parse_caps(query, &filter);
  GstCaps* caps = gst_pad_get_current_caps(pad);
  if (caps == nullptr) caps = gst_pad_get_pad_template_caps(pad);
  if (filter != nullptr) {
    GstCaps* filtered = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(caps);
    caps = filtered;
  }
  gst_query_set_caps_result(query, caps);
  gst_caps_unref(caps);
  return TRUE;
}

void gst_rdp_segment_element_init_pads(GstRdpSegmentElement* self) {
  gst_pad_set_chain_function(self->sinkpad, gst_rdp_segment_element_chain);
  gst_pad_set_event_function(self->sinkpad, gst_rdp_segment_element_sink_event);
  gst_pad_set_query_function(self->sinkpad, gst_rdp_segment_element_sink_query);
  gst_pad_add_probe(self->sinkpad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
                    gst_rdp_segment_element_explain_caps, nullptr, nullptr);
  gst_pad_set_event_function(self->srcpad, gst_rdp_segment_element_src_event);
  gst_pad_set_query_function(self->srcpad, gst_rdp_segment_element_src_query);
}

void gst_rdp_segment_element_init_overlay_pad(GstRdpSegmentOverlayPad* pad) {
  gst_pad_set_event_function(GST_PAD(pad), gst_rdp_segment_element_overlay_event);
  gst_pad_set_query_function(GST_PAD(pad), gst_rdp_segment_element_overlay_query);
}
