// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/element_stream.h"

#include <gst/rdpsegment/rdpsegment.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "gst/memory/system_memory.h"
#include "tests/bench/median.h"
#include "tests/support/bus_texts.h"

namespace rdp::bench {
namespace {

using Clock = std::chrono::steady_clock;

GstPadProbeReturn read_segments(GstPad*, GstPadProbeInfo* info, gpointer) {
  GstRdpSegmentation* segmentation =
      gst_rdp_buffer_get_segmentation(GST_PAD_PROBE_INFO_BUFFER(info));
  gsize count = 0;
  if (segmentation != nullptr) gst_rdp_segmentation_peek_segments(segmentation, &count);
  return GST_PAD_PROBE_OK;
}

}  // namespace

FrameTimes summarize(const std::vector<double>& microseconds) {
  if (microseconds.empty()) return {};
  return {median_of(microseconds), std::accumulate(microseconds.begin(), microseconds.end(), 0.0) /
                                       static_cast<double>(microseconds.size())};
}

FrameTimes time_steps(int warm_ups, int count, const std::function<void()>& prepare,
                      const std::function<void()>& step) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(count));
  for (int i = -warm_ups; i < count; ++i) {
    if (prepare) prepare();
    const auto start = Clock::now();
    step();
    const std::chrono::duration<double, std::micro> time = Clock::now() - start;
    if (i >= 0) times.push_back(time.count());
  }
  return summarize(times);
}

ElementStream::ElementStream(const DepthView& frame, const Parameters& parameters,
                             const StreamSetup& setup)
    : element_(gst_element_factory_make("rdpsegment", nullptr)) {
  if (element_ == nullptr) {
    throw std::runtime_error(
        "there is no element rdpsegment: GST_PLUGIN_PATH must name the folder of "
        "libgstrdpsegment.so, and that must load (gst-inspect-1.0 rdpsegment says why not)");
  }
  gst_util_set_object_arg(G_OBJECT(element_), "backend", setup.backend);
  gst_util_set_object_arg(G_OBJECT(element_), "output",
                          setup.reconstruct ? "reconstruct" : "passthrough");
  g_object_set(element_, "epsilon", parameters.epsilon, "sample-scale", parameters.sample_scale,
               nullptr);
  if (setup.context != nullptr) gst_element_set_context(element_, setup.context);
  bus_ = gst_bus_new();
  gst_element_set_bus(element_, bus_);
  main_ = gst_harness_new_with_element(element_, "sink", "src");
  gst_harness_set_live(main_, FALSE);  // every picture is painted
  if (setup.overlay_caps != nullptr) {
    overlay_ = gst_harness_new_with_element(element_, nullptr, "overlay");
    gst_harness_set_sink_caps_str(overlay_, setup.overlay_caps);
    gst_harness_set_drop_buffers(overlay_, TRUE);
  }
  if (setup.read_segments) {
    gst_pad_add_probe(main_->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, read_segments, nullptr, nullptr);
  }
  GstCaps* caps = gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING, "GRAY16_LE", "width",
                                      G_TYPE_INT, frame.width, "height", G_TYPE_INT, frame.height,
                                      "framerate", GST_TYPE_FRACTION, 30, 1, nullptr);
  gst_video_info_from_caps(&info_, caps);
  if (setup.cuda_memory) {
    gst_caps_set_features_simple(caps, gst_caps_features_new("memory:CUDAMemory", nullptr));
  }
  gst_harness_set_src_caps(main_, gst_caps_ref(caps));
  make_pool(caps, setup.page_locked);
  gst_caps_unref(caps);
  for_each_buffer([&](GstBuffer* buffer) { fill(buffer, frame); });
}

ElementStream::~ElementStream() {
  if (pool_ != nullptr) {
    gst_buffer_pool_set_active(pool_, FALSE);
    gst_object_unref(pool_);
  }
  gst_element_set_bus(element_, nullptr);
  gst_object_unref(bus_);
  if (overlay_ != nullptr) gst_harness_teardown(overlay_);
  gst_harness_teardown(main_);
  gst_object_unref(element_);
}

