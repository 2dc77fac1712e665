// SPDX-License-Identifier: LGPL-2.1-or-later
// The pads of an element that joins: inputs and extra pads, with their caps, events and queries.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "gst/elements/base/filtered_caps.h"
#include "gst/elements/base/gstrdpjoiner-private.h"
#include "gst/memory/frame_layout.h"
#include "gst/memory/nvmm_library.h"
#include "gst/memory/pool_negotiation.h"

using rdp::gst::JoinerPadRow;
using rdp::gst::JoinerSettings;
using Role = rdp::gst::JoinerPadRow::Role;

static GstAggregatorClass* gst_rdp_joiner_parent() {
  return GST_AGGREGATOR_CLASS(g_type_class_peek(GST_TYPE_AGGREGATOR));
}

std::size_t gst_rdp_joiner_row_index(GstRdpJoiner* self, GstPadTemplate* templ) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  std::size_t row = 0;
  while (!g_str_equal(klass->pads[row].name, GST_PAD_TEMPLATE_NAME_TEMPLATE(templ))) ++row;
  return row;
}

const JoinerPadRow& gst_rdp_joiner_row(GstRdpJoiner* self, GstPad* pad) {
  const std::size_t row = gst_rdp_joiner_row_index(self, GST_PAD_PAD_TEMPLATE(pad));
  return GST_RDP_JOINER_GET_CLASS(self)->pads[row];
}

static GstRdpBackend gst_rdp_joiner_backend(GstRdpJoiner* self) {
  return rdp::gst::copy_settings<JoinerSettings>(self).backend;
}

// --- caps ---------------------------------------------------------------------------------------

// Returns a pad's caps with the present backend: backend=cpu excludes CUDA memory. NVMM memory
// stays, because the caps do not tell whether the CPU reaches it.
static GstCaps* gst_rdp_joiner_own_caps(GstRdpJoiner* self, GstPad* pad) {
  GstCaps* caps = gst_pad_get_pad_template_caps(pad);
  if (gst_rdp_joiner_row(self, pad).role == Role::kMetadata ||
      gst_rdp_joiner_backend(self) != GST_RDP_BACKEND_CPU) {
    return caps;
  }
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  return klass->cpu_caps == nullptr ? rdp::gst::without_cuda_memory(caps) : klass->cpu_caps(caps);
}

static void gst_rdp_joiner_query_caps(GstRdpJoiner* self, GstPad* pad, GstQuery* query) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  GstCaps* filter;
  gst_query_parse_caps(query, &filter);
  GstCaps* caps = gst_rdp_joiner_own_caps(self, pad);
  if (klass->input_caps != nullptr) caps = klass->input_caps(self, pad, caps);
  caps = rdp::gst::filtered_caps(caps, filter);
  gst_query_set_caps_result(query, caps);
  gst_caps_unref(caps);
}

// Explains refused caps, because core refuses them silently. Inputs whose frames end here are not
// compared with other inputs, because all of them may be about to change.
static GstPadProbeReturn gst_rdp_joiner_explain(GstPad* pad, GstPadProbeInfo* info, gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  GstElement* element = gst_pad_get_parent_element(pad);
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS && element != nullptr) {
    auto* self = GST_RDP_JOINER(element);
    const JoinerPadRow& row = gst_rdp_joiner_row(self, pad);
    g_autoptr(GstCaps) own = gst_rdp_joiner_own_caps(self, pad);
    g_autoptr(GstCaps) allowed =
        row.role == Role::kPassing ? gst_pad_query_caps(pad, nullptr) : gst_caps_ref(own);
    rdp::gst::explain_caps_event(element, pad, event, *row.words, own, allowed);
  }
  gst_clear_object(&element);
  return GST_PAD_PROBE_OK;
}

// --- inputs -------------------------------------------------------------------------------------

guint gst_rdp_joiner_count_inputs(GstRdpJoiner* self) {
  GST_OBJECT_LOCK(self);
  const auto count = static_cast<guint>(self->priv->places.size());
  GST_OBJECT_UNLOCK(self);
  return count;
}

