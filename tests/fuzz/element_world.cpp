// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/fuzz/element_world.h"

#include <gst/rdpsegment/rdpsegment.h>

#include <cstring>

#include "common/rdp/reference.h"
#include "tests/fuzz/fuzz_input.h"

namespace rdp::fuzz {
namespace {

World* world = nullptr;  // the only instance

DepthView view_of(const SentFrame& frame, const std::vector<guint8>& bytes) {
  return {reinterpret_cast<const std::byte*>(bytes.data()) + frame.offset,
          static_cast<std::ptrdiff_t>(frame.stride), GST_VIDEO_INFO_WIDTH(&frame.info),
          GST_VIDEO_INFO_HEIGHT(&frame.info),
          GST_VIDEO_INFO_FORMAT(&frame.info) == GST_VIDEO_FORMAT_GRAY8 ? SampleType::kU8
                                                                       : SampleType::kU16};
}

void check_segments(const SentFrame& frame, GstRdpSegmentation* segmentation,
                    const SegmentList& expected) {
  const GstRdpSegmentationInfo* info = gst_rdp_segmentation_get_info(segmentation);
  FUZZ_CHECK(info->width == static_cast<guint>(GST_VIDEO_INFO_WIDTH(&frame.info)) &&
                 info->height == static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&frame.info)) &&
                 info->epsilon == frame.parameters.epsilon,
             "the segmentation is of another frame: %ux%u, %g", info->width, info->height,
             info->epsilon);
  gsize n_offsets = 0;
  gsize n_segments = 0;
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(segmentation, &n_offsets);
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(segmentation, &n_segments);
  FUZZ_CHECK(n_offsets == expected.offsets().size() &&
                 std::memcmp(offsets, expected.offsets().data(), n_offsets * sizeof *offsets) == 0,
             "%zu offsets are not the reference's", n_offsets);
  FUZZ_CHECK(n_segments == expected.segment_count() &&
                 (n_segments == 0 || std::memcmp(segments, expected.segments().data(),
                                                 n_segments * sizeof *segments) == 0),
             "%zu segments are not the reference's", n_segments);
}

// The output is the input with its segments attached, or with reconstructed rows.
void check_frame(const SentFrame& frame, GstBuffer* buffer) {
  FUZZ_CHECK(gst_buffer_get_n_meta(buffer, GST_RDP_SEGMENT_META_API_TYPE) == 1,
             "%u segment metas on a frame",
             gst_buffer_get_n_meta(buffer, GST_RDP_SEGMENT_META_API_TYPE));
  const DepthView view = view_of(frame, frame.bytes);
  const reference::Frame filtered = reference::filter(view, frame.parameters);
  SegmentList expected;
  reference::segment(filtered.view(), segmented_known_range(frame.parameters, view.type),
                     segment_rules(frame.parameters), &expected);
  check_segments(frame, gst_rdp_buffer_get_segmentation(buffer), expected);

  std::vector<guint8> wanted = frame.bytes;
  if (frame.reconstruct) {
    reference::reconstruct(filtered, expected, frame.parameters,
                           {reinterpret_cast<std::byte*>(wanted.data()) + frame.offset, view.stride,
                            view.width, view.height, view.type});
  }
  std::vector<guint8> got(gst_buffer_get_size(buffer));
  FUZZ_CHECK(gst_buffer_extract(buffer, 0, got.data(), got.size()) == wanted.size() &&
                 got.size() == wanted.size(),
             "%zu bytes came out", got.size());
  FUZZ_CHECK(got == wanted, "the bytes that came out are others");
}

GstQuery* answer_allocation(GstQuery* query, int kind) {
  GstCaps* caps = nullptr;
  gboolean need_pool;
  gst_query_parse_allocation(query, &caps, &need_pool);
  GstVideoInfo info;
  if (caps == nullptr || !gst_video_info_from_caps(&info, caps)) return query;
  const auto size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
  if (kind == 1) gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
  if (kind == 1 || kind == 2) {
    g_autoptr(GstBufferPool) pool = kind == 1 ? gst_video_buffer_pool_new() : gst_buffer_pool_new();
    // Includes sizes that are too small.
    gst_query_add_allocation_pool(query, pool, kind == 1 ? size + 64 : size / 2, 0, 0);
  } else if (kind == 3) {
    GstAllocationParams params;
    gst_allocation_params_init(&params);
    params.align = 63;
    params.prefix = 5;
    params.padding = 7;
    gst_query_add_allocation_param(query, nullptr, &params);
    gst_query_add_allocation_pool(query, nullptr, size, 3, 4);
  }
  return query;
}

}  // namespace

