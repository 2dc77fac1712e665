// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/base/two_inputs_element.h"

#include <gst/base/gstaggregator.h>
#include <gst/video/video.h>

#include <cstring>

#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/picture_pad.h"
#include "gst/elements/base/seek_filter.h"

namespace {

constexpr const char* kExtraPads[] = {"overlay", "data"};
enum { kOverlay, kData, kNumExtra };

}  // namespace

struct RdpTwoInputs {
  GstAggregator parent;

  rdp::gst::SeekFilter* seeks;
  GstRdpExtraPad* extra[kNumExtra];  // under the object lock; owned by the list of pads

  // The aggregator's task: the stream as the inputs have told it, for pads that come later.
  GstEvent* stream_start;
  GstEvent* segment;
  GstCaps* caps[2];  // of the inputs
};

struct RdpTwoInputsClass {
  GstAggregatorClass parent_class;
};

G_DEFINE_TYPE(RdpTwoInputs, rdp_two_inputs, GST_TYPE_AGGREGATOR)

static RdpTwoInputs* rdp_two_inputs(gpointer instance) {
  return G_TYPE_CHECK_INSTANCE_CAST(instance, rdp_two_inputs_get_type(), RdpTwoInputs);
}

static GstRdpExtraPad* rdp_two_inputs_ref_extra(RdpTwoInputs* self, int which) {
  GST_OBJECT_LOCK(self);
  GstRdpExtraPad* pad = self->extra[which];
  if (pad != nullptr) gst_object_ref(pad);
  GST_OBJECT_UNLOCK(self);
  return pad;
}

// Input 0 is the main stream; its caps are the pictures', those of input 1 the data's.
static int rdp_two_inputs_index(GstPad* sink) {
  return g_str_has_suffix(GST_OBJECT_NAME(sink), "_0") ? 0 : 1;
}

// --- the stream ---------------------------------------------------------------------------------

// Whether the stream begins on the pad now, which takes all that it is made of: the main input's
// stream-start and segment, and the caps of one input.
static bool rdp_two_inputs_begin(RdpTwoInputs* self, GstRdpExtraPad* pad, int which) {
  return self->stream_start != nullptr && self->caps[which] != nullptr &&
         self->segment != nullptr &&
         gst_rdp_extra_pad_begin(pad, self->stream_start, self->caps[which], self->segment,
                                 nullptr);
}

static void rdp_two_inputs_tell(RdpTwoInputs* self, int which, GstEvent* event) {
  GstRdpExtraPad* pad = rdp_two_inputs_ref_extra(self, which);
  if (pad == nullptr) return;
  const bool known =
      self->stream_start != nullptr && self->caps[which] != nullptr && self->segment != nullptr;
  if (known && !rdp_two_inputs_begin(self, pad, which)) {
    gst_rdp_extra_pad_push_event(pad, gst_event_ref(event));
  }
  gst_object_unref(pad);
}

// Serialised events come here in the aggregator's task, in their order.
static gboolean rdp_two_inputs_sink_event(GstAggregator* aggregator, GstAggregatorPad* sink,
                                          GstEvent* event) {
  auto* self = rdp_two_inputs(aggregator);
  const int index = rdp_two_inputs_index(GST_PAD(sink));
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_CAPS: {
      GstCaps* caps;
      gst_event_parse_caps(event, &caps);
      gst_caps_replace(&self->caps[index], caps);
      if (index == 0) gst_aggregator_set_src_caps(aggregator, caps);
      rdp_two_inputs_tell(self, index, event);
      break;
    }
    case GST_EVENT_STREAM_START:
    case GST_EVENT_SEGMENT:
      if (index != 0) break;
      gst_event_replace(
          GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT ? &self->segment : &self->stream_start, event);
      for (int which = 0; which < kNumExtra; ++which) rdp_two_inputs_tell(self, which, event);
      break;
    default:
      break;
  }
  return GST_AGGREGATOR_CLASS(rdp_two_inputs_parent_class)->sink_event(aggregator, sink, event);
}

