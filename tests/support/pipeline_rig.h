// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_PIPELINE_RIG_H_
#define RDP_TESTS_SUPPORT_PIPELINE_RIG_H_

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/support/await.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/frames.h"
#include "tests/support/live_pipelines.h"

namespace rdp::test {

// A pipeline with appsrc elements for the tests' buffers, and its bus messages.
class PipelineRig {
 public:
  explicit PipelineRig(const std::string& line) {
    GError* error = nullptr;
    pipeline_ = gst_parse_launch(line.c_str(), &error);
    fail_unless(error == nullptr, "%s: %s", line.c_str(), error == nullptr ? "" : error->message);
    live_pipelines().push_back(pipeline_);
  }
  virtual ~PipelineRig() {
    std::erase(live_pipelines(), pipeline_);
    gst_element_set_state(pipeline_, GST_STATE_NULL);
    gst_object_unref(pipeline_);
  }
  PipelineRig(const PipelineRig&) = delete;
  PipelineRig& operator=(const PipelineRig&) = delete;

  GstElement* pipeline() const { return pipeline_; }
  GstElement* get(const char* name) const {
    GstElement* element = gst_bin_get_by_name(GST_BIN(pipeline_), name);
    fail_unless(element != nullptr, "there is no %s", name);
    gst_object_unref(element);  // the pipeline holds a reference
    return element;
  }
  void set_caps(const char* name, const std::string& text) const {
    g_autoptr(GstCaps) caps = gst_caps_from_string(text.c_str());
    g_object_set(get(name), "caps", caps, nullptr);
  }
  // (transfer full): `buffer`
  void push(const char* name, GstBuffer* buffer) const {
    GstFlowReturn flow;
    g_signal_emit_by_name(get(name), "push-buffer", buffer, &flow);
    gst_buffer_unref(buffer);
  }
  void end(std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      GstFlowReturn flow;
      g_signal_emit_by_name(get(name), "end-of-stream", &flow);
    }
  }
  void play() const {
    fail_if(gst_element_set_state(pipeline_, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  }
  // Waits for EOS, or for an error and returns its text and debug text. Warnings are kept.
  std::string wait() {
    g_autoptr(GstBus) bus = gst_element_get_bus(pipeline_);
    while (true) {
      g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(
          bus, 20 * slowness() * GST_SECOND,
          static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING |
                                      GST_MESSAGE_LATENCY | GST_MESSAGE_QOS));
      fail_unless(message != nullptr, "no end within %d s", 20 * slowness());
      switch (GST_MESSAGE_TYPE(message)) {
        case GST_MESSAGE_LATENCY:  // as applications do
          gst_bin_recalculate_latency(GST_BIN(pipeline_));
          break;
        case GST_MESSAGE_QOS:
          ++qos_messages;
          break;
        case GST_MESSAGE_EOS:
          return "";
        default: {
          const MessageText said = text_of(message);
          const std::string text = said.text + " " + said.debug;
          if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) return text;
          warnings.push_back(text);
        }
      }
    }
  }

  std::vector<std::string> warnings;
  unsigned qos_messages = 0;

 private:
  GstElement* pipeline_ = nullptr;
};

// Records the buffers at an element's sink pad, in order.
class Received {
 public:
  explicit Received(GstElement* sink) : pad_(gst_element_get_static_pad(sink, "sink")) {
    gst_pad_add_probe(pad_, GST_PAD_PROBE_TYPE_BUFFER, note, this, nullptr);
  }
  // The sink must have stopped.
  ~Received() {
    for (GstBuffer* buffer : buffers) gst_buffer_unref(buffer);
    gst_object_unref(pad_);
  }
  Received(const Received&) = delete;
  Received& operator=(const Received&) = delete;

  GstPad* pad() const { return pad_; }
  std::string caps() const {
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(pad_);
    if (caps == nullptr) return "";
    g_autofree gchar* text = gst_caps_to_string(caps);
    return text;
  }

  // Read after the stream has ended or stalls.
  std::vector<GstBuffer*> buffers;
  std::atomic<std::size_t> count{0};  // may be read at any time
  bool keeps = true;                  // set before the first buffer

 private:
  static GstPadProbeReturn note(GstPad*, GstPadProbeInfo* info, gpointer data) {
    auto* self = static_cast<Received*>(data);
    if (self->keeps) self->buffers.push_back(gst_buffer_ref(GST_PAD_PROBE_INFO_BUFFER(info)));
    ++self->count;
    return GST_PAD_PROBE_OK;
  }

  GstPad* pad_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_PIPELINE_RIG_H_
