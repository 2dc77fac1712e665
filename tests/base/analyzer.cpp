// SPDX-License-Identifier: LGPL-2.1-or-later
// Tests the base of analysing elements with a complete element (count_known.h) and with variants
// that use its other features (analyzer_variants.h). The same on the GPU: analyzer_cuda.cpp.
#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include "common/gpu_error.h"
#include "tests/base/analyzer_variants.h"
#include "tests/base/known_counts.h"
#include "tests/support/await.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/mixed_frames.h"

using frames::Rig;
using frames::Shape;
using rdp::test::await;
using variants::history;
using variants::script;

namespace {

constexpr Shape kShape{GST_VIDEO_FORMAT_GRAY8, 8, 4};

// A scripted variant with caps.
struct Variant : Rig {
  explicit Variant(const char* factory, const char* overlay_caps = nullptr,
                   const std::string& caps = frames::caps_string(kShape))
      : Rig("cpu", overlay_caps, factory) {
    variants::start_anew();
    if (!caps.empty()) gst_harness_set_src_caps_str(main, caps.c_str());
  }
  GstFlowReturn push(unsigned number = 0) {
    return gst_harness_push(main, frames::make(kShape, 1, number));
  }
  // The steps since the last call.
  std::string happened() { return std::exchange(history, ""); }
  void check(const char* expected) {
    const std::string came = happened();
    fail_unless(came == expected, "%s", came.c_str());
  }
};

std::string text_of(GstMessage* message) { return rdp::test::text_of(message).both(); }

// The text of the only message of this type, or "".
std::string only_message(GstBus* bus, GstMessageType type) {
  GstMessage* message = gst_bus_pop_filtered(bus, type);
  if (message == nullptr) return "";
  const std::string text = text_of(message);
  gst_message_unref(message);
  fail_unless(gst_bus_pop_filtered(bus, type) == nullptr, "a second message after: %s",
              text.c_str());
  return text;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// Blocks an overlay's branch: buffers that come to its sink stay there.
struct Block {
  explicit Block(GstHarness* harness) : pad(harness->sinkpad) {
    id = gst_pad_add_probe(
        pad, static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER),
        [](GstPad*, GstPadProbeInfo*, gpointer) { return GST_PAD_PROBE_OK; }, nullptr, nullptr);
  }
  GstPad* pad;
  gulong id;
};

}  // namespace

// --- the complete element -----------------------------------------------------------------------

CHECK_TEST(test_counts) {
  for (const Shape& shape :
       {Shape{}, Shape{GST_VIDEO_FORMAT_GRAY8, 31, 33}, Shape{GST_VIDEO_FORMAT_GRAY16_LE, 1, 1},
        Shape{GST_VIDEO_FORMAT_GRAY16_LE, 33, 20, 6, 80}}) {
    Rig rig("cpu", "video/x-raw", "countknown");
    const guint least = shape.format == GST_VIDEO_FORMAT_GRAY8 ? 60 : 9000;
    g_object_set(rig.element, "min-value", least, "max-value", 3 * least, nullptr);
    gst_harness_set_src_caps(rig.main, frames::caps(shape));
    GstBuffer* input = frames::make(shape, 3);
    const std::vector<std::uint8_t> before = frames::bytes(input);
    GstBuffer* output = gst_harness_push_and_pull(rig.main, input);
    fail_unless(frames::bytes(output) == before);
    const known_counts::Expected expected(shape, 3, {least, 3 * least});
    known_counts::check(output, expected);
    GstBuffer* copy = gst_buffer_copy(output);
    known_counts::check(copy, expected);
    gst_buffer_unref(copy);
    GstBuffer* picture = gst_harness_pull(rig.overlay);
    fail_unless(frames::pixels(picture, shape) == expected.picture());
    gst_buffer_unref(picture);
    gst_buffer_unref(output);
    GstStructure* stats = nullptr;
    g_object_get(rig.element, "stats", &stats, nullptr);
    guint64 n_frames = 0;
    guint64 known = 0;
    gst_structure_get(stats, "frames", G_TYPE_UINT64, &n_frames, "known", G_TYPE_UINT64, &known,
                      nullptr);
    fail_unless_equals_string(gst_structure_get_string(stats, "backend"), "cpu");
    gst_structure_free(stats);
    fail_unless_equals_uint64(n_frames, 1);
    fail_unless_equals_uint64(known, expected.total());
  }
}

