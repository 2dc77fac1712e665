// SPDX-License-Identifier: LGPL-2.1-or-later
// depthfilter on frames in CUDA memory, over the stand-in driver or a real one: in place, or
// decimated into CUDA or system memory. State, gaps, counts and pictures equal the CPU's.
#include "tests/depthfilter/filter_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/element_stats.h"

using namespace filter_rig;

namespace {

constexpr const char* kCuda = GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY;

GstBuffer* cuda_frame(Rig* rig, GstCudaContext* context, const Content& content) {
  std::string reason;
  GstBuffer* buffer = rdp::test::new_cuda_buffer(context, content, &reason);
  fail_unless(buffer != nullptr, "%s", reason.c_str());
  GST_BUFFER_PTS(buffer) = rig->pts;
  rig->pts += GST_SECOND / 30;
  return buffer;
}

void check(GstBuffer* buffer, const Content& expected, const char* what) {
  const std::vector<std::uint8_t> got = cuda_frames::samples(buffer, expected.shape);
  fail_unless(std::memcmp(got.data(), expected.samples.data(), got.size()) == 0, "%s", what);
}

}  // namespace

// A stream with a gap event, a gap frame and a discontinuity; `to`: the memory of decimated frames.
CHECK_TEST(test_stream) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  struct Row {
    int decimation;
    const char* to;
  };
  for (const Row& row : {Row{1, kCuda}, Row{2, kCuda}, Row{2, nullptr}}) {
    Parameters parameters;
    parameters.temporal_frames = 4;
    parameters.decimation = row.decimation;
    Expected expected(parameters);
    Rig rig("temporal-frames=4 domain=inverse decimation=" + std::to_string(row.decimation),
            nullptr, "auto");
    const Shape made{kShape.format, kShape.width / row.decimation, kShape.height / row.decimation};
    gst_harness_set_sink_caps(rig.main, frames::caps(made, row.to));
    gst_harness_set_src_caps(rig.main, frames::caps(kShape, kCuda));
    std::int64_t filled = 0;
    for (unsigned seed = 1; seed <= 6; ++seed) {
      const bool gap = seed == 4;
      if (seed == 3) {
        rig.event(gst_event_new_gap(rig.pts, GST_SECOND / 30));
        expected.filter(Content(kShape));
      }
      GstBuffer* input = cuda_frame(&rig, context.get(), wall(seed));
      if (gap) GST_BUFFER_FLAG_SET(input, GST_BUFFER_FLAG_GAP);
      if (seed == 6) {
        GST_BUFFER_FLAG_SET(input, GST_BUFFER_FLAG_DISCONT);
        expected.state = {};
      }
      GstMemory* const memory = gst_buffer_peek_memory(input, 0);
      g_autoptr(GstBuffer) output = rig.filter(input);
      check(output, expected.filter(gap ? Content(kShape) : wall(seed)), "a stream");
      fail_unless_equals_int(gst_is_cuda_memory(gst_buffer_peek_memory(output, 0)),
                             row.to != nullptr);
      fail_unless_equals_int(gst_buffer_peek_memory(output, 0) == memory, row.decimation == 1);
      filled += expected.counts.temporal_filled;
    }
    fail_unless_equals_text(frames::backend_in_use(rig.element), "cuda");
    fail_unless_equals_uint64(rdp::test::stat_of(rig.element, "temporal-filled-sum"),
                              static_cast<guint64>(filled));
  }
}

// Pictures of frames in place, decimated frames and gaps equal the CPU's.
CHECK_TEST(test_picture) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const int decimation : {1, 3}) {
    for (const bool gap : {false, true}) {
      std::vector<std::uint8_t> pictures[2];
      for (const bool cuda : {false, true}) {
        Rig rig(std::string("domain=inverse max-value=1002 temporal-frames=2 hole-filling=left ") +
                    "hole-size=1 decimation=" + std::to_string(decimation),
                "video/x-raw,format=RGBA", cuda ? "auto" : "cpu");
        gst_harness_set_src_caps(rig.main, frames::caps(kShape, cuda ? kCuda : nullptr));
        for (unsigned seed = 1; seed <= 2; ++seed) {
          GstBuffer* input =
              cuda ? cuda_frame(&rig, context.get(), wall(seed)) : rig.frame(wall(seed));
          if (gap && seed == 2) GST_BUFFER_FLAG_SET(input, GST_BUFFER_FLAG_GAP);
          gst_buffer_unref(rig.filter(input));
          g_autoptr(GstBuffer) picture = gst_harness_pull(rig.overlay);
          pictures[cuda ? 1 : 0] = frames::pixels(picture, kShape);
        }
      }
      fail_unless(pictures[0] == pictures[1], "decimation %d, gap %d", decimation, gap);
    }
  }
}

CHECK_CASE(depthfilter_cuda)
