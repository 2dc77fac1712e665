// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/base/two_inputs_element.h"

#include <gst/base/gstaggregator.h>
#include <gst/video/video.h>

#include <memory>
#include <utility>

#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/data_pad.h"
#include "gst/elements/base/frame_output.h"
#include "gst/elements/base/frame_work.h"
#include "gst/elements/base/picture_pad.h"
#include "gst/elements/base/seek_filter.h"
#include "tests/base/pair_method.h"

using namespace rdp::gst;

namespace {

constexpr const char* kExtraPads[] = {"overlay", "data"};
enum { kOverlay, kData, kNumExtra };

constexpr auto kProperties = base_properties<AnalyzerSettings>("frames and backend");

// What lives as long as the element.
struct Parts : InstanceMemory {
  Parts(GstElement* element, GstPad* src) : gpu(element), output(element, src, &gpu) {}

  SeekFilter seeks;
  GpuProvider gpu;
  FrameOutput output;
  AnalyzerSettings settings;  // under the object lock
  AnalyzerStats stats;        // under the object lock
  pairs::Script script;
  std::unique_ptr<FrameWork> work;  // between start and stop
  GstVideoInfo infos[2] = {};       // of the inputs
  bool caps_are_new = false;
};

}  // namespace

struct RdpTwoInputs {
  GstAggregator parent;