gint64 gst_rdp_joiner_main_number(GstRdpJoiner* self) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  return klass->main_number == nullptr ? -1 : gint64{klass->main_number(self)};
}

std::size_t gst_rdp_joiner_main_place(GstRdpJoiner* self, gint64 number) {
  const auto& places = self->priv->places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].number == number) return i;
  }
  return 0;
}

GstPad* gst_rdp_joiner_ref_main(GstRdpJoiner* self) {
  GstPad* main = nullptr;
  const gint64 number = gst_rdp_joiner_main_number(self);
  GST_OBJECT_LOCK(self);
  const auto& places = self->priv->places;
  if (!places.empty()) {
    main = GST_PAD(gst_object_ref(places[gst_rdp_joiner_main_place(self, number)].pad));
  }
  GST_OBJECT_UNLOCK(self);
  return main;
}

static GstPadProbeReturn gst_rdp_joiner_note_data(GstPad*, GstPadProbeInfo* info,
                                                  gpointer counters) {
  const bool buffer = (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) != 0;
  if (buffer || GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_GAP) {
    ++static_cast<rdp::gst::InputCounters*>(counters)->came;
  }
  return GST_PAD_PROBE_OK;
}

// Returns the running time in ns of an arriving buffer or gap, whose segment event may not have
// reached the element yet. G_MININT64: it has none.
static gint64 gst_rdp_joiner_arrival_time(GstPad* pad, GstClockTime time) {
  g_autoptr(GstEvent) event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
  if (event == nullptr) return G_MININT64;
  const GstSegment* segment;
  gst_event_parse_segment(event, &segment);
  return rdp::gst::signed_running_time(*segment, time).value_or(G_MININT64);
}

// While nothing is paired, each other input keeps its last buffer on the pad: so GstAggregator has
// data on each input, and upstream never waits. Drops gaps, and buffers that cannot replace the old
// one because events are queued before it. Notes their time for pairs that begin meanwhile.
static GstPadProbeReturn gst_rdp_joiner_see_other(GstPad* pad, GstPadProbeInfo* info,
                                                  gpointer of_pad) {
  GstElement* element = gst_pad_get_parent_element(pad);
  if (element == nullptr) return GST_PAD_PROBE_OK;
  auto* self = GST_RDP_JOINER(element);
  auto& counters = *static_cast<rdp::gst::InputCounters*>(of_pad);
  const bool latest = self->priv->pairing.latest();
  GstClockTime time = GST_CLOCK_TIME_NONE;
  bool ends = false;
  if ((GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) != 0) {
    GST_RDP_JOINER_GET_CLASS(self)->see_other(self, pad, GST_PAD_PROBE_INFO_BUFFER(info));
    if (latest) ++counters.used;
    time = GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info));
    ends = !counters.replace(GST_AGGREGATOR_PAD(pad), latest);
  } else if (latest && GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_GAP) {
    gst_event_parse_gap(GST_PAD_PROBE_INFO_EVENT(info), &time, nullptr);
    ends = counters.stays();
  }
  if (ends) counters.passed_over = gst_rdp_joiner_arrival_time(pad, time);
  gst_object_unref(element);
  return ends ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static bool gst_rdp_joiner_has_number(const JoinerPadRow& row) {
  return std::strchr(row.name, '%') != nullptr;
}

// Returns the number in a pad's name; 0 in a row of one pad.
static guint gst_rdp_joiner_number(const JoinerPadRow& row, GstAggregatorPad* pad) {
  if (!gst_rdp_joiner_has_number(row)) return 0;
  const char* digits = GST_OBJECT_NAME(pad) + std::strcspn(row.name, "%");
  return static_cast<guint>(g_ascii_strtoull(digits, nullptr, 10));
}

enum class Added { kYes, kIsThere, kTooMany };

