// SPDX-License-Identifier: LGPL-2.1-or-later
// depthupload and depthdownload: round trips, the copies used, contexts.
#include "tests/support/await.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using frames::Shape;

static void check_nothing_left() {
  if (!standin::available()) return;
  for (const char* kind : {"contexts", "streams", "events", "device-memory", "host-memory"}) {
    // A streaming thread frees the last of them a moment after its pad was stopped.
    fail_unless(rdp::test::await([&] { return standin::live(kind) == 0; }), "%d %s left",
                standin::live(kind), kind);
  }
}

static const Shape kShapes[] = {
    {GST_VIDEO_FORMAT_GRAY16_LE, 643, 481},      {GST_VIDEO_FORMAT_GRAY16_LE, 1242, 376, 6, 2600},
    {GST_VIDEO_FORMAT_GRAY8, 645, 77},           {GST_VIDEO_FORMAT_GRAY8, 64, 48, 3, 67},
    {GST_VIDEO_FORMAT_GRAY16_LE, 1, 1},          {GST_VIDEO_FORMAT_GRAY8, 1, 3},
    {GST_VIDEO_FORMAT_GRAY16_LE, 5, 1024, 2, 10}};

static bool in_cuda_memory(GstHarness* harness) {
  GstCaps* caps = gst_pad_get_current_caps(harness->sinkpad);
  const bool result = gst_caps_features_contains(gst_caps_get_features(caps, 0),
                                                 GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
  gst_caps_unref(caps);
  return result;
}

CHECK_TEST(test_there_and_back) {
  for (const Shape& shape : kShapes) {
    g_autoptr(GstHarness) up = gst_harness_new("depthupload");
    g_autoptr(GstHarness) down = gst_harness_new("depthdownload");
    gst_harness_set_src_caps(up, frames::caps(shape));
    gst_harness_set_src_caps(down, cuda_frames::caps(shape));
    for (unsigned number = 0; number < 5; ++number) {
      GstBuffer* source = frames::make(shape, number + 1, number);
      const auto wanted = cuda_frames::samples(source, shape);
      GstBuffer* device = gst_harness_push_and_pull(up, source);
      fail_unless(device != nullptr && rdp::gst::is_cuda_buffer(device));
      fail_unless(in_cuda_memory(up));
      // Only the device has the samples now.
      g_autoptr(GstBuffer) back = gst_harness_push_and_pull(down, device);
      fail_unless(back != nullptr && !rdp::gst::is_cuda_buffer(back));
      fail_if(in_cuda_memory(down));
      fail_unless(cuda_frames::samples(back, shape) == wanted);
      fail_unless_equals_uint64(GST_BUFFER_PTS(back), number * GST_SECOND / 30);
      fail_unless_equals_uint64(GST_BUFFER_DURATION(back), GST_SECOND / 30);
    }
  }
  check_nothing_left();
}

// Frames already in the target memory pass through.
CHECK_TEST(test_passthrough) {
  const Shape shape;
  GstHarness* up = gst_harness_new_parse("depthupload ! depthupload ! depthupload");
  gst_harness_set_src_caps(up, frames::caps(shape));
  GstBuffer* device = gst_harness_push_and_pull(up, frames::make(shape));
  GstHarness* again = gst_harness_new("depthupload");
  gst_harness_set_src_caps(again, cuda_frames::caps(shape));
  GstBuffer* same = gst_harness_push_and_pull(again, gst_buffer_ref(device));
  fail_unless(same == device);
  gst_buffer_unref(same);
  gst_buffer_unref(device);
  gst_harness_teardown(again);
  gst_harness_teardown(up);

  GstHarness* down = gst_harness_new("depthdownload");
  gst_harness_set_src_caps(down, frames::caps(shape));
  GstBuffer* source = frames::make(shape);
  same = gst_harness_push_and_pull(down, source);
  fail_unless(same == source);
  gst_buffer_unref(same);
  gst_harness_teardown(down);
  check_nothing_left();
}

CHECK_TEST(test_caps_change) {
  GstHarness* harness = gst_harness_new_parse("depthupload ! depthdownload");
  for (unsigned round = 0; round < 3; ++round) {
    for (const Shape& shape : kShapes) {
      gst_harness_set_src_caps(harness, frames::caps(shape));
      for (unsigned number = 0; number < 2; ++number) {
        GstBuffer* source = frames::make(shape, round + number);
        const auto wanted = cuda_frames::samples(source, shape);
        g_autoptr(GstBuffer) back = gst_harness_push_and_pull(harness, source);
        fail_unless(cuda_frames::samples(back, shape) == wanted);
      }
      gst_harness_push_upstream_event(harness, gst_event_new_reconfigure());
    }
  }
  gst_harness_teardown(harness);
  check_nothing_left();
}

CHECK_TEST(test_refused_caps) {
  for (const char* launch : {"depthupload", "depthdownload"}) {
    for (const char* caps :
         {"video/x-raw,format=RGB,width=64,height=48,framerate=30/1",
          "video/x-raw,format=GRAY16_BE,width=64,height=48,framerate=30/1",
          "video/x-raw(memory:CUDAMemory),format=NV12,width=64,height=48,framerate=30/1",
          "video/x-raw(memory:GLMemory),format=GRAY8,width=64,height=48,framerate=30/1"}) {
      g_autoptr(GstHarness) harness = gst_harness_new(launch);
      g_autoptr(GstCaps) refused = gst_caps_from_string(caps);
      fail_if(gst_pad_peer_query_accept_caps(harness->srcpad, refused), "%s takes %s", launch,
              caps);
      GstBus* bus = frames::attach_bus(harness->element);
      gst_harness_push_event(harness, gst_event_new_stream_start("refused"));
      gst_harness_push_event(harness, gst_event_new_caps(refused));
      const std::string wanted = std::string(launch) +
                                 " takes video/x-raw in system or CUDA memory, format GRAY16_LE or "
                                 "GRAY8, up to 16384x16384; it was given video/x-raw";
      frames::check_error(bus, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION, wanted.c_str());
      frames::detach_bus(harness->element, bus);
    }
  }
}

// The first pool and allocator that an element proposes for these caps.
struct Proposal {
  Proposal(GstHarness* harness, GstCaps* caps) : query(gst_query_new_allocation(caps, TRUE)) {
    gst_caps_unref(caps);
    fail_unless(gst_pad_peer_query(harness->srcpad, query));
    fail_unless(gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr));
    fail_unless(gst_query_get_n_allocation_pools(query) > 0);
    gst_query_parse_nth_allocation_pool(query, 0, &pool, &size, nullptr, nullptr);
    fail_unless(pool != nullptr);
    fail_unless(gst_buffer_pool_set_active(pool, TRUE));
    fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
  }
  ~Proposal() {
    gst_buffer_unref(buffer);
    gst_buffer_pool_set_active(pool, FALSE);
    gst_object_unref(pool);
    gst_query_unref(query);
  }
  Proposal(const Proposal&) = delete;

  GstQuery* query;
  GstBufferPool* pool = nullptr;
  guint size = 0;
  GstBuffer* buffer = nullptr;
};