// Frames with old counts get new ones; buffers that share the frame keep the old counts.
CHECK_TEST(test_counted_twice) {
  Rig rig("cpu", nullptr, "countknown");
  gst_harness_set_src_caps(rig.main, frames::caps({}));
  g_autoptr(GstBuffer) before = gst_harness_push_and_pull(rig.main, frames::make({}, 3));
  g_object_set(rig.element, "min-value", 20000U, nullptr);
  g_autoptr(GstBuffer) after = gst_harness_push_and_pull(rig.main, gst_buffer_copy(before));
  known_counts::check(before, known_counts::Expected({}, 3, {1, 65535}));
  known_counts::check(after, known_counts::Expected({}, 3, {20000, 65535}));
}

// --- the order of steps -------------------------------------------------------------------------

CHECK_TEST(test_steps) {
  Variant variant("variantvideo", "video/x-raw");
  variant.check(" new-caps");
  fail_unless_equals_int(variant.push(), GST_FLOW_OK);
  variant.check(" analyze paint finish attach:1");
  // The picture shows the frame as it arrived; the element writes to it only afterwards.
  g_autoptr(GstBuffer) frame = gst_harness_pull(variant.main);
  const std::vector<std::uint8_t> came = frames::bytes(frame);
  GstBuffer* picture = gst_harness_pull(variant.overlay);
  fail_unless(frames::pixels(picture, kShape)[0] == came[0]);
  gst_buffer_unref(picture);
  script.writes = true;
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(variant.main, gst_buffer_ref(frame));
  variant.check(" analyze paint write_back finish attach:1");
  fail_unless(frames::bytes(frame) == came, "others hold this buffer");
  std::vector<std::uint8_t> written = came;
  written[0] = 7;
  fail_unless(written != came);
  fail_unless(frames::bytes(output) == written);
  fail_unless_equals_uint64(GST_BUFFER_OFFSET(output), came[0]);
  picture = gst_harness_pull(variant.overlay);
  fail_unless(frames::pixels(picture, kShape)[0] == came[0]);
  gst_buffer_unref(picture);
}

// The result does not fit, twice: the steps repeat.
CHECK_TEST(test_steps_again) {
  Variant variant("variantvideo");
  variant.happened();
  script.repeats = 2;
  fail_unless_equals_int(variant.push(), GST_FLOW_OK);
  variant.check(" analyze finish analyze finish analyze finish attach:1");
  fail_unless_equals_int(variant.push(), GST_FLOW_OK);
  variant.check(" analyze finish attach:1");
}

CHECK_TEST(test_resets) {
  Variant variant("variantvideo");
  variant.happened();
  variant.push(0);
  variant.push(1);
  fail_unless(!contains(variant.happened(), "discontinuity"));
  GstBuffer* buffer = frames::make(kShape, 1, 2);
  GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
  gst_harness_push(variant.main, buffer);
  variant.check(" discontinuity analyze finish attach:1");
  gst_harness_push_event(variant.main, gst_event_new_flush_start());
  gst_harness_push_event(variant.main, gst_event_new_flush_stop(TRUE));
  variant.check(" flush");
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(variant.main, gst_event_new_segment(&segment));
  const Shape larger{GST_VIDEO_FORMAT_GRAY8, 12, 4};
  gst_harness_set_src_caps(variant.main, frames::caps(larger));
  variant.check(" new-caps");
  fail_unless_equals_int(gst_harness_push(variant.main, frames::make(larger)), GST_FLOW_OK);
}