// Inserts a new pad at its place, unless one of that number exists (also in another spelling).
static Added gst_rdp_joiner_add_input(GstRdpJoiner* self, std::size_t row, GstAggregatorPad* pad) {
  const JoinerPadRow& of = GST_RDP_JOINER_GET_CLASS(self)->pads[row];
  const guint number = gst_rdp_joiner_number(of, pad);
  auto& places = self->priv->places;
  std::size_t others = 0;  // of the row
  bool is_there = false;
  GST_OBJECT_LOCK(self);
  for (const GstRdpJoinerPrivate::Place& place : places) {
    if (place.row != row) continue;
    ++others;
    is_there = is_there || place.number == number;
  }
  const bool too_many = gst_rdp_joiner_has_number(of) && others >= of.most;
  if (!is_there && !too_many) {
    const auto after = std::find_if(places.begin(), places.end(), [&](const auto& place) {
      return std::tie(place.row, place.number) > std::tie(row, number);
    });
    places.insert(after, {row, number, pad, nullptr});
    for (GstRdpJoinerPrivate::Place& place : places) place.waits = false;  // for this one
  }
  GST_OBJECT_UNLOCK(self);
  if (is_there) return Added::kIsThere;
  if (too_many) return Added::kTooMany;
  self->priv->inputs_changed = true;
  self->priv->input_wait.change();
  gst_pad_add_probe(GST_PAD(pad), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, gst_rdp_joiner_explain,
                    nullptr, nullptr);
  const auto add_probe = [&](GstPadProbeCallback call) {
    constexpr int kData = GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM;
    gst_pad_add_probe(GST_PAD(pad), static_cast<GstPadProbeType>(kData), call,
                      rdp::gst::InputCounters::of(pad), nullptr);
  };
  add_probe(gst_rdp_joiner_note_data);
  if (row > 0 && GST_RDP_JOINER_GET_CLASS(self)->see_other != nullptr) {
    add_probe(gst_rdp_joiner_see_other);
  }
  return Added::kYes;
}

static GstAggregatorPad* gst_rdp_joiner_new_input(GstPadTemplate* templ) {
  return GST_AGGREGATOR_PAD(g_object_new(GST_TYPE_AGGREGATOR_PAD, "name",
                                         GST_PAD_TEMPLATE_NAME_TEMPLATE(templ), "direction",
                                         GST_PAD_SINK, "template", templ, nullptr));
}

static GstAggregatorPad* gst_rdp_joiner_create_new_pad(GstAggregator* aggregator,
                                                       GstPadTemplate* templ, const gchar* name,
                                                       const GstCaps* caps) {
  auto* self = GST_RDP_JOINER(aggregator);
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  const std::size_t row = gst_rdp_joiner_row_index(self, templ);
  const bool numbered = gst_rdp_joiner_has_number(klass->pads[row]);
  GstAggregatorPad* pad =
      numbered ? gst_rdp_joiner_parent()->create_new_pad(aggregator, templ, name, caps)
               : gst_rdp_joiner_new_input(templ);
  if (pad == nullptr) return nullptr;
  switch (gst_rdp_joiner_add_input(self, row, pad)) {
    case Added::kYes:
      return pad;
    case Added::kTooMany:
      GST_ELEMENT_WARNING(self, CORE, PAD,
                          ("There are %" G_GSIZE_FORMAT " pads %s already, which is the maximum.",
                           klass->pads[row].most, klass->pads[row].name),
                          (nullptr));
      break;
    case Added::kIsThere:
      GST_ELEMENT_WARNING(
          self, CORE, PAD,
          ("There is a pad %s already: each %s has a pad of its own%s.", GST_OBJECT_NAME(pad),
           klass->input, numbered ? ", request another number" : ""),
          (nullptr));
      break;
  }
  gst_object_unref(gst_object_ref_sink(pad));
  return nullptr;
}

static GstIterator* gst_rdp_joiner_iterate_links(GstPad* pad, GstObject* parent);