static GstFlowReturn rdp_two_inputs_push_picture(RdpTwoInputs* self, GstBuffer* frame) {
  GstRdpExtraPad* pad = rdp_two_inputs_ref_extra(self, kOverlay);
  if (pad == nullptr) return GST_FLOW_NOT_LINKED;
  rdp_two_inputs_begin(self, pad, kOverlay);
  gboolean gap;
  GstFlowReturn flow = GST_FLOW_OK;
  if (!gst_rdp_picture_pad_wants(GST_RDP_PICTURE_PAD(pad), GST_BUFFER_PTS(frame), &gap)) {
    flow = gst_rdp_picture_pad_skip(GST_RDP_PICTURE_PAD(pad), frame, gap);
  } else if (GstBuffer* picture = gst_rdp_extra_pad_acquire(pad, &flow)) {
    gst_buffer_memset(picture, 0, 0x5A, gst_buffer_get_size(picture));
    rdp::gst::describe_picture(picture, frame);
    flow = gst_rdp_extra_pad_push(pad, picture);
  } else if (flow == GST_FLOW_OK) {  // dropped
    flow = gst_rdp_picture_pad_skip(GST_RDP_PICTURE_PAD(pad), frame, TRUE);
  }
  gst_object_unref(pad);
  return flow;
}

static GstFlowReturn rdp_two_inputs_push_data(RdpTwoInputs* self, GstBuffer* data) {
  GstRdpExtraPad* pad = rdp_two_inputs_ref_extra(self, kData);
  if (pad == nullptr) return GST_FLOW_NOT_LINKED;
  rdp_two_inputs_begin(self, pad, kData);
  const GstFlowReturn flow = gst_rdp_extra_pad_push(pad, gst_buffer_ref(data));
  gst_object_unref(pad);
  return flow;
}

static GstFlowReturn rdp_two_inputs_end(RdpTwoInputs* self) {
  for (int which = 0; which < kNumExtra; ++which) {
    GstRdpExtraPad* pad = rdp_two_inputs_ref_extra(self, which);
    if (pad == nullptr) continue;
    gst_rdp_extra_pad_push_event(pad, gst_event_new_eos());
    gst_object_unref(pad);
  }
  return GST_FLOW_EOS;
}

static GstFlowReturn rdp_two_inputs_aggregate(GstAggregator* aggregator, gboolean) {
  auto* self = rdp_two_inputs(aggregator);
  GstAggregatorPad* inputs[2] = {};
  bool ended = false;
  bool ready = true;
  for (int index = 0; index < 2; ++index) {
    GstPad* sink = gst_element_get_static_pad(GST_ELEMENT(self), index == 0 ? "sink_0" : "sink_1");
    if (sink == nullptr) return GST_FLOW_EOS;
    inputs[index] = GST_AGGREGATOR_PAD(sink);
    gst_object_unref(sink);  // the element keeps it
    const bool has = gst_aggregator_pad_has_buffer(inputs[index]) != FALSE;
    ready = ready && has;
    ended = ended || (!has && gst_aggregator_pad_is_eos(inputs[index]));
  }
  if (ended) return rdp_two_inputs_end(self);
  if (!ready) return GST_AGGREGATOR_FLOW_NEED_DATA;
  GstBuffer* frame = gst_aggregator_pad_pop_buffer(inputs[0]);
  GstBuffer* other = gst_aggregator_pad_pop_buffer(inputs[1]);
  if (frame == nullptr || other == nullptr) {  // flushed in the meantime
    gst_clear_buffer(&frame);
    gst_clear_buffer(&other);
    return GST_AGGREGATOR_FLOW_NEED_DATA;
  }
  const GstFlowReturn of_picture = rdp_two_inputs_push_picture(self, frame);
  const GstFlowReturn of_data = rdp_two_inputs_push_data(self, other);
  gst_buffer_unref(other);
  // The overlay's pad can say then why a pipeline does not start.
  GstRdpExtraPad* overlay = rdp_two_inputs_ref_extra(self, kOverlay);
  if (overlay != nullptr) gst_rdp_extra_pad_note_main(overlay, TRUE);
  GstFlowReturn flow = gst_aggregator_finish_buffer(aggregator, frame);
  if (overlay != nullptr) {
    gst_rdp_extra_pad_note_main(overlay, FALSE);
    gst_object_unref(overlay);
  }
  flow = gst_rdp_extra_pad_combine_flow(flow, of_picture);
  return gst_rdp_extra_pad_combine_flow(flow, of_data);
}