World::World() : element(gst_element_factory_make("rdpsegment", nullptr)), bus_(gst_bus_new()) {
  FUZZ_CHECK(element != nullptr, "no element rdpsegment: GST_PLUGIN_PATH names its folder");
  FUZZ_CHECK(world == nullptr, "one world at a time");
  world = this;
  gst_object_ref_sink(element);
  gst_element_set_bus(element, bus_);
  g_object_set(element, "threads", 1, nullptr);
  sink = gst_element_get_static_pad(element, "sink");
  src = gst_element_get_static_pad(element, "src");
  const auto make = [](const char* name, GstPadDirection direction) {
    auto* pad = GST_PAD(gst_object_ref_sink(gst_pad_new(name, direction)));
    gst_pad_set_query_function(pad, answer);
    gst_pad_set_event_function(pad, take_event);
    return pad;
  };
  up = make("up", GST_PAD_SRC);
  down = make("down", GST_PAD_SINK);
  display = make("display", GST_PAD_SINK);
  gst_pad_set_chain_function(down, take_frame);
  gst_pad_set_chain_function(display, take_picture);
  for (GstPad* pad : {up, down, display}) gst_pad_set_active(pad, TRUE);
  FUZZ_CHECK(gst_pad_link(up, sink) == GST_PAD_LINK_OK, "upstream cannot be linked");
  FUZZ_CHECK(gst_pad_link(src, down) == GST_PAD_LINK_OK, "downstream cannot be linked");
}

World::~World() {
  set_state(GST_STATE_NULL);
  release_overlay();
  for (GstPad* pad : {up, down, display}) gst_pad_set_active(pad, FALSE);
  if (gst_pad_is_linked(up)) gst_pad_unlink(up, sink);
  if (gst_pad_is_linked(src)) gst_pad_unlink(src, down);
  take_errors();
  gst_element_set_bus(element, nullptr);
  for (GstPad* pad : {up, down, display, sink, src}) gst_object_unref(pad);
  gpointer watched = element;
  g_object_add_weak_pointer(G_OBJECT(element), &watched);
  gst_object_unref(element);
  FUZZ_CHECK(watched == nullptr, "somebody still holds the element");
  gst_object_unref(bus_);
  gst_clear_caps(&down_caps);
  gst_clear_caps(&display_caps);
  world = nullptr;
}

GstFlowReturn World::take_frame(GstPad*, GstObject*, GstBuffer* buffer) {
  World& self = *world;
  FUZZ_CHECK(self.sent_ != nullptr, "a frame comes out that was not sent");
  ++self.frames_;
  if (!self.caps_refused_) check_frame(*self.sent_, buffer);
  gst_buffer_unref(buffer);
  return self.down_flow;
}

// Runs on the pad's own thread. Pictures come in the order of the frames; some frames have none.
GstFlowReturn World::take_picture(GstPad* pad, GstObject*, GstBuffer* buffer) {
  World& self = *world;
  GstCaps* caps = gst_pad_get_current_caps(pad);
  GstVideoInfo info;
  FUZZ_CHECK(caps != nullptr && gst_video_info_from_caps(&info, caps), "a picture without caps");
  gst_caps_unref(caps);
  {
    const std::lock_guard lock(self.mutex_);
    const auto fits = [&](const SentSize& sent) {
      return sent.any || (sent.width == GST_VIDEO_INFO_WIDTH(&info) &&
                          sent.height == GST_VIDEO_INFO_HEIGHT(&info));
    };
    while (!self.without_picture_.empty() && !fits(self.without_picture_.front())) {
      self.without_picture_.pop_front();
    }
    FUZZ_CHECK(!self.without_picture_.empty(), "a picture of %dx%d comes out of no frame",
               GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info));
    self.without_picture_.pop_front();
  }
  FUZZ_CHECK(GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_RGBA, "a picture that is not RGBA");
  GstVideoFrame frame;
  FUZZ_CHECK(gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ), "a picture too small");
  for (int r = 0; r < GST_VIDEO_FRAME_HEIGHT(&frame); ++r) {
    const auto* row = static_cast<const guint8*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) +
                      r * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0);
    for (int c = 0; c < GST_VIDEO_FRAME_WIDTH(&frame); ++c) {
      // Opaque, or all 0 if invalid.
      const guint8* pixel = row + 4 * c;
      const bool clear = pixel[0] == 0 && pixel[1] == 0 && pixel[2] == 0 && pixel[3] == 0;
      FUZZ_CHECK(pixel[3] == 255 || clear, "row %d, column %d was not painted", r, c);
    }
  }
  gst_video_frame_unmap(&frame);
  gst_buffer_unref(buffer);
  return self.display_flow;
}

gboolean World::take_event(GstPad* pad, GstObject*, GstEvent* event) {
  gst_event_unref(event);
  return pad != world->up || world->upstream_takes_events;
}

