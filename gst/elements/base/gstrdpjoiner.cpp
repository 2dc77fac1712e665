// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/gstrdpjoiner.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "common/image/float_environment.h"
#include "gst/elements/base/gstrdpjoiner-private.h"

using rdp::gst::ExtraPadRef;
using rdp::gst::JoinerPadRow;
using rdp::gst::JoinerSettings;
using rdp::gst::JoinerStream;
using rdp::gst::Pairing;

G_DEFINE_ABSTRACT_TYPE(GstRdpJoiner, gst_rdp_joiner, GST_TYPE_AGGREGATOR)
#define parent_class gst_rdp_joiner_parent_class

// --- settings and statistics --------------------------------------------------------------------

rdp::gst::ElementCore& gst_rdp_joiner_core(gpointer element) {
  return *GST_RDP_JOINER(element)->priv;
}

void _GstRdpJoinerPrivate::settings_changed() {
  pairing.set_settings(copy_settings<JoinerSettings>().pairing);
}

// Returns the pad of pictures, whatever its name, or none.
static ExtraPadRef gst_rdp_joiner_ref_picture(GstRdpJoiner* self) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  for (std::size_t row = 0; row < klass->n_pads; ++row) {
    if (klass->pads[row].role == JoinerPadRow::Role::kPicture) return self->priv->extra.ref(row);
  }
  return {};
}

// One structure for each input, by the name of its pad.
static GstStructure* gst_rdp_joiner_describe_inputs(GstRdpJoiner* self) {
  GstStructure* inputs = gst_structure_new_empty("inputs");
  GST_OBJECT_LOCK(self);
  for (const GstRdpJoinerPrivate::Place& place : self->priv->places) {
    const rdp::gst::InputCounters& counters = *rdp::gst::InputCounters::of(place.pad);
    g_autoptr(GstStructure) of_pad =
        gst_structure_new("input", "used", G_TYPE_UINT64, counters.used.load(), "dropped",
                          G_TYPE_UINT64, counters.dropped.load(), nullptr);
    const gint64 last = counters.last_time;
    if (last != G_MININT64) gst_structure_set(of_pad, "last-time", G_TYPE_INT64, last, nullptr);
    gst_structure_set(inputs, GST_OBJECT_NAME(place.pad), GST_TYPE_STRUCTURE, of_pad, nullptr);
  }
  GST_OBJECT_UNLOCK(self);
  return inputs;
}

GstStructure* _GstRdpJoinerPrivate::make_stats() {
  const rdp::gst::JoinerStats counts{.work = copy_stats(gst_rdp_joiner_ref_picture(self)),
                                     .pairing = pairing.counts(),
                                     .largest_distance = pairing.largest_distance(),
                                     .largest_spread = pairing.largest_spread()};
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  GstStructure* fields = new_stats(klass->frames, counts.work);
  g_autoptr(GstStructure) of_inputs = gst_rdp_joiner_describe_inputs(self);
  gst_structure_set(fields, "paired", G_TYPE_UINT64, counts.pairing.paired, "unpaired",
                    G_TYPE_UINT64, counts.pairing.unpaired, "dropped", G_TYPE_UINT64,
                    counts.pairing.dropped, "late", G_TYPE_UINT64, counts.pairing.late, "inputs",
                    GST_TYPE_STRUCTURE, of_inputs, nullptr);
  if (klass->add_stats != nullptr) klass->add_stats(self, &counts, fields);
  return fields;
}

// --- inputs -------------------------------------------------------------------------------------

// Pairing keeps the main input until there is another.
static void gst_rdp_joiner_let_go_of_inputs(GstRdpJoiner* self) {
  for (rdp::gst::JoinedInput& input : self->priv->inputs) {
    self->priv->pairing.remove_other(input.pad);
    gst_clear_caps(&input.caps);
    gst_object_unref(input.pad);
  }
  self->priv->inputs.clear();
}

// Reads new caps of an input. False: they are refused.
static bool gst_rdp_joiner_read_caps(GstRdpJoiner* self, std::size_t index) {
  rdp::gst::JoinedInput& input = self->priv->inputs[index];
  if (gst_video_info_from_caps(&input.info, input.caps)) {
    input.memory = rdp::gst::memory_kind(input.caps);
  } else if (input.row->role != JoinerPadRow::Role::kMetadata) {
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION, ("The caps do not describe a frame."),
                      ("%" GST_PTR_FORMAT, input.caps));
    gst_clear_caps(&input.caps);
    return false;
  }
  return self->priv->prepare_for(input.caps,
                                 [&] { return self->priv->stream->accept_caps(index); });
}

