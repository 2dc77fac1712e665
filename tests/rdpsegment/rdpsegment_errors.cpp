// SPDX-License-Identifier: LGPL-2.1-or-later
// What bad input gets from rdpsegment: an error that names what was expected and what came.
#include <cmath>
#include <cstring>
#include <string>

#include "tests/support/frames.h"
#include "tests/support/mixed_frames.h"

using frames::Shape;

struct Broken {
  Broken() {
    harness = gst_harness_new("rdpsegment");
    bus = frames::attach_bus(harness->element);
  }
  ~Broken() {
    frames::detach_bus(harness->element, bus);
    gst_harness_teardown(harness);
  }
  Broken(const Broken&) = delete;

  GstHarness* harness;
  GstBus* bus;
};

GST_START_TEST(test_refused_caps) {
  for (const char* caps :
       {"video/x-raw,format=RGB,width=64,height=48,framerate=30/1",
        "video/x-raw,format=GRAY16_BE,width=64,height=48,framerate=30/1",
        "video/x-raw,format=GRAY8,width=16385,height=48,framerate=30/1",
        "video/x-raw(memory:GLMemory),format=GRAY8,width=64,height=48,framerate=30/1",
        "audio/x-raw,rate=48000"}) {
    Broken broken;
    gst_harness_set_src_caps_str(broken.harness, caps);
    fail_unless_equals_int(gst_harness_push(broken.harness, frames::make({})),
                           GST_FLOW_NOT_NEGOTIATED);
    frames::check_error(broken.bus, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION, "GRAY16_LE");
  }
}
GST_END_TEST

// Frames that are not one progressive picture each; each view by itself is.
GST_START_TEST(test_mixed_frames) {
  for (const auto& each : frames::kMixedFrames) {
    Broken broken;
    gst_harness_set_src_caps_str(broken.harness,
                                 (frames::caps_string({}) + "," + each.fields).c_str());
    const bool taken = each.remedy == nullptr;
    fail_unless_equals_int(gst_harness_push(broken.harness, frames::make({})),
                           taken ? GST_FLOW_OK : GST_FLOW_NOT_NEGOTIATED);
    if (taken) continue;
    // The message names what came, and then what to do.
    GstMessage* message = frames::wait_message(broken.bus, GST_MESSAGE_ERROR);
    fail_unless(message != nullptr);
    GError* error = nullptr;
    gchar* debug = nullptr;
    gst_message_parse_error(message, &error, &debug);
    fail_unless(g_error_matches(error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION));
    fail_unless(std::strstr(error->message, each.fields) != nullptr, "%s", error->message);
    fail_unless(std::strstr(debug, each.remedy) != nullptr, "%s", debug);
    g_error_free(error);
    g_free(debug);
    gst_message_unref(message);
  }
}
GST_END_TEST

GST_START_TEST(test_refused_downstream) {
  Broken broken;
  gst_harness_set_sink_caps_str(broken.harness, "video/x-raw,format=GRAY8");
  gst_harness_set_src_caps(broken.harness, frames::caps({}));
  fail_unless_equals_int(gst_harness_push(broken.harness, frames::make({})),
                         GST_FLOW_NOT_NEGOTIATED);
  frames::check_error(broken.bus, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION, "downstream takes");
}
GST_END_TEST

GST_START_TEST(test_no_caps) {
  Broken broken;
  gst_harness_push_event(broken.harness, gst_event_new_stream_start("nothing"));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(broken.harness, gst_event_new_segment(&segment));
  fail_unless_equals_int(gst_harness_push(broken.harness, frames::make({})),
                         GST_FLOW_NOT_NEGOTIATED);
  frames::check_error(broken.bus, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION, "before its caps");
}
GST_END_TEST

