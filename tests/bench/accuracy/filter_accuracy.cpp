// SPDX-License-Identifier: LGPL-2.1-or-later
// The accuracy of depthfilter and of librealsense's post-processing: noise and edges of rooms, a
// moving scene, flying pixels, holes, and segments and planes of the filtered frames.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/filter/engine.h"
#include "common/planes/frames/engine.h"
#include "common/rdp/engine.h"
#include "tests/bench/accuracy/filter_scenes.h"
#include "tests/bench/accuracy/filter_score.h"
#include "tests/bench/accuracy/planes_score.h"
#include "tests/bench/accuracy/post_processing.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/accuracy/stereo_score.h"
#include "tests/bench/gray_png.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using filter::HoleFilling;
using filter::Parameters;
using filter::Persistence;
using reference::Frame;

// A stream's filter. start() resets it.
using Step = std::function<Frame(const Frame&)>;
struct Method {
  std::string name;
  std::function<Step()> start;
};

Method ours(const std::string& name, const std::function<void(Parameters*)>& change) {
  Parameters p;
  p.tolerance = filter::inverse_tolerance(6, 1e6);
  change(&p);
  return {name, [p] {
            const auto engine = std::make_shared<filter::Engine>();
            engine->set_threads(1);
            return [=](const Frame& in) {
              Frame out{in.width / p.decimation, in.height / p.decimation, {}};
              out.samples.resize(static_cast<std::size_t>(out.width) * out.height);
              engine->filter(in.view(), p,
                             {reinterpret_cast<std::byte*>(out.samples.data()), 2 * out.width,
                              out.width, out.height, SampleType::kU16});
              return out;
            };
          }};
}
Method defaults() {
  return ours("defaults", [](Parameters*) {});
}
// A single step of the filter.
Method alone(const std::string& name, const std::function<void(Parameters*)>& change) {
  return ours(name, [&](Parameters* p) {
    p->flying = false;
    p->spatial_radius = 0;
    change(p);
  });
}

Method none() {
  return {"none", [] { return [](const Frame& in) { return in; }; }};
}

struct Post {
  bool decimation = false;
  bool spatial = false;
  bool temporal = false;
  float delta = 20.0F;
};
Method peer(const std::string& name, const Post& steps) {
  return {"librealsense" + name, [steps] {
            const auto temporal = std::make_shared<post::Temporal<float>>();
            return [=](const Frame& in) {
              post::Disparities d = post::to_disparity(steps.decimation ? post::decimated(in) : in);
              if (steps.spatial) post::smooth(&d, 0.5F, steps.delta);
              if (steps.temporal) temporal->filter(&d.values);
              return post::to_depth(d);
            };
          }};
}
Method peer_of_16_bits() {
  return {"librealsense temporal, 16 bit", [] {
            const auto temporal = std::make_shared<post::Temporal<std::uint16_t>>();
            return [=](Frame in) {
              temporal->filter(&in.samples);
              return in;
            };
          }};
}
Method peer_holes(const std::string& name, post::Holes rule) {
  return {"librealsense " + name, [=] {
            return [=](Frame in) {
              post::fill(&in, rule);
              return in;
            };
          }};
}

const Method kPeerSpatial = peer(" spatial", {.spatial = true});

class Benchmark {
 public:
  explicit Benchmark(std::vector<FilterRoom> rooms) : rooms_(std::move(rooms)) {}

  void rooms() {
    table_.line(
        "rooms, in 1/km                       inside, rms  edges, median  > 5, %  wrong, %");
    for (const Method& method :
         {none(), kPeerSpatial, peer(" spatial, delta 5", {.spatial = true, .delta = 5.0F}),
          alone("spatial-radius=4 flying=false", [](Parameters* p) { p->spatial_radius = 4; }),
          defaults()}) {
      for (std::size_t variant = 0; variant < 3; ++variant) {
        FilterScore score;
        for (const FilterRoom& room : rooms_) {
          const FilterScene& scene = room.variants[variant];
          score.add(scene, method.start()(scene.frame));
        }
        table_.line(formatted("%-31s %s  %11.3f  %13.3f %7.2f %9.3f", method.name.c_str(),
                              kRoomVariants[variant], score.rms(kSurface), score.median(kEdge),
                              score.over(kEdge, 5.0), score.over(kSurface)));
      }
    }
  }

