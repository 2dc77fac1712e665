// SPDX-License-Identifier: LGPL-2.1-or-later
// GPU errors: each driver call fails once, in turn; the device is missing; the context is lost.
// There is one clear error, nothing leaks, and the element can restart. Needs the stand-in driver.
#include <gst/base/gstbasesrc.h>

#include <algorithm>
#include <map>
#include <span>

#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using cuda_frames::Rig;
using frames::Shape;

namespace {

constexpr int kFrames = 4;
constexpr int kOutOfMemory = CUDA_ERROR_OUT_OF_MEMORY;
constexpr int kLaunchFailed = CUDA_ERROR_LAUNCH_FAILED;  // a context does not survive it

const char* kFromSystemMemory =
    "depthtestsrc num-buffers=4 ! video/x-raw,width=48,height=40 ! rdpsegment name=s backend=cuda "
    "output=reconstruct epsilon=200 median=3x3 column-width=2 s.overlay ! queue ! fakesink "
    "s.src ! queue ! fakesink name=sink";
const char* kFromCudaMemory =
    "depthtestsrc num-buffers=4 ! video/x-raw,width=48,height=40 ! depthupload ! rdpsegment name=s "
    "domain=inverse epsilon=2 s.overlay ! queue ! video/x-raw(memory:CUDAMemory) ! fakesink "
    "s.src ! queue ! fakesink name=sink";

const char* kToText =
    "depthtestsrc num-buffers=4 ! video/x-raw,width=48,height=40 ! rdpsegment name=s backend=cuda "
    "epsilon=200 ! queue ! rdpmetaconvert ! fakesink name=sink";

// A pipeline's output and messages.
struct Outcome {
  int frames = 0;
  std::vector<std::string> segmentations;  // serialized, if read; or the text
  std::vector<std::string> errors;
  int errors_of_ours = 0;  // of rdpsegment
  std::string repeated;    // the source's, which follows any other
};

class Pipeline {
 public:
  explicit Pipeline(const char* launch) : pipeline_(gst_parse_launch(launch, nullptr)) {
    fail_unless(pipeline_ != nullptr);
    g_autoptr(GstElement) sink = gst_bin_get_by_name(GST_BIN(pipeline_), "sink");
    g_autoptr(GstPad) pad = gst_element_get_static_pad(sink, "sink");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, take, this, nullptr);
  }
  ~Pipeline() { gst_object_unref(pipeline_); }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  Outcome run(bool read_segments) {
    read_ = read_segments;
    outcome_ = {};
    GstBus* bus = gst_element_get_bus(pipeline_);
    const bool started =
        gst_element_set_state(pipeline_, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
    if (started) {
      constexpr auto kEnds = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
      GstMessage* message = gst_bus_timed_pop_filtered(bus, 20 * GST_SECOND, kEnds);
      fail_unless(message != nullptr, "the pipeline hangs");
      note(message);
    }
    gst_bus_set_flushing(bus, FALSE);
    // Stops everything; messages so far stay readable.
    while (GstMessage* message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR)) note(message);
    gst_element_set_state(pipeline_, GST_STATE_NULL);
    if (!started) fail_unless(!outcome_.errors.empty(), "a start failed without a word");
    gst_object_unref(bus);
    return outcome_;
  }

 private:
  void note(GstMessage* message) {
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
      GError* error = nullptr;
      gchar* debug = nullptr;
      gst_message_parse_error(message, &error, &debug);
      const std::string text = std::string(GST_MESSAGE_SRC_NAME(message)) + ": " + error->message +
                               " | " + (debug == nullptr ? "" : debug);
      if (GST_IS_BASE_SRC(GST_MESSAGE_SRC(message))) {
        outcome_.repeated = text;
      } else {
        outcome_.errors.push_back(text);
        outcome_.errors_of_ours += g_str_equal(GST_MESSAGE_SRC_NAME(message), "s");
      }
      g_error_free(error);
      g_free(debug);
    }
    gst_message_unref(message);
  }

  static GstPadProbeReturn take(GstPad*, GstPadProbeInfo* info, gpointer user_data) {
    auto* self = static_cast<Pipeline*>(user_data);
    ++self->outcome_.frames;
    GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
    if (segmentation == nullptr) {
      std::string text(gst_buffer_get_size(buffer), ' ');
      gst_buffer_extract(buffer, 0, text.data(), text.size());
      self->outcome_.segmentations.push_back(std::move(text));
      return GST_PAD_PROBE_OK;
    }
    if (!self->read_) return GST_PAD_PROBE_OK;
    GBytes* bytes = gst_rdp_segmentation_to_bytes(segmentation);
    gsize size = 0;
    const auto* data = static_cast<const char*>(g_bytes_get_data(bytes, &size));
    self->outcome_.segmentations.emplace_back(data, size);
    g_bytes_unref(bytes);
    return GST_PAD_PROBE_OK;
  }

  GstElement* pipeline_;
  bool read_ = false;
  Outcome outcome_;
};

