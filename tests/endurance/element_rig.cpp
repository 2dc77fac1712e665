// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/endurance/element_rig.h"

#include <stdexcept>

namespace rdp::endurance {

ElementRig::ElementRig(const Options& options, const char* element,
                       const std::vector<const char*>& inputs, const char* feature)
    : element_(gst_element_factory_make(element, nullptr)), bus_(gst_bus_new()), tap_(feature) {
  gst_object_ref_sink(element_);
  gst_element_set_bus(element_, bus_);
  // Elements that work only in the streaming thread lack both properties.
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(element_), "backend") != nullptr) {
    gst_util_set_object_arg(G_OBJECT(element_), "backend", options.backend.c_str());
    g_object_set(element_, "threads", options.threads, nullptr);
  }
  for (const char* name : inputs) {
    GstPad* sink = gst_element_get_static_pad(element_, name);
    const bool requested = sink == nullptr;
    if (requested) sink = gst_element_request_pad_simple(element_, name);
    GstPad* source = gst_pad_new(nullptr, GST_PAD_SRC);
    gst_object_ref_sink(source);
    gst_pad_link(source, sink);
    inputs_.push_back({sink, source, requested, {}});
  }
  g_autoptr(GstPad) src = gst_element_get_static_pad(element_, "src");
  gst_pad_link(src, tap_.pad());
}

ElementRig::~ElementRig() {
  stop(GST_STATE_NULL);
  for (const Input& input : inputs_) {
    if (input.requested) gst_element_release_request_pad(element_, input.sink);
    gst_object_unref(input.sink);
    gst_object_unref(input.source);
  }
  gst_element_set_bus(element_, nullptr);
  gst_object_unref(bus_);
  gst_object_unref(element_);
}

void ElementRig::start() {
  if (gst_element_set_state(element_, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    throw std::runtime_error(std::string(GST_OBJECT_NAME(element_)) +
                             " does not start: " + error());
  }
  for (Input& input : inputs_) {
    gst_pad_set_active(input.source, TRUE);
    gst_pad_push_event(input.source, gst_event_new_stream_start(GST_OBJECT_NAME(input.sink)));
    input.shape.reset();
  }
}

void ElementRig::stop(GstState state) {
  gst_element_set_state(element_, state);
  for (const Input& input : inputs_) gst_pad_set_active(input.source, FALSE);
}

bool ElementRig::announce(std::size_t which, const Shape& shape, const char* feature) {
  Input& input = inputs_[which];
  if (input.shape == shape) return false;
  GstCaps* caps = frames::caps(shape, feature);
  gst_pad_push_event(input.source, gst_event_new_caps(caps));
  gst_caps_unref(caps);
  if (!input.shape) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_pad_push_event(input.source, gst_event_new_segment(&segment));
  }
  input.shape = shape;
  return true;
}

}  // namespace rdp::endurance
