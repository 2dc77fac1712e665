// SPDX-License-Identifier: LGPL-2.1-or-later
// The request pad `overlay` of rdpsegment: pictures, negotiation and pools. tests/conformance tests
// its life while streaming.
#include <cstring>

#include "common/rdp/overlay.h"
#include "tests/support/await.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/frames.h"

using frames::Shape;

// rdpsegment with both its source pads in harnesses: `main` pushes and pulls src, `overlay` pulls
// the pictures.
struct BothPads : frames::Rig {
  explicit BothPads(const Shape& of = {}, const char* overlay_caps = "video/x-raw")
      : Rig("auto", overlay_caps), shape(of) {
    gst_harness_set_src_caps(main, frames::caps(shape));
  }
  GstFlowReturn push(unsigned number) const {
    return gst_harness_push(main, frames::make(shape, 1, number));
  }
  const Shape shape;
};

// The picture that the painter makes of the frame.
static std::vector<std::uint8_t> expected_picture(const Shape& shape, rdp::OverlayOptions options,
                                                  const rdp::Parameters& parameters = {}) {
  GstBuffer* buffer = frames::make(shape);
  const std::vector<std::uint8_t> content = frames::bytes(buffer);
  gst_buffer_unref(buffer);
  const rdp::DepthView view = frames::view(shape, content);
  rdp::SegmentList segments;
  rdp::reference::segment_filtered(view, parameters, &segments);
  std::vector<std::uint8_t> picture(static_cast<std::size_t>(shape.width) * shape.height * 4, 0x5A);
  const rdp::RgbaView target{reinterpret_cast<std::byte*>(picture.data()), shape.width * 4,
                             shape.width, shape.height};
  rdp::paint_overlay(view, segments, parameters,
                     rdp::overlay_look(view, segments, parameters, options), 0, shape.width,
                     target);
  return picture;
}

CHECK_TEST(test_pictures) {
  for (const Shape& shape :
       {Shape{}, Shape{GST_VIDEO_FORMAT_GRAY8, 1, 1}, Shape{GST_VIDEO_FORMAT_GRAY8, 131, 37},
        Shape{GST_VIDEO_FORMAT_GRAY16_LE, 33, 21, 8, 100}}) {
    BothPads pads(shape);
    g_autoptr(GstPad) pad = gst_element_get_static_pad(pads.main->element, "overlay");
    unsigned number = 0;
    for (auto style :
         {rdp::OverlayStyle::kSegments, rdp::OverlayStyle::kDepth, rdp::OverlayStyle::kEdges}) {
      g_object_set(pad, "style", static_cast<int>(style), "palette-min", number * 10.0,
                   "palette-max", number * 5000.0, nullptr);
      fail_unless_equals_int(pads.push(number), GST_FLOW_OK);
      GstBuffer* picture = gst_harness_pull(pads.overlay);
      GstBuffer* frame = gst_harness_pull(pads.main);
      const rdp::OverlayOptions options{style, number * 10.0, number * 5000.0};
      fail_unless(frames::bytes(picture) == expected_picture(shape, options));
      fail_unless_equals_uint64(GST_BUFFER_PTS(picture), GST_BUFFER_PTS(frame));
      fail_unless_equals_uint64(GST_BUFFER_DURATION(picture), GST_BUFFER_DURATION(frame));
      gst_buffer_unref(picture);
      gst_buffer_unref(frame);
      number++;
    }
  }
}

// The next picture of an appsink, as bytes.
static std::vector<std::uint8_t> pull_picture(GstElement* pipeline, const char* name) {
  GstElement* sink = gst_bin_get_by_name(GST_BIN(pipeline), name);
  GstSample* sample = nullptr;
  g_signal_emit_by_name(sink, "try-pull-sample", 10 * GST_SECOND, &sample);
  fail_unless(sample != nullptr, "no picture from %s", name);
  const std::vector<std::uint8_t> bytes = frames::bytes(gst_sample_get_buffer(sample));
  gst_sample_unref(sample);
  gst_object_unref(sink);
  return bytes;
}

