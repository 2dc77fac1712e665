// SPDX-License-Identifier: LGPL-2.1-or-later
// Whose CUDA context rdpsegment works in, and who gets to know it.
#include <set>

#include <thread>

#include "tests/support/cuda_frames.h"

using cuda_frames::ContextRef;
using cuda_frames::Rig;
using frames::Shape;

namespace {

// The context that a pad tells of, without a reference; null for none.
GstCudaContext* context_of(GstElement* element, const char* pad_name) {
  GstPad* pad = gst_element_get_static_pad(element, pad_name);
  GstQuery* query = gst_query_new_context(GST_CUDA_CONTEXT_TYPE);
  GstCudaContext* result = nullptr;
  if (gst_pad_query(pad, query)) {
    GstContext* context = nullptr;
    gst_query_parse_context(query, &context);
    gst_structure_get(gst_context_get_structure(context), GST_CUDA_CONTEXT_TYPE,
                      GST_TYPE_CUDA_CONTEXT, &result, nullptr);
    gst_object_unref(result);  // the element has one
  }
  gst_query_unref(query);
  gst_object_unref(pad);
  return result;
}

// The frame's segments and picture; the latter is in `picture_context` where that is given.
void push_and_check(Rig& rig, const Shape& shape, GstBuffer* input,
                    GstCudaContext* picture_context = nullptr) {
  GstBuffer* output = gst_harness_push_and_pull(rig.main, input);
  fail_unless(output != nullptr);
  frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), cuda_frames::tight(shape),
                             cuda_frames::expect(shape, {}).samples, {});
  gst_buffer_unref(output);
  if (rig.overlay == nullptr) return;
  GstBuffer* picture = gst_harness_pull(rig.overlay);
  fail_unless(cuda_frames::pixels(picture, shape) == cuda_frames::expect(shape, {}).picture);
  if (picture_context != nullptr) {
    const GstMemory* memory = gst_buffer_peek_memory(picture, 0);
    fail_unless(GST_CUDA_MEMORY_CAST(memory)->context == picture_context);
  }
  gst_buffer_unref(picture);
}

}  // namespace

// All elements of a pipeline work in one context, which is announced once.
GST_START_TEST(test_one_context_for_a_pipeline) {
  for (const char* launch :
       {"depthtestsrc num-buffers=3 ! video/x-raw,width=48,height=40 ! depthupload ! rdpsegment ! "
        "rdpsegment output=reconstruct ! depthdownload ! rdpsegment backend=cuda ! fakesink",
        "depthtestsrc num-buffers=3 ! video/x-raw,width=48,height=40 ! tee name=t t. ! queue ! "
        "rdpsegment backend=cuda ! fakesink t. ! queue ! rdpsegment backend=cuda ! fakesink"}) {
    GstElement* pipeline = gst_parse_launch(launch, nullptr);
    GstBus* bus = gst_element_get_bus(pipeline);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    int contexts = 0;
    bool running = true;
    while (running) {
      GstMessage* message = gst_bus_timed_pop(bus, 20 * GST_SECOND);
      fail_unless(message != nullptr, "the pipeline hangs");
      fail_unless(GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR);
      contexts += GST_MESSAGE_TYPE(message) == GST_MESSAGE_HAVE_CONTEXT;
      running = GST_MESSAGE_TYPE(message) != GST_MESSAGE_EOS;
      gst_message_unref(message);
    }
    fail_unless_equals_int(contexts, 1);
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(bus);
    gst_object_unref(pipeline);
  }
}
GST_END_TEST

// What the application gives is taken, told on, kept for the next start, and let go.
GST_START_TEST(test_given_context) {
  const Shape shape;
  ContextRef context = cuda_frames::new_context();
  GstContext* given = gst_context_new_cuda_context(context.get());
  GstElement* element = gst_element_factory_make_full("rdpsegment", "backend", 2, nullptr);
  gst_element_set_context(element, given);
  gst_context_unref(given);
  GstPad* overlay = gst_element_request_pad_simple(element, "overlay");
  for (int start = 0; start < 2; ++start) {
    fail_unless(context_of(element, "sink") == nullptr);
    fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY),
                           GST_STATE_CHANGE_SUCCESS);
    for (const char* pad : {"sink", "src", "overlay"}) {
      fail_unless(context_of(element, pad) == context.get(), "%s", pad);
    }
    gst_element_set_state(element, GST_STATE_NULL);
  }
  gst_element_release_request_pad(element, overlay);
  gst_object_unref(overlay);
  gst_object_unref(element);
  ASSERT_OBJECT_REFCOUNT(context.get(), "context", 1);
}
GST_END_TEST