// --- upstream -----------------------------------------------------------------------------------

static gboolean rdp_two_inputs_seek(RdpTwoInputs* self, GstPad* pad, GstEvent* event) {
  if (!self->seeks->passes(pad, event)) {
    gst_event_unref(event);
    return TRUE;
  }
  gst_event_ref(event);
  const gboolean done =
      GST_AGGREGATOR_CLASS(rdp_two_inputs_parent_class)->src_event(GST_AGGREGATOR(self), event);
  if (!done) self->seeks->failed(event);
  gst_event_unref(event);
  return done;
}

static gboolean rdp_two_inputs_src_event(GstAggregator* aggregator, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK) {
    return rdp_two_inputs_seek(rdp_two_inputs(aggregator), GST_AGGREGATOR_SRC_PAD(aggregator),
                               event);
  }
  return GST_AGGREGATOR_CLASS(rdp_two_inputs_parent_class)->src_event(aggregator, event);
}

static gboolean rdp_two_inputs_extra_event(GstPad* pad, GstObject* parent, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK) {
    return rdp_two_inputs_seek(rdp_two_inputs(parent), pad, event);
  }
  return gst_pad_send_event(GST_AGGREGATOR_SRC_PAD(parent), event);
}

static gboolean rdp_two_inputs_extra_query(GstPad* pad, GstObject* parent, GstQuery* query) {
  return GST_QUERY_TYPE(query) == GST_QUERY_LATENCY
             ? gst_pad_query(GST_AGGREGATOR_SRC_PAD(parent), query)
             : gst_pad_query_default(pad, parent, query);
}

// --- pads and states ----------------------------------------------------------------------------

static GstPad* rdp_two_inputs_request_new_pad(GstElement* element, GstPadTemplate* templ,
                                              const gchar* name, const GstCaps* caps) {
  auto* self = rdp_two_inputs(element);
  if (GST_PAD_TEMPLATE_DIRECTION(templ) == GST_PAD_SINK) {
    return GST_ELEMENT_CLASS(rdp_two_inputs_parent_class)
        ->request_new_pad(element, templ, name, caps);
  }
  const int which =
      g_str_equal(GST_PAD_TEMPLATE_NAME_TEMPLATE(templ), "overlay") ? kOverlay : kData;
  const GType type = which == kOverlay ? GST_TYPE_RDP_PICTURE_PAD : GST_TYPE_RDP_EXTRA_PAD;
  auto* pad = GST_RDP_EXTRA_PAD(g_object_new(type, "name", kExtraPads[which], "direction",
                                             GST_PAD_SRC, "template", templ, nullptr));
  if (which == kData) gst_rdp_extra_pad_set_capacity(pad, 2);
  gst_rdp_extra_pad_set_functions(pad, rdp_two_inputs_extra_event, rdp_two_inputs_extra_query);
  gst_rdp_extra_pad_follow(pad, GST_AGGREGATOR_SRC_PAD(self));
  gst_pad_set_active(GST_PAD(pad), TRUE);
  GST_OBJECT_LOCK(self);
  self->extra[which] = pad;
  GST_OBJECT_UNLOCK(self);
  gst_element_add_pad(element, GST_PAD(pad));
  return GST_PAD(pad);
}

static void rdp_two_inputs_release_pad(GstElement* element, GstPad* pad) {
  auto* self = rdp_two_inputs(element);
  if (GST_PAD_IS_SINK(pad)) {
    GST_ELEMENT_CLASS(rdp_two_inputs_parent_class)->release_pad(element, pad);
    return;
  }
  GST_OBJECT_LOCK(self);
  for (GstRdpExtraPad*& extra : self->extra) {
    if (GST_PAD_CAST(extra) == pad) extra = nullptr;
  }
  GST_OBJECT_UNLOCK(self);
  self->seeks->released(pad);
  gst_rdp_extra_pad_release(GST_RDP_EXTRA_PAD(pad), element);
}