// Buffers that are too small for their caps, down to nothing at all. After each the element takes
// good frames again.
GST_START_TEST(test_small_buffers) {
  const Shape shape;
  const gsize full = 64 * 48 * 2;
  for (gsize size : {gsize{0}, gsize{1}, full / 2, full - 1}) {
    Broken broken;
    gst_harness_set_src_caps(broken.harness, frames::caps(shape));
    GstBuffer* buffer =
        size == 0 ? gst_buffer_new() : gst_buffer_new_memdup(std::string(size, 'x').data(), size);
    fail_unless_equals_int(gst_harness_push(broken.harness, buffer), GST_FLOW_ERROR);
    frames::check_error(broken.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "6144 bytes");
    fail_unless_equals_int(gst_harness_push(broken.harness, frames::make(shape)), GST_FLOW_OK);
    fail_unless_equals_int(gst_harness_buffers_received(broken.harness), 1);
  }
}
GST_END_TEST

// A GstVideoMeta that lies.
GST_START_TEST(test_bad_video_meta) {
  struct Case {
    GstVideoFormat format;
    guint width;
    guint height;
    gsize offset;
    gint stride;
    const char* reason;
  };
  const gsize huge = ~gsize{0} - 10;
  for (const Case& bad : {
           Case{GST_VIDEO_FORMAT_GRAY8, 64, 48, 0, 128, "GstVideoMeta says 64x48 GRAY8"},
           Case{GST_VIDEO_FORMAT_UNKNOWN, 64, 48, 0, 128, "says 64x48 (unknown format)"},
           Case{GST_VIDEO_FORMAT_GRAY16_LE, 65, 48, 0, 130, "GstVideoMeta says 65x48"},
           Case{GST_VIDEO_FORMAT_GRAY16_LE, 64, 47, 0, 128, "GstVideoMeta says 64x47"},
           Case{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, 127, "stride of 127"},
           Case{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, 0, "stride of 0"},
           Case{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, -128, "stride of -128"},
           Case{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, 129, "but the buffer has 6144"},
           Case{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 1, 128, "at offset 1"},
           Case{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, huge, 128, "at offset"},
           Case{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 0, G_MAXINT, "but the buffer has 6144"},
       }) {
    Broken broken;
    gst_harness_set_src_caps(broken.harness, frames::caps({}));
    GstBuffer* buffer = frames::make({});
    gsize offsets[GST_VIDEO_MAX_PLANES] = {0};
    gint strides[GST_VIDEO_MAX_PLANES] = {bad.stride};
    GstVideoMeta* meta = gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, bad.format, bad.width, bad.height, 1, offsets, strides);
    meta->offset[0] = bad.offset;
    fail_unless_equals_int(gst_harness_push(broken.harness, buffer), GST_FLOW_ERROR);
    frames::check_error(broken.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, bad.reason);
  }
}
GST_END_TEST

// An allocator whose memory cannot be mapped.
typedef GstAllocator LockedAllocator;
typedef GstAllocatorClass LockedAllocatorClass;
G_DEFINE_TYPE(LockedAllocator, locked_allocator, GST_TYPE_ALLOCATOR)

static void locked_allocator_class_init(LockedAllocatorClass* klass) {
  klass->free = [](GstAllocator*, GstMemory* memory) { g_free(memory); };
}

static void locked_allocator_init(LockedAllocator* self) {
  self->mem_type = "LockedMemory";
  self->mem_map = [](GstMemory*, gsize, GstMapFlags) -> gpointer { return nullptr; };
  self->mem_unmap = [](GstMemory*) {};
}

// Whether others hold the buffer or not: then its memory would have to be copied.
GST_START_TEST(test_unreadable) {
  for (const bool held : {false, true}) {
    Broken broken;
    gst_harness_set_src_caps(broken.harness, frames::caps({}));
    auto* allocator =
        static_cast<GstAllocator*>(g_object_new(locked_allocator_get_type(), nullptr));
    GstMemory* memory = g_new0(GstMemory, 1);
    gst_memory_init(memory, held ? GST_MEMORY_FLAG_NO_SHARE : static_cast<GstMemoryFlags>(0),
                    allocator, nullptr, 64 * 48 * 2, 0, 0, 64 * 48 * 2);
    GstBuffer* buffer = gst_buffer_new();
    gst_buffer_append_memory(buffer, memory);
    if (held) gst_buffer_ref(buffer);
    fail_unless_equals_int(gst_harness_push(broken.harness, buffer), GST_FLOW_ERROR);
    frames::check_error(broken.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "cannot be mapped");
    if (held) gst_buffer_unref(buffer);
    gst_object_unref(allocator);
  }
}
GST_END_TEST