// Takes caps in order with the buffers, also for an input that is not paired yet.
static bool gst_rdp_joiner_take_caps(GstRdpJoiner* self, GstAggregatorPad* pad, GstEvent* event) {
  GstRdpJoinerPrivate& priv = *self->priv;
  GstCaps* caps;
  gst_event_parse_caps(event, &caps);
  GST_OBJECT_LOCK(self);
  for (GstRdpJoinerPrivate::Place& place : priv.places) {
    if (place.pad == pad) gst_caps_replace(&place.caps, caps);
  }
  GST_OBJECT_UNLOCK(self);
  for (std::size_t i = 0; i < priv.inputs.size(); ++i) {
    if (priv.inputs[i].pad != pad) continue;
    gst_caps_replace(&priv.inputs[i].caps, caps);
    return gst_rdp_joiner_read_caps(self, i);
  }
  return true;
}

static bool gst_rdp_joiner_has_enough(GstRdpJoiner* self) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  const auto& inputs = self->priv->inputs;
  if (inputs.size() >= std::max<std::size_t>(klass->least_inputs, 1)) return true;
  if (klass->is_whole_set == nullptr || inputs.size() != 1 || inputs[0].caps == nullptr) {
    return false;
  }
  g_autoptr(GstBuffer) head = gst_aggregator_pad_peek_buffer(inputs[0].pad);
  return head != nullptr && klass->is_whole_set(inputs[0], head);
}

// Drops the buffer that waited for a released input. If one input remains, its queued buffers could
// be mistaken for something else, so all of a live source are dropped. Others have queued one.
static void gst_rdp_joiner_drop_waiting(GstRdpJoiner* self, GstAggregatorPad* pad) {
  GstRdpJoinerPrivate& priv = *self->priv;
  const bool all = priv.inputs.size() == 1 &&
                   GST_CLOCK_TIME_IS_VALID(gst_aggregator_get_latency(GST_AGGREGATOR(self)));
  do {
    priv.pairing.drop_head(pad);
  } while (all && gst_aggregator_pad_has_buffer(pad));
}

// Updates pairing and the stream to the present inputs. False: they are too few.
static bool gst_rdp_joiner_take_inputs(GstRdpJoiner* self) {
  GstRdpJoinerPrivate& priv = *self->priv;
  if (!priv.inputs_changed.exchange(false)) return gst_rdp_joiner_has_enough(self);
  rdp::gst::InstanceVector<rdp::gst::JoinedInput> now;
  const gint64 main_number = gst_rdp_joiner_main_number(self);
  rdp::gst::InstanceVector<GstAggregatorPad*> waited;  // references are in `now`
  GST_OBJECT_LOCK(self);
  for (GstRdpJoinerPrivate::Place& place : priv.places) {
    if (std::exchange(place.waits, false)) waited.push_back(place.pad);
    now.push_back({.row = &GST_RDP_JOINER_GET_CLASS(self)->pads[place.row],
                   .number = place.number,
                   .pad = GST_AGGREGATOR_PAD(gst_object_ref(place.pad)),
                   .caps = place.caps == nullptr ? nullptr : gst_caps_ref(place.caps)});
  }
  if (!now.empty()) {
    const auto main =
        now.begin() + static_cast<std::ptrdiff_t>(gst_rdp_joiner_main_place(self, main_number));
    std::rotate(now.begin(), main, main + 1);
  }
  GST_OBJECT_UNLOCK(self);

  gst_rdp_joiner_let_go_of_inputs(self);
  priv.inputs.swap(now);
  if (!priv.inputs.empty()) priv.pairing.set_main(priv.inputs[0].pad);
  for (std::size_t i = 1; i < priv.inputs.size(); ++i) priv.pairing.add_other(priv.inputs[i].pad);
  if (priv.inputs.size() >= GST_RDP_JOINER_GET_CLASS(self)->least_inputs) {
    for (GstAggregatorPad* pad : waited) gst_rdp_joiner_drop_waiting(self, pad);
  }
  if (priv.stream != nullptr) {
    priv.stream->set_inputs(priv.inputs);
    // These inputs get no further caps event, so the stream gets their last caps here.
    for (std::size_t i = 0; i < priv.inputs.size(); ++i) {
      if (priv.inputs[i].caps != nullptr) gst_rdp_joiner_read_caps(self, i);
    }
  }
  return gst_rdp_joiner_has_enough(self);
}

// --- sets of buffers ----------------------------------------------------------------------------