// --- errors -------------------------------------------------------------------------------------

// Each exception in each step becomes one error. Frames before and after are intact, and the
// element can restart.
CHECK_TEST(test_exceptions) {
  const struct {
    std::function<void()> thrown;
    const char* text;
    GstResourceError code;
  } cases[] = {
      {[] { throw std::bad_alloc(); }, "Not enough memory to vary a frame.",
       GST_RESOURCE_ERROR_NO_SPACE_LEFT},
      {[] { throw rdp::GpuError("lost its fan"); }, "The GPU engine failed: lost its fan.",
       GST_RESOURCE_ERROR_FAILED},
      {[] { throw std::runtime_error("no idea"); }, "A frame could not be varied: no idea.",
       GST_RESOURCE_ERROR_FAILED},
  };
  for (const auto& each : cases) {
    for (const char* bad : {"analyze", "paint", "write_back", "finish"}) {
      Variant variant("variantvideo", "video/x-raw");
      script.writes = true;
      fail_unless_equals_int(variant.push(), GST_FLOW_OK);
      script.at = [&](const std::string& step) {
        if (step == bad) each.thrown();
      };
      fail_unless_equals_int(variant.push(), GST_FLOW_ERROR);
      frames::check_error(variant.bus, GST_RESOURCE_ERROR, each.code, each.text);
      fail_unless(gst_bus_pop_filtered(variant.bus, GST_MESSAGE_ERROR) == nullptr);
      script.at = nullptr;
      fail_unless_equals_int(variant.push(), GST_FLOW_OK);
      gst_element_set_state(variant.element, GST_STATE_NULL);
      gst_element_set_state(variant.element, GST_STATE_PLAYING);
      gst_harness_push_event(variant.main, gst_event_new_stream_start("again"));
      GstCaps* caps = frames::caps(kShape);
      gst_harness_push_event(variant.main, gst_event_new_caps(caps));
      gst_caps_unref(caps);
      GstSegment segment;
      gst_segment_init(&segment, GST_FORMAT_TIME);
      gst_harness_push_event(variant.main, gst_event_new_segment(&segment));
      fail_unless_equals_int(variant.push(), GST_FLOW_OK);
      fail_unless_equals_int(gst_harness_buffers_received(variant.main), 3);
    }
  }
}

// Frames that are not one progressive picture each.
CHECK_TEST(test_mixed_frames) {
  for (const auto& each : frames::kMixedFrames) {
    for (const char* factory : {"countknown", "variantlabels"}) {
      variants::start_anew();
      Rig rig("cpu", nullptr, factory);
      gst_harness_set_src_caps_str(rig.main,
                                   (frames::caps_string(kShape) + "," + each.fields).c_str());
      const GstFlowReturn flow = gst_harness_push(rig.main, frames::make(kShape));
      if (each.remedy == nullptr) {
        fail_unless_equals_int(flow, GST_FLOW_OK);
        continue;
      }
      fail_unless_equals_int(flow, GST_FLOW_NOT_NEGOTIATED);
      const std::string text = only_message(rig.bus, GST_MESSAGE_ERROR);
      fail_unless(contains(text, each.fields) && contains(text, each.remedy), "%s", text.c_str());
    }
  }
}

// --- frames of its own --------------------------------------------------------------------------