// What is missing depends on the build and the machine; that the error says it does not.
GST_START_TEST(test_no_cuda) {
  GstElement* element = gst_element_factory_make("rdpsegment", nullptr);
  GstBus* bus = frames::attach_bus(element);
  gst_util_set_object_arg(G_OBJECT(element), "backend", "cuda");
  if (gst_element_set_state(element, GST_STATE_READY) == GST_STATE_CHANGE_FAILURE) {
    frames::check_error(bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
                        "backend=cuda is not available: ");
  }
  gst_element_set_state(element, GST_STATE_NULL);
  // With another backend it can be started after all.
  gst_util_set_object_arg(G_OBJECT(element), "backend", "auto");
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED),
                         GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state(element, GST_STATE_NULL);
  frames::detach_bus(element, bus);
  gst_object_unref(element);
}
GST_END_TEST

// Somebody activates a pad of an element that was not started.
GST_START_TEST(test_not_started) {
  GstElement* element = gst_element_factory_make("rdpsegment", nullptr);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  GstPad* sink = gst_element_get_static_pad(element, "sink");
  gst_pad_set_active(sink, TRUE);
  gst_pad_send_event(sink, gst_event_new_stream_start("early"));
  GstCaps* caps = frames::caps({});
  gst_pad_send_event(sink, gst_event_new_caps(caps));
  gst_caps_unref(caps);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  fail_if(gst_pad_send_event(sink, gst_event_new_segment(&segment)));
  gst_object_unref(sink);
  gst_element_set_state(element, GST_STATE_NULL);
  gst_object_unref(element);
}
GST_END_TEST

// Sets a property to a value that GLib refuses: with a warning or, newer ones, a critical warning.
static void set_refused(GstElement* element, const char* property, gdouble value) {
  int complaints = 0;
  const auto count = [](const gchar*, GLogLevelFlags, const gchar*, gpointer data) {
    ++*static_cast<int*>(data);
  };
  const GLogLevelFlags fatal = g_log_set_always_fatal(G_LOG_LEVEL_ERROR);
  const guint handler = g_log_set_handler(
      "GLib-GObject", static_cast<GLogLevelFlags>(G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL),
      count, &complaints);
  g_object_set(element, property, value, nullptr);
  g_log_remove_handler("GLib-GObject", handler);
  g_log_set_always_fatal(fatal);
  fail_unless_equals_int(complaints, 1);
}

// NaN is no number of pixels.
GST_START_TEST(test_nan_is_refused) {
  GstElement* element = gst_element_factory_make("rdpsegment", nullptr);
  for (const char* property : {"epsilon", "sample-scale", "inverse-scale"}) {
    gdouble before = 0;
    gdouble after = 0;
    g_object_get(element, property, &before, nullptr);
    set_refused(element, property, std::nan(""));
    g_object_get(element, property, &after, nullptr);
    fail_unless(before == after);
  }
  gst_object_unref(element);
}
GST_END_TEST

