// SPDX-License-Identifier: LGPL-2.1-or-later
// The accuracy of obstacle detection: the nearest obstacle per bearing, with exact or lidar truth;
// grounds from wrong initial ones; objects and tracks.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <string>

#include "common/obstacles/refinement.h"
#include "common/rdp/engine.h"
#include "common/rdp/ground.h"
#include "common/scene/hash_random.h"
#include "common/scene/room_scene.h"
#include "common/stereo/engine.h"
#include "tests/bench/accuracy/obstacles_scenes.h"
#include "tests/bench/stereo_pairs.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

// --- the scan -----------------------------------------------------------------------------------

struct ScanScore {
  std::size_t frames = 0, bearings = 0, missed = 0, near = 0, free = 0, wrong = 0;
  std::vector<double> errors;

  // Scores the ranges. A range is right within 10 % and 0.2 m; a farther one misses the obstacle.
  // Truth is known up to 1.2 times the maximum range. Obstacles beyond 0.9 times it are not scored.
  void add(const std::vector<double>& truth, const Obstacles& found, double range) {
    ++frames;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const double t = truth[i];
      const double f = found.ranges[i] / 1000.0;
      if (std::isinf(t)) {
        ++free;
        wrong += f > 0.0 ? 1U : 0U;
      }
      if (!(t < 0.9 * range)) continue;
      ++bearings;
      const double tolerance = 0.1 * t + 0.2;
      missed += f == 0.0 || f > t + tolerance ? 1U : 0U;
      near += f > 0.0 && f < t - tolerance ? 1U : 0U;
      if (f > 0.0) errors.push_back(std::abs(f - t) / t);
    }
  }

  void print(const std::string& name, RecordedTable* table) const {
    table->line(formatted("%-36s %6zu %8zu %6.2f %6.2f %6.2f %6.2f %7zu %6zu", name.c_str(), frames,
                          bearings, percent(missed, bearings), percent(near, bearings),
                          100.0 * part_of(errors), 100.0 * part_of(errors, 0.9), free, wrong));
  }
};

void scan(const std::string& name, TestPatternOptions options, std::uint32_t first_seed,
          std::uint32_t seeds, int width, int height, RecordedTable* table) {
  ScanScore score;
  for (std::uint32_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    options.seed = seed;
    for (std::uint64_t number = 0; number < 120; number += 30) {
      const Scene scene = drawn(number, options, width, height);
      score.add(true_scan(number, options, width, height, rules_of(scene.parameters)), find(scene),
                scene.parameters.range);
    }
  }
  score.print(name, table);
}

void scans(RecordedTable* table) {
  TestPatternOptions street;
  street.noise = 0.25;
  TestPatternOptions noisy;
  noisy.noise = 0.5;
  noisy.unknown_ratio = 0.2;
  TestPatternOptions room;
  room.pattern = TestPattern::kRoom;
  room.domain = TestDomain::kDepth;
  room.noise = 0.045;
  TestPatternOptions traffic = street;
  traffic.pattern = TestPattern::kTraffic;
  scan("street, seeds 0 to 2", street, 0, 3, 1242, 376, table);
  scan("street, seeds 10 to 15", street, 10, 6, 1242, 376, table);
  scan("noisy street, seeds 0 to 2", noisy, 0, 3, 1242, 376, table);
  scan("noisy street, seeds 10 to 15", noisy, 10, 6, 1242, 376, table);
  scan("traffic, seeds 0 to 2", traffic, 0, 3, 1242, 376, table);
  scan("rooms, seeds 0 to 5", room, 0, 6, 640, 480, table);
  scan("rooms, seeds 10 to 27", room, 10, 18, 640, 480, table);
}

// The ground from a frame's segments, in disparities of 1/256 px.
Ground ground_of_segments(const reference::Frame& frame, const MetricCamera& camera) {
  rdp::Parameters parameters;
  parameters.epsilon = 2.0;
  parameters.sample_scale = 1.0 / 256;
  parameters.merge = true;
  SegmentList list;
  rdp::Engine(1).segment(frame.view(), parameters, &list);
  const rdp::Ground line = find_ground(list, frame.height, class_rules(parameters));
  return obstacles::ground_of_line(0.0, line.slope, -line.slope * line.horizon,
                                   camera.depth.numerator / camera.depth.factor, camera)
      .value_or(mounted(1.65, 0.0, 0.0));
}

