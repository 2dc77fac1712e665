// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_EXTRA_PAD_RIG_H_
#define RDP_TESTS_BASE_EXTRA_PAD_RIG_H_

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>

#include "gst/elements/base/picture_pad.h"
#include "tests/support/await.h"

namespace rdp::test {

// An extra pad on a bin, linked to a harness-like sink that logs buffers, events and their threads.
struct ExtraPadRig {
  explicit ExtraPadRig(GType type = GST_TYPE_RDP_EXTRA_PAD) {
    element = gst_bin_new("element");
    gst_object_ref_sink(element);
    bus = frames::attach_bus(element);
    GstCaps* caps = gst_caps_from_string(
        "video/x-raw(memory:CUDAMemory), format={RGBA, GRAY8}; "
        "video/x-raw, format={RGBA, GRAY8}");
    GstPadTemplate* templ = gst_pad_template_new("extra", GST_PAD_SRC, GST_PAD_REQUEST, caps);
    gst_caps_unref(caps);
    pad = GST_RDP_EXTRA_PAD(
        g_object_new(type, "name", "extra", "direction", GST_PAD_SRC, "template", templ, nullptr));
    gst_object_unref(templ);
    gst_object_ref(pad);
    sink = gst_pad_new("sink", GST_PAD_SINK);
    gst_object_ref_sink(sink);
    gst_pad_set_element_private(sink, this);
    gst_pad_set_chain_function(sink, [](GstPad* of, GstObject*, GstBuffer* buffer) {
      return static_cast<ExtraPadRig*>(gst_pad_get_element_private(of))->take(buffer);
    });
    gst_pad_set_event_function(sink, [](GstPad* of, GstObject*, GstEvent* event) -> gboolean {
      static_cast<ExtraPadRig*>(gst_pad_get_element_private(of))->note(event);
      return TRUE;
    });
    gst_pad_set_query_function(
        sink, [](GstPad* of, GstObject* parent, GstQuery* query) -> gboolean {
          auto* self = static_cast<ExtraPadRig*>(gst_pad_get_element_private(of));
          // The default answer would be the pad's current caps; the sink accepts `takes`.
          if (GST_QUERY_TYPE(query) == GST_QUERY_CAPS) {
            GstCaps* filter;
            gst_query_parse_caps(query, &filter);
            GstCaps* any = gst_caps_from_string(self->takes.c_str());
            if (filter != nullptr) {
              GstCaps* both = gst_caps_intersect(filter, any);
              gst_caps_unref(any);
              any = both;
            }
            gst_query_set_caps_result(query, any);
            gst_caps_unref(any);
            return TRUE;
          }
          if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) {
            return gst_pad_query_default(of, parent, query);
          }
          return self->answer_allocation(query);
        });
    gst_pad_set_active(sink, TRUE);
    gst_pad_set_element_private(GST_PAD(pad), this);
    gst_rdp_extra_pad_set_functions(
        pad, nullptr, [](GstPad* of, GstObject* parent, GstQuery* query) -> gboolean {
          auto* self = static_cast<ExtraPadRig*>(gst_pad_get_element_private(of));
          if (GST_QUERY_TYPE(query) != GST_QUERY_LATENCY) {
            return gst_pad_query_default(of, parent, query);
          }
          self->latency_queries++;
          if (self->live < 0) return FALSE;
          gst_query_set_latency(query, self->live > 0, 0, GST_CLOCK_TIME_NONE);
          return TRUE;
        });
    fail_unless_equals_int(gst_pad_link(GST_PAD(pad), sink), GST_PAD_LINK_OK);
    gst_pad_set_active(GST_PAD(pad), TRUE);
    gst_element_add_pad(element, GST_PAD(pad));
  }
  ~ExtraPadRig() {
    if (GST_OBJECT_PARENT(pad) != nullptr) gst_rdp_extra_pad_release(pad, element);
    gst_object_unref(pad);
    gst_clear_event(&start);
    gst_pad_set_active(sink, FALSE);
    gst_object_unref(sink);
    frames::detach_bus(element, bus);
    gst_object_unref(element);
  }
  ExtraPadRig(const ExtraPadRig&) = delete;
  ExtraPadRig& operator=(const ExtraPadRig&) = delete;