void gst_rdp_joiner_add_pads(GstRdpJoiner* self) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(self);
  gst_pad_set_iterate_internal_links_function(GST_AGGREGATOR_SRC_PAD(self),
                                              gst_rdp_joiner_iterate_links);
  for (std::size_t row = 0; row < klass->n_pads; ++row) {
    const JoinerPadRow& of = klass->pads[row];
    if (!of.is_input() || of.presence != GST_PAD_ALWAYS) continue;
    GstAggregatorPad* pad =
        gst_rdp_joiner_new_input(gst_element_get_pad_template(GST_ELEMENT(self), of.name));
    gst_rdp_joiner_add_input(self, row, pad);
    gst_element_add_pad(GST_ELEMENT(self), GST_PAD(pad));
  }
}

static void gst_rdp_joiner_release_input(GstRdpJoiner* self, GstPad* pad) {
  auto& places = self->priv->places;
  GST_OBJECT_LOCK(self);
  std::erase_if(places, [pad](auto& place) {
    if (GST_PAD(place.pad) != pad) return false;
    gst_clear_caps(&place.caps);
    return true;
  });
  for (auto& place : places) place.waits = gst_aggregator_pad_has_buffer(place.pad) != FALSE;
  GST_OBJECT_UNLOCK(self);
  self->priv->inputs_changed = true;
  self->priv->input_wait.change();
}

static gboolean gst_rdp_joiner_sink_query(GstAggregator* aggregator, GstAggregatorPad* pad,
                                          GstQuery* query) {
  auto* self = GST_RDP_JOINER(aggregator);
  const Role role = gst_rdp_joiner_row(self, GST_PAD(pad)).role;
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CAPS:
      if (role == Role::kMetadata) break;
      gst_rdp_joiner_query_caps(self, GST_PAD(pad), query);
      return TRUE;
    case GST_QUERY_ACCEPT_CAPS: {
      if (role != Role::kFrames) break;
      // Not compared with other inputs: all of them may be about to change.
      GstCaps* caps;
      gst_query_parse_accept_caps(query, &caps);
      g_autoptr(GstCaps) own = gst_rdp_joiner_own_caps(self, GST_PAD(pad));
      gst_query_set_accept_caps_result(query, gst_caps_is_subset(caps, own));
      return TRUE;
    }
    default:
      break;
  }
  return self->priv->answer_context(query) ||
         gst_rdp_joiner_parent()->sink_query(aggregator, pad, query);
}

static gboolean gst_rdp_joiner_propose_allocation(GstAggregator* aggregator, GstAggregatorPad* pad,
                                                  GstQuery*, GstQuery* query) {
  auto* self = GST_RDP_JOINER(aggregator);
  const Role role = gst_rdp_joiner_row(self, GST_PAD(pad)).role;
  if (role == Role::kPassing) {
    // Buffers pass, so downstream answers for padded rows and crops in place. Formats whose pixels
    // share bytes get no crop, because elements that crop in place ignore the sharing.
    rdp::gst::forward_allocation(GST_AGGREGATOR_SRC_PAD(aggregator), query);
    GstCaps* caps = nullptr;
    GstVideoInfo info;
    guint index = 0;
    gst_query_parse_allocation(query, &caps, nullptr);
    if ((caps == nullptr || !gst_video_info_from_caps(&info, caps) ||
         !rdp::gst::takes_any_crop(info)) &&
        gst_query_find_allocation_meta(query, GST_VIDEO_CROP_META_API_TYPE, &index)) {
      gst_query_remove_nth_allocation_meta(query, index);
    }
    return TRUE;
  }
  // Frames end here and do not concern downstream. If no sample is read, any memory will do.
  rdp::gst::offer_metas(query, {GST_VIDEO_META_API_TYPE, GST_VIDEO_CROP_META_API_TYPE});
  const JoinerSettings settings = rdp::gst::copy_settings<JoinerSettings>(self);
  if (role == Role::kFrames && settings.backend != GST_RDP_BACKEND_CPU) {
    self->priv->gpu.propose_allocation(query, settings.cuda_device_id,
                                       settings.backend == GST_RDP_BACKEND_CUDA);
  }
  return TRUE;
}