CHECK_TEST(test_proposals) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 643, 481};
  GstHarness* up = gst_harness_new("depthupload");
  gst_harness_set_src_caps(up, frames::caps(shape));
  gst_buffer_unref(gst_harness_push_and_pull(up, frames::make(shape)));
  {
    const Proposal proposal(up, frames::caps(shape));
    fail_unless(
        gst_memory_is_type(gst_buffer_peek_memory(proposal.buffer, 0), "rdp.pinned.memory"));
    g_autoptr(GstAllocator) allocator = nullptr;
    gst_query_parse_nth_allocation_param(proposal.query, 0, &allocator, nullptr);
    g_autoptr(GstMemory) memory = gst_allocator_alloc(allocator, 100, nullptr);
    fail_unless(gst_memory_is_type(memory, "rdp.pinned.memory"));
  }
  gst_harness_teardown(up);

  GstHarness* down = gst_harness_new("depthdownload");
  gst_harness_set_src_caps(down, cuda_frames::caps(shape));
  {
    const Proposal proposal(down, cuda_frames::caps(shape));
    fail_unless(rdp::gst::is_cuda_buffer(proposal.buffer));
    fail_unless_equals_int(static_cast<int>(gst_buffer_get_size(proposal.buffer)),
                           static_cast<int>(proposal.size));
    const GstVideoMeta* meta = gst_buffer_get_video_meta(proposal.buffer);
    fail_unless(meta != nullptr && meta->format == GST_VIDEO_FORMAT_GRAY16_LE);
  }
  gst_harness_teardown(down);
  check_nothing_left();
}