  void begin() {
    GstEvent* stream_start = gst_event_new_stream_start("upstream");
    gst_event_set_group_id(stream_start, 77);
    gst_event_set_stream_flags(stream_start, GST_STREAM_FLAG_SPARSE);
    gst_event_set_seqnum(stream_start, 4711);
    g_autoptr(GstCaps) caps = frames::caps({GST_VIDEO_FORMAT_GRAY8, 8, 4});
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    GstEvent* segment_event = gst_event_new_segment(&segment);
    GstEvent* tag = gst_event_new_tag(gst_tag_list_new(GST_TAG_TITLE, "a", nullptr));
    GList* others = g_list_append(nullptr, tag);
    fail_unless(gst_rdp_extra_pad_begin(pad, stream_start, caps, segment_event, others));
    fail_if(gst_rdp_extra_pad_begin(pad, stream_start, caps, segment_event, others), "twice");
    g_list_free(others);
    for (GstEvent* event : {stream_start, segment_event, tag}) gst_event_unref(event);
  }
  GstFlowReturn push(unsigned number) {
    return gst_rdp_extra_pad_push(pad, frames::make({GST_VIDEO_FORMAT_GRAY8, 8, 4}, 1, number));
  }
  std::string log() const {
    const std::lock_guard lock(mutex);
    return text;
  }
  bool says(const std::string& expected) const {
    return await([&] { return log() == expected; });
  }
  void close() {
    const std::lock_guard lock(mutex);
    closed = true;
  }
  void open() {
    const std::lock_guard lock(mutex);
    closed = queries_closed = caps_closed = false;
    changed.notify_all();
  }
  bool holds() const {
    return await([&] {
      const std::lock_guard lock(mutex);
      return waiting;
    });
  }
  GstFlowReturn take(GstBuffer* buffer) {
    std::unique_lock lock(mutex);
    text += " " + std::to_string((GST_BUFFER_PTS(buffer) * 30 + GST_SECOND / 2) / GST_SECOND);
    if (GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DISCONT)) text += "!";
    pushed_by = g_thread_self();
    waiting = true;
    const bool takes_anyway = deaf;
    changed.wait(lock, [&] { return !closed || (flushing && !takes_anyway); });
    waiting = false;
    const GstFlowReturn flow = flushing && !takes_anyway ? GST_FLOW_FLUSHING : answer.load();
    lock.unlock();
    gst_buffer_unref(buffer);
    return flow;
  }
  void note(GstEvent* event) {
    std::unique_lock lock(mutex);
    if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS && caps_closed) {
      waiting = true;
      changed.wait(lock, [this] { return !caps_closed || flushing; });
      waiting = false;
    }
    text += std::string(" ") + GST_EVENT_TYPE_NAME(event);
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START) flushing = true;
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) flushing = false;
    if (GST_EVENT_TYPE(event) == GST_EVENT_STREAM_START) gst_event_replace(&start, event);
    changed.notify_all();
    gst_event_unref(event);
  }

  gboolean answer_allocation(GstQuery* query) {
    std::unique_lock lock(mutex);
    queried_by = g_thread_self();
    allocation_queries++;
    changed.wait(lock, [this] { return !queries_closed || flushing; });
    if (offered != nullptr) gst_query_add_allocation_pool(query, offered, 8 * 4 * 4, 0, 2);
    return TRUE;
  }
  // A segment, as after a seek.
  void segment() {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_rdp_extra_pad_push_event(pad, gst_event_new_segment(&segment));
  }

  GstElement* element;
  GstBus* bus;
  GstRdpExtraPad* pad;
  GstPad* sink;
  std::atomic<GstFlowReturn> answer{GST_FLOW_OK};
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::string text;
  bool closed = false;
  bool deaf = false;  // a flush does not release the thread that close() blocks
  bool flushing = false;
  bool waiting = false;
  std::string takes = "ANY";  // accepted caps; set before the stream starts
  GThread* pushed_by = nullptr;
  GThread* queried_by = nullptr;
  unsigned allocation_queries = 0;
  bool queries_closed = false;       // while true, an allocation query blocks
  bool caps_closed = false;          // while true, a CAPS event blocks
  GstBufferPool* offered = nullptr;  // in the answer to an allocation query
  // Upstream's answer to the LATENCY query: 1 for live, 0 for not live, -1 for no answer.
  std::atomic<int> live{-1};
  std::atomic<unsigned> latency_queries{0};
  GstEvent* start = nullptr;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_BASE_EXTRA_PAD_RIG_H_