// The overlay on a camera's picture: the camera's pixel where the overlay is transparent, else the
// overlay.
CHECK_TEST(test_lies_on_a_picture) {
  GError* error = nullptr;
  g_autoptr(GstElement) pipeline = gst_parse_launch(
      "compositor name=mix ! video/x-raw,format=RGBA ! appsink name=mixed sync=false "
      "videotestsrc num-buffers=1 pattern=solid-color foreground-color=0xFF204060 ! "
      "video/x-raw,format=RGBA,width=64,height=48,framerate=30/1 ! mix.sink_0 "
      "depthtestsrc num-buffers=1 unknown-ratio=0.4 ! "
      "video/x-raw,format=GRAY16_LE,width=64,height=48 ! rdpsegment name=s max-gap=1 "
      "s.overlay ! tee name=t t. ! queue ! mix.sink_1 t. ! queue ! appsink name=alone sync=false "
      "s.src ! fakesink sync=false",
      &error);
  fail_unless(error == nullptr, "%s", error != nullptr ? error->message : "");
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  const std::vector<std::uint8_t> alone = pull_picture(pipeline, "alone");
  const std::vector<std::uint8_t> mixed = pull_picture(pipeline, "mixed");
  fail_unless_equals_int(alone.size(), mixed.size());
  guint counts[2] = {};
  for (std::size_t i = 0; i < alone.size(); i += 4) {
    const bool known = alone[i + 3] != 0;
    const std::uint8_t background[] = {0x20, 0x40, 0x60};
    for (std::size_t c = 0; c < 3; ++c) {
      fail_unless_equals_int(mixed[i + c], known ? alone[i + c] : background[c]);
    }
    ++counts[known ? 1 : 0];
  }
  fail_unless(counts[0] > 100 && counts[1] > 100, "%u unknown, %u known", counts[0], counts[1]);
  gst_element_set_state(pipeline, GST_STATE_NULL);
}

// The frame's metas that do not describe its samples are on its picture, too.
CHECK_TEST(test_picture_has_the_frames_metas) {
  BothPads pads;
  g_autoptr(GstCaps) reference = gst_caps_new_empty_simple("timestamp/x-ntp");
  GstBuffer* frame = frames::make({});
  gst_buffer_add_reference_timestamp_meta(frame, reference, 12345, GST_CLOCK_TIME_NONE);
  fail_unless_equals_int(gst_harness_push(pads.main, frame), GST_FLOW_OK);
  g_autoptr(GstBuffer) picture = gst_harness_pull(pads.overlay);
  const GstReferenceTimestampMeta* meta =
      gst_buffer_get_reference_timestamp_meta(picture, reference);
  fail_unless(meta != nullptr && meta->timestamp == 12345);
  fail_unless(gst_buffer_get_rdp_segment_meta(picture) == nullptr);
}

// The picture shows the input frame, also if src carries the reconstruction.
CHECK_TEST(test_picture_with_reconstruct) {
  BothPads pads;
  g_object_set(pads.main->element, "output", 1, "epsilon", 500.0, nullptr);
  GstPad* pad = gst_element_get_static_pad(pads.main->element, "overlay");
  g_object_set(pad, "style", 1, nullptr);
  gst_object_unref(pad);
  pads.push(0);
  GstBuffer* picture = gst_harness_pull(pads.overlay);
  rdp::Parameters parameters;
  parameters.epsilon = 500;
  fail_unless(frames::bytes(picture) ==
              expected_picture({}, {rdp::OverlayStyle::kDepth, 0, 0}, parameters));
  gst_buffer_unref(picture);
  g_autoptr(GstBuffer) original = frames::make({});
  g_autoptr(GstBuffer) output = gst_harness_pull(pads.main);
  fail_unless(frames::bytes(output) != frames::bytes(original), "src was not reconstructed");
}