// The true scan of a disparity or depth camera.
TrueScan scan_of(const Scene& scene, const Ground& ground, int points) {
  const MetricCamera& camera = scene.camera;
  TrueScan scan(rules_of(scene.parameters, points),
                {{ground.normal[0], ground.normal[1], ground.normal[2]}, ground.distance});
  for (int r = 0; r < scene.frame.height; ++r) {
    for (int c = 0; c < scene.frame.width; ++c) {
      const double z = depth_of_value(scene.frame.at(r, c), camera.depth);
      if (!(z > 0.0)) continue;
      scan.add({(c - camera.principal_x) / camera.focal_x * z,
                (r - camera.principal_y) / camera.focal_y * z, z});
    }
  }
  return scan;
}

// depthstereo's disparities of KITTI 2012's pairs, over the ground of their segments. The lidar is
// the truth; its ground is refined from the same initial one.
void lidar(const std::filesystem::path& data, RecordedTable* table) {
  ScanScore score;
  for (const BenchPair& pair : recorded_pairs()) {
    if (!pair.name.starts_with("KITTI 2012 #")) continue;
    Scene scene{{pair.width, pair.height, std::vector<std::uint16_t>(pair.left.size())},
                {},
                {},
                street_parameters()};
    std::ifstream file(data / ("stereo/kitti2012/" +
                               formatted("%06d", std::stoi(pair.name.substr(12))) + "_calib.txt"));
    std::string word;
    double m[2][12] = {};
    for (auto& matrix : m) {
      file >> word;
      for (double& number : matrix) file >> number;
    }
    MetricCamera& camera = scene.camera;
    camera.focal_x = camera.focal_y = m[0][0];
    camera.principal_x = m[0][2];
    camera.principal_y = m[0][6];
    camera.depth = {true, m[0][3] - m[1][3], 1.0 / 256, 0.0};
    Scene truth = scene;
    std::transform(pair.truth.begin(), pair.truth.end(), truth.frame.samples.begin(),
                   [](double d) { return static_cast<std::uint16_t>(256.0 * d); });
    stereo::Parameters parameters;
    parameters.disparities = pair.disparities;
    stereo::Engine().match(pair.pair(), parameters,
                           {{reinterpret_cast<std::byte*>(scene.frame.samples.data()),
                             2 * pair.width, pair.width, pair.height, SampleType::kU16},
                            {}});
    scene.start = truth.start = ground_of_segments(scene.frame, camera);
    const Obstacles found = find(scene);
    score.add(scan_of(truth, find(truth).ground, 4).ranges(), found, scene.parameters.range);
  }
  if (score.frames > 0) score.print("KITTI 2012 #74, #138, #151, lidar", table);
}

// --- empty floors -------------------------------------------------------------------------------

// A floor from a structured light camera, with a noise of 0.045 px. `wild`: one pixel in 1000 has a
// random depth of up to 10 m.
Scene empty_floor(const Ground& ground, bool wild, std::uint64_t key) {
  constexpr int kWidth = 640;
  constexpr int kHeight = 480;
  const TestCamera camera = RoomScene::camera(kWidth, kHeight);
  Scene scene{{kWidth, kHeight, {}}, camera_of(camera, false), ground, {}};
  HashSequence random(key);
  for (int r = 0; r < kHeight; ++r) {
    for (int c = 0; c < kWidth; ++c) {
      const double ray[3] = {(c - camera.centre_column) / camera.focal,
                             (r - camera.centre_row) / camera.focal, 1.0};
      const double noise =
          0.045 * static_cast<double>(sum_of_bytes(random.bits())) / kSumOfBytesDeviation;
      const double u = obstacles::product_of(ground.normal, ray) / ground.distance +
                       noise / camera.disparity(1.0);
      double z = u > 1.0 / 65.0 ? 1.0 / u : 0.0;
      if (wild && random.happens(0.001)) z = random.uniform(0.3, 10.0);
      scene.frame.samples.push_back(static_cast<std::uint16_t>(std::floor(1000.0 * z + 0.5)));
    }
  }
  return scene;
}

