// SPDX-License-Identifier: LGPL-2.1-or-later
// The elements on a GPU when C++ allocations fail. Each allocation of theirs fails once, in turn,
// in a stream from start to end. It fails alone, and together with a driver error whose text must
// be stored. The process never aborts, a failing element reports its error, and the next stream
// works.
#include "tests/support/failing_new.h"

// Above it, because check.h, which this includes, defines a macro named fail.
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

namespace {

constexpr int kFrames = 3;

struct Outcome {
  int frames = 0;
  guint64 segments = 0;
  int errors = 0;
};

// The driver's own allocations are not the elements'.
int not_ours() {
  static int (*const inside)() = standin::inside();
  return inside();
}

GstPadProbeReturn take(GstPad*, GstPadProbeInfo* info, gpointer user_data) {
  auto* outcome = static_cast<Outcome*>(user_data);
  ++outcome->frames;
  GstRdpSegmentation* segmentation =
      gst_rdp_buffer_get_segmentation(GST_PAD_PROBE_INFO_BUFFER(info));
  if (segmentation == nullptr) return GST_PAD_PROBE_OK;
  // From the GPU, on the first read.
  gsize n = 0;
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(segmentation, &n);
  outcome->segments += offsets[n - 1];
  return GST_PAD_PROBE_OK;
}

Outcome play(const char* launch) {
  Outcome outcome;
  GstElement* pipeline = gst_parse_launch(launch, nullptr);
  fail_unless(pipeline != nullptr);
  GstElement* sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
  GstPad* pad = gst_element_get_static_pad(sink, "sink");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, take, &outcome, nullptr);
  GstBus* bus = gst_element_get_bus(pipeline);
  if (gst_element_set_state(pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE) {
    constexpr auto kEnds = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(bus, 20 * GST_SECOND, kEnds);
    fail_unless(message != nullptr, "the pipeline hangs");
    outcome.errors += GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR ? 1 : 0;
  }
  gst_bus_set_flushing(bus, FALSE);
  while (GstMessage* message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR)) {
    ++outcome.errors;
    gst_message_unref(message);
  }
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(bus);
  gst_object_unref(pad);
  gst_object_unref(sink);
  gst_object_unref(pipeline);
  return outcome;
}

// If `call` is not null, that driver call fails as well.
void check_every_allocation(const char* launch, const char* call) {
  const Outcome good = play(launch);
  fail_unless_equals_int(good.errors, 0);
  fail_unless_equals_int(good.frames, kFrames);
  int nth = 1;
  for (;; ++nth) {
    fail_unless(nth < 3000, "there is no end of allocations");
    if (call != nullptr) standin::inject(call, 1, CUDA_ERROR_OUT_OF_MEMORY);
    failing_new::fail_at(nth);
    const Outcome bad = play(launch);
    const bool reached = failing_new::reached();
    if (call != nullptr) standin::inject(call, 0, 0);
    fail_unless(bad.errors > 0 || bad.frames == kFrames, "allocation %d: %d frames and no error",
                nth, bad.frames);
    const Outcome again = play(launch);
    fail_unless(again.errors == 0 && again.frames == kFrames && again.segments == good.segments,
                "after allocation %d: %d errors, %d frames", nth, again.errors, again.frames);
    if (!reached) break;
  }
  fail_unless(nth > 5, "only %d allocations", nth - 1);
}

constexpr const char* kTransfer =
    "depthtestsrc num-buffers=3 ! video/x-raw,width=48,height=40 ! depthupload ! depthdownload ! "
    "fakesink name=sink";
constexpr const char* kSegments =
    "depthtestsrc num-buffers=3 ! video/x-raw,width=48,height=40 ! rdpsegment backend=cuda "
    "epsilon=200 ! fakesink name=sink";

}  // namespace

CHECK_TEST(test_transfer, standin::available()) {
  check_every_allocation(kTransfer, nullptr);
  for (const char* call : {"cuMemHostAlloc", "cuStreamCreate", "cuMemcpyHtoDAsync_v2"}) {
    check_every_allocation(kTransfer, call);
  }
}

CHECK_TEST(test_segments, standin::available()) {
  check_every_allocation(kSegments, nullptr);
  // The failing copy runs in the reader, which has no error channel: its columns are empty.
  check_every_allocation(kSegments, "cuMemcpyDtoHAsync_v2");
}

CHECK_CASE(
    cuda_out_of_memory, .before = [] { failing_new::not_counted = not_ours; },
    .missing = cuda_frames::missing)
