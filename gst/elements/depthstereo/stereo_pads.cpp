// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_pads.h"

namespace rdp::gst {
namespace {

constexpr const char* kNames[kSidePads] = {"overlay", "rectified", "confidence"};

std::size_t index_of(GstPad* pad) {
  for (std::size_t i = 0; i < kSidePads; ++i) {
    if (g_str_equal(GST_OBJECT_NAME(pad), kNames[i])) return i;
  }
  return kSidePads;
}

}  // namespace

bool SidePads::add(GstRdpExtraPad* pad) {
  const std::size_t which = index_of(GST_PAD(pad));
  GST_OBJECT_LOCK(element_);
  const bool there_is_none = which < kSidePads && pads_[which] == nullptr;
  if (there_is_none) pads_[which] = pad;
  GST_OBJECT_UNLOCK(element_);
  return there_is_none;
}

bool SidePads::remove(GstPad* pad) {
  bool known = false;
  GST_OBJECT_LOCK(element_);
  for (GstRdpExtraPad*& own : pads_) {
    if (own == nullptr || GST_PAD(own) != pad) continue;
    own = nullptr;
    known = true;
  }
  GST_OBJECT_UNLOCK(element_);
  return known;
}

SidePadRef SidePads::ref(SidePad which) const {
  GST_OBJECT_LOCK(element_);
  GstRdpExtraPad* pad = pads_[static_cast<std::size_t>(which)];
  if (pad != nullptr) gst_object_ref(pad);
  GST_OBJECT_UNLOCK(element_);
  return SidePadRef(pad);
}

SidePadRef SidePads::ref_nth(guint index) const {
  GstRdpExtraPad* found = nullptr;
  GST_OBJECT_LOCK(element_);
  for (GstRdpExtraPad* pad : pads_) {
    if (pad == nullptr || index-- != 0) continue;
    found = GST_RDP_EXTRA_PAD(gst_object_ref(pad));
    break;
  }
  GST_OBJECT_UNLOCK(element_);
  return SidePadRef(found);
}

guint SidePads::count() const {
  guint count = 0;
  GST_OBJECT_LOCK(element_);
  for (const GstRdpExtraPad* pad : pads_) count += pad != nullptr ? 1U : 0U;
  GST_OBJECT_UNLOCK(element_);
  return count;
}

void SidePads::interrupt() {
  for (std::size_t i = 0; i < kSidePads; ++i) {
    const SidePadRef pad = ref(static_cast<SidePad>(i));
    if (pad) gst_rdp_extra_pad_interrupt(pad.get());
  }
}

// --- the stream ---------------------------------------------------------------------------------

GstCaps* SidePads::caps_of(std::size_t which) const {
  return which == static_cast<std::size_t>(SidePad::kOverlay) ? frames_ : data_;
}

// Whether it begins now, with all that is known.
bool SidePads::begin_pad(std::size_t which, GstRdpExtraPad* pad) {
  if (stream_start_ == nullptr) return false;
  GList others = {tags_, nullptr, nullptr};
  return gst_rdp_extra_pad_begin(pad, stream_start_, caps_of(which), segment_,
                                 tags_ == nullptr ? nullptr : &others) != FALSE;
}

void SidePads::begin() {
  for (std::size_t i = 0; i < kSidePads; ++i) {
    const SidePadRef pad = ref(static_cast<SidePad>(i));
    if (pad) begin_pad(i, pad.get());
  }
}

void SidePads::push_event(GstEvent* event) {
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
      in_begin = false;
      break;
    default:
      return;
  }
  // What is known before the caps goes out with them.
  if (in_begin && frames_ == nullptr) return;
  for (std::size_t i = 0; i < kSidePads; ++i) {
    const SidePadRef pad = ref(static_cast<SidePad>(i));
    if (!pad) continue;
    const bool begun_now = begin_pad(i, pad.get());
    if (begun_now && in_begin) continue;
    gst_rdp_extra_pad_push_event(pad.get(), gst_event_ref(event));
  }
}

void SidePads::set_caps(GstCaps* frames, GstCaps* data) {
  const bool same = frames_ != nullptr && gst_caps_is_equal(frames_, frames) && data_ != nullptr &&
                    gst_caps_is_equal(data_, data);
  if (same) return;
  gst_caps_replace(&frames_, frames);
  gst_caps_replace(&data_, data);
  for (std::size_t i = 0; i < kSidePads; ++i) {
    const SidePadRef pad = ref(static_cast<SidePad>(i));
    if (pad && !begin_pad(i, pad.get())) gst_rdp_extra_pad_set_caps(pad.get(), caps_of(i));
  }
}

void SidePads::forget_stream() {
  gst_clear_event(&stream_start_);
  gst_clear_event(&segment_);
  gst_clear_event(&tags_);
  gst_clear_caps(&frames_);
  gst_clear_caps(&data_);
}

}  // namespace rdp::gst
