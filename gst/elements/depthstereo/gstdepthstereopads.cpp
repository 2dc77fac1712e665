// SPDX-License-Identifier: LGPL-2.1-or-later
// The request pads of depthstereo: views on sink pads, side pads beside src; their caps and
// queries.
#include <exception>
#include <utility>

#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/depthstereo/gstdepthstereo-private.h"
#include "gst/elements/depthstereo/gstdepthstereooverlaypad.h"
#include "gst/elements/depthstereo/stereo_caps.h"
#include "gst/memory/pool_negotiation.h"

#define GST_CAT_DEFAULT gst_depth_stereo_debug

using rdp::gst::SidePadRef;

static GstAggregatorClass* gst_depth_stereo_parent() {
  return GST_AGGREGATOR_CLASS(g_type_class_peek(GST_TYPE_AGGREGATOR));
}

// --- caps ---------------------------------------------------------------------------------------

// With backend=cpu CUDA memory is left to others. Some NVMM memory is for the CPU, which the caps
// do not tell.
static GstCaps* gst_depth_stereo_own_caps(GstDepthStereo* self, GstPad* pad) {
  GstCaps* caps = gst_pad_get_pad_template_caps(pad);
  const bool cpu_only = gst_depth_stereo_copy_settings(self).backend == GST_RDP_BACKEND_CPU;
  return cpu_only ? rdp::gst::without_cuda_memory(caps) : caps;
}

// Whether it is the right view of two, and what the left one has; null: nothing yet.
static bool gst_depth_stereo_is_alone(GstDepthStereo* self, GstPad* pad, GstCaps** of_left) {
  GST_OBJECT_LOCK(self);
  const bool both = self->priv->left != nullptr && self->priv->right != nullptr;
  GstPad* left = both && GST_PAD_CAST(self->priv->right) == pad
                     ? GST_PAD(gst_object_ref(self->priv->left))
                     : nullptr;
  GST_OBJECT_UNLOCK(self);
  *of_left = left == nullptr ? nullptr : gst_pad_get_current_caps(left);
  gst_clear_object(&left);
  return !both;
}

static GstCaps* gst_depth_stereo_view_caps(GstDepthStereo* self, GstPad* pad, GstCaps* filter) {
  GstCaps* like = nullptr;
  const bool alone = gst_depth_stereo_is_alone(self, pad, &like);
  GstPad* src = GST_AGGREGATOR_SRC_PAD(self);
  g_autoptr(GstCaps) made = gst_pad_get_pad_template_caps(src);
  g_autoptr(GstCaps) taken = gst_pad_peer_query_caps(src, made);
  GstCaps* caps =
      rdp::gst::stereo_sink_caps(gst_depth_stereo_own_caps(self, pad), taken, alone, like);
  gst_clear_caps(&like);
  if (filter == nullptr) return caps;
  GstCaps* filtered = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(caps);
  return filtered;
}

// A second of them.
static constexpr int kPausesForPad = 200;

// The view that is left goes on without the other one: its source is not blocked.
static GstPadProbeReturn gst_depth_stereo_note_data(GstPad* pad, GstPadProbeInfo* info, gpointer) {
  const bool buffer = (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) != 0;
  if (!buffer && GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) != GST_EVENT_EOS) {
    return GST_PAD_PROBE_OK;
  }
  GstElement* element = gst_pad_get_parent_element(pad);
  if (element != nullptr) GST_DEPTH_STEREO(element)->priv->pauses_for_pad = 0;
  gst_clear_object(&element);
  return GST_PAD_PROBE_OK;
}

// Says why before core refuses the caps without a word.
static GstPadProbeReturn gst_depth_stereo_explain(GstPad* pad, GstPadProbeInfo* info, gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  GstElement* element = gst_pad_get_parent_element(pad);
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS && element != nullptr) {
    g_autoptr(GstCaps) own = gst_depth_stereo_own_caps(GST_DEPTH_STEREO(element), pad);
    rdp::gst::explain_caps_event(element, pad, event, rdp::gst::kStereoCapsWords, own, own);
  }
  gst_clear_object(&element);
  return GST_PAD_PROBE_OK;
}

// --- sink pads ----------------------------------------------------------------------------------