// --- extra pads ---------------------------------------------------------------------------------

static gboolean gst_rdp_joiner_seek(GstRdpJoiner* self, GstPad* pad, GstEvent* event) {
  return self->priv->seeks.handle(pad, event, [self](GstEvent* seek) {
    GstSeekFlags flags = GST_SEEK_FLAG_NONE;
    gst_event_parse_seek(seek, nullptr, nullptr, &flags, nullptr, nullptr, nullptr, nullptr);
    const bool flush = (flags & GST_SEEK_FLAG_FLUSH) != 0;
    if (flush) self->priv->flush_turn.take();
    const gboolean done = gst_rdp_joiner_parent()->src_event(GST_AGGREGATOR(self), seek);
    self->priv->flush_turn.end();
    return done;
  });
}

// GstAggregator has stopped its thread once it iterates the inputs for a seek. The turn ends here,
// because seeking upstream may wait for other flushes.
static GstIterator* gst_rdp_joiner_iterate_links(GstPad* pad, GstObject* parent) {
  GST_RDP_JOINER(parent)->priv->flush_turn.end();
  return gst_pad_iterate_internal_links_default(pad, parent);
}

static gboolean gst_rdp_joiner_src_event(GstAggregator* aggregator, GstEvent* event) {
  auto* self = GST_RDP_JOINER(aggregator);
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK) {
    return gst_rdp_joiner_seek(self, GST_AGGREGATOR_SRC_PAD(aggregator), event);
  }
  self->priv->pairing.src_event(event);
  return gst_rdp_joiner_parent()->src_event(aggregator, event);
}

static gboolean gst_rdp_joiner_src_query(GstAggregator* aggregator, GstQuery* query) {
  const GstRdpJoinerClass* klass = GST_RDP_JOINER_GET_CLASS(aggregator);
  if (GST_QUERY_TYPE(query) == GST_QUERY_CAPS && klass->output_caps != nullptr) {
    GstCaps* filter;
    gst_query_parse_caps(query, &filter);
    g_autoptr(GstCaps) caps =
        rdp::gst::filtered_caps(klass->output_caps(GST_RDP_JOINER(aggregator)), filter);
    gst_query_set_caps_result(query, caps);
    return TRUE;
  }
  return gst_rdp_joiner_core(aggregator).answer_context(query) ||
         gst_rdp_joiner_parent()->src_query(aggregator, query);
}

static gboolean gst_rdp_joiner_extra_event(GstPad* pad, GstObject* parent, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK) {
    return gst_rdp_joiner_seek(GST_RDP_JOINER(parent), pad, event);
  }
  return gst_pad_send_event(GST_AGGREGATOR_SRC_PAD(parent), event);
}

// Latency and all else that depends on the inputs is answered by the main pad.
static gboolean gst_rdp_joiner_extra_query(GstPad* pad, GstObject* parent, GstQuery* query) {
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_LATENCY:
    case GST_QUERY_POSITION:
    case GST_QUERY_DURATION:
    case GST_QUERY_SEEKING:
      return gst_pad_query(GST_AGGREGATOR_SRC_PAD(parent), query);
    default:
      return gst_rdp_joiner_core(parent).answer_context(query) ||
             gst_pad_query_default(pad, parent, query);
  }
}

// Updates pairing after the extra pad that needs pairs has come or gone.
static void gst_rdp_joiner_update_pairs(GstRdpJoiner* self) {
  const std::size_t row = GST_RDP_JOINER_GET_CLASS(self)->pairs_for;
  if (row == 0) return;
  const std::lock_guard lock(self->priv->pairs_mutex);  // pads may come and go in several threads
  self->priv->pairing.set_latest(!self->priv->extra.ref(row));
  self->priv->inputs_changed = true;
}