// The pad's properties on a launch line, before the pad exists.
CHECK_TEST(test_child_proxy) {
  GError* error = nullptr;
  g_autoptr(GstElement) pipeline = gst_parse_launch(
      "rdpsegment name=s overlay::style=depth overlay::palette-max=7 s.overlay ! fakesink "
      "videotestsrc ! s.sink s.src ! fakesink",
      &error);
  fail_unless(error == nullptr, "%s", error != nullptr ? error->message : "");
  g_autoptr(GstElement) element = gst_bin_get_by_name(GST_BIN(pipeline), "s");
  gint style = 0;
  gdouble max = 0;
  gst_child_proxy_get(GST_CHILD_PROXY(element), "overlay::style", &style, "overlay::palette-max",
                      &max, nullptr);
  fail_unless_equals_int(style, static_cast<int>(rdp::OverlayStyle::kDepth));
  fail_unless_equals_float(max, 7);
}

// Downstream may offer the same pool whenever it is asked.
CHECK_TEST(test_same_pool_again) {
  BothPads pads;
  g_autoptr(GstBufferPool) pool = gst_video_buffer_pool_new();
  gst_pad_add_probe(
      pads.overlay->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      [](GstPad*, GstPadProbeInfo* info, gpointer user_data) -> GstPadProbeReturn {
        GstQuery* query = GST_PAD_PROBE_INFO_QUERY(info);
        if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return GST_PAD_PROBE_OK;
        gst_query_add_allocation_pool(query, static_cast<GstBufferPool*>(user_data), 64 * 48 * 4, 2,
                                      0);
        return GST_PAD_PROBE_HANDLED;
      },
      pool, nullptr);
  g_autoptr(GstPad) pad = gst_element_get_static_pad(pads.main->element, "overlay");
  for (unsigned number = 0; number < 5; ++number) {
    gst_pad_mark_reconfigure(pad);
    fail_unless_equals_int(pads.push(number), GST_FLOW_OK);
    g_autoptr(GstBuffer) picture = gst_harness_pull(pads.overlay);
    fail_unless(picture != nullptr, "no picture %u", number);
    fail_unless(picture->pool == pool);
  }
}

CHECK_TEST(test_not_negotiated) {
  BothPads pads({}, "video/x-raw,format=RGBA,width=32,height=32");
  fail_unless_equals_int(pads.push(0), GST_FLOW_NOT_NEGOTIATED);
  frames::check_error(pads.bus, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION, "videoscale");
}

// In steady state the pictures come from a pool: the same few buffers again and again.
CHECK_TEST(test_pictures_are_recycled) {
  BothPads pads;
  GstBuffer* seen = nullptr;
  for (unsigned number = 0; number < 20; ++number) {
    fail_unless_equals_int(pads.push(number), GST_FLOW_OK);
    g_autoptr(GstBuffer) picture = gst_harness_pull(pads.overlay);
    fail_unless(picture->pool != nullptr);
    fail_unless(seen == nullptr || picture == seen, "a new buffer for picture %u", number);
    seen = picture;
    gst_buffer_unref(gst_harness_pull(pads.main));
  }
}

// Downstream's pool and strides are used.
CHECK_TEST(test_downstream_pool) {
  BothPads pads;
  GstVideoInfo info;
  gst_video_info_set_format(&info, GST_VIDEO_FORMAT_RGBA, 64, 48);
  gst_harness_add_propose_allocation_meta(pads.overlay, GST_VIDEO_META_API_TYPE, nullptr);
  GstAllocationParams params;
  gst_allocation_params_init(&params);
  params.align = 255;
  gst_harness_set_propose_allocator(pads.overlay, nullptr, &params);
  GstPad* pad = gst_element_get_static_pad(pads.main->element, "overlay");
  gst_pad_mark_reconfigure(pad);
  gst_object_unref(pad);
  fail_unless_equals_int(pads.push(0), GST_FLOW_OK);
  g_autoptr(GstBuffer) picture = gst_harness_pull(pads.overlay);
  GstMapInfo map;
  fail_unless(gst_buffer_map(picture, &map, GST_MAP_READ));
  fail_unless_equals_uint64(reinterpret_cast<guintptr>(map.data) & 255, 0);
  gst_buffer_unmap(picture, &map);
  fail_unless(frames::bytes(picture) == expected_picture({}, {}));
}

CHECK_CASE(rdpsegment_overlay)
