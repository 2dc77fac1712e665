// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/cloud_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/support/valid_draw.h"

namespace rdp::test {
namespace {

class Drawer {
 public:
  Drawer(std::size_t points, std::uint32_t seed) : points_(points), random_(seed) {
    values_.reserve(3 * points);
  }

  bool full() const { return values_.size() >= 3 * points_; }
  void add(double x, double y, double z) {
    if (full()) return;
    for (const double v : {x, y, z}) values_.push_back(static_cast<float>(v));
  }
  // Uniform numbers; not std::uniform_real_distribution, which differs between libraries.
  double any(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
  }
  // Approximately normal distribution.
  double noise(double deviation) {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += any(0.0, 1.0);
    return sum * deviation;
  }
  std::vector<float> take() { return std::move(values_); }

  // Points on the faces of a box and on a table in it, alternately.
  void room(double deviation, double shift) {
    for (std::uint32_t i = 0; !full(); ++i) {
      double p[3] = {any(-3.0, 3.0), any(-2.0, 2.5), any(-1.2, 1.4)};
      const std::uint32_t face = i % 8;
      if (face < 6) {
        const double at[6] = {-3.0, 3.0, -2.0, 2.5, -1.2, 1.4};
        p[face / 2] = at[face] + noise(deviation);
      } else if (face == 6) {
        p[0] = any(-1.0, 1.0);
        p[1] = any(-0.5, 0.7);
        p[2] = -0.45 + noise(deviation);
      }
      // Rotated, so that no plane is parallel to the axes.
      const double c = 0.8, s = 0.6;
      add(c * p[0] - s * p[1] + shift, s * p[0] + c * p[1] - shift, p[2] + 0.1 * p[0] + shift);
    }
  }

  void box() {
    for (std::uint32_t i = 0; !full(); ++i) {
      double p[3] = {any(-1.0, 1.0), any(-1.0, 1.0), any(-1.0, 1.0)};
      p[i % 3] = i / 3 % 2 == 0 ? -1.0 : 1.0;
      add(p[0], p[1], p[2]);
    }
  }

  void slope() {
    while (!full()) {
      const double x = any(-4.0, 4.0);
      const double y = any(-4.0, 4.0);
      add(x, y, 0.25 * x - 0.5 * y + 1.0);
    }
  }

  // Floor, wall, table and a rug that lies less than a step above the floor.
  void hall() {
    constexpr double kPatches[4][9] = {{-3, -2, 0, 6, 0, 0, 0, 4, 0},
                                       {-3, -2, 0, 6, 0, 0, 0, 0.1, 2.5},
                                       {-1, -0.5, 0.75, 2, 0, 0, 0, 1, 0},
                                       {-2.9, -1.9, 0.06, 1.2, 0, 0, 0, 1.5, 0}};
    const std::size_t each = points_ / 4 + 1;
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(each))));
    for (std::size_t i = 0; !full(); ++i) {
      const double* const p = kPatches[i / each];
      const double u = static_cast<double>(i % each % side) / static_cast<double>(side);
      const double v = static_cast<double>(i % each / side) / static_cast<double>(side);
      add(p[0] + u * p[3] + v * p[6], p[1] + u * p[4] + v * p[7], p[2] + u * p[5] + v * p[8]);
    }
  }

  // A direction: a random point of a cube, accepted inside the ball; needs no library sine.
  void sphere() {
    while (!full()) {
      using Place = std::array<double, 3>;
      const auto length = [](const Place& p) {
        return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
      };
      const Place p = draw_valid(
          [&] {
            const double x = any(-1.0, 1.0), y = any(-1.0, 1.0), z = any(-1.0, 1.0);
            return Place{x, y, z};
          },
          [&](const Place& drawn) { return length(drawn) <= 1.0 && length(drawn) >= 0.01; },
          [] {
            return Place{0.5, 0.5, 0.5};
          });
      const double r = length(p);
      add(2.0 * p[0] / r + 1.0, 2.0 * p[1] / r, 2.0 * p[2] / r);
    }
  }

  void stairs() {
    while (!full()) {
      const double step = std::floor(any(0.0, 12.0));
      const bool riser = any(0.0, 1.0) < 0.5;
      const double along = any(0.0, 0.25);
      add(any(0.0, 2.0), 0.25 * step + (riser ? 0.0 : along),
          0.18 * step + (riser ? 0.72 * along : 0.18) + noise(0.002));
    }
  }

  // Denser near the sensor, which is 1.7 m above the road.
  void street() {
    while (!full()) {
      const double u = any(-1.0, 1.0), v = any(-1.0, 1.0);
      const double x = 40.0 * u * std::abs(u);
      const double y = 25.0 * v * std::abs(v);
      const double beside = std::max(0.0, std::abs(y) - 4.0);
      add(x, y,
          -1.7 - 0.02 * std::abs(y) + 0.0007 * x * x - 0.2 * std::min(beside, 5.0) + noise(0.01));
    }
  }

  void tiles() {
    while (!full()) {
      const auto tile = static_cast<int>(any(0.0, 400.0));
      const double x = tile % 20;
      const double y = tile / 20;
      add(x + any(0.0, 0.8), y + any(0.0, 0.8), 0.15 * (tile % 7) + 0.3 * (tile % 3));
    }
  }

 private:
  std::size_t points_;
  std::mt19937 random_;
  std::vector<float> values_;
};