// Frames bring their context, also a new one in mid-stream, and the pictures follow.
GST_START_TEST(test_adopts_the_context_of_buffers) {
  const Shape shape;
  const ContextRef first = cuda_frames::new_context();
  const ContextRef second_one = cuda_frames::new_context();
  Rig rig(cuda_frames::caps_string(shape), "auto", "video/x-raw(memory:CUDAMemory)");
  for (GstCudaContext* context : {first.get(), first.get(), second_one.get(), first.get()}) {
    push_and_check(rig, shape, cuda_frames::make(context, shape), context);
    fail_unless(context_of(rig.element, "src") == context);
  }
}
GST_END_TEST

// Segments of the old context are read after the element has left it.
GST_START_TEST(test_segments_of_another_context) {
  const Shape shape;
  Rig rig(cuda_frames::caps_string(shape), "auto");
  std::vector<GstBuffer*> outputs;
  for (int i = 0; i < 3; ++i) {
    ContextRef context = cuda_frames::new_context();
    outputs.push_back(gst_harness_push_and_pull(rig.main, cuda_frames::make(context.get(), shape)));
  }
  for (GstBuffer* output : outputs) {
    frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), cuda_frames::tight(shape),
                               cuda_frames::expect(shape, {}).samples, {});
    gst_buffer_unref(output);
  }
}
GST_END_TEST

// A context that the element has left is let go, also by the segments that it uses again.
GST_START_TEST(test_leaves_contexts) {
  if (!standin::available()) return;
  const Shape shape;
  Rig rig(cuda_frames::caps_string(shape), "auto");
  // The first one is known to the application by now, and stays.
  const int own = standin::live("contexts");
  for (int i = 0; i < 3; ++i) {
    ContextRef context = cuda_frames::new_context();
    push_and_check(rig, shape, cuda_frames::make(context.get(), shape));
    context.reset();
    fail_unless_equals_int(standin::live("contexts"), own + 1);
  }
}
GST_END_TEST

// The application answers from another thread, while the element waits.
GST_START_TEST(test_given_by_another_thread) {
  struct Application {
    GstElement* element;
    GstContext* given;
    int asked = 0;
  };
  const ContextRef context = cuda_frames::new_context();
  GstElement* element = gst_element_factory_make_full("rdpsegment", "backend", 2, nullptr);
  Application application{element, gst_context_new_cuda_context(context.get())};
  GstBus* bus = frames::attach_bus(element);
  gst_bus_set_sync_handler(
      bus,
      [](GstBus*, GstMessage* message, gpointer user_data) {
        auto* asked = static_cast<Application*>(user_data);
        if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_NEED_CONTEXT) {
          ++asked->asked;
          std::thread([asked] { gst_element_set_context(asked->element, asked->given); }).join();
        }
        gst_message_unref(message);
        return GST_BUS_DROP;
      },
      &application, nullptr);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int(application.asked, 1);
  fail_unless(context_of(element, "src") == context.get());
  gst_element_set_state(element, GST_STATE_NULL);
  frames::detach_bus(element, bus);
  gst_context_unref(application.given);
  gst_object_unref(element);
}
GST_END_TEST