// A range in which no sample can be is a warning, once until it is mended, and no error.
GST_START_TEST(test_nothing_known) {
  const Shape shapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48}, {GST_VIDEO_FORMAT_GRAY8, 64, 48}};
  for (const Shape& shape : shapes) {
    const bool bytes = shape.format == GST_VIDEO_FORMAT_GRAY8;
    Broken broken;
    gst_harness_set_src_caps(broken.harness, frames::caps(shape));
    const auto push = [&](guint min_value, guint max_value, bool expected_warning) {
      g_object_set(broken.harness->element, "min-value", min_value, "max-value", max_value,
                   nullptr);
      GstBuffer* output = gst_harness_push_and_pull(broken.harness, frames::make(shape));
      fail_unless(output != nullptr);
      gst_buffer_unref(output);
      GstMessage* message = gst_bus_pop_filtered(broken.bus, GST_MESSAGE_WARNING);
      fail_unless((message != nullptr) == expected_warning, "%u to %u", min_value, max_value);
      if (message == nullptr) return;
      GError* error = nullptr;
      gst_message_parse_warning(message, &error, nullptr);
      fail_unless(g_error_matches(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS));
      const std::string range =
          "min-value=" + std::to_string(min_value) + " and max-value=" + std::to_string(max_value);
      fail_unless(strstr(error->message, range.c_str()) != nullptr, "%s", error->message);
      g_error_free(error);
      gst_message_unref(message);
    };
    push(10, 10, false);
    push(11, 10, true);
    push(12, 10, false);
    push(0, 65535, false);
    push(256, 65535, bytes);
    push(255, 65535, false);
    push(65535, 0, true);
    fail_unless(gst_bus_pop_filtered(broken.bus, GST_MESSAGE_ERROR) == nullptr);
  }
}
GST_END_TEST

// Extremes of every property give a result, and the right one.
GST_START_TEST(test_extreme_parameters) {
  std::vector<rdp::Parameters> all;
  for (double value : {0.0, 1e-300, 1e300}) {
    rdp::Parameters parameters;
    parameters.epsilon = value;
    all.push_back(parameters);
    if (value > 0) {
      parameters = {};
      parameters.sample_scale = value;
      all.push_back(parameters);
      parameters = {};
      parameters.domain = rdp::Domain::kInverse;
      parameters.inverse_scale = value;
      parameters.min_value = 0;
      all.push_back(parameters);
    }
  }
  rdp::Parameters nothing_known;
  nothing_known.min_value = 500;
  nothing_known.max_value = 400;
  all.push_back(nothing_known);
  for (const rdp::Parameters& parameters : all) {
    for (int output : {0, 1}) {
      GstHarness* harness = gst_harness_new("rdpsegment");
      g_object_set(harness->element, "epsilon", parameters.epsilon, "sample-scale",
                   parameters.sample_scale, "domain", static_cast<int>(parameters.domain),
                   "inverse-scale", parameters.inverse_scale, "min-value", parameters.min_value,
                   "max-value", parameters.max_value, "output", output, nullptr);
      gst_harness_set_src_caps(harness, frames::caps({}));
      GstBuffer* input = frames::make({});
      const std::vector<std::uint8_t> content = frames::bytes(input);
      GstBuffer* buffer = gst_harness_push_and_pull(harness, input);
      frames::check_segmentation(gst_rdp_buffer_get_segmentation(buffer), {}, content, parameters);
      gst_buffer_unref(buffer);
      gst_harness_teardown(harness);
    }
  }
}
GST_END_TEST

static Suite* rdpsegment_errors_suite(void) {
  Suite* suite = suite_create("rdpsegment_errors");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_refused_caps);
  tcase_add_test(tcase, test_mixed_frames);
  tcase_add_test(tcase, test_refused_downstream);
  tcase_add_test(tcase, test_no_caps);
  tcase_add_test(tcase, test_small_buffers);
  tcase_add_test(tcase, test_bad_video_meta);
  tcase_add_test(tcase, test_unreadable);
  tcase_add_test(tcase, test_no_cuda);
  tcase_add_test(tcase, test_not_started);
  tcase_add_test(tcase, test_nan_is_refused);
  tcase_add_test(tcase, test_nothing_known);
  tcase_add_test(tcase, test_extreme_parameters);
  return suite;
}

GST_CHECK_MAIN(rdpsegment_errors)
