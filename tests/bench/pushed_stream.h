// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_PUSHED_STREAM_H_
#define RDP_TESTS_BENCH_PUSHED_STREAM_H_

#include <gst/gst.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace rdp::bench {

// An element between two pads, whose frames are looked at as they leave. What fails throws
// std::runtime_error with the element's own words.
class PushedStream {
 public:
  // set_up: before the element starts. look: at each buffer that leaves.
  PushedStream(const char* name, GstCaps* caps, const std::function<void(GstElement*)>& set_up,
               std::function<void(GstBuffer*)> look)
      : element_(gst_element_factory_make(name, nullptr)),
        bus_(gst_bus_new()),
        source_(gst_pad_new("source", GST_PAD_SRC)),
        sink_(gst_pad_new("sink", GST_PAD_SINK)),
        look_(std::move(look)) {
    if (element_ == nullptr) throw std::runtime_error(std::string("there is no ") + name);
    gst_object_ref_sink(element_);
    gst_object_ref_sink(source_);
    gst_object_ref_sink(sink_);
    gst_element_set_bus(element_, bus_);
    set_up(element_);
    gst_pad_set_element_private(sink_, this);
    gst_pad_set_chain_function(sink_, [](GstPad* pad, GstObject*, GstBuffer* buffer) {
      static_cast<PushedStream*>(gst_pad_get_element_private(pad))->look_(buffer);
      gst_buffer_unref(buffer);
      return GST_FLOW_OK;
    });
    link("sink", "src");
    gst_pad_set_active(sink_, TRUE);
    gst_pad_set_active(source_, TRUE);
    gst_element_set_state(element_, GST_STATE_PLAYING);
    gst_pad_push_event(source_, gst_event_new_stream_start("bench"));
    gst_pad_push_event(source_, gst_event_new_caps(caps));
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_pad_push_event(source_, gst_event_new_segment(&segment));
  }
  ~PushedStream() {
    gst_element_set_state(element_, GST_STATE_NULL);
    gst_pad_set_active(source_, FALSE);
    gst_pad_set_active(sink_, FALSE);
    gst_element_set_bus(element_, nullptr);
    for (gpointer object :
         {gpointer(element_), gpointer(bus_), gpointer(source_), gpointer(sink_)}) {
      gst_object_unref(object);
    }
  }
  PushedStream(const PushedStream&) = delete;
  PushedStream& operator=(const PushedStream&) = delete;

  GstElement* element() const { return element_; }

  // A copy of the buffer goes in, with the same memory. It has been looked at afterwards.
  void push(GstBuffer* frame) { give(gst_buffer_copy(frame)); }
  // The buffer itself goes in. (transfer full)
  void give(GstBuffer* frame) {
    if (gst_pad_push(source_, frame) == GST_FLOW_OK) return;
    GstMessage* message = gst_bus_pop_filtered(bus_, GST_MESSAGE_ERROR);
    g_autoptr(GError) error = nullptr;
    if (message != nullptr) gst_message_parse_error(message, &error, nullptr);
    gst_clear_message(&message);
    throw std::runtime_error(error == nullptr ? "a frame is refused" : error->message);
  }

 private:
  void link(const char* in, const char* out) {
    g_autoptr(GstPad) to = gst_element_get_static_pad(element_, in);
    g_autoptr(GstPad) from = gst_element_get_static_pad(element_, out);
    gst_pad_link(source_, to);
    gst_pad_link(from, sink_);
  }

  GstElement* element_;
  GstBus* bus_;
  GstPad* source_;
  GstPad* sink_;
  std::function<void(GstBuffer*)> look_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_PUSHED_STREAM_H_