CHECK_TEST(test_labels) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 33, 20};
  Variant variant("variantlabels", nullptr, frames::caps_string(shape));
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE}) {
    const Shape labels{format, shape.width, shape.height};
    // Downstream changes the format in mid-stream.
    if (format != GST_VIDEO_FORMAT_GRAY8) {
      gst_harness_set_sink_caps_str(variant.main, "video/x-raw,format=GRAY16_LE");
      gst_pad_push_event(variant.main->sinkpad, gst_event_new_reconfigure());
    }
    g_autoptr(GstBuffer) input = frames::make(shape, 5, 3);
    const std::vector<std::uint8_t> came = frames::bytes(input);
    const rdp::DepthView samples = frames::view(shape, came);
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(variant.main, gst_buffer_ref(input));
    fail_unless(output != nullptr);
    fail_unless(output != input);
    fail_unless(frames::bytes(input) == came);
    fail_unless_equals_uint64(GST_BUFFER_PTS(output), GST_BUFFER_PTS(input));
    // The results are on the output buffer.
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(output), samples.at(0, 0));
    fail_unless(GST_BUFFER_OFFSET(input) != GST_BUFFER_OFFSET(output));
    const std::vector<std::uint8_t> made = frames::bytes(output);
    const rdp::DepthView label = frames::view(labels, made);
    for (int row = 0; row < shape.height; ++row) {
      for (int column = 0; column < shape.width; ++column) {
        fail_unless_equals_int(label.at(row, column), samples.at(row, column) & 0xFF);
      }
    }
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(variant.main->sinkpad);
    g_autoptr(GstCaps) expected = frames::caps(labels);
    fail_unless(gst_caps_can_intersect(caps, expected));
  }
}

// Output buffers are recycled by the element's pool, or by downstream's pool if it offers one.
CHECK_TEST(test_labels_pool) {
  Variant variant("variantlabels");
  GstMemory* memory = nullptr;
  for (unsigned number = 0; number < 4; ++number) {
    g_autoptr(GstBuffer) output =
        gst_harness_push_and_pull(variant.main, frames::make(kShape, 1, number));
    fail_unless(output->pool != nullptr);
    if (memory == nullptr) memory = gst_buffer_peek_memory(output, 0);
    fail_unless(gst_buffer_peek_memory(output, 0) == memory);
  }
  Variant other("variantlabels", nullptr, "");
  g_autoptr(GstBufferPool) pool = gst_video_buffer_pool_new();
  GstPad* sink = other.main->sinkpad;
  gst_pad_add_probe(
      sink, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      [](GstPad*, GstPadProbeInfo* info, gpointer offered) {
        GstQuery* query = GST_PAD_PROBE_INFO_QUERY(info);
        if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return GST_PAD_PROBE_OK;
        gst_query_add_allocation_pool(query, GST_BUFFER_POOL(offered), 8 * 4, 2, 5);
        return GST_PAD_PROBE_HANDLED;
      },
      pool, nullptr);
  gst_harness_set_src_caps(other.main, frames::caps(kShape));
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(other.main, frames::make(kShape));
  fail_unless(output->pool == pool);
}

// A caps query on one side returns the sizes that the peer of the other side accepts.
CHECK_TEST(test_labels_caps_queries) {
  Variant variant("variantlabels", nullptr, "");
  gst_harness_set_sink_caps_str(variant.main, "video/x-raw,format=GRAY8,width=[16,64]");
  GstPad* sink = gst_element_get_static_pad(variant.element, "sink");
  GstCaps* caps = gst_pad_query_caps(sink, nullptr);
  const struct {
    const char* caps;
    bool taken;
  } cases[] = {{"video/x-raw,format=GRAY16_LE,width=32,height=9", true},
               {"video/x-raw,format=GRAY8,width=32,height=9", true},
               {"video/x-raw,format=GRAY8,width=8,height=9", false},
               {"video/x-raw,format=RGB,width=32,height=9", false}};
  for (const auto& each : cases) {
    g_autoptr(GstCaps) wanted = gst_caps_from_string(each.caps);
    fail_unless(gst_caps_can_intersect(caps, wanted) == each.taken, "%s", each.caps);
  }
  gst_caps_unref(caps);
  gst_object_unref(sink);
  Variant before("variantlabels", nullptr, "video/x-raw,format=GRAY16_LE,width=32,height=9");
  g_autoptr(GstPad) src = gst_element_get_static_pad(before.element, "src");
  caps = gst_pad_query_caps(src, nullptr);
  g_autoptr(GstCaps) all = gst_caps_from_string("video/x-raw,format={GRAY8,GRAY16_LE}");
  fail_unless(gst_caps_is_subset(caps, all) && !gst_caps_is_empty(caps));
  gst_caps_unref(caps);
}