// As a source does: what the element proposes, else GStreamer's own memory.
void ElementStream::make_pool(GstCaps* caps, bool page_locked) {
  GstQuery* query = gst_query_new_allocation(caps, TRUE);
  gst_pad_peer_query(main_->srcpad, query);
  auto size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info_));
  if (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_parse_nth_allocation_pool(query, 0, &pool_, &size, nullptr, nullptr);
  }
  if (pool_ == nullptr) pool_ = gst_video_buffer_pool_new();
  GstStructure* config = gst_buffer_pool_get_config(pool_);
  gst_buffer_pool_config_set_params(config, caps, size, kBuffers, kBuffers);
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  GstAllocator* allocator = nullptr;
  if (page_locked && gst_query_get_n_allocation_params(query) > 0) {
    gst_query_parse_nth_allocation_param(query, 0, &allocator, nullptr);
  }
  gst_query_unref(query);
  if (page_locked && allocator == nullptr) {
    throw std::runtime_error("rdpsegment proposes no allocator of page-locked memory");
  }
  if (allocator != nullptr) {
    gst_buffer_pool_config_set_allocator(config, allocator, nullptr);
    gst_object_unref(allocator);
  }
  if (!gst_buffer_pool_set_config(pool_, config) || !gst_buffer_pool_set_active(pool_, TRUE)) {
    throw std::runtime_error("the pool of frames does not start: is there enough memory?");
  }
}

void ElementStream::fill(GstBuffer* buffer, const DepthView& frame) const {
  gst::SystemFrame mapped;
  std::string reason;
  if (!mapped.map(buffer, info_, gst::Access::kReadWrite, &reason)) {
    throw std::runtime_error("a frame cannot be written: " + reason);
  }
  const std::size_t row_bytes = static_cast<std::size_t>(frame.width) *
                                static_cast<std::size_t>(bytes_per_sample(frame.type));
  for (int row = 0; row < frame.height; ++row) {
    std::memcpy(mapped.view().row(row), frame.row(row), row_bytes);
  }
}

GstBuffer* ElementStream::acquire() {
  GstBuffer* buffer = nullptr;
  if (gst_buffer_pool_acquire_buffer(pool_, &buffer, nullptr) != GST_FLOW_OK) {
    throw std::runtime_error("the pool gives no frame");
  }
  GST_BUFFER_PTS(buffer) = pts_;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  pts_ += GST_SECOND / 30;
  return buffer;
}

void ElementStream::for_each_buffer(const std::function<void(GstBuffer*)>& visit) {
  std::vector<GstBuffer*> buffers(kBuffers);
  for (GstBuffer*& buffer : buffers) buffer = acquire();
  for (GstBuffer* buffer : buffers) {
    visit(buffer);
    gst_buffer_unref(buffer);
  }
}

void ElementStream::push(GstBuffer* buffer) {
  const GstFlowReturn flow = gst_harness_push(main_, buffer);
  if (flow == GST_FLOW_OK) return;
  throw std::runtime_error(
      rdp::test::with_error_of(bus_, std::string("rdpsegment returns ") + gst_flow_get_name(flow)));
}

std::size_t ElementStream::count_segments() {
  gst_harness_set_drop_buffers(main_, FALSE);
  push(acquire());
  GstBuffer* output = gst_harness_pull(main_);
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(output);
  if (segmentation == nullptr) throw std::runtime_error("a frame came without its segments");
  const gsize count = gst_rdp_segmentation_get_n_segments(segmentation);
  gst_buffer_unref(output);
  return count;
}

FrameTimes ElementStream::time(int warm_ups, int count,
                               const std::function<void(GstBuffer*)>& prepare) {
  // The buffers go straight back to the pool.
  gst_harness_set_drop_buffers(main_, TRUE);
  GstBuffer* buffer = nullptr;
  return time_steps(
      warm_ups, count,
      [&] {
        buffer = acquire();
        if (prepare) prepare(buffer);
      },
      [&] { push(buffer); });
}

void ElementStream::run(const std::atomic<bool>& stop, std::atomic<long>* pushed) {
  gst_harness_set_drop_buffers(main_, TRUE);
  while (!stop) {
    push(acquire());
    pushed->fetch_add(1, std::memory_order_relaxed);
  }
}

std::string ElementStream::backend() const {
  GstStructure* stats = nullptr;
  g_object_get(element_, "stats", &stats, nullptr);
  const char* name = gst_structure_get_string(stats, "backend");
  std::string result = name == nullptr ? "" : name;
  gst_structure_free(stats);
  return result;
}

}  // namespace rdp::bench
