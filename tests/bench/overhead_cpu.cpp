// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements on the CPU and their engines.
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "common/image/simd.h"
#include "common/obstacles/engine.h"
#include "common/obstacles/tracks.h"
#include "common/rdp/engine.h"
#include "common/stereo/engine.h"
#include "gst/memory/system_memory.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/obstacle_scenes.h"
#include "tests/bench/overhead.h"
#include "tests/bench/stereo_views.h"

namespace rdp::bench {
namespace {

constexpr std::uint64_t kFrames = 5;

std::string simd() { return std::string("SIMD ") + current_simd_target(); }

Engine engine_of(
    std::function<void(std::size_t)> run,
    std::function<std::size_t()> found = [] { return std::size_t{0}; }) {
  Engine engine;
  engine.enqueue = std::move(run);
  engine.found = std::move(found);
  engine.back_to_back = false;
  return engine;
}

using Frames = std::shared_ptr<std::vector<frames::Content>>;

// The element's own buffers. They are rewritten before each turn, so that engine and element find
// the same amount of them in the caches.
std::vector<MutableDepthView> share_buffers(const ElementStream& stream, const Frames& frames,
                                            Engine* engine) {
  std::vector<MutableDepthView> views;
  for (GstBuffer* buffer : stream.buffers()) {
    gst::SystemFrame mapped;
    std::string reason;
    if (!mapped.map(buffer, frames::video_info(stream.shape()), gst::Access::kRead, &reason)) {
      throw std::runtime_error("a frame cannot be read: " + reason);
    }
    views.push_back(mapped.view());
  }
  engine->restore = [=](std::size_t number) {
    const DepthView from = (*frames)[number].view();
    for (int row = 0; row < from.height; ++row) {
      std::memcpy(views[number].row(row), from.row(row), 2 * static_cast<std::size_t>(from.width));
    }
  };
  return views;
}

// One thread each, to exclude the scheduler.
Contest contest_of(const std::string& name, const std::string& element, const Frames& frames) {
  const frames::Shape& shape = frames->front().shape;
  Contest contest;
  contest.name = std::to_string(shape.width) + "x" + std::to_string(shape.height) + " | " + name;
  contest.backend = "cpu";
  contest.stream.element = element + " threads=1";
  contest.stream.buffers = kFrames;
  contest.stream.inputs = {{"sink", *frames}};
  return contest;
}

Contest segments(int width, int height, double epsilon) {
  auto frames = std::make_shared<std::vector<frames::Content>>();
  TestPatternRenderer renderer;
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    frames->emplace_back(frames::Shape{GST_VIDEO_FORMAT_GRAY16_LE, width, height});
    renderer.draw(i, test::matched_street(), frames->back().view());
  }
  Contest contest =
      contest_of(formatted("rdpsegment, epsilon %g", epsilon),
                 formatted("rdpsegment sample-scale=0.00390625 epsilon=%g", epsilon), frames);
  auto found = std::make_shared<std::size_t>();
  contest.found_of_each = found.get();
  contest.stream.look = [found](GstBuffer* buffer) {
    *found = gst_rdp_segmentation_get_n_segments(gst_rdp_buffer_get_segmentation(buffer));
  };
  contest.engine = [=](const ElementStream& stream) {
    auto engine = std::make_shared<rdp::Engine>(1);
    auto views = std::make_shared<std::vector<MutableDepthView>>();
    auto list = std::make_shared<SegmentList>();
    Parameters parameters;
    parameters.epsilon = epsilon;
    parameters.sample_scale = 1.0 / 256;
    Engine bare = engine_of(
        [=](std::size_t number) { engine->segment((*views)[number], parameters, list.get()); },
        [list] { return list->segment_count(); });
    *views = share_buffers(stream, frames, &bare);
    return bare;
  };
  return contest;
}

// Includes the association of tracks, which is part of the method.
Contest obstacles(const ObstacleScene& scene) {
  struct State {
    rdp::obstacles::Engine engine;  // one thread
    rdp::obstacles::Tracks tracks;
    rdp::obstacles::Obstacles found;
    std::vector<rdp::obstacles::Box> boxes;
    std::vector<MutableDepthView> views;
    std::size_t of_element = 0;
  };
  auto state = std::make_shared<State>();
  const MetricCamera& c = scene.camera;
  const rdp::obstacles::Parameters& p = scene.parameters;
  const double f = c.focal_x;
  const std::string unit =
      c.depth.reciprocal ? formatted("measures=disparity disparity-unit=0.00390625 baseline=%.17g",
                                     c.depth.numerator / f)
                         : std::string("depth-unit=0.001");
  // The ground as camera mount properties.
  const auto& n = scene.ground.normal;
  const double degrees = 180.0 / G_PI;
  const std::string element =
      formatted("depthobstacles ground=given camera-height=%.17g camera-pitch=%.17g ",
                scene.ground.distance, std::asin(n[2]) * degrees) +
      formatted("camera-roll=%.17g focal-length=%.17g principal-x=%.17g principal-y=%.17g ",
                std::atan2(n[0], n[1]) * degrees, f, c.principal_x, c.principal_y) +
      formatted("min-height=%g max-height=%g range=%g cell-size=%g ", p.min_height, p.max_height,
                p.range, p.cell_size) +
      unit;
  auto frames = std::make_shared<std::vector<frames::Content>>();
  for (const std::vector<std::uint16_t>& frame : draw_frames(scene, kFrames)) {
    frames->emplace_back(frames::Shape{GST_VIDEO_FORMAT_GRAY16_LE, scene.width, scene.height});
    std::memcpy(frames->back().samples.data(), frame.data(), 2 * frame.size());
  }
  Contest contest = contest_of(std::string("depthobstacles, ") + scene.name, element, frames);
  contest.found_of_each = &state->of_element;
  contest.stream.look = [state](GstBuffer* buffer) {
    gst_rdp_obstacles_peek_objects(gst_rdp_buffer_get_obstacles(buffer), &state->of_element);
  };
  contest.engine = [=](const ElementStream& stream) {
    Engine bare = engine_of(
        [=](std::size_t number) {
          state->engine.find(state->views[number], scene.camera, &scene.ground, scene.parameters,
                             &state->found);
          state->boxes.clear();
          for (const rdp::obstacles::Object& o : state->found.objects) {
            state->boxes.push_back({o.x, o.y, o.length, o.width});
          }
          state->tracks.update(state->boxes, 33333333, {});
        },
        [state] { return state->boxes.size(); });
    state->views = share_buffers(stream, frames, &bare);
    return bare;
  };
  return contest;
}

void measure_frames(const Run& run) {
  const Repeats repeats = run.repeats({10, 301});
  Table table(run, repeats,
              simd() + ", 1 thread, median of " + std::to_string(repeats.frames) +
                  " frames of depthtestsrc",
              "frame | element",
              {{"found", &Times::found, 0},
               {"engine, us", &Times::waited},
               {"element, us", &Times::element},
               {"more, us", less(&Times::element, &Times::waited)},
               {"ratio", [](const Times& t) { return t.element / t.waited; }, 3}});
  for (const auto& [width, height] :
       {std::pair{1242, 375}, std::pair{1242, 1024}, std::pair{640, 480}}) {
    for (const double epsilon : {2.0, 4.0, 8.0}) table.add(segments(width, height, epsilon));
    if (run.quick) break;
  }
  for (const ObstacleScene& scene : obstacle_scenes()) {
    if (scene.parameters.split_height == 0) table.add(obstacles(scene));
    if (run.quick) break;
  }
}

void measure_stereo(const Run& run) {
  stereo::Parameters parameters;
  const StereoViews views(run.quick, &parameters);
  const DepthView left = views.left.view();
  const Repeats repeats = run.repeats({10, 200});
  Table table(run, repeats,
              simd() + formatted(", %dx%d, %d disparities, system memory; us, medians of %d pairs "
                                 "in turns",
                                 left.width, left.height, parameters.disparities, repeats.frames),
              "threads | paths",
              {{"Engine::match", &Times::waited},
               {"element, pair complete to src", &Times::element},
               {"of it, from its thread having the pair", &Times::taken},
               {"element - match", less(&Times::element, &Times::waited)},
               {"the same from its thread", less(&Times::taken, &Times::waited)}});
  for (const int paths : {4, 8}) {
    parameters.paths = paths;
    for (const unsigned threads : {1U, 2U}) {
      Contest contest = views.contest(parameters, "cpu", threads);
      contest.name = std::to_string(threads) + " | " + std::to_string(paths);
      contest.engine = [&](const ElementStream&) {
        auto matcher = std::make_shared<stereo::Engine>(threads);
        auto samples = std::make_shared<std::vector<std::uint16_t>>(views.left.samples.size());
        return engine_of([=, &views](std::size_t) {
          const DepthView view = views.left.view();
          const MutableDepthView result{reinterpret_cast<std::byte*>(samples->data()),
                                        std::ptrdiff_t{2} * view.width, view.width, view.height,
                                        SampleType::kU16};
          matcher->match({view, views.right.view(), {}, {}}, parameters, {result, {}});
        });
      };
      table.add(contest);
    }
  }
}

}  // namespace

std::vector<Subject> cpu_subjects() {
  return {{"cpu/rdpsegment, cpu/depthobstacles", measure_frames},
          {"cpu/depthstereo", measure_stereo}};
}

}  // namespace rdp::bench