// The copy goes directly into memory that downstream provides.
CHECK_TEST(test_downstream_allocator) {
  const Shape shape;
  for (const bool wish : {false, true}) {
    g_autoptr(GstHarness) harness = gst_harness_new_parse("depthupload ! depthdownload");
    if (wish) {
      GstAllocator* allocator = gst_allocator_find(GST_ALLOCATOR_SYSMEM);
      gst_harness_set_propose_allocator(harness, allocator, nullptr);
    }
    gst_harness_set_src_caps(harness, frames::caps(shape));
    g_autoptr(GstBuffer) back = gst_harness_push_and_pull(harness, frames::make(shape));
    fail_unless(gst_memory_is_type(gst_buffer_peek_memory(back, 0),
                                   wish ? GST_ALLOCATOR_SYSMEM : "rdp.pinned.memory"));
    g_autoptr(GstBuffer) source = frames::make(shape);
    fail_unless(cuda_frames::samples(back, shape) == cuda_frames::samples(source, shape));
  }
  check_nothing_left();
}

// Pipelines.

static GstElement* launch(const char* text) {
  GError* error = nullptr;
  GstElement* pipeline = gst_parse_launch(text, &error);
  fail_unless(error == nullptr, "%s: %s", text, error != nullptr ? error->message : "");
  return pipeline;
}