static GstFlowReturn gst_rdp_joiner_push_set(GstRdpJoiner* self) {
  GstRdpJoinerPrivate& priv = *self->priv;
  GstBuffer* made = nullptr;
  GstFlowReturn extra = GST_FLOW_NOT_LINKED;
  const GstFlowReturn worked = priv.stream->work(priv.pairing, &made, &extra);
  if (worked != GST_FLOW_OK || made == nullptr) return worked;
  priv.pairing.release();
  // With this, extra pads can explain why a pipeline does not start.
  priv.extra.set_main_pushing(true);
  const GstFlowReturn flow = priv.pairing.finish(made);
  priv.extra.set_main_pushing(false);
  return priv.extra.count() == 0 ? flow : gst_rdp_extra_pad_combine_flow(flow, extra);
}

static GstFlowReturn gst_rdp_joiner_end(GstRdpJoiner* self) {
  self->priv->stream->end();
  g_autoptr(GstEvent) eos = gst_event_new_eos();
  self->priv->extra.push_event(eos);
  return GST_FLOW_EOS;
}

// Waits, because applications may be about to request further pads, as after a demuxer's
// no-more-pads. `changes`: the value before the inputs were examined.
static void gst_rdp_joiner_wait_for_more(GstRdpJoiner* self, unsigned changes) {
  GstRdpJoinerPrivate& priv = *self->priv;
  if (!gst_aggregator_pad_has_buffer(priv.inputs[0].pad)) return;
  constexpr std::chrono::seconds kPatience{rdp::gst::InputWatch::kPatience};
  if (priv.input_wait.wait(changes, kPatience) || std::exchange(priv.told_of_few, true)) return;
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  GST_ELEMENT_WARNING(
      self, STREAM, FAILED,
      ("Data waits on %" G_GSIZE_FORMAT " sink pad%s, expected %" G_GSIZE_FORMAT
       " or more: link another %s to a pad of its own%s.",
       priv.inputs.size(), priv.inputs.size() == 1 ? "" : "s", klass->least_inputs, klass->input,
       klass->is_whole_set == nullptr ? "" : ", or send batches in memory:NVMM (nvstreammux)"),
      (nullptr));
}

static GstFlowReturn gst_rdp_joiner_aggregate(GstAggregator* aggregator, gboolean timeout) {
  auto* self = GST_RDP_JOINER(aggregator);
  GstRdpJoinerPrivate& priv = *self->priv;
  const unsigned changes = priv.input_wait.changes();
  if (!gst_rdp_joiner_take_inputs(self)) {
    if (priv.inputs.empty()) return GST_AGGREGATOR_FLOW_NEED_DATA;
    if (gst_aggregator_pad_is_eos(priv.inputs[0].pad)) return gst_rdp_joiner_end(self);
    gst_rdp_joiner_wait_for_more(self, changes);
    return GST_AGGREGATOR_FLOW_NEED_DATA;
  }
  priv.told_of_few = false;
  const Pairing::Next next = priv.pairing.next(timeout != FALSE);
  rdp::with_standard_floats([&] { priv.stream->look_at(priv.pairing.misses()); });
  if (next == Pairing::Next::kNeedData) return GST_AGGREGATOR_FLOW_NEED_DATA;
  if (next == Pairing::Next::kEnd) return gst_rdp_joiner_end(self);
  priv.watch.set_busy(true);
  const GstFlowReturn flow = gst_rdp_joiner_push_set(self);
  priv.watch.set_busy(false);
  priv.pairing.release();
  return flow;
}

// --- events -------------------------------------------------------------------------------------

static gboolean gst_rdp_joiner_sink_event(GstAggregator* aggregator, GstAggregatorPad* pad,
                                          GstEvent* event) {
  auto* self = GST_RDP_JOINER(aggregator);
  GstRdpJoinerPrivate& priv = *self->priv;
  const bool serialized =
      (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_SERIALIZED) != 0;
  if (serialized && GST_EVENT_TYPE(event) != GST_EVENT_FLUSH_STOP && priv.stream != nullptr) {
    gst_rdp_joiner_take_inputs(self);
    priv.pairing.sink_event(pad, event);
    if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
      if (!gst_rdp_joiner_take_caps(self, pad, event)) {
        gst_event_unref(event);
        return FALSE;
      }
    } else if (GST_EVENT_TYPE(event) == GST_EVENT_SINK_MESSAGE ||
               GST_EVENT_TYPE(event) == GST_EVENT_CUSTOM_DOWNSTREAM) {
      // GstAggregator would push these to the extra pads before their waiting items. A copy,
      // because a pad sends the same sticky event only once, and it may come from two inputs.
      GstEvent* copy = gst_event_copy(event);
      gst_event_unref(event);
      priv.extra.push_event(copy);
      return gst_pad_push_event(GST_AGGREGATOR_SRC_PAD(self), copy);
    } else if (priv.pairing.is_main(pad) && GST_EVENT_TYPE(event) != GST_EVENT_EOS &&
               GST_EVENT_TYPE(event) != GST_EVENT_GAP) {
      priv.extra.push_event(event);
    }
  }
  const GstEventType type = GST_EVENT_TYPE(event);
  const bool flushes = type == GST_EVENT_FLUSH_START || type == GST_EVENT_FLUSH_STOP;
  if (flushes) priv.flush_turn.take();
  const gboolean taken = GST_AGGREGATOR_CLASS(parent_class)->sink_event(aggregator, pad, event);
  if (flushes) priv.flush_turn.end();
  return taken;
}