static GstAggregatorPad* gst_depth_stereo_create_new_pad(GstAggregator* aggregator,
                                                         GstPadTemplate* templ, const gchar*,
                                                         const GstCaps*) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  const gchar* name = GST_PAD_TEMPLATE_NAME_TEMPLATE(templ);
  auto* pad = GST_AGGREGATOR_PAD(g_object_new(GST_TYPE_AGGREGATOR_PAD, "name", name, "direction",
                                              GST_PAD_SINK, "template", templ, nullptr));
  GST_OBJECT_LOCK(self);
  GstAggregatorPad*& place = g_str_equal(name, "left") ? self->priv->left : self->priv->right;
  const bool taken = place != nullptr;
  if (!taken) {
    place = pad;
    self->priv->pauses_for_pad = 0;
  }
  GST_OBJECT_UNLOCK(self);
  if (taken) {
    GST_ELEMENT_WARNING(self, CORE, PAD, ("There is a pad %s already: one view has one.", name),
                        (nullptr));
    gst_object_unref(gst_object_ref_sink(pad));
    return nullptr;
  }
  self->priv->inputs_changed = true;
  gst_pad_add_probe(GST_PAD(pad), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, gst_depth_stereo_explain,
                    nullptr, nullptr);
  gst_pad_add_probe(
      GST_PAD(pad),
      static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM),
      gst_depth_stereo_note_data, nullptr, nullptr);
  return pad;
}

bool gst_depth_stereo_waits_for_pad(GstDepthStereo* self) { return self->priv->pauses_for_pad > 0; }

bool gst_depth_stereo_take_inputs(GstDepthStereo* self) {
  GstDepthStereoPrivate& priv = *self->priv;
  if (!priv.inputs_changed.exchange(false)) return priv.main != nullptr;
  GST_OBJECT_LOCK(self);
  GstAggregatorPad* main = priv.left != nullptr ? priv.left : priv.right;
  GstAggregatorPad* other = priv.left != nullptr ? priv.right : nullptr;
  const char* main_name = priv.left != nullptr ? "left" : "right";
  if (priv.pauses_for_pad > 0) {  // later
    priv.inputs_changed = true;
    GST_OBJECT_UNLOCK(self);
    return priv.main != nullptr;
  }
  if (main != nullptr) gst_object_ref(main);
  if (other != nullptr) gst_object_ref(other);
  GST_OBJECT_UNLOCK(self);
  if (other != priv.other) {
    if (priv.other != nullptr) priv.pairing.remove_other(priv.other);
    if (other != nullptr) priv.pairing.add_other(other);
  }
  if (main != nullptr) priv.pairing.set_main(main);
  std::swap(priv.main, main);
  std::swap(priv.other, other);
  gst_clear_object(&main);
  gst_clear_object(&other);
  if (priv.main == nullptr || priv.stream == nullptr) return priv.main != nullptr;
  priv.stream->set_pads(main_name, priv.other == nullptr ? nullptr : "right");
  // What they have been told before is not told again.
  for (GstAggregatorPad* pad : {priv.main, priv.other}) {
    g_autoptr(GstCaps) caps = pad == nullptr ? nullptr : gst_pad_get_current_caps(GST_PAD(pad));
    if (caps != nullptr) priv.stream->take_caps(pad == priv.main, caps);
  }
  return true;
}

static gboolean gst_depth_stereo_sink_query(GstAggregator* aggregator, GstAggregatorPad* pad,
                                            GstQuery* query) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CONTEXT:
      if (self->priv->gpu.answer_context_query(query)) return TRUE;
      break;
    case GST_QUERY_CAPS: {
      GstCaps* filter;
      gst_query_parse_caps(query, &filter);
      GstCaps* caps = gst_depth_stereo_view_caps(self, GST_PAD(pad), filter);
      gst_query_set_caps_result(query, caps);
      gst_caps_unref(caps);
      return TRUE;
    }
    case GST_QUERY_ACCEPT_CAPS: {
      // Not what the other view has: both may be about to change.
      GstCaps* caps;
      gst_query_parse_accept_caps(query, &caps);
      g_autoptr(GstCaps) own = gst_depth_stereo_own_caps(self, GST_PAD(pad));
      gst_query_set_accept_caps_result(query, gst_caps_is_subset(caps, own));
      return TRUE;
    }
    default:
      break;
  }
  return gst_depth_stereo_parent()->sink_query(aggregator, pad, query);
}

// Views end here: downstream knows nothing of them.
static gboolean gst_depth_stereo_propose_allocation(GstAggregator* aggregator, GstAggregatorPad*,
                                                    GstQuery*, GstQuery* query) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  rdp::gst::offer_metas(query, {GST_VIDEO_META_API_TYPE, GST_VIDEO_CROP_META_API_TYPE});
  const rdp::gst::StereoSettings settings = gst_depth_stereo_copy_settings(self);
  if (settings.backend != GST_RDP_BACKEND_CPU) {
    self->priv->gpu.propose_allocation(query, settings.cuda_device_id,
                                       settings.backend == GST_RDP_BACKEND_CUDA);
  }
  return TRUE;
}

