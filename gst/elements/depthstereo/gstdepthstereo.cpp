// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-depthstereo
 * @title: depthstereo
 * @short_description: Makes disparity of stereo pairs
 *
 * Matches the pictures on `left` and `right`, or both views in the frames of one of these pads, by
 * semi-global matching. src has the disparity of every pixel of the left view: GRAY16_LE, in 1/256
 * pixels, 0 where it is unknown.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthstereo name=d ! rdpsegment sample-scale=0.00390625 epsilon=2 ! fakesink
 * depthtestsrc view=left ! d.left depthtestsrc view=right ! d.right d.overlay ! videoconvert !
 * autovideosink
 * ]|
 */
#include "gst/elements/depthstereo/gstdepthstereo.h"

#include <exception>
#include <memory>

#include "common/image/float_environment.h"
#include "common/image/simd.h"
#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/depthstereo/gstdepthstereo-private.h"
#include "gst/elements/depthstereo/gstdepthstereooverlaypad.h"
#include "gst/elements/depthstereo/stereo_properties.h"

GST_DEBUG_CATEGORY(gst_depth_stereo_debug);
#define GST_CAT_DEFAULT gst_depth_stereo_debug

using rdp::gst::Pairing;
using rdp::gst::SidePad;
using rdp::gst::SidePadRef;
using rdp::gst::StereoBuffers;
using rdp::gst::StereoSettings;
using rdp::gst::StereoStats;
using rdp::gst::StereoStream;

// Registered as GstDepthstereo, from which GStreamer makes the names of unnamed elements:
// depthstereo0.
typedef GstDepthStereo GstDepthstereo;
typedef GstDepthStereoClass GstDepthstereoClass;
G_DEFINE_TYPE_WITH_CODE(GstDepthstereo, gst_depth_stereo, GST_TYPE_AGGREGATOR,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY,
                                              gst_depth_stereo_child_proxy_init))
#define parent_class gst_depth_stereo_parent_class
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(depthstereo, "depthstereo", GST_RANK_NONE,
                                      GST_TYPE_DEPTH_STEREO,
                                      GST_DEBUG_CATEGORY_INIT(gst_depth_stereo_debug, "depthstereo",
                                                              0, "disparity of stereo pairs"))

// --- properties ---------------------------------------------------------------------------------

StereoSettings gst_depth_stereo_copy_settings(GstDepthStereo* self) {
  GST_OBJECT_LOCK(self);
  const StereoSettings settings = self->priv->settings;
  GST_OBJECT_UNLOCK(self);
  return settings;
}

static void gst_depth_stereo_set_property(GObject* object, guint id, const GValue* value,
                                          GParamSpec* pspec) {
  auto* self = GST_DEPTH_STEREO(object);
  rdp::gst::set_property(object, rdp::gst::kStereoProperties, self->priv->settings, id, value,
                         pspec);
  self->priv->pairing.set_settings(gst_depth_stereo_copy_settings(self).pairing);
}

static GstStructure* gst_depth_stereo_make_stats(GstDepthStereo* self) {
  const rdp::gst::PairingCounts counts = self->priv->pairing.counts();
  const SidePadRef overlay = self->priv->sides.ref(SidePad::kOverlay);
  GST_OBJECT_LOCK(self);
  const StereoStats stats = self->priv->stats;
  GST_OBJECT_UNLOCK(self);
  const guint64 pairs = stats.work.frames;
  guint64 dropped = stats.work.pictures_dropped;
  if (overlay) dropped += gst_rdp_extra_pad_get_dropped(overlay.get());
  return gst_structure_new(
      "application/x-depthstereo-stats", "pairs", G_TYPE_UINT64, pairs, "unpaired", G_TYPE_UINT64,
      counts.unpaired, "dropped", G_TYPE_UINT64, counts.dropped, "late", G_TYPE_UINT64, counts.late,
      "largest-distance", G_TYPE_UINT64, self->priv->pairing.largest_distance(), "known",
      G_TYPE_DOUBLE, stats.known, "mean-known", G_TYPE_DOUBLE,
      pairs == 0 ? 0.0 : stats.known_sum / static_cast<double>(pairs), "saturated", G_TYPE_DOUBLE,
      stats.saturated, "last-time", G_TYPE_UINT64, stats.work.last_time, "mean-time", G_TYPE_UINT64,
      stats.work.mean_time(), "backend", G_TYPE_STRING, stats.work.backend(), "simd", G_TYPE_STRING,
      rdp::current_simd_target(), "pictures-dropped", G_TYPE_UINT64, dropped, nullptr);
}

