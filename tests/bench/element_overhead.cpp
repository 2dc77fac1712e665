// SPDX-License-Identifier: LGPL-2.1-or-later
// The cost of elements beyond their engines: the same drawn frames through the element (a harness,
// metadata attached, buffers from a pool) and through the bare engine, in turns. One thread each,
// so that the scheduler has no part in it.
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/obstacles/engine.h"
#include "common/obstacles/tracks.h"
#include "common/rdp/engine.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/median.h"
#include "tests/bench/obstacle_scenes.h"
#include "tests/support/command_line.h"
#include "tests/support/depth_patterns.h"

namespace {

using rdp::bench::median_of;

constexpr int kRounds = 301;
constexpr std::uint64_t kFrames = 5;

double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

// An element, and the engine that does the same. Both say how much they found.
struct Contest {
  std::string name;
  std::string launch;
  int width;
  int height;
  std::function<void(std::uint64_t, const rdp::MutableDepthView&)> draw;
  std::function<std::size_t(const rdp::DepthView&)> engine;
  std::function<std::size_t(GstBuffer*)> found;
};

Contest segments(int width, int height, double epsilon) {
  auto engine = std::make_shared<rdp::Engine>(1);
  auto list = std::make_shared<rdp::SegmentList>();
  auto renderer = std::make_shared<rdp::TestPatternRenderer>();
  rdp::Parameters parameters;
  parameters.epsilon = epsilon;
  parameters.sample_scale = 1.0 / 256;
  return {rdp::bench::formatted("rdpsegment, epsilon %g", epsilon),
          rdp::bench::formatted("rdpsegment threads=1 sample-scale=0.00390625 epsilon=%g", epsilon),
          width,
          height,
          [renderer](std::uint64_t number, const rdp::MutableDepthView& to) {
            renderer->draw(number, rdp::test::matched_street(), to);
          },
          [engine, list, parameters](const rdp::DepthView& frame) {
            engine->segment(frame, parameters, list.get());
            return list->segment_count();
          },
          [](GstBuffer* buffer) -> std::size_t {
            return gst_rdp_segmentation_get_n_segments(gst_rdp_buffer_get_segmentation(buffer));
          }};
}

// With the association: it is the method's, too.
Contest obstacles(const rdp::bench::ObstacleScene& scene) {
  struct State {
    rdp::obstacles::Engine engine;  // one thread
    rdp::obstacles::Tracks tracks;
    rdp::obstacles::Obstacles found;
    std::vector<rdp::obstacles::Box> boxes;
    rdp::bench::SceneFrames frames;
  };
  auto state = std::make_shared<State>();
  state->frames = rdp::bench::draw_frames(scene, kFrames);
  const rdp::MetricCamera& c = scene.camera;
  const rdp::obstacles::Parameters& p = scene.parameters;
  const double f = c.focal_x;
  const std::string unit =
      c.depth.reciprocal
          ? rdp::bench::formatted("measures=disparity disparity-unit=0.00390625 baseline=%.17g",
                                  c.depth.numerator / f)
          : std::string("depth-unit=0.001");
  // The ground as the mount of the camera.
  const auto& n = scene.ground.normal;
  const double degrees = 180.0 / G_PI;
  const std::string mount = rdp::bench::formatted(
      "ground=given camera-height=%.17g camera-pitch=%.17g camera-roll=%.17g",
      scene.ground.distance, std::asin(n[2]) * degrees, std::atan2(n[0], n[1]) * degrees);
  return {std::string("depthobstacles, ") + scene.name,
          "depthobstacles threads=1 " + mount + " " + unit +
              rdp::bench::formatted(" focal-length=%.17g principal-x=%.17g principal-y=%.17g", f,
                                    c.principal_x, c.principal_y) +
              rdp::bench::formatted(" min-height=%g max-height=%g range=%g cell-size=%g",
                                    p.min_height, p.max_height, p.range, p.cell_size),
          scene.width,
          scene.height,
          [state, scene](std::uint64_t number, const rdp::MutableDepthView& to) {
            const std::vector<std::uint16_t>& frame = state->frames[number];
            const auto row = static_cast<std::size_t>(scene.width);
            for (std::size_t r = 0; r < static_cast<std::size_t>(scene.height); ++r) {
              std::memcpy(to.row(static_cast<int>(r)), frame.data() + r * row, 2 * row);
            }
          },
          [state, scene](const rdp::DepthView& frame) {
            state->engine.find(frame, scene.camera, &scene.ground, scene.parameters, &state->found);
            state->boxes.clear();
            for (const rdp::obstacles::Object& o : state->found.objects) {
              state->boxes.push_back({o.x, o.y, o.length, o.width});
            }
            state->tracks.update(state->boxes, 33333333, {});
            return state->boxes.size();
          },
          [](GstBuffer* buffer) -> std::size_t {
            gsize count = 0;
            gst_rdp_obstacles_peek_objects(gst_rdp_buffer_get_obstacles(buffer), &count);
            return count;
          }};
}

struct Stream {
  Stream(const Contest& contest) : harness(gst_harness_new_parse(contest.launch.c_str())) {
    GstCaps* caps = gst_caps_new_simple(
        "video/x-raw", "format", G_TYPE_STRING, "GRAY16_LE", "width", G_TYPE_INT, contest.width,
        "height", G_TYPE_INT, contest.height, "framerate", GST_TYPE_FRACTION, 30, 1, nullptr);
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

void measure(const Contest& contest) {
  Stream stream(contest);
  std::vector<double> bare;
  std::vector<double> element;
  std::size_t found = 0;
  for (int round = 0; round < kRounds; ++round) {
    GstBuffer* buffer = nullptr;
    if (gst_buffer_pool_acquire_buffer(stream.pool, &buffer, nullptr) != GST_FLOW_OK) {
      std::fprintf(stderr, "no buffer for a %dx%d frame\n", contest.width, contest.height);
      std::exit(1);
    }
    GST_BUFFER_PTS(buffer) = static_cast<GstClockTime>(round) * 33333333;
    GstMapInfo map;
    gst_buffer_map(buffer, &map, GST_MAP_WRITE);
    const rdp::MutableDepthView view{reinterpret_cast<std::byte*>(map.data), stream.info.stride[0],
                                     contest.width, contest.height, rdp::SampleType::kU16};
    contest.draw(static_cast<std::uint64_t>(round % kFrames), view);
    // The samples stay where they are; only, memory that is being written cannot be shared.
    gst_buffer_unmap(buffer, &map);

    // Whoever comes second finds the frame in the caches: each does so half of the time.
    const auto run_engine = [&] {
      const auto start = std::chrono::steady_clock::now();
      found = contest.engine(view);
      bare.push_back(microseconds(std::chrono::steady_clock::now() - start));
    };
    if (round % 2 == 0) run_engine();
    g_autoptr(GstBuffer) kept = gst_buffer_ref(buffer);
    const auto start = std::chrono::steady_clock::now();
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(stream.harness, buffer);
    element.push_back(microseconds(std::chrono::steady_clock::now() - start));
    if (round % 2 == 1) run_engine();
    const std::size_t count = contest.found(output);
    if (count != found) {
      std::fprintf(stderr, "%s: the element finds %zu, the engine %zu\n", contest.name.c_str(),
                   count, found);
      std::exit(1);
    }
  }
  const double engine = median_of(bare);
  const double whole = median_of(element);
  std::printf("| %dx%d | %s | %zu | %.1f | %.1f | %.1f | %.3f |\n", contest.width, contest.height,
              contest.name.c_str(), found, engine, whole, whole - engine, whole / engine);
}

}  // namespace

int main(int argc, char** argv) {
  rdp::test::CommandLine line("What elements cost beyond their engines, on one thread.");
  line.group(gst_init_get_option_group());
  line.read(argc, argv);
  std::printf("SIMD %s, 1 thread, median of %d frames of depthtestsrc\n\n",
              rdp::current_simd_target(), kRounds);
  std::printf("| frame | element | found | engine, us | element, us | more, us | ratio |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const auto& [width, height] :
       {std::pair{1242, 375}, std::pair{1242, 1024}, std::pair{640, 480}}) {
    for (double epsilon : {2.0, 4.0, 8.0}) measure(segments(width, height, epsilon));
  }
  for (const rdp::bench::ObstacleScene& scene : rdp::bench::obstacle_scenes()) {
    if (scene.parameters.split_height == 0) measure(obstacles(scene));
  }
  gst_deinit();
  return 0;
}