// Every third point is three arbitrary floats: denormal, not finite, or huge.
void make_wild(std::vector<float>* values, std::uint32_t seed) {
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < values->size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    if (i / 3 % 3 == 0) std::memcpy(values->data() + i, &bits, sizeof bits);
  }
}

void spoil(std::vector<float>* values, bool all) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i + 3 <= values->size(); i += 3) {
    float* const p = values->data() + i;
    switch (i / 3 % 7) {
      case 0:
        p[i / 21 % 3] = nan;
        break;
      case 1:
        p[i / 21 % 3] = infinity;
        break;
      case 2:
        p[i / 21 % 3] = -infinity;
        break;
      case 3:
        p[0] = p[1] = p[2] = 0.0f;
        break;
      case 4:
        p[0] = p[1] = p[2] = -0.0f;
        break;
      default:
        if (all) p[0] = p[1] = p[2] = nan;
    }
  }
}

}  // namespace

const char* name_of(CloudKind kind) {
  switch (kind) {
    case CloudKind::kRoom:
      return "room";
    case CloudKind::kFlat:
      return "flat";
    case CloudKind::kSlanted:
      return "slanted";
    case CloudKind::kTiles:
      return "tiles";
    case CloudKind::kNoise:
      return "noise";
    case CloudKind::kEqual:
      return "equal";
    case CloudKind::kTwice:
      return "twice";
    case CloudKind::kLine:
      return "line";
    case CloudKind::kTwoPoints:
      return "two_points";
    case CloudKind::kStrewn:
      return "strewn";
    case CloudKind::kHuge:
      return "huge";
    case CloudKind::kTiny:
      return "tiny";
    case CloudKind::kUnknown:
      return "unknown";
    case CloudKind::kNothing:
      return "nothing";
    case CloudKind::kFar:
      return "far";
    case CloudKind::kHall:
      return "hall";
    case CloudKind::kSphere:
      return "sphere";
    case CloudKind::kStairs:
      return "stairs";
    case CloudKind::kWild:
      return "wild";
    case CloudKind::kStreet:
      return "street";
  }
  return "";
}