static GstFlowReturn gst_rdp_joiner_sink_event_pre_queue(GstAggregator* aggregator,
                                                         GstAggregatorPad* pad, GstEvent* event) {
  GstRdpJoinerPrivate& priv = *GST_RDP_JOINER(aggregator)->priv;
  priv.pairing.sink_event_pre_queue(pad, event);
  // The flush dropped the waiting buffer.
  if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) priv.input_wait.change();
  return GST_AGGREGATOR_CLASS(parent_class)->sink_event_pre_queue(aggregator, pad, event);
}

// Forwards pairing's gaps to the extra pads. GstAggregator sends FLUSH_START after it has told the
// streaming thread to end, but before joining it, and FLUSH_STOP before it restarts the thread.
static GstPadProbeReturn gst_rdp_joiner_look_at_event(GstPad* pad, GstPadProbeInfo* info,
                                                      gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  GstElement* element = gst_pad_get_parent_element(pad);
  if (element == nullptr) return GST_PAD_PROBE_OK;
  GstRdpJoinerPrivate& priv = *GST_RDP_JOINER(element)->priv;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_GAP:
      priv.extra.push_event(event);
      break;
    case GST_EVENT_FLUSH_START:
    case GST_EVENT_FLUSH_STOP:
      priv.input_wait.set_stopped(GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START);
      break;
    default:
      break;
  }
  gst_object_unref(element);
  return GST_PAD_PROBE_OK;
}

static gboolean gst_rdp_joiner_negotiate(GstAggregator* aggregator) {
  JoinerStream* stream = GST_RDP_JOINER(aggregator)->priv->stream;
  if (stream != nullptr) stream->renegotiate();
  return TRUE;
}

static GstFlowReturn gst_rdp_joiner_flush(GstAggregator* aggregator) {
  GST_RDP_JOINER(aggregator)->priv->pairing.flush();
  GST_RDP_JOINER(aggregator)->priv->watch.forget();
  JoinerStream* stream = GST_RDP_JOINER(aggregator)->priv->stream;
  if (stream != nullptr) stream->flush();
  return GST_FLOW_OK;
}

// Called with the aggregator's lock held; uses the inputs that were taken last.
static GstClockTime gst_rdp_joiner_get_next_time(GstAggregator* aggregator) {
  GstRdpJoinerPrivate& priv = *GST_RDP_JOINER(aggregator)->priv;
  return priv.inputs.empty() ? GST_CLOCK_TIME_NONE : priv.pairing.get_next_time();
}

// Called before the streaming thread starts, or is told to end.
static gboolean gst_rdp_joiner_src_activate(GstAggregator* aggregator, GstPadMode,
                                            gboolean active) {
  GST_RDP_JOINER(aggregator)->priv->input_wait.set_stopped(!active);
  return TRUE;
}

// --- states and the object ----------------------------------------------------------------------

static void gst_rdp_joiner_drop_stream(GstRdpJoiner* self) {
  // The method's state on the GPU is freed before the method.
  self->priv->gpu.drop_states();
  delete self->priv->stream;
  self->priv->stream = nullptr;
  gst_rdp_joiner_let_go_of_inputs(self);
  self->priv->inputs_changed = true;
  GST_OBJECT_LOCK(self);
  self->priv->forget_caps();
  GST_OBJECT_UNLOCK(self);
}

