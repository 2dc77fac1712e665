// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_BENCH_CLOUDS_H_
#define RDP_TESTS_BENCH_BENCH_CLOUDS_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "common/planes/clouds/cloud.h"

// Clouds that the finder of planes is measured with.
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

// Of a file that pointcloudsrc reads. Ends the program where that cannot be.
Cloud read_cloud(const std::filesystem::path& file);

// A rotation, by rows.
struct Turn {
  double row[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};
Turn turn_about_z(double angle);
// Any rotation, all alike likely.
Turn any_turn(std::uint32_t seed);
void turn_vector(const Turn& turn, const double from[3], double to[3]);
Cloud turned(const Cloud& cloud, const Turn& turn);

// So many points drawn from the finite ones of the cloud, with replacement, with normal noise on
// each axis.
Cloud resampled(const Cloud& cloud, std::size_t points, double deviation, std::uint32_t seed);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_BENCH_CLOUDS_H_