void floors(RecordedTable* table) {
  constexpr double kMounts[][3] = {{0.3, 15, 0}, {0.6, 20, 5},  {1.0, 25, -8},
                                   {1.3, 35, 0}, {1.6, 30, 10}, {2.2, 40, 0}};
  std::size_t bearings = 0, wrong = 0, unrefined = 0, wild_bearings = 0, wild = 0;
  std::uint64_t key = 0;
  const auto count = [](const Obstacles& found) {
    return static_cast<std::size_t>(std::count_if(found.ranges.begin(), found.ranges.end(),
                                                  [](std::uint32_t range) { return range > 0; }));
  };
  for (const auto& [height, pitch, roll] : kMounts) {
    const Ground truth = mounted(height, pitch, roll);
    Scene scene = empty_floor(truth, false, mix_bits(++key));
    const std::vector<double> seen = scan_of(scene, truth, 1).ranges();
    const auto view = static_cast<std::size_t>(
        std::count_if(seen.begin(), seen.end(), [](double range) { return !std::isnan(range); }));
    for (int start = 0; start < 9; ++start) {
      if (start == 4) continue;
      scene.start = mounted(height, pitch + 4.0 * (start / 3 - 1), roll + 4.0 * (start % 3 - 1));
      scene.parameters.refine = true;
      bearings += view;
      wrong += count(find(scene));
      scene.parameters.refine = false;
      unrefined += count(find(scene));
    }
    wild_bearings += view;
    wild += count(find(empty_floor(truth, true, mix_bits(++key))));
  }
  table->line("empty floors, 6                      bearings  false");
  table->line(formatted("pitch, roll or both wrong by 4 degrees %6zu %6zu", bearings, wrong));
  table->line(formatted("the same, unrefined                    %6zu %6zu", bearings, unrefined));
  table->line(formatted("wild pixels, 0.1 %%                     %6zu %6zu", wild_bearings, wild));
}

// --- the ground ---------------------------------------------------------------------------------

constexpr double kDegree = std::numbers::pi / 180.0;

// Grounds refined from 99 initial ones, wrong by up to 5 degrees of pitch, 3 of roll and 5 % of the
// height. Counts normals within 0.5 degrees of the one refined from the right start, and failures.
void refinement(const std::string& name, const Scene& scene, RecordedTable* table) {
  if (scene.frame.width == 0) return;
  obstacles::CameraTables tables;
  make_tables(scene.frame.width, scene.frame.height, SampleType::kU16, scene.camera,
              scene.parameters, &tables);
  obstacles::Refinement refinement;
  const auto refined = [&](const Ground& start) {
    return refinement.refine(scene.frame.view(), tables, start);
  };
  const Ground own = refined(scene.start).ground;
  const double pitch = std::asin(own.normal[2]) / kDegree;
  const double roll = std::atan2(own.normal[0], own.normal[1]) / kDegree;
  std::size_t near = 0, failed = 0;
  for (int p = -5; p <= 5; ++p) {
    for (int r = -3; r <= 3; r += 3) {
      for (int h = -1; h <= 1; ++h) {
        const obstacles::Refined found =
            refined(mounted(own.distance * (1 + 0.05 * h), pitch + p, roll + r));
        const double cosine = obstacles::product_of(found.ground.normal, own.normal);
        near += cosine > std::cos(0.5 * kDegree) ? 1U : 0U;
        failed += found.refined ? 0U : 1U;
      }
    }
  }
  table->line(formatted("%-36s %10zu %6zu %7.2f %6.2f %6.3f", name.c_str(), near, failed, pitch,
                        roll, own.distance));
}

int run(int argc, char** argv) {
  std::string expected;
  bool recorded_frames = false;
  test::CommandLine line("How well obstacles are found in drawn scenes.",
                         "Recorded frames are in the folder of RDPSEGMENT_TEST_DATA.");
  line.file("expected", &expected, "compare with this file");
  line.flag("recorded", &recorded_frames, "in recorded frames");
  line.read(argc, argv);
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  const std::filesystem::path data = folder != nullptr ? folder : "";
  if (recorded_frames && !std::filesystem::exists(data / "kitti/sequence/000000.png")) {
    std::puts("RDPSEGMENT_TEST_DATA has no folder `kitti`");
    return 77;
  }
  RecordedTable table;
  table.line(
      "the nearest thing a bearing          frames bearings missed   near median   90 %    free  "
      "false");
  if (recorded_frames) {
    lidar(data, &table);
    judge_recorded_objects(data, &table);
  } else {
    scans(&table);
    floors(&table);
    judge_objects(&table);
  }
  table.line("of 99 wrong starts, within 0.5 deg of its own failed   pitch   roll height");
  if (recorded_frames) {
    for (const int i : {0, 7, 15}) {
      refinement(formatted("KITTI odometry 06, frame %d", i),
                 recorded(data / formatted("kitti/sequence/%06d.png", i),
                          {707.0912, 601.8873, 183.1104}, mounted(1.65, 1.8, 0.0), 0.53716),
                 &table);
    }
  } else {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      refinement(formatted("street, seed %u", seed),
                 drawn(0, {.seed = seed, .noise = 0.25}, 1242, 376), &table);
    }
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      refinement(formatted("room, seed %u", seed),
                 drawn(0,
                       {.pattern = TestPattern::kRoom,
                        .domain = TestDomain::kDepth,
                        .seed = seed,
                        .noise = 0.045},
                       640, 480),
                 &table);
    }
  }
  return table.compare(expected);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