  Parts* parts;
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
      self->parts->caps_are_new = true;
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

// --- the work -----------------------------------------------------------------------------------

// What is made of a pair: the frame that goes on, the data and the picture.
struct Made final : WorkOutputs {
  Made(RdpTwoInputs* of, GstBuffer* main) : self(of), frame(main) {}
  ~Made() override {
    for (GstBuffer** buffer : {&output, &data, &picture.buffer}) gst_clear_buffer(buffer);
    for (GstRdpExtraPad* pad : {data_pad, overlay}) {
      if (pad != nullptr) gst_object_unref(pad);
    }
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  GstFlowReturn acquire(bool, std::vector<WorkOutput>* outputs) override {
    Parts& parts = *self->parts;
    GstFlowReturn flow;
    output = parts.output.acquire(frame, &flow);
    if (output == nullptr) return flow;
    outputs->push_back(parts.output.describe(output));
    if (data_pad == nullptr) return GST_FLOW_OK;
    auto* pad = GST_RDP_DATA_PAD(data_pad);
    gst_rdp_data_pad_set_context(pad, parts.gpu.context());
    if (!gst_rdp_extra_pad_takes(data_pad)) return GST_FLOW_OK;
    data = gst_rdp_extra_pad_acquire(data_pad, &data_flow);
    if (data == nullptr) return GST_FLOW_OK;
    describe_picture(data, frame);
    outputs->push_back({data, gst_rdp_data_pad_get_info(pad), gst_rdp_data_pad_get_memory(pad)});
    return GST_FLOW_OK;
  }

  RdpTwoInputs* self;
  GstBuffer* frame;
  GstRdpExtraPad* data_pad = nullptr;
  GstRdpExtraPad* overlay = nullptr;
  GstBuffer* output = nullptr;
  GstBuffer* data = nullptr;
  GstFlowReturn data_flow = GST_FLOW_NOT_LINKED;
  WorkPicture picture;
};

// The caps of the main input, in each memory that there can be.
static GstCaps* rdp_two_inputs_possible(RdpTwoInputs* self) {
  GstCaps* caps = gst_caps_new_empty();
  GstStructure* fields = gst_caps_get_structure(self->caps[0], 0);
  gst_caps_append_structure(caps, gst_structure_copy(fields));
  if (self->parts->work->backend() != GST_RDP_BACKEND_CPU && cuda_memory_available()) {
    gst_caps_append_structure_full(caps, gst_structure_copy(fields),
                                   gst_caps_features_new(kCudaFeature, nullptr));
  }
  return caps;
}

static bool rdp_two_inputs_use_caps(RdpTwoInputs* self) {
  Parts& parts = *self->parts;
  for (int index = 0; index < 2; ++index) {
    if (!gst_video_info_from_caps(&parts.infos[index], self->caps[index])) return false;
  }
  g_autoptr(GstCaps) possible = rdp_two_inputs_possible(self);
  if (!parts.output.negotiate(possible, self->caps[0])) return false;
  const GstCaps* const caps[] = {self->caps[0], self->caps[1], parts.output.caps()};
  if (!parts.work->choose_backend(caps)) return false;
  parts.output.set_page_locked(parts.work->gpu_works());
  gst_aggregator_set_src_caps(GST_AGGREGATOR(self), parts.output.caps());
  return parts.output.memory() == MemoryKind::kCuda || parts.output.make_pool();
}

static GstFlowReturn rdp_two_inputs_work(RdpTwoInputs* self, GstBuffer* const* buffers,
                                         Made* made) {
  Parts& parts = *self->parts;
  if (self->caps[0] == nullptr || self->caps[1] == nullptr) return GST_FLOW_NOT_NEGOTIATED;
  if (std::exchange(parts.caps_are_new, false) || parts.output.needs_negotiation()) {
    if (!rdp_two_inputs_use_caps(self)) {
      parts.caps_are_new = true;
      return GST_FLOW_NOT_NEGOTIATED;
    }
  }
  made->data_pad = rdp_two_inputs_ref_extra(self, kData);
  made->overlay = rdp_two_inputs_ref_extra(self, kOverlay);
  if (made->data_pad != nullptr) {
    gst_rdp_data_pad_set_context(GST_RDP_DATA_PAD(made->data_pad), parts.gpu.context());
    rdp_two_inputs_begin(self, made->data_pad, kData);
  }
  if (made->overlay != nullptr) {
    gst_rdp_picture_pad_set_context(GST_RDP_PICTURE_PAD(made->overlay), parts.gpu.context());
    rdp_two_inputs_begin(self, made->overlay, kOverlay);
  }
  const WorkInput inputs[] = {{buffers[0], &parts.infos[0], memory_kind(self->caps[0]), "sink_0"},
                              {buffers[1], &parts.infos[1], memory_kind(self->caps[1]), "sink_1"}};
  WorkCall call;
  call.inputs = inputs;
  call.acquire_outputs = made;
  if (made->overlay != nullptr) call.overlay = GST_RDP_PICTURE_PAD(made->overlay);
  call.running_time = GST_BUFFER_PTS(buffers[0]);
  return parts.work->run(call, &made->picture);
}

static GstFlowReturn rdp_two_inputs_push_picture(GstBuffer* frame, Made* made) {
  if (made->overlay == nullptr) return GST_FLOW_NOT_LINKED;
  if (GstBuffer* picture = std::exchange(made->picture.buffer, nullptr)) {
    return gst_rdp_extra_pad_push(made->overlay, picture);
  }
  if (made->picture.flow != GST_FLOW_OK) return made->picture.flow;
  return gst_rdp_picture_pad_skip(GST_RDP_PICTURE_PAD(made->overlay), frame, made->picture.gap);
}

// Sends what was made, the extra pads' first.
static GstFlowReturn rdp_two_inputs_push(RdpTwoInputs* self, GstBuffer* frame, Made* made) {
  const GstFlowReturn of_picture = rdp_two_inputs_push_picture(frame, made);
  GstFlowReturn of_data = made->data_flow;
  if (GstBuffer* data = std::exchange(made->data, nullptr)) {
    of_data = gst_rdp_extra_pad_push(made->data_pad, data);
  }
  // The overlay's pad can say then why a pipeline does not start.
  if (made->overlay != nullptr) gst_rdp_extra_pad_note_main(made->overlay, TRUE);
  GstFlowReturn flow =
      gst_aggregator_finish_buffer(GST_AGGREGATOR(self), std::exchange(made->output, nullptr));
  if (made->overlay != nullptr) gst_rdp_extra_pad_note_main(made->overlay, FALSE);
  flow = gst_rdp_extra_pad_combine_flow(flow, of_picture);
  return gst_rdp_extra_pad_combine_flow(flow, of_data);
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
  GstBuffer* buffers[] = {gst_aggregator_pad_pop_buffer(inputs[0]),
                          gst_aggregator_pad_pop_buffer(inputs[1])};
  GstFlowReturn flow = GST_AGGREGATOR_FLOW_NEED_DATA;  // flushed in the meantime
  if (buffers[0] != nullptr && buffers[1] != nullptr) {
    Made made(self, buffers[0]);
    flow = rdp_two_inputs_work(self, buffers, &made);
    if (flow == GST_FLOW_OK) flow = rdp_two_inputs_push(self, buffers[0], &made);
  }
  for (GstBuffer*& buffer : buffers) gst_clear_buffer(&buffer);
  return flow;
}

// --- upstream -----------------------------------------------------------------------------------

static gboolean rdp_two_inputs_seek(RdpTwoInputs* self, GstPad* pad, GstEvent* event) {
  if (!self->parts->seeks.passes(pad, event)) {
    gst_event_unref(event);
    return TRUE;
  }
  gst_event_ref(event);
  const gboolean done =
      GST_AGGREGATOR_CLASS(rdp_two_inputs_parent_class)->src_event(GST_AGGREGATOR(self), event);
  if (!done) self->parts->seeks.failed(event);
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
  const GType type = which == kOverlay ? GST_TYPE_RDP_PICTURE_PAD : GST_TYPE_RDP_DATA_PAD;
  auto* pad = GST_RDP_EXTRA_PAD(g_object_new(type, "name", kExtraPads[which], "direction",
                                             GST_PAD_SRC, "template", templ, nullptr));
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
  self->parts->seeks.released(pad);
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

static gboolean rdp_two_inputs_start(GstAggregator* aggregator) {
  Parts& parts = *rdp_two_inputs(aggregator)->parts;
  parts.stats = {};
  const WorkWords words{GST_CAT_DEFAULT, "pair", "paired"};
  parts.work =
      std::make_unique<FrameWork>(GST_ELEMENT(aggregator), words, &parts.gpu,
                                  pairs::new_method(&parts.script), parts.settings, &parts.stats);
  return TRUE;
}

static gboolean rdp_two_inputs_stop(GstAggregator* aggregator) {
  auto* self = rdp_two_inputs(aggregator);
  gst_clear_event(&self->stream_start);
  gst_clear_event(&self->segment);
  for (GstCaps*& caps : self->caps) gst_clear_caps(&caps);
  Parts& parts = *self->parts;
  parts.seeks.reset();
  parts.gpu.drop_states();
  parts.work.reset();
  parts.output.stop();
  parts.gpu.stop();
  return TRUE;
}

// Core's flag is taken by the base class, which asks here.
static gboolean rdp_two_inputs_negotiate(GstAggregator* aggregator) {
  rdp_two_inputs(aggregator)->parts->output.invalidate();
  return TRUE;
}

static void rdp_two_inputs_set_property(GObject* object, guint id, const GValue* value,
                                        GParamSpec* pspec) {
  set_property(object, kProperties, rdp_two_inputs(object)->parts->settings, id, value, pspec);
}

static void rdp_two_inputs_get_property(GObject* object, guint id, GValue* value,
                                        GParamSpec* pspec) {
  const Parts& parts = *rdp_two_inputs(object)->parts;
  if (id != property_id(kProperties, "stats")) {
    get_property(object, kProperties, parts.settings, id, value, pspec);
    return;
  }
  GST_OBJECT_LOCK(object);
  const AnalyzerStats stats = parts.stats;
  GST_OBJECT_UNLOCK(object);
  g_value_take_boxed(value, gst_structure_new("stats", "frames", G_TYPE_UINT64, stats.frames,
                                              "backend", G_TYPE_STRING, stats.backend(), nullptr));
}

static void rdp_two_inputs_set_context(GstElement* element, GstContext* context) {
  Parts& parts = *rdp_two_inputs(element)->parts;
  parts.gpu.set_context(context, parts.settings.cuda_device_id);
  GST_ELEMENT_CLASS(rdp_two_inputs_parent_class)->set_context(element, context);
}

// Without a frame rate to count in, the stream's time is the frames' own.
static GstClockTime rdp_two_inputs_get_next_time(GstAggregator* aggregator) {
  return gst_aggregator_simple_get_next_time(aggregator);
}

static void rdp_two_inputs_finalize(GObject* object) {
  auto* self = rdp_two_inputs(object);
  rdp_two_inputs_stop(GST_AGGREGATOR(self));
  delete self->parts;
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
  auto* object_class = G_OBJECT_CLASS(klass);
  object_class->finalize = rdp_two_inputs_finalize;
  object_class->set_property = rdp_two_inputs_set_property;
  object_class->get_property = rdp_two_inputs_get_property;
  install_properties(object_class, kProperties);
  auto* element_class = GST_ELEMENT_CLASS(klass);
  element_class->request_new_pad = rdp_two_inputs_request_new_pad;
  element_class->release_pad = rdp_two_inputs_release_pad;
  element_class->change_state = rdp_two_inputs_change_state;
  element_class->set_context = rdp_two_inputs_set_context;
  const char* gray = cuda_memory_available()
                         ? "video/x-raw, format=GRAY8; video/x-raw(memory:CUDAMemory), format=GRAY8"
                         : "video/x-raw, format=GRAY8";
  rdp_two_inputs_add_template(element_class, "sink_%u", GST_PAD_SINK, GST_PAD_REQUEST, gray,
                              GST_TYPE_AGGREGATOR_PAD);
  rdp_two_inputs_add_template(element_class, "src", GST_PAD_SRC, GST_PAD_ALWAYS, gray,
                              GST_TYPE_AGGREGATOR_PAD);
  rdp_two_inputs_add_template(element_class, "overlay", GST_PAD_SRC, GST_PAD_REQUEST,
                              "video/x-raw, format=RGBA", GST_TYPE_RDP_PICTURE_PAD);
  rdp_two_inputs_add_template(element_class, "data", GST_PAD_SRC, GST_PAD_REQUEST, gray,
                              GST_TYPE_RDP_DATA_PAD);
  gst_element_class_set_static_metadata(element_class, "Two inputs", "Filter/Video",
                                        "Pairs two streams", "The rdpsegment authors");
  auto* aggregator_class = GST_AGGREGATOR_CLASS(klass);
  aggregator_class->sink_event = rdp_two_inputs_sink_event;
  aggregator_class->src_event = rdp_two_inputs_src_event;
  aggregator_class->aggregate = rdp_two_inputs_aggregate;
  aggregator_class->start = rdp_two_inputs_start;
  aggregator_class->stop = rdp_two_inputs_stop;
  aggregator_class->get_next_time = rdp_two_inputs_get_next_time;
  aggregator_class->negotiate = rdp_two_inputs_negotiate;
}

static void rdp_two_inputs_init(RdpTwoInputs* self) {
  self->parts = new Parts(GST_ELEMENT(self), GST_AGGREGATOR_SRC_PAD(self));
}
