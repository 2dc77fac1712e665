// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/plane_patterns.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace rdp::test {
namespace {

// Depth in mm of the nearest room surface along a ray.
double room_depth(double x, double y) {
  double z = 4000.0;  // the far wall
  const auto meet = [&](double nx, double ny, double nz, double distance) {
    const double along = nx * x + ny * y + nz;
    if (along > 1e-6) z = std::min(z, distance / along);
  };
  meet(0.0, 1.0, 0.05, 1300.0);
  meet(-1.0, 0.0, 0.2, 1700.0);
  meet(0.9, 0.0, 0.3, 1900.0);
  if (std::abs(x - 0.1) < 0.12 && std::abs(y - 0.2) < 0.1) z = std::min(z, 2200.0 + 400.0 * x);
  if (std::abs(x + 0.2) < 0.03) z = std::min(z, 1800.0);  // a pole
  const double ball = (x - 0.3) * (x - 0.3) + (y + 0.2) * (y + 0.2);
  if (ball < 0.01) z = std::min(z, 2000.0 - 3000.0 * std::sqrt(0.01 - ball));
  return z;
}

}  // namespace

const char* name_of(PlaneKind kind) {
  constexpr const char* kNames[] = {"room",     "flat",    "slanted",  "tiles",
                                    "stripes",  "noise",   "extremes", "sparse",
                                    "constant", "unknown", "layers",   "waves"};
  return kNames[static_cast<int>(kind)];
}

MetricCamera plane_camera(int width, int height, SampleType type, bool disparity) {
  MetricCamera camera;
  camera.focal_x = 0.9 * width;
  camera.focal_y = 0.91 * width;
  if (height > width) camera.focal_x = camera.focal_y = 0.9 * height;
  camera.principal_x = 0.49 * (width - 1);
  camera.principal_y = 0.52 * (height - 1);
  camera.depth.factor = type == SampleType::kU8 ? 0.04 : 0.001;
  if (disparity) {
    camera.depth.reciprocal = true;
    camera.depth.numerator = type == SampleType::kU8 ? 60.0 : 60.0;
    camera.depth.factor = type == SampleType::kU8 ? 1.0 : 1.0 / 256.0;
    camera.depth.offset = 0.5;
  }
  return camera;
}

void draw_planes(const MutableDepthView& frame, PlaneKind kind, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> gauss(0.0, 1.0);
  const double step = frame.type == SampleType::kU8 ? 40.0 : 1.0;
  const double most = max_sample(frame.type);
  const MetricCamera camera = plane_camera(frame.width, frame.height, frame.type);
  const int tile = 40 + static_cast<int>(seed % 3) * 8;
  for (int r = 0; r < frame.height; ++r) {
    for (int c = 0; c < frame.width; ++c) {
      const double x = (c - camera.principal_x) / camera.focal_x;
      const double y = (r - camera.principal_y) / camera.focal_y;
      double value = 0.0;
      switch (kind) {
        case PlaneKind::kRoom: {
          const double z = room_depth(x, y);
          value = z + gauss(random) * z * z * 4e-7;
          if (random() % 97 == 0) value = 0.0;
          break;
        }
        case PlaneKind::kFlat:
          value = 2000.0;
          break;
        case PlaneKind::kSlanted:
          value = 900.0 / std::max(0.02, 0.5 + 0.8 * x - 0.4 * y);
          break;
        case PlaneKind::kTiles: {
          const int number = r / tile * 31 + c / tile * 17;
          value = 1000.0 + number * 37 % 1500 + ((r / tile + c / tile) % 3 - 1) * 600.0 * x;
          break;
        }
        case PlaneKind::kStripes:
          value = 1500.0 + (r / 5 % 4) * 150.0 + (c / 90) * 40.0;
          break;
        case PlaneKind::kNoise:
          value = static_cast<double>(random() % 65536) * step;
          break;
        case PlaneKind::kExtremes: {
          const double values[] = {0.0, 1.0, most - 1.0, most};
          value = values[random() % 4] * step;
          break;
        }
        case PlaneKind::kSparse:
          value = random() % 23 == 0 ? room_depth(x, y) : 0.0;
          break;
        case PlaneKind::kConstant:
          value = most * step;
          break;
        case PlaneKind::kUnknown:
          break;
        case PlaneKind::kLayers:
          value = 1500.0 + (c * 5 / frame.width) * 130.0;
          break;
        case PlaneKind::kWaves: {
          const double z = room_depth(x, y);
          value = z + z * z * 1.5e-6 * std::sin(0.16 * c) * std::sin(0.19 * r);
          if (random() % 45 == 0) value = 0.0;
          break;
        }
      }
      frame.set(r, c,
                static_cast<std::uint16_t>(std::clamp(std::floor(value / step + 0.5), 0.0, most)));
    }
  }
}

