// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/base/pair_streams.h"

#include <gst/base/gstaggregator.h>

struct PairStreams {
  GstAggregator parent;
  rdp::gst::Pairing* pairing;
};

struct PairStreamsClass {
  GstAggregatorClass parent_class;
};

G_DEFINE_TYPE(PairStreams, pair_streams, GST_TYPE_AGGREGATOR)

static rdp::gst::Pairing& pair_streams_pairing(gpointer instance) {
  return *G_TYPE_CHECK_INSTANCE_CAST(instance, pair_streams_get_type(), PairStreams)->pairing;
}

static GstFlowReturn pair_streams_aggregate(GstAggregator* aggregator, gboolean timeout) {
  rdp::gst::Pairing& pairing = pair_streams_pairing(aggregator);
  using Next = rdp::gst::Pairing::Next;
  const Next next = pairing.next(timeout != FALSE);
  if (next == Next::kNeedData) return GST_AGGREGATOR_FLOW_NEED_DATA;
  if (next == Next::kEnd) return GST_FLOW_EOS;
  GstBuffer* other = pairing.other(0);
  const guint64 met = other == nullptr ? GST_BUFFER_OFFSET_NONE : GST_BUFFER_PTS(other);
  GstBuffer* buffer = gst_buffer_make_writable(pairing.take_main());
  GST_BUFFER_OFFSET(buffer) = met;
  pairing.release();
  return pairing.finish(buffer);
}

static gboolean pair_streams_sink_event(GstAggregator* aggregator, GstAggregatorPad* pad,
                                        GstEvent* event) {
  rdp::gst::Pairing& pairing = pair_streams_pairing(aggregator);
  pairing.sink_event(pad, event);
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS && pairing.is_main(pad)) {
    GstCaps* caps;
    gst_event_parse_caps(event, &caps);
    gst_aggregator_set_src_caps(aggregator, caps);
  }
  return GST_AGGREGATOR_CLASS(pair_streams_parent_class)->sink_event(aggregator, pad, event);
}

static GstFlowReturn pair_streams_sink_event_pre_queue(GstAggregator* aggregator,
                                                       GstAggregatorPad* pad, GstEvent* event) {
  pair_streams_pairing(aggregator).sink_event_pre_queue(pad, event);
  return GST_AGGREGATOR_CLASS(pair_streams_parent_class)
      ->sink_event_pre_queue(aggregator, pad, event);
}

static gboolean pair_streams_src_event(GstAggregator* aggregator, GstEvent* event) {
  pair_streams_pairing(aggregator).src_event(event);
  return GST_AGGREGATOR_CLASS(pair_streams_parent_class)->src_event(aggregator, event);
}

static void pair_streams_finalize(GObject* object) {
  delete &pair_streams_pairing(object);
  G_OBJECT_CLASS(pair_streams_parent_class)->finalize(object);
}

static void pair_streams_class_init(PairStreamsClass* klass) {
  G_OBJECT_CLASS(klass)->finalize = pair_streams_finalize;
  auto* element_class = GST_ELEMENT_CLASS(klass);
  for (const char* name : {"main", "other", "src"}) {
    const bool out = g_str_equal(name, "src");
    gst_element_class_add_pad_template(
        element_class,
        gst_pad_template_new_with_gtype(name, out ? GST_PAD_SRC : GST_PAD_SINK, GST_PAD_ALWAYS,
                                        GST_CAPS_ANY, GST_TYPE_AGGREGATOR_PAD));
  }
  gst_element_class_set_static_metadata(element_class, "Pairs streams", "Filter", "Pairs streams",
                                        "The rdpsegment authors");
  auto* aggregator_class = GST_AGGREGATOR_CLASS(klass);
  aggregator_class->aggregate = pair_streams_aggregate;
  aggregator_class->sink_event = pair_streams_sink_event;
  aggregator_class->sink_event_pre_queue = pair_streams_sink_event_pre_queue;
  aggregator_class->src_event = pair_streams_src_event;
  aggregator_class->get_next_time = [](GstAggregator* aggregator) {
    return pair_streams_pairing(aggregator).get_next_time();
  };
  aggregator_class->flush = [](GstAggregator* aggregator) {
    pair_streams_pairing(aggregator).flush();
    return GST_FLOW_OK;
  };
  aggregator_class->start = [](GstAggregator* aggregator) -> gboolean {
    pair_streams_pairing(aggregator).start();
    return TRUE;
  };
  aggregator_class->stop = [](GstAggregator* aggregator) -> gboolean {
    pair_streams_pairing(aggregator).stop();
    return TRUE;
  };
  aggregator_class->negotiate = nullptr;
}

static void pair_streams_init(PairStreams* self) {
  for (const char* name : {"main", "other"}) {
    GstPadTemplate* templ = gst_element_get_pad_template(GST_ELEMENT(self), name);
    gst_element_add_pad(GST_ELEMENT(self),
                        GST_PAD(g_object_new(GST_TYPE_AGGREGATOR_PAD, "name", name, "direction",
                                             GST_PAD_SINK, "template", templ, nullptr)));
  }
  pair_streams_configure(GST_ELEMENT(self), {});
}

void pair_streams_register() {
  gst_element_register(nullptr, "pairstreams", GST_RANK_NONE, pair_streams_get_type());
}

void pair_streams_configure(GstElement* element, const rdp::gst::PairingRules& rules,
                            const rdp::gst::PairingSettings& settings) {
  auto* self = G_TYPE_CHECK_INSTANCE_CAST(element, pair_streams_get_type(), PairStreams);
  delete self->pairing;
  self->pairing = new rdp::gst::Pairing(GST_AGGREGATOR(self), rules);
  GstPad* main = gst_element_get_static_pad(element, "main");
  GstPad* other = gst_element_get_static_pad(element, "other");
  self->pairing->set_main(GST_AGGREGATOR_PAD(main));
  self->pairing->add_other(GST_AGGREGATOR_PAD(other));
  gst_object_unref(main);
  gst_object_unref(other);
  self->pairing->set_settings(settings);
}

rdp::gst::PairingCounts pair_streams_counts(GstElement* element) {
  return pair_streams_pairing(element).counts();
}
