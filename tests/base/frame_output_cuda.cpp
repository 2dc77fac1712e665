// SPDX-License-Identifier: LGPL-2.1-or-later
// Output frames that an element allocates: their memory and pool. On the stand-in driver or a real
// one.

#include "gst/elements/base/frame_output.h"
#include "tests/base/two_inputs_element.h"
#include "tests/base/work_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using frames::Shape;
using rdp::gst::FrameOutput;
using rdp::gst::MemoryKind;
using namespace rdp::test;

namespace {

const Shape kShape{GST_VIDEO_FORMAT_GRAY8, 31, 9};
constexpr const char* kCuda = "video/x-raw(memory:CUDAMemory), format=GRAY8";
constexpr const char* kSystem = "video/x-raw, format=GRAY8";

// A source pad and its downstream, which accepts `takes`.
struct OutputRig : WorkRig {
  explicit OutputRig(const char* takes) : WorkRig(GST_RDP_BACKEND_CUDA) {
    src = GST_PAD(gst_object_ref_sink(gst_pad_new("src", GST_PAD_SRC)));
    sink = GST_PAD(gst_object_ref_sink(gst_pad_new("sink", GST_PAD_SINK)));
    gst_pad_set_element_private(sink, const_cast<char*>(takes));
    gst_pad_set_query_function(sink, [](GstPad* pad, GstObject*, GstQuery* query) -> gboolean {
      if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return FALSE;
      GstCaps* filter;
      gst_query_parse_caps(query, &filter);
      g_autoptr(GstCaps) all =
          gst_caps_from_string(static_cast<const char*>(gst_pad_get_element_private(pad)));
      g_autoptr(GstCaps) some =
          filter == nullptr ? gst_caps_ref(all) : gst_caps_intersect(filter, all);
      gst_query_set_caps_result(query, some);
      return TRUE;
    });
    fail_unless_equals_int(gst_pad_link(src, sink), GST_PAD_LINK_OK);
    for (GstPad* pad : {src, sink}) gst_pad_set_active(pad, TRUE);
    output.emplace(element, src, &gpu);
  }
  ~OutputRig() {
    output.reset();
    for (GstPad* pad : {src, sink}) {
      gst_pad_set_active(pad, FALSE);
      gst_object_unref(pad);
    }
  }
  // The element prefers frames in CUDA memory.
  bool negotiate() {
    g_autoptr(GstCaps) possible = cuda_frames::caps(kShape);
    gst_caps_append(possible, frames::caps(kShape));
    g_autoptr(GstCaps) input = frames::caps(kShape);
    return output->negotiate(possible, input);
  }
  GstBuffer* acquire() {
    GstBuffer* frame = frames::make(kShape, 1, 30);
    GstFlowReturn flow;
    GstBuffer* buffer = output->acquire(frame, &flow);
    fail_unless(buffer != nullptr);
    fail_unless_equals_uint64(GST_BUFFER_PTS(buffer), GST_SECOND);
    gst_buffer_unref(frame);
    return buffer;
  }

  GstPad* src;
  GstPad* sink;
  std::optional<FrameOutput> output;
};

bool is_page_locked(GstBuffer* buffer) {
  return gst_memory_is_type(gst_buffer_peek_memory(buffer, 0), "rdp.pinned.memory") != FALSE;
}

}  // namespace

// Downstream gets CUDA memory only if its caps name it.
CHECK_TEST(test_memory) {
  const std::string both = std::string(kSystem) + ";" + kCuda;
  for (const char* takes : {"ANY", kSystem, kCuda, both.c_str()}) {
    OutputRig rig(takes);
    rig.gpu.start(-1);
    fail_unless(rig.negotiate());
    const bool cuda = std::string(takes).find("CUDA") != std::string::npos;
    fail_unless(rig.output->memory() == (cuda ? MemoryKind::kCuda : MemoryKind::kSystem));
    fail_unless(rig.output->make_pool());
    g_autoptr(GstBuffer) buffer = rig.acquire();
    fail_unless(rdp::gst::is_cuda_buffer(buffer) == cuda);
  }
  OutputRig rig("video/x-raw, format=RGBA");
  fail_if(rig.negotiate());
  frames::check_error(rig.bus, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
                      "does not accept its output caps: the pad ");
}

// The pool is in the context of the work; without a context the user gets an error.
CHECK_TEST(test_context_moves) {
  OutputRig rig(kCuda);
  fail_unless(rig.negotiate());
  fail_if(rig.output->make_pool());
  frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                      "No memory for output frames.");
  const cuda_frames::ContextRef contexts[] = {cuda_frames::new_context(),
                                              cuda_frames::new_context()};
  for (const int which : {0, 0, 1, 0}) {
    GstCudaContext* context = contexts[which].get();
    std::string reason;
    fail_unless(rig.gpu.session_for({GST_OBJECT_CAST(context), -1}, -1, &reason) != nullptr);
    g_autoptr(GstBuffer) buffer = rig.acquire();
    fail_unless(GST_CUDA_MEMORY_CAST(gst_buffer_peek_memory(buffer, 0))->context == context);
  }
}

CHECK_TEST(test_page_locked) {
  OutputRig rig(kSystem);
  rig.gpu.start(-1);
  fail_unless(rig.negotiate() && rig.output->make_pool());
  for (const bool locked : {false, true, true, false}) {
    rig.output->set_page_locked(locked);
    g_autoptr(GstBuffer) buffer = rig.acquire();
    fail_unless(is_page_locked(buffer) == locked);
  }
}

// An element on GstAggregator whose downstream changes its caps in mid-stream.
CHECK_TEST(test_aggregator) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  auto* element = GST_ELEMENT(g_object_new(rdp_two_inputs_get_type(), nullptr));
  g_autoptr(GstHarness) left = gst_harness_new_with_element(element, "sink_0", "src");
  g_autoptr(GstHarness) right = gst_harness_new_with_element(element, "sink_1", nullptr);
  gst_harness_set_sink_caps_str(left, kCuda);
  gst_harness_set_src_caps(left, cuda_frames::caps(kShape));
  gst_harness_set_src_caps(right, frames::caps(kShape));
  for (unsigned number = 0; number < 6; ++number) {
    const bool cuda = number < 3;
    if (number == 3) gst_harness_set_sink_caps_str(left, kSystem);
    GstBuffer* inputs[] = {cuda_frames::make(context.get(), kShape, number),
                           frames::make(kShape, number + 1)};
    const std::vector<int> expected =
        difference(samples(inputs[0], kShape), samples(inputs[1], kShape), kShape);
    fail_unless_equals_int(gst_harness_push(left, inputs[0]), GST_FLOW_OK);
    fail_unless_equals_int(gst_harness_push(right, inputs[1]), GST_FLOW_OK);
    g_autoptr(GstBuffer) output = gst_harness_pull(left);
    fail_unless(output != nullptr);
    fail_unless(rdp::gst::is_cuda_buffer(output) == cuda, "%u", number);
    fail_unless(samples(output, kShape) == expected);
  }
  fail_unless(frames::backend_in_use(element) == "cuda");
  gst_object_unref(element);
}

CHECK_CASE(frame_output_cuda, .missing = cuda_frames::missing)
