// SPDX-License-Identifier: LGPL-2.1-or-later
// What the element costs beyond the engine: the same street frames through rdpsegment (a harness,
// metadata attached, buffers from a pool) and through the bare engine, in turns, and the ratio of
// the medians. One thread each, so that the scheduler has no part in it.
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/rdp/engine.h"
#include "tests/bench/median.h"
#include "tests/support/command_line.h"
#include "tests/support/depth_patterns.h"

namespace {

using rdp::bench::median_of;

constexpr int kRounds = 301;

double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

struct Stream {
  Stream(int width, int height, double epsilon) {
    harness = gst_harness_new_parse("rdpsegment threads=1");
    GstElement* element = gst_harness_find_element(harness, "rdpsegment");
    g_object_set(element, "epsilon", epsilon, "sample-scale", 1.0 / 256, nullptr);
    gst_object_unref(element);
    GstCaps* caps = gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING, "GRAY16_LE",
                                        "width", G_TYPE_INT, width, "height", G_TYPE_INT, height,
                                        "framerate", GST_TYPE_FRACTION, 30, 1, nullptr);
    gst_video_info_from_caps(&info, caps);
    pool = gst_video_buffer_pool_new();
    GstStructure* config = gst_buffer_pool_get_config(pool);
    gst_buffer_pool_config_set_params(config, caps, static_cast<guint>(info.size), 2, 0);
    gst_buffer_pool_set_config(pool, config);
    gst_buffer_pool_set_active(pool, TRUE);
    gst_harness_set_src_caps(harness, caps);
  }
  ~Stream() {
    gst_buffer_pool_set_active(pool, FALSE);
    gst_object_unref(pool);
    gst_harness_teardown(harness);
  }
  Stream(const Stream&) = delete;

  GstHarness* harness;
  GstBufferPool* pool;
  GstVideoInfo info;
};

void measure(int width, int height, double epsilon) {
  Stream stream(width, height, epsilon);
  rdp::Engine engine(1);
  rdp::SegmentList segments;
  rdp::Parameters parameters;
  parameters.epsilon = epsilon;
  parameters.sample_scale = 1.0 / 256;
  rdp::TestPatternRenderer renderer;
  const rdp::TestPatternOptions options = rdp::test::matched_street();

  std::vector<double> bare;
  std::vector<double> element;
  for (int round = 0; round < kRounds; ++round) {
    GstBuffer* buffer = nullptr;
    if (gst_buffer_pool_acquire_buffer(stream.pool, &buffer, nullptr) != GST_FLOW_OK) {
      std::fprintf(stderr, "no buffer for a %dx%d frame\n", width, height);
      std::exit(1);
    }
    GstMapInfo map;
    gst_buffer_map(buffer, &map, GST_MAP_WRITE);
    const rdp::MutableDepthView view{reinterpret_cast<std::byte*>(map.data), stream.info.stride[0],
                                     width, height, rdp::SampleType::kU16};
    renderer.draw(static_cast<std::uint64_t>(round % 5), options, view);
    // The samples stay where they are; only, memory that is being written cannot be shared.
    gst_buffer_unmap(buffer, &map);

    // Whoever comes second finds the frame in the caches: each does so half of the time.
    const auto run_engine = [&] {
      const auto start = std::chrono::steady_clock::now();
      engine.segment(view, parameters, &segments);
      bare.push_back(microseconds(std::chrono::steady_clock::now() - start));
    };
    if (round % 2 == 0) run_engine();
    g_autoptr(GstBuffer) kept = gst_buffer_ref(buffer);
    const auto start = std::chrono::steady_clock::now();
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(stream.harness, buffer);
    element.push_back(microseconds(std::chrono::steady_clock::now() - start));
    const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(output);
    if (round % 2 == 1) run_engine();
    if (meta == nullptr ||
        gst_rdp_segmentation_get_n_segments(meta->segmentation) != segments.segment_count()) {
      std::fprintf(stderr, "the element and the engine disagree\n");
      std::exit(1);
    }
  }
  std::printf("| %dx%d | %g | %.1f | %.0f | %.0f | %.3f |\n", width, height, epsilon,
              static_cast<double>(segments.segment_count()) / width, median_of(bare),
              median_of(element), median_of(element) / median_of(bare));
}

}  // namespace

int main(int argc, char** argv) {
  rdp::test::CommandLine line("What rdpsegment costs beyond the engine, on one thread.");
  line.group(gst_init_get_option_group());
  line.read(argc, argv);
  std::printf("SIMD %s, 1 thread, median of %d frames of depthtestsrc's street\n\n",
              rdp::current_simd_target(), kRounds);
  std::printf("| frame | epsilon, px | segments a column | engine, us | element, us | ratio |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const auto& [width, height] :
       {std::pair{1242, 375}, std::pair{1242, 1024}, std::pair{640, 480}}) {
    for (double epsilon : {2.0, 4.0, 8.0}) measure(width, height, epsilon);
  }
  gst_deinit();
  return 0;
}