// All fallible driver calls of a pipeline.
const char* const kCalls[] = {
    "cuCtxCreate_v2",         "cuCtxPushCurrent_v2",
    "cuCtxGetDevice",         "cuDeviceGetAttribute",
    "cuMemAlloc_v2",          "cuMemAllocPitch_v2",
    "cuMemHostAlloc",         "cuMemHostGetDevicePointer_v2",
    "cuStreamCreate",         "cuStreamSynchronize",
    "cuStreamWaitEvent",      "cuEventCreate",
    "cuEventRecord",          "cuEventSynchronize",
    "cuModuleLoadData",       "cuModuleGetFunction",
    "cuFuncSetAttribute",     "cuLaunchKernel",
    "cuMemcpyHtoDAsync_v2",   "cuMemcpyDtoHAsync_v2",
    "cuMemcpy2DAsync_v2",     "cuMemsetD8Async",
    "cuPointerGetAttributes", "cuMemcpy2D_v2",
    "cuStreamQuery",
};

// The number of live driver objects, after waiting at most a second until at most `expected` are
// left. An ending streaming thread may release the last one a little later than the pipeline.
int settle(int expected) {
  for (int i = 0; i < 100 && standin::live("all") > expected; ++i) g_usleep(G_USEC_PER_SEC / 100);
  return standin::live("all");
}

void check_every_failure(const char* launch) {
  std::vector<std::string> expected;
  std::map<std::string, int> calls;
  {
    Pipeline pipeline(launch);
    for (const char* call : kCalls) calls[call] = -standin::count(call);
    const Outcome good = pipeline.run(true);
    for (const char* call : kCalls) calls[call] += standin::count(call);
    fail_unless(good.errors.empty(), "%s", good.errors.empty() ? "" : good.errors[0].c_str());
    fail_unless_equals_int(good.frames, kFrames);
    expected = good.segmentations;
  }
  int alive = settle(0);
  int failures = 0;
  for (const char* call : kCalls) {
    for (int nth = 1; nth <= calls[call]; ++nth) {
      for (int result : {kOutOfMemory, kLaunchFailed}) {
        {
          Pipeline pipeline(launch);
          standin::inject(call, nth, result);
          const Outcome bad = pipeline.run(false);
          standin::inject(call, 0, 0);
          // Either the failed call is harmless, or the element that made it posts one error. If the
          // context is lost, its neighbour may report that, too.
          fail_unless(bad.errors_of_ours <= 1, "%s, call %d: %d errors, %s, %s", call, nth,
                      static_cast<int>(bad.errors.size()), bad.errors[0].c_str(),
                      bad.errors.back().c_str());
          fail_unless(!bad.errors.empty() || bad.frames == kFrames,
                      "%s, call %d, answered %d: %d frames and no error but %s", call, nth, result,
                      bad.frames, bad.repeated.c_str());
          // The text so far is correct: no line reports a non-empty frame as empty.
          const auto& came = bad.segmentations;
          fail_unless(came.size() <= expected.size() &&
                          std::equal(came.begin(), came.end(), expected.begin()),
                      "%s, call %d, answered %d: other text", call, nth, result);
          failures += static_cast<int>(bad.errors.size());
          const Outcome again = pipeline.run(true);
          fail_unless(again.errors.empty(), "%s, call %d, answered %d; then again: %s", call, nth,
                      result, again.errors.empty() ? "" : again.errors[0].c_str());
          fail_unless(again.segmentations == expected, "%s, call %d, answered %d; then again wrong",
                      call, nth, result);
        }
        // Objects freed while their context cannot be made current go with the context.
        const bool cannot_free = g_str_equal(call, "cuCtxPushCurrent_v2");
        const int left = cannot_free ? standin::live("all") : settle(alive);
        fail_unless(cannot_free || left <= alive,
                    "%s, call %d, answered %d: %d objects are left, %d contexts", call, nth, result,
                    left - alive, standin::live("contexts"));
        alive = left;
      }
    }
  }
  fail_unless(failures > 50, "only %d failures were seen", failures);
}

}  // namespace

CHECK_TEST(test_every_failure_from_system_memory, standin::available()) {
  check_every_failure(kFromSystemMemory);
}

CHECK_TEST(test_every_failure_from_cuda_memory, standin::available()) {
  check_every_failure(kFromCudaMemory);
}

// The downstream element reads the segments from the GPU, and reports lost ones.
CHECK_TEST(test_every_failure_to_text, standin::available()) { check_every_failure(kToText); }