// --- side pads ----------------------------------------------------------------------------------

static gboolean gst_depth_stereo_seek(GstDepthStereo* self, GstPad* pad, GstEvent* event) {
  rdp::gst::SeekFilter& seeks = self->priv->seeks;
  if (!seeks.passes(pad, event)) {
    GST_DEBUG_OBJECT(pad, "this seek is on its way already");
    gst_event_unref(event);
    return TRUE;
  }
  gst_event_ref(event);
  const gboolean done = gst_depth_stereo_parent()->src_event(GST_AGGREGATOR(self), event);
  if (!done) seeks.failed(event);  // another pad may try
  gst_event_unref(event);
  return done;
}

static gboolean gst_depth_stereo_src_event(GstAggregator* aggregator, GstEvent* event) {
  auto* self = GST_DEPTH_STEREO(aggregator);
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK) {
    return gst_depth_stereo_seek(self, GST_AGGREGATOR_SRC_PAD(aggregator), event);
  }
  self->priv->pairing.src_event(event);
  return gst_depth_stereo_parent()->src_event(aggregator, event);
}

static gboolean gst_depth_stereo_src_query(GstAggregator* aggregator, GstQuery* query) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT &&
      GST_DEPTH_STEREO(aggregator)->priv->gpu.answer_context_query(query)) {
    return TRUE;
  }
  return gst_depth_stereo_parent()->src_query(aggregator, query);
}

static gboolean gst_depth_stereo_side_event(GstPad* pad, GstObject* parent, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK) {
    return gst_depth_stereo_seek(GST_DEPTH_STEREO(parent), pad, event);
  }
  return gst_pad_send_event(GST_AGGREGATOR_SRC_PAD(parent), event);
}

// Latency and all that depends on the inputs is the main pad's.
static gboolean gst_depth_stereo_side_query(GstPad* pad, GstObject* parent, GstQuery* query) {
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CONTEXT:
      if (GST_DEPTH_STEREO(parent)->priv->gpu.answer_context_query(query)) return TRUE;
      break;
    case GST_QUERY_LATENCY:
    case GST_QUERY_POSITION:
    case GST_QUERY_DURATION:
    case GST_QUERY_SEEKING:
      return gst_pad_query(GST_AGGREGATOR_SRC_PAD(parent), query);
    default:
      break;
  }
  return gst_pad_query_default(pad, parent, query);
}

static GstPad* gst_depth_stereo_request_side(GstDepthStereo* self, GstPadTemplate* templ) {
  const gchar* name = GST_PAD_TEMPLATE_NAME_TEMPLATE(templ);
  auto* pad = GST_RDP_EXTRA_PAD(g_object_new(GST_PAD_TEMPLATE_GTYPE(templ), "name", name,
                                             "direction", GST_PAD_SRC, "template", templ, nullptr));
  gst_rdp_extra_pad_set_functions(pad, gst_depth_stereo_side_event, gst_depth_stereo_side_query);
  // Active before the streaming thread can see it, which brings the pad up to date before it pushes
  // anything else.
  gst_pad_set_active(GST_PAD(pad), TRUE);
  if (!self->priv->sides.add(pad)) {
    GST_ELEMENT_WARNING(self, CORE, PAD,
                        ("There is a pad %s already: put a tee behind it for another.", name),
                        ("a tee, with a queue on each branch, gives the same to several elements"));
    gst_pad_set_active(GST_PAD(pad), FALSE);
    gst_object_unref(gst_object_ref_sink(pad));
    return nullptr;
  }
  // Only one that stays: this keeps a reference.
  gst_rdp_extra_pad_follow(pad, GST_AGGREGATOR_SRC_PAD(self));
  gst_element_add_pad(GST_ELEMENT(self), GST_PAD(pad));
  gst_child_proxy_child_added(GST_CHILD_PROXY(self), G_OBJECT(pad), name);
  return GST_PAD(pad);
}

static GstPad* gst_depth_stereo_request_new_pad(GstElement* element, GstPadTemplate* templ,
                                                const gchar* name, const GstCaps* caps) {
  auto* self = GST_DEPTH_STEREO(element);
  if (GST_PAD_TEMPLATE_DIRECTION(templ) == GST_PAD_SRC) {
    return gst_depth_stereo_request_side(self, templ);
  }
  return GST_ELEMENT_CLASS(gst_depth_stereo_parent())->request_new_pad(element, templ, name, caps);
}