std::vector<PlaneCase> plane_cases(bool many) {
  std::vector<PlaneCase> cases;
  const auto add = [&](int width, int height, SampleType type, PlaneKind kind, bool disparity,
                       const planes::Parameters& parameters, const std::string& what) {
    const auto seed = static_cast<std::uint32_t>(cases.size());
    cases.push_back({std::string(name_of(kind)) + " " + std::to_string(width) + "x" +
                         std::to_string(height) + (type == SampleType::kU8 ? " GRAY8" : "") +
                         (disparity ? " disparity" : "") + what,
                     width, height, type, kind, seed, disparity, parameters});
  };
  const planes::Parameters usual;
  constexpr std::pair<int, int> kSizes[] = {{1, 1},   {1, 97},  {97, 1},   {7, 9},    {8, 8},
                                            {17, 23}, {64, 64}, {129, 65}, {203, 131}};
  for (int k = 0; k < kPlaneKinds; ++k) {
    const auto kind = static_cast<PlaneKind>(k);
    for (const auto& [width, height] : kSizes) {
      add(width, height, SampleType::kU16, kind, false, usual, "");
    }
    add(320, 240, SampleType::kU16, kind, false, usual, "");
    add(251, 190, SampleType::kU8, kind, false, usual, "");
    add(240, 161, SampleType::kU16, kind, true, usual, "");
    add(160, 120, SampleType::kU8, kind, true, usual, "");
    if (many) add(640, 480, SampleType::kU16, kind, false, usual, "");
  }
  const auto vary = [&](const char* what, auto&& change) {
    planes::Parameters p;
    change(&p);
    for (const PlaneKind kind : {PlaneKind::kRoom, PlaneKind::kTiles, PlaneKind::kStripes}) {
      add(328, 246, SampleType::kU16, kind, false, p, what);
    }
  };
  vary(" range", [](auto* p) { p->min_value = 1500, p->max_value = 3000; });
  vary(" noise", [](auto* p) { p->noise = 2e-3; });
  vary(" floor", [](auto* p) { p->noise_floor = 0.0, p->bend = 0.0; });
  vary(" fill", [](auto* p) { p->fill = 1.0; });
  vary(" directions 7", [](auto* p) { p->directions = 7, p->distance_step = 0.1; });
  vary(" directions 90", [](auto* p) { p->directions = 90, p->distance_step = 0.01; });
  vary(" one round", [](auto* p) { p->rounds = 1; });
  vary(" two rounds", [](auto* p) { p->rounds = 2; });
  vary(" eight rounds", [](auto* p) { p->rounds = 8; });
  vary(" one inlier", [](auto* p) { p->min_inliers = 1; });
  vary(" one plane", [](auto* p) { p->max_planes = 1; });
  vary(" 255 planes", [](auto* p) { p->max_planes = 255, p->min_inliers = 100; });
  vary(" not connected", [](auto* p) { p->connected = false; });
  vary(" no hull", [](auto* p) { p->hull = false; });
  vary(" thin", [](auto* p) { p->max_thickness = 0.02; });
  vary(" bent", [](auto* p) { p->tolerance = 0.05, p->bend = 0.05; });
  // The limits of depthplanes' property ranges.
  vary(" two directions", [](auto* p) { p->directions = 2, p->distance_step = 100.0; });
  vary(" 128 directions", [](auto* p) { p->directions = 128; });
  vary(" anything flat", [](auto* p) {
    p->noise = 1.0, p->noise_floor = 10.0, p->bend = 1.0, p->tolerance = 100.0;
    p->tolerance_z2 = 1.0, p->fill = 0.0, p->max_thickness = 10.0, p->rounds = 16;
  });
  vary(" nothing large", [](auto* p) { p->min_inliers = 2147483647, p->ground_tilt = 0.0; });
  return cases;
}

}  // namespace rdp::test
