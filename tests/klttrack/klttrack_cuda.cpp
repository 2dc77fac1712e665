// SPDX-License-Identifier: LGPL-2.1-or-later
// klttrack on the GPU, over the stand-in driver or a real one: tracks and pictures bit-identical to
// the CPU, and ids when the engine changes.
#include "common/klt/overlay.h"
#include "tests/klttrack/track_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using namespace tracks_rig;

namespace {

frames::Content content_of(const TestFrame& picture) {
  const rdp::DepthView from = picture.view();
  frames::Content content({GST_VIDEO_FORMAT_GRAY8, from.width, from.height});
  for (int row = 0; row < from.height; ++row) {
    for (int column = 0; column < from.width; ++column) {
      content.view().set(row, column, from.at(row, column));
    }
  }
  return content;
}

}  // namespace

// Frames in system memory, with attached points, a gap, a flush and property changes.
CHECK_TEST(test_system_memory) {
  const std::vector<Way> ways = both_warps();
  for (const unsigned number : {0U, 1U, 2U, 3U}) {
    const Way& way = ways[number % 2];
    Stream stream((std::string("backend=cuda ") + way.settings).c_str(),
                  number < 2 ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_NV12);
    Parameters parameters = way.parameters;
    for (int i = 0; i < 10; ++i) {
      const TestFrame frame = moved(4 * i, -2 * i);
      GstBuffer* buffer = stream.make(frame);
      std::vector<rdp::klt::Point> points;
      if (i % 3 == 1) {
        points = {{30.5F, 40, 0, 0}, {-3, 2, 0, 0}, {60, 20.25F, 4, -2}};
        add_points(buffer, points);
      }
      if (i == 4) {
        GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
        reference::end_prediction(&stream.state);
      }
      if (i == 6) {
        stream.set("window", "16");
        stream.set("light", "gain-bias");
        stream.set("max-features", "14");
        parameters.window = 16;
        parameters.light = rdp::klt::Light::kGainBias;
        parameters.max_features = 14;
      }
      if (i == 8) {
        flush(stream);
        stream.end();
      }
      stream.expect(frame, parameters, points, buffer);
    }
    fail_unless(frames::backend_in_use(stream.element()) == "cuda");
  }
}

// The CPU tracks frames in system memory, then the GPU tracks frames in CUDA memory, in place. The
// change of engine ends all tracks; ids continue.
CHECK_TEST(test_cuda_memory) {
  GstCudaContext* context = gst_cuda_context_new(0);
  fail_unless(context != nullptr);
  const Way affine = both_warps()[1];
  Stream stream(affine.settings);
  for (int i = 0; i < 9; ++i) {
    const bool on_gpu = i / 3 == 1;
    if (i % 3 == 0) {
      const frames::Shape shape{GST_VIDEO_FORMAT_GRAY8, kWidth, kHeight};
      gst_harness_set_src_caps(
          stream.harness,
          frames::caps(shape, on_gpu ? GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY : nullptr));
      stream.end();
    }
    const TestFrame frame = moved(3 * i, i);
    GstBuffer* buffer = nullptr;
    if (on_gpu) {
      std::string reason;
      buffer = rdp::test::new_cuda_buffer(context, content_of(frame), &reason);
      fail_unless(buffer != nullptr, "%s", reason.c_str());
      GST_BUFFER_PTS(buffer) = stream.pts();
    }
    stream.expect(frame, affine.parameters, {}, buffer);
    fail_unless((frames::backend_in_use(stream.element()) == "cuda") == on_gpu);
  }
  fail_unless(stream.state.next_id > 60);
  gst_object_unref(context);
}

// Pictures are bit-identical.
CHECK_TEST(test_overlay) {
  const Way affine = both_warps()[1];
  Stream stream((std::string("backend=cuda ") + affine.settings).c_str());
  g_autoptr(GstHarness) pictures =
      gst_harness_new_with_element(stream.harness->element, nullptr, "overlay");
  gst_harness_set_sink_caps_str(pictures, "video/x-raw,format=RGBA");
  gst_harness_set_live(stream.harness, FALSE);
  gst_harness_set_live(pictures, FALSE);
  const rdp::klt::OverlayOptions options = {rdp::klt::OverlayStyle::kWindows, false,
                                            affine.parameters.warp};
  gst_child_proxy_set(GST_CHILD_PROXY(stream.element()), "overlay::style",
                      static_cast<int>(options.style), nullptr);
  rdp::klt::OverlayPainter painter(1);
  rdp::klt::Trails trails;
  for (int i = 0; i < 4; ++i) {
    const TestFrame frame = moved(3 * i, i);
    const Found found = found_in(stream.expect(frame, affine.parameters).get());
    trails.update(found.tracks);
    std::vector<std::uint8_t> wanted(std::size_t{4} * kWidth * kHeight);
    painter.paint(frame.view(), {found.tracks, found.lost, trails.trails(), found.warps, 12},
                  options,
                  {reinterpret_cast<std::byte*>(wanted.data()), 4 * kWidth, kWidth, kHeight});
    g_autoptr(GstBuffer) picture = gst_harness_pull(pictures);
    fail_unless(frames::pixels(picture, {GST_VIDEO_FORMAT_RGBA, kWidth, kHeight}) == wanted);
  }
}

CHECK_CASE(klttrack_cuda, .missing = cuda_frames::missing)
