// SPDX-License-Identifier: LGPL-2.1-or-later
// Errors of aligned depth in drawn rooms with exact depth: camera pairs of several kinds, with the
// spacing of depth cameras. Prints a row per pair.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "common/align/engine.h"
#include "common/image/matrix3.h"
#include "tests/stereo/raw_pair.h"

namespace rdp::align {
namespace {

struct Camera {
  CameraLens lens;
  int width, height;
};

using Coefficients = std::array<double, 8>;  // k1 k2 p1 p2 k3 k4 k5 k6
constexpr Coefficients kBrown{-0.06, 0.05, 0.0004, -0.0005, -0.01, 0, 0, 0};
constexpr Coefficients kRational{0.4, -0.3, 0, 0, 0.01, 0.8, -0.4, 0};

Camera camera(double focal, int width, int height, const Coefficients* lens = nullptr) {
  Camera made{stereo::test::lens(focal, focal, (width - 1) / 2.0, (height - 1) / 2.0), width,
              height};
  if (lens != nullptr) made.lens.distortion = stereo::test::distortion(*lens);
  return made;
}

// Boxes, plates and thin poles in a room, around a camera that looks along z.
class Room {
 public:
  explicit Room(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto any = [&](double least, double most) {
      return least + (most - least) * random() / 4294967295.0;
    };
    walls_ = {any(1.5, 2.2), any(0.8, 1.2), any(2.8, 4.0)};
    for (int i = 0; i < 8; ++i) {
      const double z = any(0.8, 2.6);
      const double across = i < 5 ? any(0.1, 0.6) : any(0.02, 0.04);
      solids_.push_back({{z * any(-0.5, 0.5), z * any(-0.4, 0.4), z},
                         {across, i < 5 ? any(0.1, 1.0) : any(0.3, 2.0), any(0.02, 0.4)}});
    }
  }

  // The distance to the first surface, in units of `along`.
  double cast(const Vector3& from, const Vector3& along) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i) {
      const double way = ((along[i] > 0 ? walls_[i] : -walls_[i]) - from[i]) / along[i];
      if (way > 0 && (i < 2 || along[i] > 0)) nearest = std::min(nearest, way);
    }
    for (const Solid& solid : solids_) {
      double enters = 0;
      double leaves = nearest;
      for (std::size_t i = 0; i < 3; ++i) {
        const double a = (solid.centre[i] - solid.size[i] / 2 - from[i]) / along[i];
        const double b = (solid.centre[i] + solid.size[i] / 2 - from[i]) / along[i];
        enters = std::max(enters, std::min(a, b));
        leaves = std::min(leaves, std::max(a, b));
      }
      if (enters > 0 && enters < leaves) nearest = enters;
    }
    return nearest;
  }

 private:
  struct Solid {
    Vector3 centre, size;
  };
  Vector3 walls_{};
  std::vector<Solid> solids_;
};

Pose movement(const Vector3& angles, const Vector3& shift) {
  const Matrix3 r = stereo::test::rotation(angles[0], angles[1], angles[2]);
  return {{r[0], r[1], r[2], shift[0], r[3], r[4], r[5], shift[1], r[6], r[7], r[8], shift[2]}};
}

struct Pair {
  Camera source, target;
  Pose pose;
  int step;  // step between checked columns and rows of the target
};

struct Score {
  std::int64_t both = 0, unknown = 0, wrong = 0;  // pixels that both cameras see
  std::int64_t hidden = 0, kept = 0;              // pixels hidden from the source

  static double share(std::int64_t of, std::int64_t all) {
    return all == 0 ? 0 : 100.0 * static_cast<double>(of) / static_cast<double>(all);
  }
};

// Depths of the source, in metres.
std::vector<double> see(const Room& room, const Camera& source) {
  std::vector<double> depths;
  for (int y = 0; y < source.height; ++y) {
    for (int x = 0; x < source.width; ++x) {
      double ray_x, ray_y;
      const bool has_ray = ray_of_pixel(x, y, source.lens, &ray_x, &ray_y);
      depths.push_back(has_ray ? room.cast({0, 0, 0}, {ray_x, ray_y, 1}) : 0);
    }
  }
  return depths;
}