static void gst_depth_stereo_release_side(GstDepthStereo* self, GstPad* released) {
  auto* pad = GST_RDP_EXTRA_PAD(gst_object_ref(released));
  self->priv->sides.remove(released);
  self->priv->seeks.released(released);
  gst_child_proxy_child_removed(GST_CHILD_PROXY(self), G_OBJECT(pad), GST_OBJECT_NAME(pad));
  gst_rdp_extra_pad_release(pad, GST_ELEMENT(self));
  const guint64 dropped = gst_rdp_extra_pad_get_dropped(pad);
  gst_object_unref(pad);
  GST_OBJECT_LOCK(self);
  self->priv->stats.work.pictures_dropped += dropped;
  GST_OBJECT_UNLOCK(self);
}

static void gst_depth_stereo_release_pad(GstElement* element, GstPad* pad) {
  auto* self = GST_DEPTH_STEREO(element);
  if (GST_PAD_IS_SRC(pad)) {
    gst_depth_stereo_release_side(self, pad);
    return;
  }
  GST_OBJECT_LOCK(self);
  const bool both = self->priv->left != nullptr && self->priv->right != nullptr;
  for (GstAggregatorPad** own : {&self->priv->left, &self->priv->right}) {
    if (*own != nullptr && GST_PAD(*own) == pad) *own = nullptr;
  }
  // Where no frame of the view that is left comes meanwhile, its source is blocked until there is
  // a new pad. None comes after its end either.
  GstAggregatorPad* rest = self->priv->left != nullptr ? self->priv->left : self->priv->right;
  if (both && rest != nullptr && !GST_PAD_IS_EOS(rest)) self->priv->pauses_for_pad = kPausesForPad;
  GST_OBJECT_UNLOCK(self);
  self->priv->inputs_changed = true;
  GST_ELEMENT_CLASS(gst_depth_stereo_parent())->release_pad(element, pad);
}

// The properties of the pads from a launch line: depthstereo overlay::legend=false.
static GObject* gst_depth_stereo_get_child_by_index(GstChildProxy* proxy, guint index) {
  const SidePadRef pad = GST_DEPTH_STEREO(proxy)->priv->sides.ref_nth(index);
  return pad ? G_OBJECT(gst_object_ref(pad.get())) : nullptr;
}

static guint gst_depth_stereo_get_children_count(GstChildProxy* proxy) {
  return GST_DEPTH_STEREO(proxy)->priv->sides.count();
}

void gst_depth_stereo_child_proxy_init(gpointer iface, gpointer) {
  auto* child_proxy = static_cast<GstChildProxyInterface*>(iface);
  child_proxy->get_child_by_index = gst_depth_stereo_get_child_by_index;
  child_proxy->get_children_count = gst_depth_stereo_get_children_count;
}

// --- the class ----------------------------------------------------------------------------------

static void gst_depth_stereo_add_template(GstElementClass* klass, const char* name,
                                          GstPadDirection direction, GstPadPresence presence,
                                          GstCaps* caps, GType type) {
  gst_element_class_add_pad_template(
      klass, gst_pad_template_new_with_gtype(name, direction, presence, caps, type));
  gst_caps_unref(caps);
}

void gst_depth_stereo_class_init_pads(GstElementClass* element_class,
                                      GstAggregatorClass* aggregator_class) {
  element_class->request_new_pad = gst_depth_stereo_request_new_pad;
  element_class->release_pad = gst_depth_stereo_release_pad;
  for (const char* name : {"left", "right"}) {
    gst_depth_stereo_add_template(element_class, name, GST_PAD_SINK, GST_PAD_REQUEST,
                                  rdp::gst::stereo_view_template(), GST_TYPE_AGGREGATOR_PAD);
  }
  gst_depth_stereo_add_template(element_class, "src", GST_PAD_SRC, GST_PAD_ALWAYS,
                                rdp::gst::stereo_disparity_template(), GST_TYPE_AGGREGATOR_PAD);
  for (const char* name : {"rectified", "confidence"}) {
    gst_depth_stereo_add_template(element_class, name, GST_PAD_SRC, GST_PAD_REQUEST,
                                  rdp::gst::stereo_gray_template(), GST_TYPE_RDP_DATA_PAD);
  }
  gst_depth_stereo_add_template(element_class, "overlay", GST_PAD_SRC, GST_PAD_REQUEST,
                                rdp::gst::stereo_picture_template(),
                                GST_TYPE_DEPTH_STEREO_OVERLAY_PAD);
  aggregator_class->create_new_pad = gst_depth_stereo_create_new_pad;
  aggregator_class->sink_query = gst_depth_stereo_sink_query;
  aggregator_class->src_query = gst_depth_stereo_src_query;
  aggregator_class->src_event = gst_depth_stereo_src_event;
  aggregator_class->propose_allocation = gst_depth_stereo_propose_allocation;
}