// The error text contains CUDA's error name and the frame's time.
CHECK_TEST(test_error_text, standin::available()) {
  const Shape shape;
  for (const char* backend : {"cuda", "auto"}) {
    const bool in_cuda = g_str_equal(backend, "auto");
    const cuda_frames::ContextRef context = cuda_frames::new_context();
    Rig rig(in_cuda ? cuda_frames::caps_string(shape) : frames::caps_string(shape), backend);
    const auto frame = [&](unsigned number) {
      return in_cuda ? cuda_frames::make(context.get(), shape, 1, number)
                     : frames::make(shape, 1, number);
    };
    gst_buffer_unref(gst_harness_push_and_pull(rig.main, frame(0)));
    GstBuffer* later = frame(30);
    standin::inject("cuLaunchKernel", 1, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    fail_unless_equals_int(gst_harness_push(rig.main, later), GST_FLOW_ERROR);
    g_autoptr(GstMessage) message = frames::wait_message(rig.bus, GST_MESSAGE_ERROR);
    const auto error = rdp::test::text_of(message);
    fail_unless(error.is(GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED));
    fail_unless(error.has("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"), "%s", error.debug.c_str());
    fail_unless(error.has("0:00:01.0"), "%s", error.debug.c_str());
    // Without a restart, the engine works again.
    gst_buffer_unref(gst_harness_push_and_pull(rig.main, frame(31)));
  }
}

CHECK_TEST(test_no_device, standin::available()) {
  standin::set_devices(0);
  const Shape shape;
  g_autoptr(GstElement) element =
      gst_element_factory_make_full("rdpsegment", "backend", 2, nullptr);
  GstBus* bus = frames::attach_bus(element);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  frames::check_error(bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
                      "finds no CUDA device");
  gst_element_set_state(element, GST_STATE_NULL);
  {
    Rig rig(frames::caps_string(shape), "auto");
    gst_buffer_unref(gst_harness_push_and_pull(rig.main, frames::make(shape)));
    fail_unless(cuda_frames::backend_in_use(rig.element) == "cpu");
  }
  standin::set_devices(1);
  g_object_set(element, "cuda-device-id", 7, nullptr);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  frames::check_error(bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
                      "no CUDA device 7: the driver has 1");
  // The device is now present.
  g_object_set(element, "cuda-device-id", 0, nullptr);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_PAUSED),
                         GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state(element, GST_STATE_NULL);
  frames::detach_bus(element, bus);
}

CHECK_TEST(test_no_code_for_this_device, standin::available()) {
  standin::inject("cuModuleLoadData", 1, CUDA_ERROR_NO_BINARY_FOR_GPU);
  g_autoptr(GstElement) element =
      gst_element_factory_make_full("rdpsegment", "backend", 2, nullptr);
  GstBus* bus = frames::attach_bus(element);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  frames::check_error(bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
                      "this build has none for compute capability");
  gst_element_set_state(element, GST_STATE_NULL);
  frames::detach_bus(element, bus);
}

// Plays streams of `frames` frames with backend=auto, with one failing call in each: every frame
// and picture must be correct. Returns the number of warnings.
static int fall_back(const Shape& shape, std::span<const char* const> calls, int last,
                     unsigned frames, const char* overlay_caps = "video/x-raw") {
  rdp::Parameters parameters;
  parameters.epsilon = 500;
  const auto expected = cuda_frames::expect(shape, parameters);
  int warnings = 0;
  for (const char* call : calls) {
    for (int nth = 1; nth <= last; ++nth) {
      Rig rig("", "auto", overlay_caps);
      cuda_frames::set_parameters(rig.element, parameters);
      g_object_set(rig.element, "output", 1, nullptr);
      standin::inject(call, nth, nth % 2 == 0 ? kOutOfMemory : kLaunchFailed);
      gst_harness_set_src_caps(rig.main, frames::caps(shape));
      for (unsigned number = 0; number < frames; ++number) {
        fail_unless_equals_int(gst_harness_push(rig.main, frames::make(shape, 1, number)),
                               GST_FLOW_OK);
        GstBuffer* output = gst_harness_pull(rig.main);
        fail_unless(cuda_frames::samples(output, shape) == expected.reconstructed,
                    "%s, call %d: frame %u is wrong", call, nth, number);
        frames::check_segmentation(gst_rdp_buffer_get_segmentation(output),
                                   cuda_frames::tight(shape), expected.samples, parameters);
        gst_buffer_unref(output);
        g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
        fail_unless(cuda_frames::pixels(picture, shape) == expected.picture,
                    "%s, call %d: picture %u is wrong", call, nth, number);
      }
      standin::inject(call, 0, 0);
      while (GstMessage* message = gst_bus_pop(rig.bus)) {
        fail_unless(GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR, "%s, call %d", call, nth);
        warnings += GST_MESSAGE_TYPE(message) == GST_MESSAGE_WARNING;
        gst_message_unref(message);
      }
    }
  }
  return warnings;
}

