// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_BENCH_CLOUDS_H_
#define RDP_TESTS_BENCH_BENCH_CLOUDS_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "common/planes/clouds/cloud.h"

// Point clouds for the benchmarks of plane detection.
namespace rdp::bench {

struct Cloud {
  std::vector<float> values;  // x, y, z of each point

  std::size_t points() const { return values.size() / 3; }
  planes::CloudView view(double unit = 1.0) const {
    planes::CloudView cloud;
    cloud.data = reinterpret_cast<const std::byte*>(values.data());
    cloud.points = points();
    cloud.unit = unit;
    return cloud;
  }
};

// Reads a file in a format of pointcloudsrc. Exits on failure.
Cloud read_cloud(const std::filesystem::path& file);

// A rotation matrix, row by row.
struct Turn {
  double row[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};
Turn turn_about_z(double angle);
// A uniformly distributed random rotation.
Turn any_turn(std::uint32_t seed);
void turn_vector(const Turn& turn, const double from[3], double to[3]);
Cloud turned(const Cloud& cloud, const Turn& turn);

// Draws `points` points from the cloud's finite ones, with replacement, and adds normal noise to
// each axis.
Cloud resampled(const Cloud& cloud, std::size_t points, double deviation, std::uint32_t seed);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_BENCH_CLOUDS_H_
