// SPDX-License-Identifier: LGPL-2.1-or-later
// C++ allocation failures become errors in C. Each allocation of the metadata library and of the
// plugin fails once, in turn, starting with the loading of the plugin. The process never aborts and
// works afterwards. Frames: the row "every new" of tests/conformance.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/failing_new.h"
#include "tests/support/lost_arrays.h"

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/check_test.h"
#include "tests/support/segmentation_fixture.h"

namespace {

constexpr int kEndless = 10000;

// Calls attempt(failed) with the first allocation failing, then the second, and so on, until none
// fails and `failed` is false. Returns the number of failures.
template <typename Attempt>
int each_failing(Attempt attempt) {
  for (int nth = 1; nth < kEndless; ++nth) {
    failing_new::fail_at(nth);
    if (!attempt()) return nth - 1;
  }
  fail_unless(false, "there is no end of allocations");
  return 0;
}

void check_three_columns(GstRdpSegmentation* segmentation) {
  gsize n = 0;
  fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(segmentation), 3);
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(segmentation, &n);
  fail_unless_equals_uint64(n, 4);
  fail_unless(offsets[1] == 2 && offsets[2] == 2 && offsets[3] == 3);
  const GstRdpSegment* segments = gst_rdp_segmentation_get_column(segmentation, 0, &n);
  fail_unless_equals_uint64(n, 2);
  fail_unless(segments[1].first_row == 4 && segments[1].last_value == 7);
}

}  // namespace

CHECK_TEST(test_new) {
  const GstRdpSegmentationInfo info = info_of(3, 10);
  const guint32 offsets[] = {0, 2, 2, 3};
  const GstRdpSegment segments[] = {{0, 4, 10, 20}, {4, 9, 20, 7}, {3, 3, 65535, 65535}};
  const int failed = each_failing([&] {
    GstRdpSegmentation* segmentation = gst_rdp_segmentation_new(&info, offsets, 4, segments, 3);
    const bool reached = failing_new::reached();
    fail_unless_equals_int(segmentation == nullptr, reached);
    if (segmentation == nullptr) return true;
    check_three_columns(segmentation);
    gst_rdp_segmentation_unref(segmentation);
    return false;
  });
  fail_unless(failed >= 3, "only %d allocations: the object and two arrays", failed);
}

CHECK_TEST(test_new_from_bytes) {
  g_autoptr(GstRdpSegmentation) original = new_three_columns();
  g_autoptr(GBytes) bytes = gst_rdp_segmentation_to_bytes(original);
  const int failed = each_failing([&] {
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpSegmentation) copy = gst_rdp_segmentation_new_from_bytes(bytes, &error);
    const bool reached = failing_new::reached();
    fail_unless_equals_int(copy == nullptr, reached);
    if (copy != nullptr) {
      check_three_columns(copy);
      return false;
    }
    fail_unless(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_FAILED));
    fail_unless(g_strrstr(error->message, "no memory") != nullptr, "%s", error->message);
    // The error argument may be null.
    failing_new::fail_at(1);
    fail_unless(gst_rdp_segmentation_new_from_bytes(bytes, nullptr) == nullptr);
    fail_unless(failing_new::reached());
    return true;
  });
  fail_unless(failed >= 3, "only %d allocations", failed);
}

// Classes are computed on request. Without memory there are none; a later request succeeds.
CHECK_TEST(test_classes) {
  GstRdpSegmentationInfo info = info_of(3, 10);
  info.classify = TRUE;
  const int failed = each_failing([&] {
    const int nth = failing_new::countdown.exchange(0);
    g_autoptr(GstRdpSegmentation) segmentation = new_segmentation(info, three_columns());
    failing_new::fail_at(nth);
    gsize n = 0;
    const guint8* classes = gst_rdp_segmentation_peek_classes(segmentation, &n);
    const bool reached = failing_new::reached();
    fail_unless_equals_int(classes == nullptr, reached);
    classes = gst_rdp_segmentation_peek_classes(segmentation, &n);
    fail_unless(classes != nullptr);
    fail_unless_equals_uint64(n, 3);
    return reached;
  });
  fail_unless(failed >= 1, "nothing was allocated");
}

// Reading, copying and attaching a segmentation allocate only through GLib.
CHECK_TEST(test_others_allocate_nothing) {
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  gst_rdp_segment_meta_get_info();
  // This uses g_try_malloc, which may fail.
  g_autoptr(GBytes) bytes = gst_rdp_segmentation_to_bytes(segmentation);
  failing_new::fail_at(1);
  gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  g_autoptr(GstBuffer) copy = gst_buffer_copy_deep(buffer);
  check_three_columns(gst_rdp_buffer_get_segmentation(copy));
  g_autoptr(GBytes) offsets = gst_rdp_segmentation_get_offsets(segmentation);
  g_autoptr(GBytes) segments = gst_rdp_segmentation_get_segments(segmentation);
  GstRdpSegmentationInfo* info =
      gst_rdp_segmentation_info_copy(gst_rdp_segmentation_get_info(segmentation));
  gst_rdp_segmentation_info_free(info);
  fail_unless(!failing_new::reached());
  fail_unless(g_bytes_get_size(bytes) > 36);
  fail_unless_equals_uint64(g_bytes_get_size(offsets), 16);
  fail_unless_equals_uint64(g_bytes_get_size(segments), 36);
}