std::vector<float> draw_cloud(CloudKind kind, std::size_t points, std::uint32_t seed) {
  Drawer draw(points, seed);
  switch (kind) {
    case CloudKind::kRoom:
    case CloudKind::kUnknown:
    case CloudKind::kNothing:
    case CloudKind::kWild:
      draw.room(0.006, 0.0);
      break;
    case CloudKind::kHall:
      draw.hall();
      break;
    case CloudKind::kStreet:
      draw.street();
      break;
    case CloudKind::kSphere:
      draw.sphere();
      break;
    case CloudKind::kStairs:
      draw.stairs();
      break;
    case CloudKind::kFar:
      draw.room(0.006, 20000.0);
      break;
    case CloudKind::kFlat:
      draw.box();
      break;
    case CloudKind::kSlanted:
      draw.slope();
      break;
    case CloudKind::kTiles:
      draw.tiles();
      break;
    case CloudKind::kNoise:
      while (!draw.full()) draw.add(draw.any(-5, 5), draw.any(-5, 5), draw.any(-5, 5));
      break;
    case CloudKind::kEqual:
      while (!draw.full()) draw.add(1.5, -2.25, 3.125);
      break;
    case CloudKind::kTwice: {
      Drawer few(points / 8 + 1, seed);
      few.room(0.006, 0.0);
      const std::vector<float> values = few.take();
      for (std::size_t i = 0; !draw.full(); i = (i + 3) % values.size()) {
        draw.add(values[i], values[i + 1], values[i + 2]);
      }
      break;
    }
    case CloudKind::kLine:
      while (!draw.full()) {
        const double t = draw.any(-3.0, 3.0);
        draw.add(t, 0.5 * t, 1.0 - t);
      }
      break;
    case CloudKind::kTwoPoints:
      for (int i = 0; !draw.full(); ++i) draw.add(i % 2, 1.0, i % 2 + 2.0);
      break;
    case CloudKind::kStrewn:
      for (int i = 0; i < 20; ++i) {
        draw.add(draw.any(-1000, 1000), draw.any(-1000, 1000), draw.any(-1000, 1000));
      }
      draw.room(0.006, 0.0);
      break;
    case CloudKind::kHuge:
      while (!draw.full()) {
        draw.add(draw.any(-3.4e38, 3.4e38), draw.any(-3.4e38, 3.4e38), draw.any(-1e30, 1e30));
      }
      break;
    case CloudKind::kTiny:
      while (!draw.full()) {
        draw.add(draw.any(-1e-39, 1e-39), draw.any(-1e-39, 1e-39), draw.any(-1e-44, 1e-44));
      }
      break;
  }
  std::vector<float> values = draw.take();
  if (kind == CloudKind::kWild) make_wild(&values, seed);
  if (kind == CloudKind::kUnknown || kind == CloudKind::kNothing) {
    spoil(&values, kind == CloudKind::kNothing);
  }
  return values;
}

PaddedCloud::PaddedCloud(const std::vector<float>& values, std::size_t step, std::size_t offset,
                         std::size_t shift) {
  const std::size_t points = values.size() / 3;
  // The last point has no padding behind it.
  bytes.assign(shift + (points == 0 ? 0 : (points - 1) * step + offset + 12), std::byte{0xa5});
  for (std::size_t i = 0; i < points; ++i) {
    std::memcpy(bytes.data() + shift + i * step + offset, values.data() + 3 * i, 12);
  }
  view.data = bytes.data() + shift;
  view.points = points;
  view.step = step;
  view.offset = offset;
}

PaddedCloud CloudCase::draw() const {
  PaddedCloud cloud(draw_cloud(kind, points, seed), step, offset, shift);
  cloud.view.unit = unit;
  cloud.view.forward_left_up = forward_left_up;
  return cloud;
}

