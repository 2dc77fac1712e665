// SPDX-License-Identifier: LGPL-2.1-or-later
// Pipelines of several GPU elements share one context. tests/conformance tests the contexts of each
// element.
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using cuda_frames::ContextRef;

// All elements of a pipeline use one context, announced once.
CHECK_TEST(test_one_context_for_a_pipeline) {
  for (const char* launch :
       {"depthtestsrc num-buffers=3 ! video/x-raw,width=48,height=40 ! depthupload ! rdpsegment ! "
        "rdpsegment output=reconstruct ! depthdownload ! rdpsegment backend=cuda ! fakesink",
        "depthtestsrc num-buffers=3 ! video/x-raw,width=48,height=40 ! tee name=t t. ! queue ! "
        "rdpsegment backend=cuda ! fakesink t. ! queue ! rdpsegment backend=cuda ! fakesink"}) {
    g_autoptr(GstElement) pipeline = gst_parse_launch(launch, nullptr);
    g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    int contexts = 0;
    bool running = true;
    while (running) {
      g_autoptr(GstMessage) message = gst_bus_timed_pop(bus, 20 * GST_SECOND);
      fail_unless(message != nullptr, "the pipeline hangs");
      fail_unless(GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR);
      contexts += GST_MESSAGE_TYPE(message) == GST_MESSAGE_HAVE_CONTEXT;
      running = GST_MESSAGE_TYPE(message) != GST_MESSAGE_EOS;
    }
    fail_unless_equals_int(contexts, 1);
    gst_element_set_state(pipeline, GST_STATE_NULL);
  }
}

// Elements that start, stop and receive contexts on several threads stay usable and leak no
// context.
CHECK_TEST(test_many_threads) {
  const int before = standin::available() ? standin::live("contexts") : 0;
  {
    g_autoptr(GstElement) pipeline = gst_parse_launch(
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
      g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
      constexpr auto kEnds = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
      g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(bus, 20 * GST_SECOND, kEnds);
      fail_unless(message != nullptr && GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS);
      gst_element_set_state(pipeline, GST_STATE_NULL);
    }
    gst_context_unref(given);
  }
  if (standin::available()) fail_unless_equals_int(standin::live("contexts"), before);
}

CHECK_CASE(rdpsegment_cuda_contexts, .missing = cuda_frames::missing)