// On system memory backend=auto never fails because of the GPU, whichever call fails, during the
// engine's creation or its trial.
CHECK_TEST(test_auto_falls_back, standin::available()) {
  const int warnings = fall_back({GST_VIDEO_FORMAT_GRAY16_LE, 64, 500}, kCalls, 8, 24);
  fail_unless(warnings > 20, "only %d warnings were seen", warnings);
}

// The same for pictures in CUDA memory whose context is lost: they continue in system memory.
CHECK_TEST(test_auto_falls_back_with_cuda_pictures, standin::available()) {
  const char* const calls[] = {"cuLaunchKernel", "cuStreamSynchronize", "cuMemcpyHtoDAsync_v2"};
  const int warnings = fall_back({GST_VIDEO_FORMAT_GRAY16_LE, 64, 500}, calls, 6, 8,
                                 "video/x-raw(memory:CUDAMemory);video/x-raw");
  fail_unless(warnings > 10, "only %d warnings were seen", warnings);
}

// The same if half of the reconstruction is already in the frame.
CHECK_TEST(test_auto_falls_back_half_way, standin::available()) {
  const char* const calls[] = {"cuMemcpyDtoHAsync_v2", "cuEventRecord", "cuEventSynchronize"};
  const int warnings = fall_back({GST_VIDEO_FORMAT_GRAY16_LE, 640, 500}, calls, 24, 4);
  fail_unless(warnings > 20, "only %d warnings were seen", warnings);
}

// If downstream accepts only CUDA memory, pictures stay in the context of the abandoned GPU engine,
// also after renegotiation.
CHECK_TEST(test_cuda_pictures_of_the_cpu, standin::available()) {
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 64, 50};
  rdp::Parameters parameters;
  parameters.epsilon = 500;
  const auto expected = cuda_frames::expect(shape, parameters);
  Rig rig("", "auto", "video/x-raw(memory:CUDAMemory)");
  cuda_frames::set_parameters(rig.element, parameters);
  gst_harness_set_src_caps(rig.main, frames::caps(shape));
  for (unsigned number = 0; number < 6; ++number) {
    if (number == 1) standin::inject("cuLaunchKernel", 1, kOutOfMemory);
    if (number == 4) gst_harness_push_upstream_event(rig.overlay, gst_event_new_reconfigure());
    fail_unless_equals_int(gst_harness_push(rig.main, frames::make(shape, 1, number)), GST_FLOW_OK);
    gst_buffer_unref(gst_harness_pull(rig.main));
    g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
    fail_unless(cuda_frames::pixels(picture, shape) == expected.picture, "picture %u", number);
  }
  fail_unless(frames::backend_in_use(rig.element) == "cpu");
}

// The context dies with unread segments in it.
CHECK_TEST(test_segments_are_lost, standin::available()) {
  const Shape shape;
  Rig rig(frames::caps_string(shape), "cuda");
  GstBuffer* output = gst_harness_push_and_pull(rig.main, frames::make(shape));
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(output);
  fail_unless(gst_rdp_segmentation_get_n_segments(segmentation) > 0);
  standin::lose_contexts(CUDA_ERROR_ILLEGAL_ADDRESS);
  for (guint column = 0; column < 64; ++column) {
    gsize count = 99;
    gst_rdp_segmentation_get_column(segmentation, column, &count);
    fail_unless_equals_int(count, 0);
  }
  fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(segmentation), 0);
  g_autoptr(GError) error = nullptr;
  fail_if(gst_rdp_segmentation_fetch(segmentation, &error));
  fail_unless(strstr(error->message, "CUDA_ERROR_ILLEGAL_ADDRESS") != nullptr, "%s",
              error->message);
  gst_buffer_unref(output);
  // The element detects that, posts an error, and continues in a new context.
  fail_unless_equals_int(gst_harness_push(rig.main, frames::make(shape)), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                      "CUDA_ERROR_ILLEGAL_ADDRESS");
  output = gst_harness_push_and_pull(rig.main, frames::make(shape));
  frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), cuda_frames::tight(shape),
                             cuda_frames::expect(shape, {}).samples, {});
  gst_buffer_unref(output);
}

// Buffers that contradict their caps.
CHECK_TEST(test_wrong_buffers) {
  const Shape shape;
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  Rig rig(cuda_frames::caps_string(shape), "auto");
  fail_unless_equals_int(gst_harness_push(rig.main, frames::make(shape)), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "memory:CUDAMemory");
  fail_unless_equals_int(
      gst_harness_push(rig.main, cuda_frames::make(context.get(), {shape.format, 64, 47})),
      GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "64x47");
  gst_buffer_unref(gst_harness_push_and_pull(rig.main, cuda_frames::make(context.get(), shape)));
}

CHECK_CASE(rdpsegment_cuda_errors, .missing = cuda_frames::missing)
