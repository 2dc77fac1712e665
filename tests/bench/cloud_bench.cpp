// SPDX-License-Identifier: LGPL-2.1-or-later
// CPU times of plane detection in point clouds, per step and by the number of points: see
// docs/internals/performance-planes.md.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "common/image/simd.h"
#include "common/planes/clouds/engine.h"
#include "common/planes/clouds/reference.h"
#include "tests/bench/bench_clouds.h"
#include "tests/bench/race.h"
#include "tests/planes/cloud_cases.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

constexpr double planes::CloudTimes::*kSteps[] = {
    &planes::CloudTimes::bounds,  &planes::CloudTimes::points, &planes::CloudTimes::sort,
    &planes::CloudTimes::cells,   &planes::CloudTimes::nodes,  &planes::CloudTimes::planes,
    &planes::CloudTimes::borders, &planes::CloudTimes::labels, &planes::CloudTimes::hulls,
    &planes::CloudTimes::ground};

void measure(const Cloud& cloud, int runs, planes::CloudEngine* finder) {
  std::vector<std::uint8_t> labels(cloud.points());
  Turns all{clock_of(0)};
  std::vector<double> steps[std::size(kSteps)];
  std::size_t planes = 0;
  for (int i = 0; i <= runs; ++i) {
    const auto find = [&] { planes = finder->find(cloud.view(), {}, labels.data()).planes.size(); };
    if (i == 0) {  // the first call allocates
      find();
      continue;
    }
    all.take(find);
    for (std::size_t s = 0; s < std::size(kSteps); ++s) {
      steps[s].push_back(1e3 * (finder->times().*kSteps[s]));
    }
  }
  std::printf("%9zu %7.2f %6zu ", cloud.points(), all.median(), planes);
  for (auto& step : steps) std::printf(" %7.3f", median_of(step));
  std::printf("\n");
  std::fflush(stdout);
}

int run(int count, char** words) {
  int threads = 1;
  int runs = 21;
  gint64 most = 20000000;
  bool quick = false;
  test::CommandLine line(
      "Milliseconds of each step, medians. The cloud is planes/pcl_room_scan1.pcd in the folder\n"
      "of RDPSEGMENT_TEST_DATA, as it is and drawn anew with noise of 8 mm; else a made room.");
  line.number("threads", &threads, {0, 1024}, "default 1; 0: all");
  line.number("runs", &runs, {1, 10000}, "of each size (default 21)");
  line.number("most", &most, {1, 1 << 25}, "points (default 20000000)");
  line.flag("quick", &quick, "a short run that shows nothing");
  line.read(count, words);
  if (quick) {
    runs = 1;
    most = 30000;
  }
  planes::CloudEngine finder(static_cast<unsigned>(threads));
  std::printf("%s, %u thread%s\n", current_simd_target(), finder.threads(),
              finder.threads() == 1 ? "" : "s");
  std::printf(
      "   points      all planes   bounds  points    sort   cells   nodes  planes borders  "
      "labels   hulls  ground\n");
  const char* data = std::getenv("RDPSEGMENT_TEST_DATA");
  const std::filesystem::path file =
      std::filesystem::path(data == nullptr ? "" : data) / "planes/pcl_room_scan1.pcd";
  Cloud cloud;
  if (data != nullptr && std::filesystem::exists(file)) {
    cloud = read_cloud(file);
  } else {
    cloud.values = test::draw_cloud(test::CloudKind::kRoom, 112586, 1);
  }
  if (static_cast<gint64>(cloud.points()) <= most) measure(cloud, runs, &finder);
  for (std::int64_t points = 10000; points < 40000000; points *= 10) {
    for (const std::int64_t n : {points, 2 * points, 5 * points}) {
      if (n > most) return 0;
      const int fewer = n > 1000000 ? std::max(1, runs / 5) : runs;
      measure(resampled(cloud, static_cast<std::size_t>(n), 0.008, 1), fewer, &finder);
    }
  }
  return 0;
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