  void moving() {
    const auto steps = [](Parameters* p) { p->temporal_frames = 4; };
    table_.line(
        "moving, rms in 1/km                   still nearer   lag  away   lag uncovered  unknown "
        "filled      off  edges");
    table_.line(
        "                                                                     wrong, %        % "
        "wrong, %  edges wrong, %");
    for (const auto& [name, sigma] : {std::pair{"s020", 0.020}, {"s045", 0.045}}) {
      const std::vector<FilterScene> scenes = moving_scene(sigma);
      for (const Method& method :
           {none(), peer(" temporal", {.temporal = true}), peer_of_16_bits(),
            alone("4 frames, no motion check",
                  [](Parameters* p) {
                    p->temporal_frames = 4;
                    p->motion_check = false;
                  }),
            alone("temporal-frames=4", steps),
            alone("4 frames, persistence=none",
                  [](Parameters* p) {
                    p->temporal_frames = 4;
                    p->persistence = Persistence::kNone;
                  }),
            peer(", spatial, temporal", {.spatial = true, .temporal = true}),
            peer(", decimation too", {.decimation = true, .spatial = true, .temporal = true}),
            defaults(), ours("defaults, temporal-frames=4", steps),
            ours("the same, hole-filling=gap",
                 [](Parameters* p) {
                   p->temporal_frames = 4;
                   p->hole_filling = HoleFilling::kGap;
                 }),
            ours("4 frames, decimation=2", [](Parameters* p) {
              p->temporal_frames = 4;
              p->decimation = 2;
            })}) {
        FilterScore score;
        const Step step = method.start();
        for (std::size_t i = 0; i < scenes.size(); ++i) {
          const Frame filtered = step(scenes[i].frame);
          if (i >= kFirstScored) score.add(scenes[i], filtered);
        }
        table_.line(
            formatted("%-31s %s %6.3f %5.2f %+5.2f %5.2f %+5.2f %8.2f %8.2f %6.1f %8.2f %6.2f",
                      method.name.c_str(), name, score.rms(kStill), score.rms(kApproaching),
                      -score.mean(kApproaching), score.rms(kReceding), score.mean(kReceding),
                      score.over(kUncovered), score.unknown(), score.filled_wrong(),
                      score.rms_off_edges(), score.over(kEdge)));
      }
    }
  }

  void flying() {
    const Step step = alone("", [](Parameters* p) { p->flying = true; }).start();
    for (const int blur : {0, 1}) {
      RemovedShare mixed, lost;
      for (std::size_t i = 0; i < rooms_.size(); ++i) {
        const FilterScene scene = mixed_scene(rooms_[i], blur, static_cast<int>(i));
        const Frame filtered = step(scene.frame);
        mixed.add(scene, filtered, kFlying);
        lost.add(scene, filtered, kMade);
      }
      table_.line(formatted("flying pixels, blur of %d px: %.2f %% removed, %.3f %% of true ones",
                            blur, mixed.percent(), lost.percent()));
    }
    const FilterScene scene = pole_scene();
    RemovedShare pole;
    pole.add(scene, step(scene.frame), kMade);
    table_.line(formatted("pole of 1 px: %.1f %% kept", 100.0 - pole.percent()));
  }

  void holes() {
    const auto filling = [](const char* name, HoleFilling rule, int size) {
      return alone(name, [=](Parameters* p) {
        p->hole_filling = rule;
        p->hole_size = size;
      });
    };
    for (const Method& method :
         {peer_holes("left", post::Holes::kLeft), peer_holes("farthest", post::Holes::kFarthest),
          peer_holes("nearest", post::Holes::kNearest), filling("left", HoleFilling::kLeft, 16),
          filling("farthest", HoleFilling::kFarthest, 16),
          filling("nearest", HoleFilling::kNearest, 16), filling("gap", HoleFilling::kGap, 16),
          filling("gap of 64", HoleFilling::kGap, 64)}) {
      FilterScore score;
      for (std::size_t i = 0; i < rooms_.size(); ++i) {
        const FilterScene scene = holes_scene(rooms_[i], static_cast<int>(i));
        score.add(scene, method.start()(scene.frame));
      }
      table_.line(formatted("holes, %-25s %5.1f %% filled, %4.1f %% of these wrong",
                            method.name.c_str(), score.known(kMade), score.over(kMade)));
    }
  }