// The pool belongs to the plugin: it reports failures by exceptions, and neither leaks nor loses an
// object.
CHECK_TEST(test_pool) {
  std::optional<rdp::gst::SegmentationPool> pool;
  each_failing([&] {
    try {
      pool.emplace();
      fail_unless(!failing_new::reached());
      return false;
    } catch (const std::bad_alloc&) {
      return failing_new::reached();
    }
  });
  for (const int columns : {3, 300, 30}) {
    const GstRdpSegmentationInfo info = info_of(static_cast<guint>(columns), 10);
    const int failed = each_failing([&] {
      std::optional<rdp::gst::SegmentationDraft> draft;
      try {
        draft.emplace(pool->acquire());
        rdp::SegmentList& list = (*draft)->list();
        std::uint32_t* offsets = list.resize_columns(columns);
        for (int c = 0; c <= columns; ++c) offsets[c] = static_cast<std::uint32_t>(c);
        std::fill_n(list.resize_segments(), columns, rdp::Segment{0, 9, 1, 1});
      } catch (const std::bad_alloc&) {
        fail_unless(failing_new::reached());
        // A draft after a failure is an empty list, or one with all its offsets.
        fail_unless(!draft ||
                    (*draft)->list().segment_count() <= static_cast<std::size_t>(columns));
        return true;
      }
      // Only this step remains; it allocates nothing.
      const bool reached = failing_new::reached();
      failing_new::fail_at(1);
      GstRdpSegmentation* segmentation = draft->finish(info);
      fail_unless(!failing_new::reached());
      fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(segmentation), columns);
      gst_rdp_segmentation_unref(segmentation);
      return reached;
    });
    fail_unless(columns == 30 || failed > 0, "columns %d", columns);
  }
}

// Fetching fails with an error text for which there is no memory.
CHECK_TEST(test_lost_segments_without_memory) {
  rdp::gst::SegmentationPool pool;
  const GstRdpSegmentationInfo info = info_of(3, 10);
  each_failing([&] {
    const int nth = failing_new::countdown.exchange(0);
    rdp::gst::SegmentationDraft draft = pool.acquire();
    LostArrays::put_into(&draft, 3,
                         "a reason that is too long for the string object itself to hold");
    GstRdpSegmentation* segmentation = draft.finish(info);
    failing_new::fail_at(nth);
    gsize n = 0;
    const guint32* offsets = gst_rdp_segmentation_peek_offsets(segmentation, &n);
    const bool reached = failing_new::reached();
    fail_unless_equals_uint64(n, 4);
    for (gsize c = 0; c < n; ++c) fail_unless_equals_int(offsets[c], 0);
    gst_rdp_segmentation_unref(segmentation);
    return reached;
  });
}