std::vector<CloudCase> cloud_cases(bool many) {
  std::vector<CloudCase> cases;
  std::uint32_t seed = 1;
  const auto add = [&](CloudKind kind, std::size_t points, const planes::Parameters& parameters,
                       const char* what) {
    // Packed, aligned and unaligned, by turns.
    static constexpr std::size_t kLayouts[][3] = {{12, 0, 0}, {16, 0, 0}, {12, 0, 1},
                                                  {32, 4, 0}, {27, 5, 3}, {20, 8, 2}};
    const auto& layout = kLayouts[seed % 6];
    CloudCase c{std::string(name_of(kind)) + " " + std::to_string(points) + " " + what,
                kind,
                points,
                seed,
                layout[0],
                layout[1],
                layout[2],
                seed % 5 == 4 ? 0.001 : 1.0,
                seed % 3 == 1,
                parameters};
    if (c.unit != 1.0) {  // the cloud's metres are read as millimetres: scale the lengths, too
      c.parameters.tolerance = (parameters.tolerance > 0.0 ? parameters.tolerance : 0.020) * 0.001;
      c.parameters.resolution *= 0.001;
      c.parameters.distance_step *= 0.001;
    }
    cases.push_back(c);
    ++seed;
  };
  const planes::Parameters usual;
  for (int kind = 0; kind < kCloudKinds; ++kind) {
    for (const std::size_t points : {3000, 20000}) {
      add(static_cast<CloudKind>(kind), points, usual, "usual");
    }
  }
  for (const std::size_t points : {0, 1, 2, 3, 29, 30, 31, 100, 511, 512, 513, 999, 1000, 1001}) {
    for (const CloudKind kind : {CloudKind::kRoom, CloudKind::kFlat, CloudKind::kEqual}) {
      add(kind, points, usual, "few");
    }
  }
  const auto with = [&](const char* what, const auto& change) {
    for (const CloudKind kind :
         {CloudKind::kRoom, CloudKind::kFlat, CloudKind::kTiles, CloudKind::kUnknown}) {
      planes::Parameters parameters;
      change(&parameters);
      add(kind, 12000, parameters, what);
    }
  };
  for (const int depth : {1, 2, 3, 5, 8}) {
    with("depth", [&](planes::Parameters* p) { p->max_depth = depth; });
  }
  with("resolution", [](planes::Parameters* p) { p->resolution = 0.003; });
  with("coarse", [](planes::Parameters* p) { p->resolution = 0.5; });
  with("one cell", [](planes::Parameters* p) { p->resolution = 1000.0; });
  with("too fine", [](planes::Parameters* p) { p->resolution = 1e-9; });
  with("thick", [](planes::Parameters* p) { p->tolerance = 0.5; });
  with("thin", [](planes::Parameters* p) { p->tolerance = 0.001; });
  with("any thickness", [](planes::Parameters* p) { p->max_thickness = 0.0; });
  with("flat ones", [](planes::Parameters* p) { p->max_thickness = 0.01; });
  with("directions", [](planes::Parameters* p) { p->directions = 16; });
  with("distances", [](planes::Parameters* p) { p->distance_step = 1e-5; });
  with("rounds", [](planes::Parameters* p) { p->rounds = 4; });
  with("few planes", [](planes::Parameters* p) { p->max_planes = 2; });
  with("many planes", [](planes::Parameters* p) {
    p->max_planes = 255;
    p->min_inliers = 1;
    p->min_points = 5;
  });
  with("levels", [](planes::Parameters* p) { p->min_level = 0; });
  with("deep", [](planes::Parameters* p) { p->min_level = 20; });
  with("zeros", [](planes::Parameters* p) { p->zero_is_unknown = false; });
  with("no hull", [](planes::Parameters* p) { p->hull = false; });
  with("up", [](planes::Parameters* p) {
    p->up[1] = 0.0;
    p->up[2] = 1.0;
  });
  // More planes around a cell than are kept, and more planes than labels.
  const auto many_planes = [&](CloudKind kind, std::size_t points, int depth, double tolerance) {
    planes::Parameters p;
    p.min_inliers = 1;
    p.min_points = 3;
    p.max_depth = depth;
    p.max_planes = 255;
    p.tolerance = tolerance;
    add(kind, points, p, "many planes");
  };
  many_planes(CloudKind::kNoise, 5000, 4, 0.01);
  many_planes(CloudKind::kSphere, 20000, 0, 0.002);
  many_planes(CloudKind::kStairs, 12000, 4, 0.0);
  if (many) {
    for (const CloudKind kind : {CloudKind::kRoom, CloudKind::kFlat, CloudKind::kTwice,
                                 CloudKind::kStrewn, CloudKind::kTiles}) {
      add(kind, 150000, usual, "large");
    }
  }
  // The limits of depthplanes' property ranges.
  with("two directions", [](planes::Parameters* p) { p->directions = 2; });
  with("128 directions", [](planes::Parameters* p) { p->directions = 128; });
  with("anything flat", [](planes::Parameters* p) {
    p->tolerance = p->distance_step = p->resolution = 100.0;
    p->max_thickness = 10.0;
    p->rounds = 16;
  });
  with("nothing large", [](planes::Parameters* p) {
    p->min_inliers = p->min_points = 2147483647;
    p->ground_tilt = 0.0;
  });
  return cases;
}

}  // namespace rdp::test
