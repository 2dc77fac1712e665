// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/taps.h"

namespace rdp::endurance {

Tap::Tap(const char* feature) {
  GstCaps* caps;
  if (feature != nullptr && g_str_equal(feature, "ANY")) {
    caps = gst_caps_new_any();
  } else {
    caps = gst_caps_new_empty_simple("video/x-raw");
    if (feature != nullptr) {
      gst_caps_set_features_simple(caps, gst_caps_features_new(feature, nullptr));
    }
  }
  GstPadTemplate* templ = gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps);
  gst_object_ref_sink(templ);
  pad_ = gst_pad_new_from_template(templ, "sink");
  gst_object_ref_sink(pad_);
  gst_object_unref(templ);
  gst_caps_unref(caps);
  gst_pad_set_chain_function_full(pad_, chain, this, nullptr);
  gst_pad_set_active(pad_, TRUE);
}

Tap::~Tap() {
  gst_pad_set_active(pad_, FALSE);
  gst_object_unref(pad_);
  GstBuffer* last = take();
  gst_clear_buffer(&last);
}

bool Tap::await(std::uint64_t buffers) const {
  const gint64 end = g_get_monotonic_time() + 10 * G_USEC_PER_SEC;
  while (count() < buffers) {
    if (g_get_monotonic_time() > end) return false;
    g_usleep(50);
  }
  return true;
}

GstFlowReturn Tap::chain(GstPad* pad, GstObject*, GstBuffer* buffer) {
  Tap& self = *static_cast<Tap*>(pad->chaindata);
  const GstClockTime pts = GST_BUFFER_PTS(buffer);
  if (self.last_pts_ != GST_CLOCK_TIME_NONE && pts <= self.last_pts_) self.out_of_order_ = true;
  self.last_pts_ = pts;
  GstBuffer* before = self.last_.exchange(buffer, std::memory_order_acq_rel);
  gst_clear_buffer(&before);
  self.count_.fetch_add(1, std::memory_order_release);
  return GST_FLOW_OK;
}

Overlay::Overlay(GstElement* element, const char* feature, unsigned way, const char* name)
    : element_(element),
      way_(way),
      tap_(feature),
      source_(gst_element_request_pad_simple(element, name)) {
  if (source_ == nullptr) {
    complaint_ = std::string("the pad ") + name + " is not to be had";
  } else if (gst_pad_link(source_, tap_.pad()) != GST_PAD_LINK_OK) {
    complaint_ = std::string("the pad ") + name + " cannot be linked";
  }
}

Overlay::~Overlay() {
  if (source_ == nullptr) return;
  switch (way_ % 3) {
    case 0:
      break;
    case 1:
      gst_pad_set_active(tap_.pad(), FALSE);
      break;
    case 2:
      gst_pad_set_active(tap_.pad(), FALSE);
      gst_pad_unlink(source_, tap_.pad());
      break;
  }
  gst_element_release_request_pad(element_, source_);
  gst_object_unref(source_);
}

std::string error_text(GstMessage* message) {
  GError* error = nullptr;
  gchar* debug = nullptr;
  gst_message_parse_error(message, &error, &debug);
  const std::string text = std::string(GST_MESSAGE_SRC_NAME(message)) + " says: " + error->message +
                           " (" + (debug == nullptr ? "" : debug) + ")";
  g_error_free(error);
  g_free(debug);
  return text;
}

std::string take_error(GstBus* bus) {
  std::string text;
  while (GstMessage* message = gst_bus_pop(bus)) {
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR && text.empty()) text = error_text(message);
    gst_message_unref(message);
  }
  return text;
}

}  // namespace rdp::endurance