  void downstream() {
    table_.line("segments a frame; planes that overlap the true one by 80 %   n020   n045   bend");
    rdp::Parameters segments;
    segments.domain = Domain::kInverse;
    segments.inverse_scale = 1e6;
    segments.epsilon = 5;
    rdp::Engine engine(1);
    SegmentList list;
    for (const Method& method : {none(), kPeerSpatial, defaults()}) {
      row("segments, " + method.name, [&](const FilterScene& scene) {
        engine.segment(method.start()(scene.frame).view(), segments, &list);
        return static_cast<double>(list.segment_count()) / kFilterRooms;
      });
    }
    const auto planes = [&](const Method& method, double noise) {
      return [&, noise, step = method.start()](const FilterScene& scene) {
        return planes_of(scene, step(scene.frame), noise);
      };
    };
    const planes::Parameters usual;
    const Method smaller = ours("spatial-radius=2", [](Parameters* p) { p->spatial_radius = 2; });
    row("planes, none", planes(none(), usual.noise));
    row("planes, librealsense spatial", planes(kPeerSpatial, usual.noise));
    row("planes, defaults", planes(defaults(), usual.noise));
    row("planes, defaults, noise=0.0005", planes(defaults(), 0.0005));
    row("planes, spatial-radius=2, noise=0.0005", planes(smaller, 0.0005));
  }

  void stereo(const std::filesystem::path& folder) {
    const Frame frame = read_gray_png(folder / "kitti2015_000046_10_nofilter.png");
    const Frame lidar = read_gray_png(folder / "groundtruth/kitti2015_000046_10_disp_occ_0.png");
    if (frame.width == 0 || lidar.width != frame.width) return;
    std::vector<double> truth;
    for (const std::uint16_t sample : lidar.samples) truth.push_back(sample / 256.0);
    const auto linear = [](const char* name, int size) {
      return ours(name, [=](Parameters* p) {
        p->tolerance = filter::linear_tolerance(1, 1.0 / 256);
        p->disparity = true;
        p->spatial_radius = 0;
        p->speckle_size = size;
      });
    };
    for (const Method& method :
         {none(), linear("flying", 0), linear("flying, speckle-size=100", 100)}) {
      const StereoScore score = score_disparity(method.start()(frame).samples, truth, frame.width);
      table_.line(formatted("KITTI 2015 #46, %-25s %.2f %% wrong of %.1f %% known",
                            method.name.c_str(), score.known, score.density));
    }
  }

  int compare(const std::string& file) const { return table_.compare(file); }

 private:
  // Prints the sums over all rooms for each variant.
  void row(const std::string& name, const std::function<double(const FilterScene&)>& value) {
    double sums[3] = {};
    for (const FilterRoom& room : rooms_) {
      for (std::size_t i = 0; i < 3; ++i) sums[i] += value(room.variants[i]);
    }
    table_.line(formatted("%-58s %6.0f %6.0f %6.0f", name.c_str(), sums[0], sums[1], sums[2]));
  }

  double planes_of(const FilterScene& scene, const Frame& filtered, double noise) {
    MetricCamera camera;
    camera.focal_x = camera.focal_y = 525.0;
    camera.principal_x = 319.5;
    camera.principal_y = 239.5;
    camera.depth.factor = 0.001;
    planes::Parameters parameters;
    parameters.noise = noise;
    std::vector<std::uint8_t> labels(scene.labels.size());
    finder_.find(filtered.view(), camera, parameters,
                 {reinterpret_cast<std::byte*>(labels.data()), filtered.width, filtered.width,
                  filtered.height, SampleType::kU8});
    return covered_planes(labels, scene.labels, 0.8);
  }

  std::vector<FilterRoom> rooms_;
  planes::FrameEngine finder_{1};
  RecordedTable table_;
};

int run(int count, char** words) {
  bool made = false;
  std::string expected;
  test::CommandLine line(
      "How well depthfilter cleans the rooms in planes/rooms of RDPSEGMENT_TEST_DATA and a moving "
      "scene,\nbeside librealsense's post-processing.");
  line.flag("made", &made, "depthtestsrc's rooms in the place of the folder's");
  line.file("expected", &expected, "fail where this program printed something else");
  line.read(count, words);
  const char* data = std::getenv("RDPSEGMENT_TEST_DATA");
  const std::filesystem::path folder = data == nullptr ? "" : data;
  std::vector<FilterRoom> rooms =
      made ? draw_filter_rooms() : read_filter_rooms(folder / "planes" / "rooms");
  if (rooms.empty()) {
    std::fprintf(stderr,
                 "There are no rooms: give --made, or set RDPSEGMENT_TEST_DATA to a folder that "
                 "has planes/rooms in it.\n");
    return 77;
  }
  Benchmark benchmark(std::move(rooms));
  benchmark.rooms();
  if (made) benchmark.moving();
  benchmark.flying();
  benchmark.holes();
  benchmark.downstream();
  if (!made) benchmark.stereo(folder / "kitti");
  return benchmark.compare(expected);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