void score(const Room& room, const Pair& pair, Engine* engine, Score* sums) {
  const Camera& source = pair.source;
  const Camera& target = pair.target;
  const std::vector<double> depths = see(room, source);
  std::vector<std::uint16_t> samples;
  for (const double z : depths) samples.push_back(static_cast<std::uint16_t>(z * 1000 + 0.5));
  std::vector<std::uint16_t> aligned(static_cast<std::size_t>(target.width * target.height));
  Parameters p;
  static_cast<CameraLens&>(p.source) = source.lens;
  p.source.depth = {false, 0.0, 0.001, 0.0};
  p.target = target.lens;
  p.movement = pair.pose;
  engine->align({reinterpret_cast<const std::byte*>(samples.data()), 2 * source.width, source.width,
                 source.height, SampleType::kU16},
                p,
                {reinterpret_cast<std::byte*>(aligned.data()), 2 * target.width, target.width,
                 target.height, SampleType::kU16});

  const double* const m = pair.pose.m;
  const Matrix3 back = transposed({m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]});
  const Vector3 from = multiply(back, Vector3{-m[3], -m[7], -m[11]});
  for (int y = 0; y < target.height; y += pair.step) {
    for (int x = 0; x < target.width; x += pair.step) {
      double ray_x, ray_y, u, v;
      if (!ray_of_pixel(x, y, target.lens, &ray_x, &ray_y)) continue;
      const Vector3 along = multiply(back, Vector3{ray_x, ray_y, 1});
      const double z = room.cast(from, along);
      const double source_z = from[2] + z * along[2];
      if (!pixel_of_point(from[0] + z * along[0], from[1] + z * along[1], source_z, source.lens, &u,
                          &v)) {
        continue;
      }
      if (!(u > 1 && v > 1 && u < source.width - 2 && v < source.height - 2)) continue;
      const auto per_km = [&](int dx, int dy) {
        const int i =
            (static_cast<int>(v + 0.5) + dy) * source.width + static_cast<int>(u + 0.5) + dx;
        return 1000 / depths[static_cast<std::size_t>(i)] - 1000 / source_z;
      };
      const int sample = aligned[static_cast<std::size_t>(y * target.width + x)];
      if (std::fabs(per_km(0, 0)) < 5) {
        ++sums->both;
        sums->unknown += sample == 0;
        sums->wrong += sample != 0 && std::fabs(1e6 / sample - 1000 / z) > 10;
        continue;
      }
      bool hidden = true;
      for (int i = 0; i < 9; ++i) hidden = hidden && per_km(i % 3 - 1, i / 3 - 1) > 20;
      sums->hidden += hidden;
      sums->kept += hidden && sample != 0;
    }
  }
}

TEST(AlignScenes, FewPixelsAreUnknownOrWrong) {
  const Pose near = movement({0.004, -0.006, 0.003}, {-0.015, 0.0003, 0.0004});
  const Pose far = movement({0.1, 0.004, -0.003}, {-0.032, -0.002, 0.004});
  const Pair pairs[] = {
      {camera(600, 640, 480), camera(615, 640, 480), near, 1},
      {camera(390, 640, 480), camera(920, 1280, 720), near, 2},
      {camera(425, 848, 480), camera(1380, 1920, 1080, &kBrown), near, 3},
      {camera(640, 1280, 720), camera(460, 640, 480), near, 1},
      {camera(504, 640, 576, &kRational), camera(610, 1280, 720, &kBrown), far, 2},
  };
  Engine engine;
  for (const Pair& pair : pairs) {
    Score sums;
    for (std::uint32_t seed = 1; seed <= 4; ++seed) score(Room(seed), pair, &engine, &sums);
    const double unknown = Score::share(sums.unknown, sums.both);
    const double wrong = Score::share(sums.wrong, sums.both);
    std::printf("%4dx%d -> %4dx%d: unknown %.3f %%, wrong %.3f %%; of %lld hidden known %.1f %%\n",
                pair.source.width, pair.source.height, pair.target.width, pair.target.height,
                unknown, wrong, static_cast<long long>(sums.hidden),
                Score::share(sums.kept, sums.hidden));
    EXPECT_GT(sums.both, 100000);
    EXPECT_LE(unknown, 0.1);
    EXPECT_LE(wrong, 0.15);
  }
}

}  // namespace
}  // namespace rdp::align