static gboolean gst_rdp_joiner_start(GstAggregator* aggregator) {
  auto* self = GST_RDP_JOINER(aggregator);
  GstRdpJoinerPrivate& priv = *self->priv;
  priv.reset();
  GST_OBJECT_LOCK(self);
  for (const auto& place : priv.places) rdp::gst::InputCounters::of(place.pad)->reset();
  GST_OBJECT_UNLOCK(self);
  gst_rdp_joiner_drop_stream(self);
  priv.pairing.start();
  priv.told_of_few = false;
  try {
    std::unique_ptr<JoinerStream> stream(GST_RDP_JOINER_GET_CLASS(self)->new_stream(self));
    if (!stream->start()) return FALSE;
    priv.stream = stream.release();
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to start."),
                      ("%s", error.what()));
    return FALSE;
  }
  priv.watch.start();
  return TRUE;
}

static gboolean gst_rdp_joiner_stop(GstAggregator* aggregator) {
  auto* self = GST_RDP_JOINER(aggregator);
  self->priv->watch.stop();
  self->priv->pairing.stop();
  self->priv->extra.forget_stream();
  gst_rdp_joiner_drop_stream(self);
  rdp::gst::forget_explained_caps_events(GST_ELEMENT(self));
  return TRUE;
}

bool _GstRdpJoinerPrivate::check_backend(bool with_method) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  if (klass->check_backend != nullptr) return !with_method || klass->check_backend(self);
  if (!with_method || klass->new_method == nullptr) return try_backend({});
  return try_backend([&] { return std::unique_ptr<rdp::gst::Method>(klass->new_method(self)); });
}

static GstStateChangeReturn gst_rdp_joiner_change_state(GstElement* element,
                                                        GstStateChange transition) {
  auto* self = GST_RDP_JOINER(element);
  if (!self->priv->before_change(transition)) return GST_STATE_CHANGE_FAILURE;
  const GstStateChangeReturn result =
      GST_ELEMENT_CLASS(parent_class)->change_state(element, transition);
  self->priv->after_change(transition);
  return result;
}

static void gst_rdp_joiner_set_context(GstElement* element, GstContext* context) {
  gst_rdp_joiner_core(element).set_context(context);
  GST_ELEMENT_CLASS(parent_class)->set_context(element, context);
}

static void gst_rdp_joiner_finalize(GObject* object) {
  auto* self = GST_RDP_JOINER(object);
  gst_rdp_joiner_drop_stream(self);
  delete self->priv;
  G_OBJECT_CLASS(parent_class)->finalize(object);
}

static void gst_rdp_joiner_constructed(GObject* object) {
  auto* self = GST_RDP_JOINER(object);
  self->priv = new GstRdpJoinerPrivate(self, *GST_RDP_JOINER_GET_CLASS(self));
  self->priv->pairing.set_latest(GST_RDP_JOINER_GET_CLASS(self)->pairs_for != 0);
  gst_rdp_joiner_add_pads(self);
  gst_pad_add_probe(GST_AGGREGATOR_SRC_PAD(self),
                    static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
                                                 GST_PAD_PROBE_TYPE_EVENT_FLUSH),
                    gst_rdp_joiner_look_at_event, nullptr, nullptr);
  G_OBJECT_CLASS(parent_class)->constructed(object);
}

static void gst_rdp_joiner_class_init(GstRdpJoinerClass* klass) {
  klass->input = "stream";
  auto* object_class = G_OBJECT_CLASS(klass);
  object_class->constructed = gst_rdp_joiner_constructed;
  object_class->finalize = gst_rdp_joiner_finalize;

  auto* element_class = GST_ELEMENT_CLASS(klass);
  element_class->change_state = gst_rdp_joiner_change_state;
  element_class->set_context = gst_rdp_joiner_set_context;

  auto* aggregator_class = GST_AGGREGATOR_CLASS(klass);
  aggregator_class->start = rdp::in_standard_floats<gst_rdp_joiner_start>;
  aggregator_class->stop = gst_rdp_joiner_stop;
  aggregator_class->aggregate = gst_rdp_joiner_aggregate;
  aggregator_class->negotiate = gst_rdp_joiner_negotiate;
  aggregator_class->flush = gst_rdp_joiner_flush;
  aggregator_class->sink_event = gst_rdp_joiner_sink_event;
  aggregator_class->sink_event_pre_queue = gst_rdp_joiner_sink_event_pre_queue;
  aggregator_class->get_next_time = gst_rdp_joiner_get_next_time;
  aggregator_class->src_activate = gst_rdp_joiner_src_activate;
  gst_rdp_joiner_class_init_pads(klass);
  gst_type_mark_as_plugin_api(GST_TYPE_RDP_JOINER, static_cast<GstPluginAPIFlags>(0));
}

static void gst_rdp_joiner_init(GstRdpJoiner*) {}