static GstStateChangeReturn rdp_two_inputs_change_state(GstElement* element,
                                                        GstStateChange transition) {
  auto* self = rdp_two_inputs(element);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    for (int which = 0; which < kNumExtra; ++which) {
      GstRdpExtraPad* pad = rdp_two_inputs_ref_extra(self, which);
      if (pad == nullptr) continue;
      gst_rdp_extra_pad_interrupt(pad);
      gst_object_unref(pad);
    }
  }
  return GST_ELEMENT_CLASS(rdp_two_inputs_parent_class)->change_state(element, transition);
}

static gboolean rdp_two_inputs_stop(GstAggregator* aggregator) {
  auto* self = rdp_two_inputs(aggregator);
  gst_clear_event(&self->stream_start);
  gst_clear_event(&self->segment);
  for (GstCaps*& caps : self->caps) gst_clear_caps(&caps);
  self->seeks->reset();
  return TRUE;
}

// Without a frame rate to count in, the stream's time is the frames' own.
static GstClockTime rdp_two_inputs_get_next_time(GstAggregator* aggregator) {
  return gst_aggregator_simple_get_next_time(aggregator);
}

static void rdp_two_inputs_finalize(GObject* object) {
  auto* self = rdp_two_inputs(object);
  rdp_two_inputs_stop(GST_AGGREGATOR(self));
  delete self->seeks;
  G_OBJECT_CLASS(rdp_two_inputs_parent_class)->finalize(object);
}

static void rdp_two_inputs_add_template(GstElementClass* klass, const char* name,
                                        GstPadDirection direction, GstPadPresence presence,
                                        const char* text, GType type) {
  GstCaps* caps = gst_caps_from_string(text);
  gst_element_class_add_pad_template(
      klass, gst_pad_template_new_with_gtype(name, direction, presence, caps, type));
  gst_caps_unref(caps);
}

static void rdp_two_inputs_class_init(RdpTwoInputsClass* klass) {
  G_OBJECT_CLASS(klass)->finalize = rdp_two_inputs_finalize;
  auto* element_class = GST_ELEMENT_CLASS(klass);
  element_class->request_new_pad = rdp_two_inputs_request_new_pad;
  element_class->release_pad = rdp_two_inputs_release_pad;
  element_class->change_state = rdp_two_inputs_change_state;
  const char* gray = "video/x-raw, format=GRAY8";
  rdp_two_inputs_add_template(element_class, "sink_%u", GST_PAD_SINK, GST_PAD_REQUEST, gray,
                              GST_TYPE_AGGREGATOR_PAD);
  rdp_two_inputs_add_template(element_class, "src", GST_PAD_SRC, GST_PAD_ALWAYS, gray,
                              GST_TYPE_AGGREGATOR_PAD);
  rdp_two_inputs_add_template(element_class, "overlay", GST_PAD_SRC, GST_PAD_REQUEST,
                              "video/x-raw, format=RGBA", GST_TYPE_RDP_PICTURE_PAD);
  rdp_two_inputs_add_template(element_class, "data", GST_PAD_SRC, GST_PAD_REQUEST, gray,
                              GST_TYPE_RDP_EXTRA_PAD);
  gst_element_class_set_static_metadata(element_class, "Two inputs", "Filter/Video",
                                        "Pairs two streams", "The rdpsegment authors");
  auto* aggregator_class = GST_AGGREGATOR_CLASS(klass);
  aggregator_class->sink_event = rdp_two_inputs_sink_event;
  aggregator_class->src_event = rdp_two_inputs_src_event;
  aggregator_class->aggregate = rdp_two_inputs_aggregate;
  aggregator_class->stop = rdp_two_inputs_stop;
  aggregator_class->get_next_time = rdp_two_inputs_get_next_time;
  // The caps of the main input are the output's, whatever follows.
  aggregator_class->negotiate = nullptr;
}

static void rdp_two_inputs_init(RdpTwoInputs* self) { self->seeks = new rdp::gst::SeekFilter(); }
