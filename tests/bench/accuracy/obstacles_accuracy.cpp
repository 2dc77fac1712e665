// SPDX-License-Identifier: LGPL-2.1-or-later
// How well obstacles over a ground are found: the nearest thing a bearing, where the truth is known
// exactly or by a lidar, and grounds from wrong starts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "common/image/reference.h"
#include "common/obstacles/engine.h"
#include "common/obstacles/ground.h"
#include "common/rdp/engine.h"
#include "common/rdp/ground.h"
#include "common/scene/hash_random.h"
#include "common/scene/pattern_geometry.h"
#include "common/scene/room_scene.h"
#include "common/scene/true_scan.h"
#include "common/stereo/engine.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/scene_camera.h"
#include "tests/bench/stereo_pairs.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using obstacles::Ground;
using obstacles::Obstacles;
using obstacles::Parameters;
using Frame = rdp::reference::Frame;

// The lower one of two in the middle.
double part_of(std::vector<double> values, double part = 0.5) {
  if (values.empty()) return std::nan("");
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

double percent(std::size_t part, std::size_t all) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(all, 1));
}

// A frame, its camera, the ground that the search starts from, and what is looked for.
struct Scene {
  Frame frame;
  MetricCamera camera;
  Ground start;
  Parameters parameters;
};

Scene drawn(std::uint64_t number, const TestPatternOptions& options, int width, int height) {
  Scene scene;
  scene.frame = {width, height,
                 std::vector<std::uint16_t>(static_cast<std::size_t>(width * height))};
  TestPatternRenderer().draw(number, options,
                             {reinterpret_cast<std::byte*>(scene.frame.samples.data()), 2 * width,
                              width, height, SampleType::kU16});
  scene.camera = camera_of(camera_of_pattern(options.pattern, width, height),
                           options.domain == TestDomain::kDisparity);
  scene.start = ground_of(ground_of_scene(number, options));
  if (options.domain == TestDomain::kDisparity) scene.parameters = street_parameters();
  return scene;
}

Obstacles find(const Scene& scene) {
  static obstacles::Engine engine;
  Obstacles found;
  engine.find(scene.frame.view(), scene.camera, &scene.start, scene.parameters, &found);
  return found;
}

ScanRules rules_of(const Parameters& p) {
  return {p.scan_bins,        static_cast<double>(p.scan_fov),
          p.min_height,       p.max_height,
          p.ground_tolerance, 1.2 * p.range};
}

Ground mounted(double height, double pitch, double roll) {
  return obstacles::ground_of_mount(height, pitch, roll).value_or(Ground());
}

// --- the scan -----------------------------------------------------------------------------------

struct ScanScore {
  std::size_t frames = 0, bearings = 0, missed = 0, near = 0, free = 0, wrong = 0;
  std::vector<double> errors;

  // A range is right within 10 % and 0.2 m; what is farther misses the thing. Truth is known up to
  // 1.2 times the range; what is beyond nine tenths of it is not judged.
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
  scan("street, 640x480, seeds 0 to 2", street, 0, 3, 640, 480, table);
  scan("noisy street, seeds 0 to 2", noisy, 0, 3, 1242, 376, table);
  scan("noisy street, seeds 10 to 15", noisy, 10, 6, 1242, 376, table);
  scan("traffic, seeds 0 to 2", traffic, 0, 3, 1242, 376, table);
  scan("rooms, seeds 0 to 5", room, 0, 6, 640, 480, table);
  scan("rooms, seeds 10 to 27", room, 10, 18, 640, 480, table);
}

// --- empty floors -------------------------------------------------------------------------------

// A floor as a structured light camera sees it, with a noise of 0.045 px; one pixel of 1000 shows
// anything up to 10 m away, where `wild`.
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
    TrueScan seen(rules_of(scene.parameters),
                  {{truth.normal[0], truth.normal[1], truth.normal[2]}, height});
    for (int r = 0; r < 480; ++r) {
      for (int c = 0; c < 640; ++c) {
        const double z = scene.frame.at(r, c) / 1000.0;
        if (z > 0)
          seen.add({(c - scene.camera.principal_x) / scene.camera.focal_x * z,
                    (r - scene.camera.principal_y) / scene.camera.focal_y * z, z});
      }
    }
    const auto view =
        static_cast<std::size_t>(std::count_if(seen.ranges().begin(), seen.ranges().end(),
                                               [](double range) { return !std::isnan(range); }));
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

int run(int argc, char** argv) {
  std::string expected;
  test::CommandLine line("How well obstacles are found.",
                         "Recorded frames are in the folder of RDPSEGMENT_TEST_DATA.");
  line.file("expected", &expected, "compare with this file");
  line.read(argc, argv);
  RecordedTable table;
  table.line(
      "the nearest thing a bearing          frames bearings missed   near median   90 %    free  "
      "false");
  scans(&table);
  floors(&table);
  return table.compare(expected);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