gboolean World::answer(GstPad* pad, GstObject*, GstQuery* query) {
  World& self = *world;
  g_autoptr(GstCaps) own = nullptr;
  {
    const std::lock_guard lock(self.caps_mutex);
    gst_caps_replace(&own, pad == self.down      ? self.down_caps
                           : pad == self.display ? self.display_caps
                                                 : nullptr);
  }
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CAPS: {
      GstCaps* filter;
      gst_query_parse_caps(query, &filter);
      GstCaps* caps = own != nullptr ? gst_caps_ref(own) : gst_caps_new_any();
      if (filter != nullptr) {
        GstCaps* both = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
        gst_caps_unref(caps);
        caps = both;
      }
      gst_query_set_caps_result(query, caps);
      gst_caps_unref(caps);
      return TRUE;
    }
    case GST_QUERY_ACCEPT_CAPS: {
      GstCaps* caps;
      gst_query_parse_accept_caps(query, &caps);
      gst_query_set_accept_caps_result(query, own == nullptr || gst_caps_is_subset(caps, own));
      return TRUE;
    }
    case GST_QUERY_ALLOCATION:
      if (pad != self.display || self.allocation == 0) return FALSE;
      answer_allocation(query, self.allocation);
      return TRUE;
    default:
      return FALSE;
  }
}

void World::push(GstBuffer* buffer, const SentFrame& frame, bool readable) {
  // `streams`: the stream obeys the rules of GStreamer's core, and the element has upstream's last
  // caps.
  GstCaps* said = gst_pad_get_current_caps(up);
  GstCaps* known = gst_pad_get_current_caps(sink);
  // Downstream may refuse the caps that it accepted before. Then GStreamer's core returns the
  // error.
  const bool accepted =
      down_caps == nullptr || known == nullptr || gst_caps_is_subset(known, down_caps);
  const bool streams = accepted && said != nullptr && known != nullptr &&
                       gst_caps_is_equal(said, known) && GST_STATE(element) >= GST_STATE_PAUSED &&
                       !GST_PAD_IS_FLUSHING(sink) && !GST_PAD_IS_EOS(sink) && !GST_PAD_IS_EOS(up) &&
                       !GST_PAD_IS_FLUSHING(up) && gst_pad_is_linked(up);
  // After a flush, core passes frames whose caps were refused: they arrive with the old caps.
  caps_refused_ = said != nullptr && known != nullptr && !gst_caps_is_equal(said, known);
  const bool taken = gst_pad_is_linked(src) && !GST_PAD_IS_FLUSHING(src) && !GST_PAD_IS_EOS(src) &&
                     !GST_PAD_IS_FLUSHING(down) && !GST_PAD_IS_EOS(down);
  gst_clear_caps(&said);
  gst_clear_caps(&known);
  take_errors();
  frames_ = 0;
  sent_ = &frame;
  {
    const std::lock_guard lock(mutex_);
    without_picture_.push_back(
        {GST_VIDEO_INFO_WIDTH(&frame.info), GST_VIDEO_INFO_HEIGHT(&frame.info), caps_refused_});
  }
  const GstFlowReturn flow = gst_pad_push(up, buffer);
  sent_ = nullptr;
  const int errors = take_errors();
  FUZZ_CHECK(frames_ <= 1, "%d frames of one", frames_);
  FUZZ_CHECK(frames_ == 0 || readable || caps_refused_, "a frame that cannot be read came out");
  if (streams && taken && readable) {
    FUZZ_CHECK(frames_ == 1, "a good frame was lost: %s", gst_flow_get_name(flow));
  }
  // Downstream's flow returns worse than not-linked and EOS reach upstream.
  if (frames_ == 1 && flow >= GST_FLOW_OK) {
    FUZZ_CHECK(
        down_flow >= GST_FLOW_OK || down_flow == GST_FLOW_NOT_LINKED || down_flow == GST_FLOW_EOS,
        "%s of downstream was lost", gst_flow_get_name(down_flow));
  }
  if (streams && !readable) {
    FUZZ_CHECK(flow == GST_FLOW_ERROR && errors == 1,
               "%s and %d errors for a frame that cannot be read", gst_flow_get_name(flow), errors);
  }
  // Refused caps are resent with each frame; one error for them is enough.
  explained_ = explained_ || errors > 0;
  if (frames_ == 0 && (flow == GST_FLOW_ERROR || flow == GST_FLOW_NOT_NEGOTIATED)) {
    // The overlay branch's flow goes upstream if the main branch accepts nothing.
    const bool of_branch = overlay != nullptr && !taken;
    FUZZ_CHECK((explained_ && (errors > 0 || !streams)) || !accepted || of_branch,
               "%s without an error that says why", gst_flow_get_name(flow));
  }
  FUZZ_CHECK(errors <= 1, "%d errors for one frame", errors);
}