// Plays until end of stream or an error; returns the error.
static std::string play(GstElement* pipeline) {
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  GstBus* bus = gst_element_get_bus(pipeline);
  GstMessage* message = gst_bus_timed_pop_filtered(
      bus, 30 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
  gst_object_unref(bus);
  fail_unless(message != nullptr, "neither an end nor an error");
  std::string result;
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
    const auto error = rdp::test::text_of(message);
    result = std::string(g_quark_to_string(error.domain)) + " " + std::to_string(error.code) +
             ": " + error.both();
  }
  gst_message_unref(message);
  fail_unless_equals_int(gst_element_set_state(pipeline, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  return result;
}

static void expect_end(GstElement* pipeline) {
  const std::string error = play(pipeline);
  fail_unless(error.empty(), "%s", error.c_str());
}

static void expect_error(GstElement* pipeline, GQuark domain, int code, const char* part) {
  const std::string error = play(pipeline);
  const std::string start = std::string(g_quark_to_string(domain)) + " " + std::to_string(code);
  fail_unless(error.starts_with(start) && error.find(part) != std::string::npos,
              "no %s with '%s': %s", start.c_str(), part, error.c_str());
}

// The frames at a pipeline's last element, without row padding.
static std::vector<std::vector<std::uint8_t>> frames_of(const std::string& text,
                                                        const Shape& shape) {
  std::vector<std::vector<std::uint8_t>> result;
  GstElement* pipeline = launch((text + " ! fakesink name=sink signal-handoffs=true").c_str());
  struct Data {
    std::vector<std::vector<std::uint8_t>>* frames;
    Shape shape;
  } data{&result, shape};
  GstElement* sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
  g_signal_connect(sink, "handoff",
                   G_CALLBACK(+[](GstElement*, GstBuffer* buffer, GstPad*, gpointer user) {
                     auto* to = static_cast<Data*>(user);
                     to->frames->push_back(cuda_frames::samples(buffer, to->shape));
                   }),
                   &data);
  gst_object_unref(sink);
  expect_end(pipeline);
  gst_object_unref(pipeline);
  return result;
}

CHECK_TEST(test_pipeline) {
  for (const char* format : {"GRAY16_LE", "GRAY8"}) {
    const Shape shape{gst_video_format_from_string(format), 1241, 375};
    const std::string source =
        std::string("depthtestsrc num-buffers=6 noise=0.5 ! video/x-raw,format=") + format +
        ",width=1241,height=375";
    const auto wanted = frames_of(source, shape);
    fail_unless_equals_int(static_cast<int>(wanted.size()), 6);
    for (const char* way :
         {" ! depthupload ! depthdownload", " ! depthupload ! queue ! depthdownload",
          " ! queue ! depthupload ! tee ! queue ! depthdownload ! depthupload ! depthdownload"}) {
      fail_unless(frames_of(source + way, shape) == wanted, "%s", way);
    }
  }
  check_nothing_left();
}

// A source writes into page-locked memory, and each direction copies a frame only once.
CHECK_TEST(test_no_copy_and_no_allocation) {
  if (!standin::available()) return;
  const auto count = [](const char* number) {
    GstElement* pipeline = launch((std::string("depthtestsrc num-buffers=") + number +
                                   " ! video/x-raw,width=640,height=480 ! depthupload ! "
                                   "depthdownload ! fakesink")
                                      .c_str());
    const int before = standin::count("cuMemAllocPitch_v2") + standin::count("cuMemHostAlloc") +
                       standin::count("cuMemAlloc_v2");
    expect_end(pipeline);
    gst_object_unref(pipeline);
    return standin::count("cuMemAllocPitch_v2") + standin::count("cuMemHostAlloc") +
           standin::count("cuMemAlloc_v2") - before;
  };
  const auto to = standin::bytes_copied("HtoD");
  const auto from = standin::bytes_copied("DtoH");
  const auto beside = standin::bytes_copied("HtoH") + standin::bytes_copied("DtoD");
  const int few = count("10");
  fail_unless_equals_uint64(standin::bytes_copied("HtoD") - to, 10 * 640 * 480 * 2);
  fail_unless_equals_uint64(standin::bytes_copied("DtoH") - from, 10 * 640 * 480 * 2);
  fail_unless_equals_uint64(standin::bytes_copied("HtoH") + standin::bytes_copied("DtoD"), beside);
  fail_unless_equals_int(count("100"), few);
  check_nothing_left();
}

CHECK_TEST(test_metas) {
  GstHarness* harness = gst_harness_new_parse("depthupload ! depthdownload");
  const Shape shape;
  gst_harness_set_src_caps(harness, frames::caps(shape));
  GstHarness* segmenter = gst_harness_new("rdpsegment");
  gst_util_set_object_arg(G_OBJECT(segmenter->element), "backend", "cpu");
  gst_harness_set_src_caps(segmenter, frames::caps(shape));
  GstBuffer* frame = gst_harness_push_and_pull(segmenter, frames::make(shape));
  frame = gst_buffer_make_writable(frame);
  gst_buffer_add_video_region_of_interest_meta(frame, "car", 1, 2, 3, 4);
  GstCaps* stamp = gst_caps_new_empty_simple("timestamp/x-test");
  gst_buffer_add_reference_timestamp_meta(frame, stamp, 42, GST_CLOCK_TIME_NONE);
  gst_caps_unref(stamp);
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(frame);
  fail_unless(meta != nullptr);
  GstRdpSegmentation* segmentation = gst_rdp_segmentation_ref(meta->segmentation);

  GstBuffer* back = gst_harness_push_and_pull(harness, frame);
  meta = gst_buffer_get_rdp_segment_meta(back);
  fail_unless(meta != nullptr && meta->segmentation == segmentation);
  fail_unless(gst_buffer_get_video_region_of_interest_meta_id(back, 0) != nullptr);
  fail_unless(gst_buffer_get_reference_timestamp_meta(back, nullptr)->timestamp == 42);
  gst_buffer_unref(back);
  gst_rdp_segmentation_unref(segmentation);
  gst_harness_teardown(segmenter);
  gst_harness_teardown(harness);
  check_nothing_left();
}

// Contexts.

static GstCudaContext* context_of(GstElement* element) {
  GstQuery* query = gst_query_new_context(GST_CUDA_CONTEXT_TYPE);
  GstCudaContext* result = nullptr;
  if (gst_element_query(element, query)) {
    GstContext* context = nullptr;
    gst_query_parse_context(query, &context);
    gst_structure_get(gst_context_get_structure(context), GST_CUDA_CONTEXT_TYPE,
                      GST_TYPE_CUDA_CONTEXT, &result, nullptr);
    gst_object_unref(result);  // the element holds a reference
  }
  gst_query_unref(query);
  return result;
}

CHECK_TEST(test_shared_context) {
  GstElement* pipeline = launch(
      "depthtestsrc ! depthupload name=a ! queue ! depthdownload name=b ! depthupload name=c ! "
      "depthdownload name=d ! fakesink");
  gst_element_set_state(pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int(gst_element_get_state(pipeline, nullptr, nullptr, 30 * GST_SECOND),
                         GST_STATE_CHANGE_SUCCESS);
  GstCudaContext* shared = nullptr;
  for (const char* name : {"a", "b", "c", "d"}) {
    g_autoptr(GstElement) element = gst_bin_get_by_name(GST_BIN(pipeline), name);
    GstCudaContext* context = context_of(element);
    fail_unless(context != nullptr);
    if (shared == nullptr) shared = context;
    fail_unless(context == shared);
  }
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(pipeline);
  check_nothing_left();
}

CHECK_TEST(test_context_of_the_application) {
  cuda_frames::ContextRef own = cuda_frames::new_context();
  GstElement* pipeline = launch("depthtestsrc ! depthupload name=a ! depthdownload ! fakesink");
  GstContext* given = gst_context_new_cuda_context(own.get());
  gst_element_set_context(pipeline, given);
  gst_context_unref(given);
  GstElement* element = gst_bin_get_by_name(GST_BIN(pipeline), "a");
  for (int start = 0; start < 3; ++start) {
    gst_element_set_state(pipeline, GST_STATE_PAUSED);
    fail_unless_equals_int(gst_element_get_state(pipeline, nullptr, nullptr, 30 * GST_SECOND),
                           GST_STATE_CHANGE_SUCCESS);
    fail_unless(context_of(element) == own.get());
    gst_element_set_state(pipeline, GST_STATE_NULL);
    fail_unless(context_of(element) == nullptr);
  }
  gst_object_unref(element);
  gst_object_unref(pipeline);
  own.reset();
  check_nothing_left();
}

// A frame is downloaded in its own context, whatever context the element started with.
CHECK_TEST(test_frames_of_other_contexts) {
  cuda_frames::ContextRef first = cuda_frames::new_context();
  cuda_frames::ContextRef second = cuda_frames::new_context();
  const Shape shape;
  GstHarness* down = gst_harness_new("depthdownload");
  gst_harness_set_src_caps(down, cuda_frames::caps(shape));
  GstBuffer* source = frames::make(shape, 3);
  const auto wanted = cuda_frames::samples(source, shape);
  gst_buffer_unref(source);
  for (GstCudaContext* context : {first.get(), second.get(), second.get(), first.get()}) {
    GstBuffer* back = gst_harness_push_and_pull(down, cuda_frames::make(context, shape, 3));
    fail_unless(back != nullptr && cuda_frames::samples(back, shape) == wanted);
    gst_buffer_unref(back);
    fail_unless(context_of(down->element) == context);
  }
  gst_harness_teardown(down);
  first.reset();
  second.reset();
  check_nothing_left();
}

// Errors.

CHECK_TEST(test_bad_buffers) {
  const Shape shape;
  struct Case {
    const char* element;
    GstCaps* caps;
    GstBuffer* buffer;
    const char* part;
  };
  GstBuffer* small = frames::make(shape);
  gst_buffer_set_size(small, 6143);
  GstBuffer* wrong = frames::make({GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, 2, 130});
  gst_buffer_get_video_meta(wrong)->stride[0] = 200;
  for (const Case& bad :
       {Case{"depthupload", frames::caps(shape), small, "6143"},
        Case{"depthupload", frames::caps(shape), wrong, "stride 200"},
        Case{"depthdownload", cuda_frames::caps(shape), frames::make(shape), "SystemMemory"},
        Case{"depthdownload", cuda_frames::caps(shape), gst_buffer_new(), "has 0"}}) {
    g_autoptr(GstHarness) harness = gst_harness_new(bad.element);
    GstBus* bus = frames::attach_bus(harness->element);
    gst_harness_set_src_caps(harness, bad.caps);
    fail_unless_equals_int(gst_harness_push(harness, bad.buffer), GST_FLOW_ERROR);
    frames::check_error(bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, bad.part);
    frames::detach_bus(harness->element, bus);
  }
  check_nothing_left();
}

CHECK_TEST(test_no_such_device) {
  for (const char* element : {"depthupload", "depthdownload"}) {
    g_autoptr(GstElement) pipeline = launch(
        (std::string("depthtestsrc ! ") + element + " cuda-device-id=77 ! fakesink").c_str());
    expect_error(pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
                 "there is no CUDA device 77");
  }
  check_nothing_left();
}

// Failing driver calls and the resulting errors; afterwards the pipeline restarts.
CHECK_TEST(test_failures) {
  if (!standin::available()) return;
  struct Case {
    const char* function;
    int nth;
    CUresult result;
    GstResourceError code;
    const char* part;
  };
  static const Case kCases[] = {
      {"cuMemcpy2DAsync_v2", 3, CUDA_ERROR_ILLEGAL_ADDRESS, GST_RESOURCE_ERROR_FAILED,
       "the frame at 0:00:00.033333333: copying a frame to the GPU: CUDA_ERROR_ILLEGAL_ADDRESS"},
      {"cuMemcpy2DAsync_v2", 4, CUDA_ERROR_LAUNCH_FAILED, GST_RESOURCE_ERROR_FAILED,
       "the frame at 0:00:00.033333333: copying a frame from the GPU: CUDA_ERROR_LAUNCH_FAILED"},
      {"cuMemcpy2DAsync_v2", 5, CUDA_ERROR_UNKNOWN, GST_RESOURCE_ERROR_FAILED,
       "the frame at 0:00:00.066666666: copying a frame to the GPU: CUDA_ERROR_UNKNOWN"},
      {"cuStreamCreate", 1, CUDA_ERROR_OUT_OF_MEMORY, GST_RESOURCE_ERROR_NOT_FOUND,
       "CUDA_ERROR_OUT_OF_MEMORY"},
      {"cuCtxCreate_v2", 1, CUDA_ERROR_OUT_OF_MEMORY, GST_RESOURCE_ERROR_NOT_FOUND,
       "no CUDA context can be made on device 0"},
      {"cuMemAllocPitch_v2", 2, CUDA_ERROR_OUT_OF_MEMORY, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
       "the frame at 0:00:00.000000000: the pool has no memory"},
  };
  for (const Case& bad : kCases) {
    g_autoptr(GstElement) pipeline = launch(
        "depthtestsrc num-buffers=5 ! video/x-raw,width=64,height=48 ! depthupload ! depthdownload "
        "! fakesink");
    standin::inject(bad.function, bad.nth, bad.result);
    expect_error(pipeline, GST_RESOURCE_ERROR, bad.code, bad.part);
    standin::inject(bad.function, 0, 0);
    // The bin keeps its context, even a lost one.
    expect_end(pipeline);
  }
  check_nothing_left();
}

// A context lost while frames are in it.
CHECK_TEST(test_lost_context) {
  if (!standin::available()) return;
  const Shape shape;
  GstHarness* up = gst_harness_new("depthupload");
  GstBus* bus = frames::attach_bus(up->element);
  gst_harness_set_src_caps(up, frames::caps(shape));
  GstBuffer* device = gst_harness_push_and_pull(up, frames::make(shape));
  standin::lose_contexts(CUDA_ERROR_ILLEGAL_ADDRESS);
  fail_unless_equals_int(gst_harness_push(up, frames::make(shape)), GST_FLOW_ERROR);
  frames::check_error(bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                      "CUDA_ERROR_ILLEGAL_ADDRESS");
  GstHarness* down = gst_harness_new("depthdownload");
  GstBus* down_bus = frames::attach_bus(down->element);
  gst_harness_set_src_caps(down, cuda_frames::caps(shape));
  fail_unless_equals_int(gst_harness_push(down, device), GST_FLOW_ERROR);
  // The first symptom: nothing can be created in the context. The frame is no longer waited for.
  frames::check_error(down_bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
                      "CUDA_ERROR_ILLEGAL_ADDRESS");
  frames::detach_bus(down->element, down_bus);
  gst_harness_teardown(down);
  frames::detach_bus(up->element, bus);
  gst_harness_teardown(up);
  check_nothing_left();
}

CHECK_TEST(test_no_page_locked_memory) {
  if (!standin::available()) return;
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48};
  const std::string source = "depthtestsrc num-buffers=3 ! video/x-raw,width=64,height=48";
  const auto wanted = frames_of(source, shape);
  standin::inject("cuMemHostAlloc", 1, CUDA_ERROR_OUT_OF_MEMORY);
  fail_unless(frames_of(source + " ! depthupload ! depthdownload", shape) == wanted);
  check_nothing_left();
}

CHECK_TEST(test_states) {
  for (int i = 0; i < 5; ++i) {
    g_autoptr(GstElement) pipeline =
        launch("depthtestsrc ! depthupload ! depthdownload ! fakesink");
    for (const GstState state : {GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_READY,
                                 GST_STATE_PLAYING, GST_STATE_NULL, GST_STATE_PLAYING}) {
      fail_if(gst_element_set_state(pipeline, state) == GST_STATE_CHANGE_FAILURE);
    }
    gst_element_get_state(pipeline, nullptr, nullptr, 30 * GST_SECOND);
    gst_element_set_state(pipeline, GST_STATE_NULL);
  }
  check_nothing_left();
}

CHECK_CASE(depthtransfer, .missing = cuda_frames::missing)
