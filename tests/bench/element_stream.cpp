// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/element_stream.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "gst/memory/system_memory.h"
#include "tests/support/bus_texts.h"

namespace rdp::bench {

ElementStream::ElementStream(StreamSetup setup) : setup_(std::move(setup)) {
  g_autoptr(GError) error = nullptr;
  element_ = gst_parse_launch(setup_.element.c_str(), &error);
  if (element_ == nullptr || error != nullptr) {
    throw std::runtime_error(setup_.element + ": " + error->message +
                             "; GST_PLUGIN_PATH must name the folder of libgstrdpsegment.so, and "
                             "gst-inspect-1.0 says why an element does not load");
  }
  gst_object_ref_sink(element_);
  bus_ = gst_bus_new();
  gst_element_set_bus(element_, bus_);
  if (setup_.context != nullptr) gst_element_set_context(element_, setup_.context);
  GstPad* src = gst_element_get_static_pad(element_, "src");
  link_output(src, setup_.output_caps, take);
  gst_object_unref(src);
  for (const auto& [name, caps] : setup_.outputs) {
    outputs_.push_back(gst_element_request_pad_simple(element_, name));
    link_output(outputs_.back(), caps, [](GstPad*, GstObject*, GstBuffer* buffer) {
      gst_buffer_unref(buffer);
      return GST_FLOW_OK;
    });
  }
  for (const StreamInput& input : setup_.inputs) {
    GstPad* const always = gst_element_get_static_pad(element_, input.pad.c_str());
    inputs_.push_back(
        {always != nullptr ? always : gst_element_request_pad_simple(element_, input.pad.c_str())});
  }
  GstPad* const last = inputs_.back().pad;
  if (g_signal_lookup("buffer-consumed", G_OBJECT_TYPE(last)) != 0) {
    // The cost of a signal per set is negligible.
    g_object_set(last, "emit-signals", TRUE, nullptr);
    g_signal_connect(last, "buffer-consumed", G_CALLBACK(consumed), this);
  }
  if (gst_element_set_state(element_, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    fail("it does not start");
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) link(&inputs_[i], setup_.inputs[i]);
  for (std::size_t i = 0; i < inputs_.size(); ++i) fill(&inputs_[i], setup_.inputs[i]);
}

ElementStream::~ElementStream() {
  for (Input& input : inputs_) {
    gst_clear_buffer(&input.next);
    gst_pad_set_active(input.source, FALSE);
  }
  gst_element_set_state(element_, GST_STATE_NULL);
  gst_clear_buffer(&last_);
  for (Input& input : inputs_) {
    if (input.pool != nullptr) gst_buffer_pool_set_active(input.pool, FALSE);
    gst_clear_object(&input.pool);
    outputs_.push_back(input.pad);
  }
  for (GstPad* pad : outputs_) {
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
  for (Input& input : inputs_) gst_object_unref(input.source);
}

void ElementStream::link(Input* input, const StreamInput& what) {
  input->source = gst_pad_new(nullptr, GST_PAD_SRC);
  gst_object_ref_sink(input->source);
  gst_pad_set_active(input->source, TRUE);
  if (gst_pad_link(input->source, input->pad) != GST_PAD_LINK_OK) fail(what.pad + ": no link");
  gst_pad_push_event(input->source, gst_event_new_stream_start(what.pad.c_str()));
  g_autoptr(GstCaps) caps = frames::caps(what.contents[0].shape, setup_.feature);
  gst_pad_push_event(input->source, gst_event_new_caps(caps));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_pad_push_event(input->source, gst_event_new_segment(&segment));
}

void ElementStream::link_output(GstPad* src, const char* text, GstPadChainFunction chain) {
  g_autoptr(GstCaps) caps = gst_caps_from_string(text);
  GstPadTemplate* templ = gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps);
  gst_object_ref_sink(templ);
  GstPad* pad = gst_pad_new_from_template(templ, nullptr);
  gst_object_ref_sink(pad);
  gst_object_unref(templ);
  gst_pad_set_element_private(pad, this);
  gst_pad_set_chain_function(pad, chain);
  gst_pad_set_active(pad, TRUE);
  sinks_.push_back(pad);
  if (gst_pad_link(src, pad) != GST_PAD_LINK_OK) fail("an output cannot be linked");
}

void ElementStream::fill(Input* input, const StreamInput& what) {
  const frames::Shape& shape = what.contents[0].shape;
  const GstVideoInfo info = frames::video_info(shape);
  g_autoptr(GstCaps) caps = frames::caps(shape, setup_.feature);
  make_pool(input, caps, info);
  for (guint i = 0; i < setup_.buffers; ++i) input->buffers.push_back(acquire(input));
  for (std::size_t i = 0; i < input->buffers.size(); ++i) {
    const DepthView frame = what.contents[i % what.contents.size()].view();
    gst::SystemFrame mapped;
    std::string reason;
    if (!mapped.map(input->buffers[i], info, gst::Access::kReadWrite, &reason)) {
      fail("a frame cannot be written: " + reason);
    }
    for (int row = 0; row < frame.height; ++row) {
      std::memcpy(mapped.view().row(row), frame.row(row), frames::row_bytes(shape));
    }
  }
  for (GstBuffer* buffer : input->buffers) gst_buffer_unref(buffer);
}

// Like a source: the element's proposed pool, else GStreamer's default memory.
void ElementStream::make_pool(Input* input, GstCaps* caps, const GstVideoInfo& info) {
  g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
  gst_pad_peer_query(input->source, query);
  auto size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
  if (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_parse_nth_allocation_pool(query, 0, &input->pool, &size, nullptr, nullptr);
  }
  if (input->pool == nullptr) {
    if (setup_.feature != nullptr) fail("it proposes no pool of its memory");
    input->pool = gst_video_buffer_pool_new();
  }
  GstStructure* config = gst_buffer_pool_get_config(input->pool);
  gst_buffer_pool_config_set_params(config, caps, size, setup_.buffers, setup_.buffers);
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (setup_.page_locked) {
    g_autoptr(GstAllocator) allocator = nullptr;
    if (gst_query_get_n_allocation_params(query) > 0) {
      gst_query_parse_nth_allocation_param(query, 0, &allocator, nullptr);
    }
    if (allocator == nullptr) fail("it proposes no allocator of page-locked memory");
    gst_buffer_pool_config_set_allocator(config, allocator, nullptr);
  }
  if (!gst_buffer_pool_set_config(input->pool, config) ||
      !gst_buffer_pool_set_active(input->pool, TRUE)) {
    fail("the pool of frames does not start: is there enough memory?");
  }
}

GstBuffer* ElementStream::acquire(Input* input) {
  GstBuffer* buffer = nullptr;
  if (gst_buffer_pool_acquire_buffer(input->pool, &buffer, nullptr) != GST_FLOW_OK) {
    fail("the pool gives no frame");
  }
  return buffer;
}

frames::Shape ElementStream::shape(std::size_t input) const {
  return setup_.inputs[input].contents[0].shape;
}

std::size_t ElementStream::next() {
  for (Input& input : inputs_) {
    if (input.next == nullptr) input.next = acquire(&input);
    GST_BUFFER_PTS(input.next) = pts_;
    GST_BUFFER_DURATION(input.next) = GST_SECOND / 30;
  }
  const std::vector<GstBuffer*>& all = inputs_[0].buffers;
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), inputs_[0].next) - all.begin());
}