namespace {

void touch_properties(GstElement* element) {
  guint count = 0;
  GParamSpec** all = g_object_class_list_properties(G_OBJECT_GET_CLASS(element), &count);
  for (guint i = 0; i < count; ++i) {
    // Skips the base classes' properties, which do not allocate in C++.
    const bool own = all[i]->owner_type == G_OBJECT_TYPE(element);
    if (!own || (all[i]->flags & G_PARAM_READABLE) == 0) continue;
    GValue value = G_VALUE_INIT;
    g_value_init(&value, all[i]->value_type);
    g_object_get_property(G_OBJECT(element), all[i]->name, &value);
    if ((all[i]->flags & G_PARAM_WRITABLE) != 0) {
      g_object_set_property(G_OBJECT(element), all[i]->name, &value);
    }
    g_value_unset(&value);
  }
  g_free(all);
}

// A whole life of the plugin: loads it; creates, queries, plays and releases elements.
void live() {
  GstElement* pipeline = gst_pipeline_new(nullptr);
  GstElement* elements[] = {gst_element_factory_make("depthtestsrc", nullptr),
                            gst_element_factory_make("rdpsegment", nullptr),
                            gst_element_factory_make("rdpmetaconvert", nullptr),
                            gst_element_factory_make("fakesink", nullptr),
                            gst_element_factory_make("queue", nullptr),
                            gst_element_factory_make("fakesink", nullptr)};
  for (GstElement* element : elements) {
    if (element == nullptr) {  // the plugin could not be loaded
      for (GstElement* made : elements) {
        if (made != nullptr) gst_object_unref(gst_object_ref_sink(made));
      }
      gst_object_unref(pipeline);
      return;
    }
  }
  for (GstElement* element : elements) {
    touch_properties(element);
    gst_bin_add(GST_BIN(pipeline), element);
  }
  g_object_set(elements[0], "num-buffers", 2, nullptr);
  g_object_set(elements[1], "threads", 2, nullptr);
  GstCaps* caps = gst_caps_from_string("video/x-raw,format=GRAY16_LE,width=64,height=48");
  gst_element_link_filtered(elements[0], elements[1], caps);
  gst_caps_unref(caps);
  gst_element_link_many(elements[1], elements[2], elements[3], nullptr);
  gst_element_link_pads(elements[1], "overlay", elements[4], "sink");
  gst_element_link(elements[4], elements[5]);

  g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
  for (int round = 0; round < 2; ++round) {
    if (gst_element_set_state(pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE) {
      constexpr auto kEnds = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
      g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(bus, 20 * GST_SECOND, kEnds);
      if (message == nullptr) _exit(3);  // it hangs
    }
    touch_properties(elements[1]);
    gst_element_set_state(pipeline, GST_STATE_NULL);
  }
  gst_object_unref(pipeline);
}

}  // namespace

// In a process of its own for each failure, because a plugin is loaded once.
CHECK_TEST(test_life_of_the_plugin) {
  // Highway's shared library, in releases that have one, allocates when loaded.
  dlopen("libhwy.so.1", RTLD_LAZY);
  int failed = 0;
  for (int nth = 1; nth < kEndless; ++nth) {
    const pid_t child = fork();
    if (child == 0) {
      failing_new::fail_at(nth);
      live();
      _exit(failing_new::reached() ? 0 : 1);
    }
    int status = 0;
    fail_unless_equals_int(waitpid(child, &status, 0), child);
    fail_unless(WIFEXITED(status), "signal %d ends the process when allocation %d fails",
                WTERMSIG(status), nth);
    fail_unless(WEXITSTATUS(status) <= 1, "exit %d when allocation %d fails", WEXITSTATUS(status),
                nth);
    if (WEXITSTATUS(status) == 1) break;
    ++failed;
  }
  GST_INFO("%d allocations failed", failed);
  fail_unless(failed > 20, "only %d allocations", failed);
}

// Segments with classes are never written without them: lack of memory is an error.
CHECK_TEST(test_text_of_classes) {
  GstRdpSegmentationInfo info = info_of(3, 10);
  info.classify = TRUE;
  g_autoptr(GstHarness) harness = gst_harness_new("rdpmetaconvert");
  gst_harness_set_src_caps_str(harness, "video/x-raw,format=GRAY8,width=3,height=10");
  const int failed = each_failing([&] {
    const int nth = failing_new::countdown.exchange(0);
    g_autoptr(GstRdpSegmentation) segmentation = new_segmentation(info, three_columns());
    GstBuffer* frame = gst_buffer_new();
    gst_buffer_add_rdp_segment_meta(frame, segmentation);
    failing_new::fail_at(nth);
    const GstFlowReturn flow = gst_harness_push(harness, frame);
    const bool reached = failing_new::reached();
    fail_unless_equals_int(flow, reached ? GST_FLOW_ERROR : GST_FLOW_OK);
    if (reached) return true;
    g_autoptr(GstBuffer) line = gst_harness_pull(harness);
    std::string text(gst_buffer_get_size(line), '\0');
    gst_buffer_extract(line, 0, text.data(), text.size());
    fail_unless(text.find("\"classes\":[[") != std::string::npos, "%s", text.c_str());
    return false;
  });
  fail_unless(failed >= 1, "nothing was allocated");
}

// The same for metres: the whole frame, or an error.
CHECK_TEST(test_text_of_metres) {
  GstRdpCameraInfo of_camera;
  gst_rdp_camera_info_init(&of_camera);
  of_camera.focal_length = of_camera.focal_length_y = 100;
  of_camera.rectified = TRUE;
  of_camera.measures = GST_RDP_MEASURE_DEPTH;
  of_camera.depth_unit = 0.001;
  of_camera.distortion[0] = -0.1;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&of_camera, nullptr);
  for (const char* properties : {"points=true", "format=ply", "format=ply ply-content=lines"}) {
    gsize size = 0;  // of the text of the first frame without a failure
    GstHarness* harness = nullptr;
    const int failed = each_failing([&] {
      const int nth = failing_new::countdown.exchange(0);
      if (harness != nullptr) gst_harness_teardown(harness);
      harness = gst_harness_new_parse((std::string("rdpmetaconvert ") + properties).c_str());
      gst_harness_set_src_caps_str(harness, "video/x-raw,format=GRAY8,width=3,height=10");
      g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
      GstBuffer* frame = gst_buffer_new();
      gst_buffer_add_rdp_segment_meta(frame, segmentation);
      gst_buffer_add_rdp_camera_meta(frame, camera);
      failing_new::fail_at(nth);
      const GstFlowReturn flow = gst_harness_push(harness, frame);
      const bool reached = failing_new::reached();
      fail_unless_equals_int(flow, reached ? GST_FLOW_ERROR : GST_FLOW_OK);
      if (reached) return true;
      g_autoptr(GstBuffer) text = gst_harness_pull(harness);
      size = gst_buffer_get_size(text);
      return false;
    });
    fail_unless(failed >= 2, "%s: only %d allocations", properties, failed);
    fail_unless(size > 100, "%s: %d bytes", properties, static_cast<int>(size));
    gst_harness_teardown(harness);
  }
}

CHECK_CASE(out_of_memory)