static GstPad* gst_rdp_joiner_request_new_pad(GstElement* element, GstPadTemplate* templ,
                                              const gchar* name, const GstCaps* caps) {
  auto* self = GST_RDP_JOINER(element);
  if (GST_PAD_TEMPLATE_DIRECTION(templ) == GST_PAD_SINK) {
    GstPad* pad =
        GST_ELEMENT_CLASS(gst_rdp_joiner_parent())->request_new_pad(element, templ, name, caps);
    self->priv->settings_changed();  // latency depends on the number of inputs
    return pad;
  }
  GstPad* pad = self->priv->request_extra(gst_rdp_joiner_row_index(self, templ), templ,
                                          gst_rdp_joiner_extra_event, gst_rdp_joiner_extra_query,
                                          GST_AGGREGATOR_SRC_PAD(self));
  gst_rdp_joiner_update_pairs(self);
  return pad;
}

static void gst_rdp_joiner_release_pad(GstElement* element, GstPad* pad) {
  auto* self = GST_RDP_JOINER(element);
  if (GST_PAD_IS_SRC(pad)) {
    self->priv->release_extra(pad);
    gst_rdp_joiner_update_pairs(self);
    return;
  }
  gst_rdp_joiner_release_input(self, pad);
  GST_ELEMENT_CLASS(gst_rdp_joiner_parent())->release_pad(element, pad);
  self->priv->settings_changed();
}

void gst_rdp_joiner_child_proxy_init(gpointer iface, gpointer data) {
  rdp::gst::ElementCore::init_child_proxy<gst_rdp_joiner_core>(iface, data);
}

// --- the class ----------------------------------------------------------------------------------

static GstCaps* gst_rdp_joiner_template_caps(const JoinerPadRow& row) {
  if (row.caps != nullptr) return row.caps();
  // Pictures in NVMM memory need NVIDIA's library here; frames are made upstream. The element makes
  // nothing else in NVMM memory.
  const bool nvmm =
      row.is_input() || (row.role == Role::kPicture && rdp::gst::nvmm::library() != nullptr);
  return rdp::gst::video_caps_of_all_memories(row.fields, nvmm);
}

void gst_rdp_joiner_class_set_pads(GstRdpJoinerClass* klass, std::span<const JoinerPadRow> pads) {
  klass->pads = pads.data();
  klass->n_pads = pads.size();
  for (const JoinerPadRow& row : pads) {
    const bool source = row.role == Role::kSource;
    if (row.is_extra()) {
      gst_type_mark_as_plugin_api(row.type(), static_cast<GstPluginAPIFlags>(0));
    }
    g_autoptr(GstCaps) caps = gst_rdp_joiner_template_caps(row);
    gst_element_class_add_pad_template(
        GST_ELEMENT_CLASS(klass),
        gst_pad_template_new_with_gtype(row.name, row.is_input() ? GST_PAD_SINK : GST_PAD_SRC,
                                        source ? GST_PAD_ALWAYS : row.presence, caps,
                                        row.is_extra() ? row.type() : GST_TYPE_AGGREGATOR_PAD));
  }
}

void gst_rdp_joiner_class_init_pads(GstRdpJoinerClass* klass) {
  auto* element_class = GST_ELEMENT_CLASS(klass);
  element_class->request_new_pad = gst_rdp_joiner_request_new_pad;
  element_class->release_pad = gst_rdp_joiner_release_pad;
  auto* aggregator_class = GST_AGGREGATOR_CLASS(klass);
  aggregator_class->create_new_pad = gst_rdp_joiner_create_new_pad;
  aggregator_class->sink_query = gst_rdp_joiner_sink_query;
  aggregator_class->src_query = gst_rdp_joiner_src_query;
  aggregator_class->src_event = gst_rdp_joiner_src_event;
  aggregator_class->propose_allocation = gst_rdp_joiner_propose_allocation;
}