static void gst_depth_stereo_get_property(GObject* object, guint id, GValue* value,
                                          GParamSpec* pspec) {
  auto* self = GST_DEPTH_STEREO(object);
  if (id == rdp::gst::property_id(rdp::gst::kStereoProperties, "stats")) {
    g_value_take_boxed(value, gst_depth_stereo_make_stats(self));
    return;
  }
  rdp::gst::get_property(object, rdp::gst::kStereoProperties, self->priv->settings, id, value,
                         pspec);
}

// --- pairs --------------------------------------------------------------------------------------

static GstClockTime gst_depth_stereo_running_time(GstAggregatorPad* pad, GstBuffer* buffer) {
  GstClockTime time = GST_CLOCK_TIME_NONE;
  GST_OBJECT_LOCK(pad);
  if (pad->segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(buffer)) {
    time = gst_segment_to_running_time(&pad->segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
  }
  GST_OBJECT_UNLOCK(pad);
  return time;
}

static GstFlowReturn gst_depth_stereo_push_pair(GstDepthStereo* self) {
  GstDepthStereoPrivate& priv = *self->priv;
  StereoBuffers pair;
  pair.main = priv.pairing.main();
  pair.other = priv.other == nullptr ? nullptr : priv.pairing.other(0);
  pair.running_time = gst_depth_stereo_running_time(priv.main, pair.main);
  GstBuffer* disparity = nullptr;
  GstFlowReturn side = GST_FLOW_NOT_LINKED;
  const GstFlowReturn worked =
      priv.stream->work(gst_depth_stereo_copy_settings(self), pair, &disparity, &side);
  if (worked != GST_FLOW_OK) return worked;
  priv.pairing.release();
  // The overlay's pad can say then why a pipeline does not start.
  const SidePadRef overlay = priv.sides.ref(SidePad::kOverlay);
  if (overlay) gst_rdp_extra_pad_note_main(overlay.get(), TRUE);
  const GstFlowReturn flow = priv.pairing.finish(disparity);
  if (overlay) gst_rdp_extra_pad_note_main(overlay.get(), FALSE);
  return priv.sides.count() == 0 ? flow : gst_rdp_extra_pad_combine_flow(flow, side);
}

static constexpr gulong kPauseForPad = 5000;  // microseconds

static GstFlowReturn gst_depth_stereo_aggregate(GstAggregator* aggregator, gboolean timeout) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  GstDepthStereoPrivate& priv = *self->priv;
  if (!gst_depth_stereo_take_inputs(self)) return GST_AGGREGATOR_FLOW_NEED_DATA;
  if (gst_depth_stereo_waits_for_pad(self)) {
    // GstAggregator asks again at once, as all pads that there are have data.
    g_usleep(kPauseForPad);
    int left = priv.pauses_for_pad;
    while (left > 0 && !priv.pauses_for_pad.compare_exchange_weak(left, left - 1)) {
    }
    return GST_AGGREGATOR_FLOW_NEED_DATA;
  }
  const Pairing::Next next = priv.pairing.next(timeout != FALSE);
  rdp::with_standard_floats([&] { priv.stream->watch().look_at(priv.pairing.misses()); });
  switch (next) {
    case Pairing::Next::kNeedData:
      return GST_AGGREGATOR_FLOW_NEED_DATA;
    case Pairing::Next::kEnd: {
      priv.stream->watch().end();
      g_autoptr(GstEvent) eos = gst_event_new_eos();
      priv.sides.push_event(eos);
      return GST_FLOW_EOS;
    }
    case Pairing::Next::kPair:
      break;
  }
  const GstFlowReturn flow = gst_depth_stereo_push_pair(self);
  priv.pairing.release();
  return flow;
}

// --- events -------------------------------------------------------------------------------------