CHECK_TEST(test_labels_refused) {
  Variant variant("variantlabels", nullptr, "");
  gst_harness_set_src_caps(variant.main, frames::caps(kShape));
  fail_unless_equals_int(variant.push(), GST_FLOW_OK);
  gst_harness_set_sink_caps_str(variant.main, "video/x-raw,format=RGB");
  gst_pad_push_event(variant.main->sinkpad, gst_event_new_reconfigure());
  fail_unless_equals_int(variant.push(), GST_FLOW_NOT_NEGOTIATED);
  const std::string text = only_message(variant.bus, GST_MESSAGE_ERROR);
  fail_unless(contains(text, "does not accept its output caps"), "%s", text.c_str());
}

// --- what is no video ---------------------------------------------------------------------------

CHECK_TEST(test_points) {
  Variant variant("variantpoints", nullptr, "application/x-points,format=(string)XYZ32F");
  const std::string points(36, 'p');
  for (const bool writes : {false, true}) {
    script.writes = writes;
    GstBuffer* input = gst_buffer_new_memdup(points.data(), points.size());
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(variant.main, input);
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(output), 'p');
    const std::vector<std::uint8_t> bytes = frames::bytes(output);
    fail_unless_equals_int(bytes.size(), points.size());
    fail_unless_equals_int(bytes[0], writes ? 7 : 'p');
    fail_unless_equals_int(bytes[1], 'p');
  }
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(variant.main, gst_buffer_new());
  fail_unless_equals_uint64(GST_BUFFER_OFFSET(output), 0);
}

// Errors speak of points, not of video.
CHECK_TEST(test_points_refused) {
  for (const char* caps :
       {"application/x-points,format=(string)XYZ64F", "video/x-raw,format=GRAY8"}) {
    Variant variant("variantpoints", nullptr, caps);
    fail_unless_equals_int(gst_harness_push(variant.main, gst_buffer_new()),
                           GST_FLOW_NOT_NEGOTIATED);
    const std::string text = only_message(variant.bus, GST_MESSAGE_ERROR);
    fail_unless(contains(text, "takes application/x-points in system memory, format XYZ32F"), "%s",
                text.c_str());
  }
  Variant variant("variantpoints", nullptr, "");
  gst_harness_push_event(variant.main, gst_event_new_stream_start("nothing"));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(variant.main, gst_event_new_segment(&segment));
  fail_unless_equals_int(gst_harness_push(variant.main, gst_buffer_new()), GST_FLOW_NOT_NEGOTIATED);
  const std::string text = only_message(variant.bus, GST_MESSAGE_ERROR);
  fail_unless(contains(text, "expected caps like application/x-points"), "%s", text.c_str());
}

// --- the overlay --------------------------------------------------------------------------------

// With the overlay pad unlinked or absent, frames go on and nothing is painted.
CHECK_TEST(test_overlay_not_linked) {
  Variant variant("variantvideo");
  GstPad* overlay = gst_element_request_pad_simple(variant.element, "overlay");
  variant.happened();
  fail_unless_equals_int(variant.push(), GST_FLOW_OK);
  variant.check(" analyze finish attach:1");
  // A second overlay pad is refused, and the warning recommends a tee.
  GstPadTemplate* templ = gst_element_get_pad_template(variant.element, "overlay");
  fail_unless(gst_element_request_pad(variant.element, templ, nullptr, nullptr) == nullptr);
  fail_unless(contains(only_message(variant.bus, GST_MESSAGE_WARNING), "tee"));
  gst_element_release_request_pad(variant.element, overlay);
  gst_object_unref(overlay);
  fail_unless_equals_int(variant.push(1), GST_FLOW_OK);
}