// cuda-device-id says which devices may be worked on.
GST_START_TEST(test_device_id) {
  const Shape shape;
  if (standin::available()) standin::set_devices(2);
  if (rdp::cuda::device_count() < 2) {
    std::puts("only one device: the test of two is left out");
    return;
  }
  const ContextRef other = cuda_frames::new_context(1);
  {
    Rig rig(cuda_frames::caps_string(shape), "auto");
    push_and_check(rig, shape, cuda_frames::make(other.get(), shape));
  }
  GstElement* element = gst_element_factory_make_full("rdpsegment", "cuda-device-id", 0, nullptr);
  GstBus* bus = frames::attach_bus(element);
  GstHarness* harness = gst_harness_new_with_element(element, "sink", "src");
  gst_harness_set_src_caps_str(harness, cuda_frames::caps_string(shape).c_str());
  fail_unless_equals_int(gst_harness_push(harness, cuda_frames::make(other.get(), shape)),
                         GST_FLOW_ERROR);
  frames::check_error(bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                      "memory of CUDA device 1, but cuda-device-id says 0");
  frames::detach_bus(element, bus);
  gst_harness_teardown(harness);
  gst_object_unref(element);
  // A context of the wrong device is not taken either.
  element = gst_element_factory_make_full("rdpsegment", "backend", 2, "cuda-device-id", 1, nullptr);
  const ContextRef wrong = cuda_frames::new_context(0);
  GstContext* given = gst_context_new_cuda_context(wrong.get());
  gst_element_set_context(element, given);
  gst_context_unref(given);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  GstCudaContext* own = context_of(element, "src");
  fail_unless(own != nullptr && own != wrong.get());
  guint device = 0;
  g_object_get(own, "cuda-device-id", &device, nullptr);
  fail_unless_equals_int(device, 1);
  // The property changes in READY.
  g_object_set(element, "cuda-device-id", 0, nullptr);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED),
                         GST_STATE_CHANGE_SUCCESS);
  g_object_get(context_of(element, "src"), "cuda-device-id", &device, nullptr);
  fail_unless_equals_int(device, 0);
  gst_element_set_state(element, GST_STATE_NULL);
  gst_object_unref(element);
  if (standin::available()) standin::set_devices(1);
}
GST_END_TEST

// Elements that start, stop and are given contexts on several threads at a time end up in working
// order and leave no context behind.
GST_START_TEST(test_many_threads) {
  const Shape shape;
  const int before = standin::available() ? standin::live("contexts") : 0;
  {
    GstElement* pipeline = gst_parse_launch(
        "depthtestsrc is-live=false num-buffers=30 ! video/x-raw,width=48,height=40 ! tee name=t "
        "t. ! queue ! depthupload ! rdpsegment ! fakesink "
        "t. ! queue ! rdpsegment ! fakesink "
        "t. ! queue ! rdpsegment backend=cuda ! depthupload ! rdpsegment ! fakesink "
        "t. ! queue ! depthupload ! rdpsegment ! depthdownload ! fakesink",
        nullptr);
    const ContextRef context = cuda_frames::new_context();
    GstContext* given = gst_context_new_cuda_context(context.get());
    for (int start = 0; start < 10; ++start) {
      gst_element_set_state(pipeline, GST_STATE_PLAYING);
      if (start % 2 == 1) gst_element_set_context(pipeline, given);
      GstBus* bus = gst_element_get_bus(pipeline);
      constexpr auto kEnds = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
      GstMessage* message = gst_bus_timed_pop_filtered(bus, 20 * GST_SECOND, kEnds);
      fail_unless(message != nullptr && GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS);
      gst_message_unref(message);
      gst_object_unref(bus);
      gst_element_set_state(pipeline, GST_STATE_NULL);
    }
    gst_context_unref(given);
    gst_object_unref(pipeline);
  }
  if (standin::available()) fail_unless_equals_int(standin::live("contexts"), before);
}
GST_END_TEST

static Suite* rdpsegment_cuda_contexts_suite(void) {
  Suite* suite = suite_create("rdpsegment_cuda_contexts");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_one_context_for_a_pipeline);
  tcase_add_test(tcase, test_given_context);
  tcase_add_test(tcase, test_adopts_the_context_of_buffers);
  tcase_add_test(tcase, test_segments_of_another_context);
  tcase_add_test(tcase, test_leaves_contexts);
  tcase_add_test(tcase, test_given_by_another_thread);
  tcase_add_test(tcase, test_device_id);
  tcase_add_test(tcase, test_many_threads);
  return suite;
}

RDP_CUDA_CHECK_MAIN(rdpsegment_cuda_contexts)
