// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/bench_clouds.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <string>

#include "common/clouds/cloud_body.h"
#include "common/clouds/cloud_header.h"
#include "common/clouds/input_file.h"

namespace rdp::bench {

Cloud read_cloud(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  try {
    clouds::InputFile file;
    if (const int error = file.open(path.c_str()); error != 0) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), std::strerror(error));
      std::exit(1);
    }
    std::vector<std::byte> bytes(file.size());
    file.read(name, 0, bytes);
    clouds::CloudHeader header;
    clouds::read_header(
        name, std::span(bytes).first(std::min<std::size_t>(bytes.size(), clouds::kMaxHeaderBytes)),
        bytes.size(), clouds::FileFormat::kAuto, &header);
    const clouds::CloudBody body = clouds::body_of(header, bytes.size());
    const std::span<const std::byte> points = std::span(bytes).subspan(body.offset, body.size);
    Cloud cloud;
    cloud.values.resize(3 * header.points);
    std::vector<std::byte> decoded(body.in_place ? 0 : header.points * body.step);
    if (!body.in_place) clouds::CloudDecoder().decode(name, header, body, points, decoded.data());
    const std::byte* const from = body.in_place ? points.data() : decoded.data();
    for (std::size_t i = 0; i < header.points; ++i) {
      std::memcpy(cloud.values.data() + 3 * i, from + body.step * i + body.x, clouds::kPointBytes);
    }
    return cloud;
  } catch (const clouds::CloudError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(1);
  }
}

Turn turn_about_z(double angle) {
  Turn turn;
  turn.row[0][0] = turn.row[1][1] = std::cos(angle);
  turn.row[1][0] = std::sin(angle);
  turn.row[0][1] = -turn.row[1][0];
  return turn;
}

Turn any_turn(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  double q[4];
  double length = 0.0;
  for (double& v : q) {
    v = normal(random);
    length += v * v;
  }
  for (double& v : q) v /= std::sqrt(length);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

void turn_vector(const Turn& turn, const double from[3], double to[3]) {
  for (int i = 0; i < 3; ++i) {
    to[i] = turn.row[i][0] * from[0] + turn.row[i][1] * from[1] + turn.row[i][2] * from[2];
  }
}

Cloud turned(const Cloud& cloud, const Turn& turn) {
  Cloud result = cloud;
  for (std::size_t i = 0; i < cloud.points(); ++i) {
    const double from[3] = {cloud.values[3 * i], cloud.values[3 * i + 1], cloud.values[3 * i + 2]};
    double to[3];
    turn_vector(turn, from, to);
    for (int k = 0; k < 3; ++k) result.values[3 * i + k] = static_cast<float>(to[k]);
  }
  return result;
}

Cloud resampled(const Cloud& cloud, std::size_t points, double deviation, std::uint32_t seed) {
  // Unknown points are left out.
  std::vector<const float*> known;
  for (std::size_t i = 0; i < cloud.points(); ++i) {
    const float* const p = cloud.values.data() + 3 * i;
    if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) known.push_back(p);
  }
  Cloud result;
  if (known.empty()) return result;
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::size_t> any(0, known.size() - 1);
  std::normal_distribution<float> noise(0.0f, static_cast<float>(deviation));
  result.values.reserve(3 * points);
  while (result.points() < points) {
    const float* const p = known[any(random)];
    for (int k = 0; k < 3; ++k) result.values.push_back(p[k] + noise(random));
  }
  return result;
}

}  // namespace rdp::bench