static gboolean gst_depth_stereo_sink_event(GstAggregator* aggregator, GstAggregatorPad* pad,
                                            GstEvent* event) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  GstDepthStereoPrivate& priv = *self->priv;
  const bool serialized =
      (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_SERIALIZED) != 0;
  const bool in_stream =
      serialized && GST_EVENT_TYPE(event) != GST_EVENT_FLUSH_STOP && priv.stream != nullptr;
  if (in_stream && gst_depth_stereo_take_inputs(self)) {
    const bool of_main = priv.pairing.is_main(pad);
    priv.pairing.sink_event(pad, event);
    if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
      GstCaps* caps;
      gst_event_parse_caps(event, &caps);
      if (!priv.stream->take_caps(of_main, caps)) {
        gst_event_unref(event);
        return FALSE;
      }
    } else if (of_main && GST_EVENT_TYPE(event) != GST_EVENT_EOS &&
               GST_EVENT_TYPE(event) != GST_EVENT_GAP) {
      priv.sides.push_event(event);
    }
  }
  return GST_AGGREGATOR_CLASS(parent_class)->sink_event(aggregator, pad, event);
}

static GstFlowReturn gst_depth_stereo_sink_event_pre_queue(GstAggregator* aggregator,
                                                           GstAggregatorPad* pad, GstEvent* event) {
  GST_DEPTH_STEREO(aggregator)->priv->pairing.sink_event_pre_queue(pad, event);
  return GST_AGGREGATOR_CLASS(parent_class)->sink_event_pre_queue(aggregator, pad, event);
}

// Gaps that pairing hands on go to the side pads as well.
static GstPadProbeReturn gst_depth_stereo_hand_on_gap(GstPad* pad, GstPadProbeInfo* info,
                                                      gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_EVENT_TYPE(event) == GST_EVENT_GAP) {
    GstElement* element = gst_pad_get_parent_element(pad);
    if (element != nullptr) GST_DEPTH_STEREO(element)->priv->sides.push_event(event);
    gst_clear_object(&element);
  }
  return GST_PAD_PROBE_OK;
}

static gboolean gst_depth_stereo_negotiate(GstAggregator* aggregator) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  if (self->priv->stream != nullptr) self->priv->stream->renegotiate();
  return TRUE;
}

static GstFlowReturn gst_depth_stereo_flush(GstAggregator* aggregator) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  self->priv->pairing.flush();
  return GST_FLOW_OK;
}

static GstClockTime gst_depth_stereo_get_next_time(GstAggregator* aggregator) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  return gst_depth_stereo_take_inputs(self) ? self->priv->pairing.get_next_time()
                                            : GST_CLOCK_TIME_NONE;
}

// --- states and the object ----------------------------------------------------------------------

static void gst_depth_stereo_drop_stream(GstDepthStereo* self) {
  // What the method keeps on the GPU goes before it.
  self->priv->gpu.drop_states();
  delete self->priv->stream;
  self->priv->stream = nullptr;
}

static gboolean gst_depth_stereo_start(GstAggregator* aggregator) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  GstDepthStereoPrivate& priv = *self->priv;
  const StereoSettings settings = gst_depth_stereo_copy_settings(self);
  GST_OBJECT_LOCK(self);
  priv.stats = {};
  priv.stats.work.on_gpu = settings.backend == GST_RDP_BACKEND_CUDA;
  GST_OBJECT_UNLOCK(self);
  gst_depth_stereo_drop_stream(self);
  priv.seeks.reset();
  priv.pairing.start();
  priv.inputs_changed = true;
  priv.pauses_for_pad = 0;
  try {
    auto stream =
        std::make_unique<StereoStream>(aggregator, settings, &priv.gpu, &priv.sides, &priv.stats);
    if (!stream->start()) return FALSE;
    priv.stream = stream.release();
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to start."),
                      ("%s", error.what()));
    return FALSE;
  }
  return TRUE;
}

static gboolean gst_depth_stereo_stop(GstAggregator* aggregator) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  self->priv->pairing.stop();
  self->priv->sides.forget_stream();
  gst_depth_stereo_drop_stream(self);
  rdp::gst::forget_explained_caps_events(GST_ELEMENT(self));
  return TRUE;
}