void ElementStream::push() {
  next();
  pts_ += GST_SECOND / 30;
  Clock::time_point start;
  for (Input& input : inputs_) {
    start = Clock::now();
    const GstFlowReturn flow = gst_pad_push(input.source, std::exchange(input.next, nullptr));
    if (flow != GST_FLOW_OK) fail(std::string("a frame is refused: ") + gst_flow_get_name(flow));
  }
  const Clock::time_point returned = Clock::now();
  if (!done_.try_acquire_for(std::chrono::seconds(20))) fail("nothing comes out of it");
  using Microseconds = std::chrono::duration<double, std::micro>;
  const bool same_thread = came_by_ == std::this_thread::get_id();
  pushed_us_ = Microseconds((same_thread ? returned : came_) - start).count();
  taken_us_ = Microseconds(came_ - taken_).count();
}

void ElementStream::run(const std::atomic<bool>& stop, std::atomic<long>* pushed) {
  while (!stop) {
    push();
    pushed->fetch_add(1, std::memory_order_relaxed);
  }
}

GstFlowReturn ElementStream::take(GstPad* pad, GstObject*, GstBuffer* buffer) {
  auto* self = static_cast<ElementStream*>(gst_pad_get_element_private(pad));
  if (self->setup_.look) self->setup_.look(buffer);
  self->came_ = Clock::now();
  self->came_by_ = std::this_thread::get_id();
  gst_clear_buffer(&self->last_);
  self->last_ = buffer;
  self->done_.release();
  return GST_FLOW_OK;
}

void ElementStream::consumed(GstElement*, GstBuffer*, ElementStream* self) {
  self->taken_ = Clock::now();
}

void ElementStream::fail(const std::string& what) const {
  throw std::runtime_error(rdp::test::with_error_of(bus_, setup_.element + ": " + what));
}

std::vector<std::uint16_t> ElementStream::samples() const {
  frames::Shape of = shape();
  of.format = GST_VIDEO_FORMAT_GRAY16_LE;
  gst::SystemFrame frame;
  std::string reason;
  if (last_ == nullptr || !frame.map(last_, frames::video_info(of), gst::Access::kRead, &reason)) {
    fail("what came out cannot be read: " + reason);
  }
  std::vector<std::uint16_t> samples(static_cast<std::size_t>(of.width) *
                                     static_cast<std::size_t>(of.height));
  const auto width = static_cast<std::size_t>(of.width);
  for (int row = 0; row < of.height; ++row) {
    std::memcpy(samples.data() + static_cast<std::size_t>(row) * width, frame.view().row(row),
                2 * width);
  }
  return samples;
}

std::string ElementStream::backend() const {
  g_autoptr(GstStructure) stats = nullptr;
  g_object_get(element_, "stats", &stats, nullptr);
  const char* name = gst_structure_get_string(stats, "backend");
  return name == nullptr ? "" : name;
}

}  // namespace rdp::bench