// A blocked sink holds one picture and one more waits; the third would block the main path. Going
// to NULL releases it.
CHECK_TEST(test_overlay_blocked) {
  for (const char* factory : {"variantvideo", "countknown"}) {
    Variant variant(factory, "video/x-raw", "");
    gst_harness_set_src_caps(variant.main, frames::caps(kShape));
    const Block block(variant.overlay);
    fail_unless_equals_int(variant.push(0), GST_FLOW_OK);
    fail_unless_equals_int(variant.push(1), GST_FLOW_OK);
    GThread* third = g_thread_new(
        "third",
        [](gpointer data) -> gpointer {
          static_cast<Variant*>(data)->push(2);
          return nullptr;
        },
        &variant);
    g_usleep(20000);
    fail_unless_equals_int(gst_harness_buffers_received(variant.main), 2);
    gst_element_set_state(variant.element, GST_STATE_NULL);
    g_thread_join(third);
    fail_unless(gst_bus_pop_filtered(variant.bus, GST_MESSAGE_ERROR) == nullptr);
    gst_pad_remove_probe(block.pad, block.id);
  }
}

// In a live pipeline a blocked overlay never blocks the main path, for any element.
CHECK_TEST(test_overlay_blocked_live) {
  for (const char* factory : {"variantvideo", "countknown"}) {
    Variant variant(factory, "video/x-raw", "");
    gst_harness_set_live(variant.main, TRUE);
    gst_harness_set_src_caps(variant.main, frames::caps(kShape));
    const Block block(variant.overlay);
    for (unsigned number = 0; number < 20; ++number) {
      fail_unless_equals_int(variant.push(number), GST_FLOW_OK);
    }
    fail_unless_equals_int(gst_harness_buffers_received(variant.main), 20);
    GstStructure* stats = nullptr;
    g_object_get(variant.element, "stats", &stats, nullptr);
    guint64 dropped = 0;
    fail_unless(gst_structure_get_uint64(stats, "pictures-dropped", &dropped));
    // One picture waits, and one is being pushed if the pad's thread was in time.
    fail_unless(dropped == 18 || dropped == 19, "%d", static_cast<int>(dropped));
    gst_structure_free(stats);
    gst_element_set_state(variant.element, GST_STATE_NULL);
    gst_pad_remove_probe(block.pad, block.id);
  }
}

// Every sink of a pipeline sends the same seek; upstream sees it once.
CHECK_TEST(test_seeks) {
  Variant variant("variantvideo", "video/x-raw");
  variant.push();
  const auto seek = [](GstHarness* harness, gint64 to) {
    static GstEvent* last = nullptr;
    static gint64 last_to = -1;
    if (to != last_to) {
      gst_event_replace(&last, nullptr);
      last = gst_event_new_seek(1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, to,
                                GST_SEEK_TYPE_NONE, 0);
      last_to = to;
    }
    fail_unless(gst_harness_push_upstream_event(harness, gst_event_ref(last)));
  };
  const guint before = gst_harness_upstream_events_received(variant.main);
  seek(variant.overlay, 1);
  seek(variant.main, 1);
  fail_unless_equals_int(gst_harness_upstream_events_received(variant.main), before + 1);
  seek(variant.main, 2);
  seek(variant.overlay, 2);
  fail_unless_equals_int(gst_harness_upstream_events_received(variant.main), before + 2);
  seek(variant.main, 2);  // an application that loops
  fail_unless_equals_int(gst_harness_upstream_events_received(variant.main), before + 3);
}

static void register_elements() {
  GST_ELEMENT_REGISTER(countknown, nullptr);
  variants::register_all();
}

CHECK_CASE(analyzer, .before = register_elements)