// backend=cuda says early what is missing.
static bool gst_depth_stereo_check_backend(GstDepthStereo* self, bool with_method) {
  const StereoSettings settings = gst_depth_stereo_copy_settings(self);
  const auto new_method = [self]() -> std::unique_ptr<rdp::gst::Method> {
    return std::make_unique<rdp::gst::StereoMethod>(GST_ELEMENT(self));
  };
  return rdp::gst::check_backend(
      GST_ELEMENT(self), rdp::gst::stereo_words(), &self->priv->gpu, settings,
      with_method ? rdp::gst::NewMethod(new_method) : rdp::gst::NewMethod());
}

static GstStateChangeReturn gst_depth_stereo_change_state(GstElement* element,
                                                          GstStateChange transition) {
  auto* self = GST_DEPTH_STEREO(element);
  if ((transition == GST_STATE_CHANGE_NULL_TO_READY &&
       !gst_depth_stereo_check_backend(self, true)) ||
      (transition == GST_STATE_CHANGE_READY_TO_PAUSED &&
       !gst_depth_stereo_check_backend(self, false))) {
    return GST_STATE_CHANGE_FAILURE;
  }
  // What the streaming thread waits for in side branches must not keep the pads from being stopped.
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) self->priv->sides.interrupt();
  const GstStateChangeReturn result =
      GST_ELEMENT_CLASS(parent_class)->change_state(element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL) self->priv->gpu.stop();
  return result;
}

static void gst_depth_stereo_set_context(GstElement* element, GstContext* context) {
  auto* self = GST_DEPTH_STEREO(element);
  self->priv->gpu.set_context(context, gst_depth_stereo_copy_settings(self).cuda_device_id);
  GST_ELEMENT_CLASS(parent_class)->set_context(element, context);
}

static void gst_depth_stereo_finalize(GObject* object) {
  auto* self = GST_DEPTH_STEREO(object);
  gst_depth_stereo_drop_stream(self);
  gst_clear_object(&self->priv->main);
  gst_clear_object(&self->priv->other);
  delete self->priv;
  G_OBJECT_CLASS(parent_class)->finalize(object);
}

static void gst_depth_stereo_class_init(GstDepthStereoClass* klass) {
  auto* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_depth_stereo_set_property;
  object_class->get_property = rdp::in_standard_floats<gst_depth_stereo_get_property>;
  object_class->finalize = gst_depth_stereo_finalize;
  rdp::gst::install_properties(object_class, rdp::gst::kStereoProperties);

  auto* element_class = GST_ELEMENT_CLASS(klass);
  element_class->change_state = gst_depth_stereo_change_state;
  element_class->set_context = gst_depth_stereo_set_context;
  gst_element_class_set_static_metadata(
      element_class, "Stereo matching", "Filter/Analyzer/Video",
      "Makes the disparity, or the depth, of stereo pairs by semi-global matching",
      "The rdpsegment authors");

  auto* aggregator_class = GST_AGGREGATOR_CLASS(klass);
  aggregator_class->start = rdp::in_standard_floats<gst_depth_stereo_start>;
  aggregator_class->stop = gst_depth_stereo_stop;
  aggregator_class->aggregate = gst_depth_stereo_aggregate;
  aggregator_class->negotiate = gst_depth_stereo_negotiate;
  aggregator_class->flush = gst_depth_stereo_flush;
  aggregator_class->sink_event = gst_depth_stereo_sink_event;
  aggregator_class->sink_event_pre_queue = gst_depth_stereo_sink_event_pre_queue;
  aggregator_class->get_next_time = gst_depth_stereo_get_next_time;
  gst_depth_stereo_class_init_pads(element_class, aggregator_class);

  for (const GType type : {rdp::gst::stereo_output_get_type(), rdp::gst::rectify_get_type(),
                           rdp::gst::stereo_paths_get_type(), rdp::gst::packing_choice_get_type(),
                           gst_rdp_median_get_type(), gst_rdp_backend_get_type(),
                           static_cast<GType>(GST_TYPE_RDP_DATA_PAD),
                           static_cast<GType>(GST_TYPE_DEPTH_STEREO_OVERLAY_PAD)}) {
    gst_type_mark_as_plugin_api(type, static_cast<GstPluginAPIFlags>(0));
  }
}

static void gst_depth_stereo_init(GstDepthStereo* self) {
  self->priv = new GstDepthStereoPrivate(GST_AGGREGATOR(self));
  gst_pad_add_probe(GST_AGGREGATOR_SRC_PAD(self), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
                    gst_depth_stereo_hand_on_gap, nullptr, nullptr);
}
