// SPDX-License-Identifier: LGPL-2.1-or-later
// depthplanes on the GPU, over the stand-in driver or a real one: bit-identical to the CPU, from
// and to system and CUDA memory. Labels stay on the GPU until read.
#include "common/planes/frames/engine.h"
#include "common/planes/pictures/overlay.h"
#include "tests/depthplanes/planes_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/cuda_frames.h"

using frames::Shape;
using namespace planes_rig;
using rdp::test::PlaneKind;

namespace {

constexpr const char* kCuda = GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY;
constexpr Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 160, 120};

GstBuffer* cuda_buffer(GstCudaContext* context, const Drawn& drawn, unsigned number = 0) {
  std::string reason;
  GstBuffer* buffer = rdp::test::new_cuda_buffer(context, drawn.content, &reason);
  fail_unless(buffer != nullptr, "%s", reason.c_str());
  GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
  GST_BUFFER_DURATION(buffer) = GST_SECOND / 30;
  return buffer;
}

void check_on_gpu(const Rig& rig) {
  fail_unless_equals_text(frames::backend_in_use(rig.element), "cuda");
}

// The CPU painter's picture of the expected planes.
std::vector<std::uint8_t> paint(const Drawn& drawn, rdp::planes::OverlayStyle style) {
  const rdp::DepthView frame = drawn.content.view();
  rdp::planes::FrameEngine finder(1);
  std::vector<rdp::planes::NodeSquare> nodes;
  std::vector<std::byte> bytes(static_cast<std::size_t>(frame.width) *
                               static_cast<std::size_t>(frame.height));
  const rdp::MutableDepthView labels{bytes.data(), frame.width, frame.width, frame.height,
                                     rdp::SampleType::kU8};
  const rdp::planes::Parameters parameters;
  const rdp::planes::PlaneSet& set = finder.find(frame, drawn.camera, parameters, labels, &nodes);
  rdp::planes::OverlayOptions options;
  options.style = style;
  std::vector<std::uint8_t> picture(4 * bytes.size());
  rdp::planes::OverlayPainter(1).paint(
      frame, labels, {&drawn.camera, &parameters, &set, nodes}, options,
      {reinterpret_cast<std::byte*>(picture.data()), 4 * frame.width, frame.width, frame.height});
  return picture;
}

}  // namespace

CHECK_TEST(test_system_memory) {
  for (const Shape& shape : {kShape, Shape{GST_VIDEO_FORMAT_GRAY8, 97, 43}}) {
    for (const PlaneKind kind : {PlaneKind::kRoom, PlaneKind::kTiles, PlaneKind::kUnknown}) {
      const Drawn drawn(shape, kind);
      const Expected expected = expect(drawn);
      Rig rig("cuda");
      rig.begin(drawn);
      for (unsigned number = 0; number < 3; ++number) {
        g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, drawn.buffer(number));
        check_planes(output, expected, rdp::test::name_of(kind));
      }
      check_on_gpu(rig);
      fail_unless_equals_uint64(rig.count("nodes"),
                                static_cast<guint64>(expected.set.counts.nodes));
      fail_unless_equals_uint64(rig.count("merged"),
                                static_cast<guint64>(expected.set.counts.merged));
    }
  }
}

// backend=auto tries both on frames in system memory, with bit-identical results.
CHECK_TEST(test_backend_trial) {
  const Drawn drawn(kShape);
  const Expected expected = expect(drawn);
  for (const char* output : {"passthrough", "labels"}) {
    Rig rig("auto");
    rig.set("output", output);
    rig.begin(drawn);
    for (unsigned number = 0; number < 30; ++number) {
      g_autoptr(GstBuffer) frame = gst_harness_push_and_pull(rig.main, drawn.buffer(number));
      check_planes(frame, expected, output);
    }
  }
}

CHECK_TEST(test_cuda_memory) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const Drawn drawn(kShape);
  const Expected expected = expect(drawn);
  Rig rig("auto", "video/x-raw,format=RGBA");
  rig.begin(drawn, kCuda);
  for (unsigned number = 0; number < 3; ++number) {
    GstBuffer* input = cuda_buffer(context.get(), drawn, number);
    GstMemory* memory = gst_buffer_peek_memory(input, 0);
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig.main, input);
    fail_unless(gst_buffer_peek_memory(output, 0) == memory);
    check_planes(output, expected, "CUDA memory");
    gst_buffer_unref(gst_harness_pull(rig.overlay));
  }
  check_on_gpu(rig);
}

// Label frames in the memory that downstream wants.
CHECK_TEST(test_labels) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const Drawn drawn({GST_VIDEO_FORMAT_GRAY16_LE, 97, 43});
  const Shape labels{GST_VIDEO_FORMAT_GRAY8, 97, 43};
  const Expected expected = expect(drawn);
  for (const bool to_cuda : {true, false}) {
    for (const bool from_cuda : {true, false}) {
      if (to_cuda && !from_cuda) continue;  // labels of frames in system memory stay there
      Rig rig("cuda");
      rig.set("output", "labels");
      gst_harness_set_sink_caps(rig.main, frames::caps(labels, to_cuda ? kCuda : nullptr));
      rig.begin(drawn, from_cuda ? kCuda : nullptr);
      for (unsigned number = 0; number < 3; ++number) {
        g_autoptr(GstBuffer) output = gst_harness_push_and_pull(
            rig.main, from_cuda ? cuda_buffer(context.get(), drawn, number) : drawn.buffer(number));
        check_planes(output, expected, "labels");
        fail_unless(gst_is_cuda_memory(gst_buffer_peek_memory(output, 0)) == to_cuda);
        fail_unless(cuda_frames::samples(output, labels) == expected.labels);
      }
    }
  }
}

CHECK_TEST(test_overlay) {
  using Style = rdp::planes::OverlayStyle;
  const Drawn drawn(kShape);
  for (const Style style :
       {Style::kPlanes, Style::kNormals, Style::kNodes, Style::kResidual, Style::kDepth}) {
    Rig rig("cuda", "video/x-raw,format=RGBA");
    g_autoptr(GstPad) pad = gst_element_get_static_pad(rig.element, "overlay");
    g_object_set(pad, "style", static_cast<gint>(style), nullptr);
    rig.begin(drawn);
    gst_buffer_unref(gst_harness_push_and_pull(rig.main, drawn.buffer()));
    g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
    fail_unless(picture != nullptr);
    fail_unless(frames::pixels(picture, kShape) == paint(drawn, style), "style %d",
                static_cast<int>(style));
  }
}

// Labels are downloaded on first access: each frame's own, even after the element is gone.
CHECK_TEST(test_late_labels) {
  std::vector<GstBuffer*> frames;
  std::vector<Expected> expected;
  {
    Rig rig("cuda");
    for (unsigned number = 0; number < 4; ++number) {
      const Drawn drawn(kShape, number % 2 == 0 ? PlaneKind::kRoom : PlaneKind::kTiles, number);
      if (number == 0) rig.begin(drawn);
      expected.push_back(expect(drawn));
      frames.push_back(gst_harness_push_and_pull(rig.main, drawn.buffer(number)));
      // Planes are available without a download.
      fail_unless_equals_int(gst_rdp_planes_get_n_planes(gst_rdp_buffer_get_planes(frames.back())),
                             expected.back().set.planes.size());
    }
  }
  for (std::size_t i = frames.size(); i-- > 0;) {
    check_planes(frames[i], expected[i], "late");
    gst_buffer_unref(frames[i]);
  }
}

CHECK_CASE(depthplanes_cuda, .seconds = 120, .missing = cuda_frames::missing)
