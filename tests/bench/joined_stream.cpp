// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/joined_stream.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "gst/memory/system_memory.h"
#include "tests/support/bus_texts.h"

namespace rdp::bench {

JoinedStream::JoinedStream(JoinedSetup setup)
    : setup_(std::move(setup)), element_(gst_element_factory_make(setup_.element, nullptr)) {
  const std::string name = setup_.element;
  if (element_ == nullptr) {
    throw std::runtime_error("there is no element " + name +
                             ": GST_PLUGIN_PATH must name the folder of libgstrdpsegment.so, and "
                             "that must load (gst-inspect-1.0 " +
                             name + " says why not)");
  }
  gst_object_ref_sink(element_);
  bus_ = gst_bus_new();
  gst_element_set_bus(element_, bus_);
  setup_.set_up(element_);
  GstPad* src = gst_element_get_static_pad(element_, "src");
  link_output(src, take);
  gst_object_unref(src);
  for (const char* output : setup_.outputs) {
    GstPad* pad = gst_element_request_pad_simple(element_, output);
    requested_.push_back(pad);
    link_output(pad, [](GstPad*, GstObject*, GstBuffer* buffer) {
      gst_buffer_unref(buffer);
      return GST_FLOW_OK;
    });
  }
  for (const JoinedInput& input : setup_.inputs) {
    GstPad* const always = gst_element_get_static_pad(element_, input.pad.c_str());
    requested_.push_back(
        always != nullptr ? always : gst_element_request_pad_simple(element_, input.pad.c_str()));
  }
  // A signal for each set costs nothing that would be seen.
  g_object_set(requested_.back(), "emit-signals", TRUE, nullptr);
  g_signal_connect(requested_.back(), "buffer-consumed", G_CALLBACK(consumed), this);
  if (gst_element_set_state(element_, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    fail(name + " does not start");
  }
  for (std::size_t i = 0; i < setup_.inputs.size(); ++i) link_input(i);
}

JoinedStream::~JoinedStream() {
  for (GstPad* source : sources_) gst_pad_set_active(source, FALSE);
  gst_element_set_state(element_, GST_STATE_NULL);
  for (GstPad* pad : requested_) {
    if (GST_PAD_TEMPLATE_PRESENCE(GST_PAD_PAD_TEMPLATE(pad)) == GST_PAD_REQUEST) {
      gst_element_release_request_pad(element_, pad);
    }
    gst_object_unref(pad);
  }
  gst_element_set_bus(element_, nullptr);
  gst_object_unref(element_);
  gst_object_unref(bus_);
  for (GstPad* pad : sinks_) {
    gst_pad_set_active(pad, FALSE);
    gst_object_unref(pad);
  }
  for (GstPad* source : sources_) gst_object_unref(source);
  for (JoinedInput& input : setup_.inputs) gst_clear_buffer(&input.buffer);
  gst_clear_buffer(&last_);
}

void JoinedStream::link_input(std::size_t which) {
  const JoinedInput& input = setup_.inputs[which];
  GstPad* const pad = requested_[requested_.size() - setup_.inputs.size() + which];
  GstPad* const source = gst_pad_new(nullptr, GST_PAD_SRC);
  gst_object_ref_sink(source);
  sources_.push_back(source);
  gst_pad_set_active(source, TRUE);
  if (gst_pad_link(source, pad) != GST_PAD_LINK_OK) fail("an input cannot be linked");
  gst_pad_push_event(source, gst_event_new_stream_start(input.pad.c_str()));
  GstCaps* caps = frames::caps(input.shape, setup_.feature);
  gst_pad_push_event(source, gst_event_new_caps(caps));
  gst_caps_unref(caps);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_pad_push_event(source, gst_event_new_segment(&segment));
}

GstPad* JoinedStream::link_output(GstPad* src, GstPadChainFunction chain) {
  GstCaps* caps = gst_caps_new_empty_simple("video/x-raw");
  if (setup_.output_feature != nullptr) {
    gst_caps_set_features_simple(caps, gst_caps_features_new(setup_.output_feature, nullptr));
  }
  GstPadTemplate* templ = gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps);
  gst_object_ref_sink(templ);
  GstPad* pad = gst_pad_new_from_template(templ, nullptr);
  gst_object_ref_sink(pad);
  gst_object_unref(templ);
  gst_caps_unref(caps);
  gst_pad_set_element_private(pad, this);
  gst_pad_set_chain_function(pad, chain);
  gst_pad_set_active(pad, TRUE);
  sinks_.push_back(pad);
  if (gst_pad_link(src, pad) != GST_PAD_LINK_OK) fail("an output cannot be linked");
  return pad;
}

GstFlowReturn JoinedStream::take(GstPad* pad, GstObject*, GstBuffer* buffer) {
  auto* self = static_cast<JoinedStream*>(gst_pad_get_element_private(pad));
  self->came_ = Clock::now();
  if (self->last_ != nullptr) gst_buffer_unref(self->last_);
  self->last_ = buffer;
  self->done_.release();
  return GST_FLOW_OK;
}

void JoinedStream::consumed(GstElement*, GstBuffer*, JoinedStream* self) {
  self->taken_ = Clock::now();
}

void JoinedStream::fail(const std::string& what) const {
  throw std::runtime_error(rdp::test::with_error_of(bus_, what));
}

void JoinedStream::push() {
  // Of the same memory, as what comes from a pool that always has the same buffers.
  set_.clear();
  for (const JoinedInput& input : setup_.inputs) {
    GstBuffer* buffer = gst_buffer_copy(input.buffer);
    GST_BUFFER_PTS(buffer) = number_ * GST_SECOND / 30;
    GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
    set_.push_back(buffer);
  }
  ++number_;
  for (std::size_t i = 0; i < set_.size(); ++i) {
    if (i + 1 == set_.size()) pushed_ = Clock::now();
    if (gst_pad_push(sources_[i], set_[i]) == GST_FLOW_OK) continue;
    for (std::size_t left = i + 1; left < set_.size(); ++left) gst_buffer_unref(set_[left]);
    fail(setup_.inputs[i].pad + " of " + setup_.element + " takes no frame");
  }
  if (!done_.try_acquire_for(std::chrono::seconds(20))) {
    fail(std::string("nothing comes out of ") + setup_.element);
  }
}

SetTimes JoinedStream::time(int warm_ups, int count, const std::function<void()>& between) {
  std::vector<double> pushed;
  std::vector<double> taken;
  for (int i = -warm_ups; i < count; ++i) {
    if (between) between();
    push();
    using Microseconds = std::chrono::duration<double, std::micro>;
    if (i < 0) continue;
    pushed.push_back(Microseconds(came_ - pushed_).count());
    taken.push_back(Microseconds(came_ - taken_).count());
  }
  return {summarize(pushed), summarize(taken)};
}

std::vector<std::uint16_t> JoinedStream::samples() const {
  frames::Shape shape = setup_.inputs[0].shape;
  shape.format = GST_VIDEO_FORMAT_GRAY16_LE;
  gst::SystemFrame frame;
  std::string reason;
  if (last_ == nullptr ||
      !frame.map(last_, frames::video_info(shape), gst::Access::kRead, &reason)) {
    fail("what came out cannot be read: " + reason);
  }
  std::vector<std::uint16_t> samples(static_cast<std::size_t>(shape.width) *
                                     static_cast<std::size_t>(shape.height));
  const auto width = static_cast<std::size_t>(shape.width);
  for (int row = 0; row < shape.height; ++row) {
    std::memcpy(samples.data() + static_cast<std::size_t>(row) * width, frame.view().row(row),
                2 * width);
  }
  return samples;
}

std::string JoinedStream::backend() const {
  GstStructure* stats = nullptr;
  g_object_get(element_, "stats", &stats, nullptr);
  const char* name = gst_structure_get_string(stats, "backend");
  std::string result = name == nullptr ? "" : name;
  gst_structure_free(stats);
  return result;
}

}  // namespace rdp::bench
