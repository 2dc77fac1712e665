// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/extra_pads.h"

namespace rdp::gst {

ExtraPads::~ExtraPads() { forget_stream(); }

bool ExtraPads::add(std::size_t place, GstRdpExtraPad* pad) {
  GST_OBJECT_LOCK(element_);
  const bool there_is_none = places_[place].pad == nullptr;
  if (there_is_none) places_[place].pad = pad;
  GST_OBJECT_UNLOCK(element_);
  return there_is_none;
}

GstPad* ExtraPads::request(std::size_t place, GstPadTemplate* templ, GstPadEventFunction event,
                           GstPadQueryFunction query, GstPad* follow) {
  const gchar* name = GST_PAD_TEMPLATE_NAME_TEMPLATE(templ);
  auto* pad = GST_RDP_EXTRA_PAD(g_object_new(GST_PAD_TEMPLATE_GTYPE(templ), "name", name,
                                             "direction", GST_PAD_SRC, "template", templ, nullptr));
  gst_rdp_extra_pad_set_functions(pad, event, query);
  // The streaming thread brings the pad up to date before it pushes anything else.
  gst_pad_set_active(GST_PAD(pad), TRUE);
  if (!add(place, pad)) {
    gst_pad_set_active(GST_PAD(pad), FALSE);
    gst_object_unref(gst_object_ref_sink(pad));
    return nullptr;
  }
  // Only for a pad that was added: this keeps a reference.
  if (follow != nullptr) gst_rdp_extra_pad_follow(pad, follow);
  gst_element_add_pad(element_, GST_PAD(pad));
  gst_child_proxy_child_added(GST_CHILD_PROXY(element_), G_OBJECT(pad), name);
  return GST_PAD(pad);
}

guint64 ExtraPads::release(GstPad* released) {
  auto* pad = GST_RDP_EXTRA_PAD(gst_object_ref(released));
  GST_OBJECT_LOCK(element_);
  for (Place& place : places_) {
    if (place.pad == pad) place.pad = nullptr;
  }
  GST_OBJECT_UNLOCK(element_);
  gst_child_proxy_child_removed(GST_CHILD_PROXY(element_), G_OBJECT(pad), GST_OBJECT_NAME(pad));
  gst_rdp_extra_pad_release(pad, element_);
  const guint64 dropped = gst_rdp_extra_pad_get_dropped(pad);
  gst_object_unref(pad);
  return dropped;
}

ExtraPadRef ExtraPads::ref(std::size_t place) const {
  GST_OBJECT_LOCK(element_);
  GstRdpExtraPad* pad = places_[place].pad;
  if (pad != nullptr) gst_object_ref(pad);
  GST_OBJECT_UNLOCK(element_);
  return ExtraPadRef(pad);
}

ExtraPadRef ExtraPads::ref_nth(guint index) const {
  GstRdpExtraPad* found = nullptr;
  GST_OBJECT_LOCK(element_);
  for (const Place& place : places_) {
    if (place.pad == nullptr || index-- != 0) continue;
    found = GST_RDP_EXTRA_PAD(gst_object_ref(place.pad));
    break;
  }
  GST_OBJECT_UNLOCK(element_);
  return ExtraPadRef(found);
}

guint ExtraPads::count() const {
  guint count = 0;
  GST_OBJECT_LOCK(element_);
  for (const Place& place : places_) count += place.pad != nullptr ? 1U : 0U;
  GST_OBJECT_UNLOCK(element_);
  return count;
}

void ExtraPads::interrupt() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (const ExtraPadRef pad = ref(i)) gst_rdp_extra_pad_interrupt(pad.get());
  }
}

// --- the stream ---------------------------------------------------------------------------------

// Begins the pad's stream with everything known. True: it began now.
bool ExtraPads::begin_pad(std::size_t place, GstRdpExtraPad* pad) {
  if (stream_start_ == nullptr) return false;
  GList others = {tags_, nullptr, nullptr};
  return gst_rdp_extra_pad_begin(pad, stream_start_, places_[place].caps, segment_,
                                 tags_ == nullptr ? nullptr : &others) != FALSE;
}

void ExtraPads::begin() {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (const ExtraPadRef pad = ref(i)) begin_pad(i, pad.get());
  }
}

void ExtraPads::set_main_pushing(bool pushing) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (const ExtraPadRef pad = ref(i)) gst_rdp_extra_pad_set_main_pushing(pad.get(), pushing);
  }
}

void ExtraPads::push_event(GstEvent* event) {
  bool in_begin = true;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_STREAM_START:
      gst_event_replace(&stream_start_, event);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_replace(&segment_, event);
      break;
    case GST_EVENT_TAG:
      gst_event_replace(&tags_, event);
      break;
    case GST_EVENT_GAP:
    case GST_EVENT_EOS:
    case GST_EVENT_SINK_MESSAGE:
    case GST_EVENT_CUSTOM_DOWNSTREAM:
      in_begin = false;
      break;
    default:
      return;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    // Events that arrive before the caps are sent with them.
    if (in_begin && places_[i].caps == nullptr) continue;
    const ExtraPadRef pad = ref(i);
    if (!pad) continue;
    const bool begun_now = begin_pad(i, pad.get());
    if (begun_now && in_begin) continue;
    gst_rdp_extra_pad_push_event(pad.get(), gst_event_ref(event));
  }
}

void ExtraPads::set_caps(std::size_t place, GstCaps* caps) {
  GstCaps*& now = places_[place].caps;
  if (now != nullptr && gst_caps_is_equal(now, caps)) return;
  gst_caps_replace(&now, caps);
  const ExtraPadRef pad = ref(place);
  if (pad && !begin_pad(place, pad.get())) gst_rdp_extra_pad_set_caps(pad.get(), caps);
}

void ExtraPads::forget_stream() {
  for (GstEvent** event : {&stream_start_, &segment_, &tags_}) gst_clear_event(event);
  for (Place& place : places_) gst_clear_caps(&place.caps);
}

}  // namespace rdp::gst