bool World::send(GstEvent* event) {
  const bool caps = GST_EVENT_TYPE(event) == GST_EVENT_CAPS;
  const bool streams = GST_STATE(element) >= GST_STATE_PAUSED && !GST_PAD_IS_FLUSHING(sink) &&
                       !GST_PAD_IS_EOS(sink) && !GST_PAD_IS_EOS(up) && !GST_PAD_IS_FLUSHING(up) &&
                       gst_pad_is_linked(up) && gst_pad_is_linked(src) &&
                       !GST_PAD_IS_FLUSHING(down);
  take_errors();
  GstEvent* before = gst_pad_get_sticky_event(up, GST_EVENT_CAPS, 0);
  const gboolean done = gst_pad_push_event(up, event);
  const int errors = take_errors();
  // A flushing or ended pad drops the event and keeps its old caps. Core resends those after a
  // flush (1.26 does, 1.22 does not); one error for them is still enough.
  GstEvent* after = gst_pad_get_sticky_event(up, GST_EVENT_CAPS, 0);
  explained_ = errors > 0 || (explained_ && before == after);
  gst_clear_event(&before);
  gst_clear_event(&after);
  GstCaps* said = gst_pad_get_current_caps(up);
  GstCaps* known = gst_pad_get_current_caps(sink);
  const bool arrived = said != nullptr && known != nullptr && gst_caps_is_equal(said, known);
  gst_clear_caps(&said);
  gst_clear_caps(&known);
  if (caps && streams && !arrived) {
    FUZZ_CHECK(errors == 1, "caps were refused with %d errors", errors);
  }
  return done != FALSE;
}

void World::set_state(GstState state) {
  take_errors();
  const GstStateChangeReturn result = gst_element_set_state(element, state);
  const int errors = take_errors();
  FUZZ_CHECK(result != GST_STATE_CHANGE_FAILURE || errors == 1,
             "%d errors for a failed state change", errors);
  FUZZ_CHECK(state != GST_STATE_NULL || result == GST_STATE_CHANGE_SUCCESS, "it cannot be stopped");
}

void World::request_overlay() {
  // No name: core refuses a second request for the same name.
  GstPad* pad = gst_element_request_pad(element, gst_element_get_pad_template(element, "overlay"),
                                        nullptr, nullptr);
  FUZZ_CHECK((pad != nullptr) == (overlay == nullptr), "one overlay pad at a time");
  if (pad != nullptr) overlay = pad;
}

void World::release_overlay() {
  if (overlay == nullptr) return;
  gst_element_release_request_pad(element, overlay);
  FUZZ_CHECK(!gst_pad_is_linked(overlay), "a released pad is linked");
  gpointer watched = overlay;
  g_object_add_weak_pointer(G_OBJECT(overlay), &watched);
  gst_object_unref(overlay);
  take_errors();  // messages about the pad's thread hold a reference
  FUZZ_CHECK(watched == nullptr, "somebody still holds the released pad");
  overlay = nullptr;
}

int World::take_errors() {
  int errors = 0;
  while (GstMessage* message = gst_bus_pop(bus_)) {
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
      GError* error = nullptr;
      gchar* debug = nullptr;
      gst_message_parse_error(message, &error, &debug);
      FUZZ_CHECK(error->message != nullptr && std::strlen(error->message) > 20 && debug != nullptr,
                 "an error that does not say enough: %s", error->message);
      g_error_free(error);
      g_free(debug);
      ++errors;
    }
    gst_message_unref(message);
  }
  return errors;
}

Parameters World::parameters() const {
  Parameters parameters;
  gint median = 0;
  gint domain = 0;
  gint fit = 0;
  guint column_width = 1;
  guint max_gap = 0;
  gboolean refine = FALSE;
  gboolean merge = FALSE;
  gboolean bounded = FALSE;
  g_object_get(element, "epsilon", &parameters.epsilon, "sample-scale", &parameters.sample_scale,
               "min-value", &parameters.min_value, "max-value", &parameters.max_value, "median",
               &median, "domain", &domain, "inverse-scale", &parameters.inverse_scale,
               "column-width", &column_width, "max-gap", &max_gap, "refine", &refine, "merge",
               &merge, "fit", &fit, "merge-cost", &parameters.merge_cost, "merge-bounded", &bounded,
               nullptr);
  parameters.median = static_cast<Median>(median);
  parameters.domain = static_cast<Domain>(domain);
  parameters.column_width = static_cast<int>(column_width);
  parameters.max_gap = static_cast<int>(max_gap);
  parameters.refine = refine != FALSE;
  parameters.merge = merge != FALSE;
  parameters.merge_bounded = bounded != FALSE;
  parameters.fit = static_cast<Fit>(fit);
  return parameters;
}

bool World::reconstructs() const {
  gint output = 0;
  g_object_get(element, "output", &output, nullptr);
  return output != 0;
}

}  // namespace rdp::fuzz
