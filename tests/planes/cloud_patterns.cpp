// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/cloud_patterns.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>
#include <utility>

namespace rdp::test {
namespace {

// A rectangle: a corner and two sides.
struct Patch {
  double corner[3];
  double u[3];
  double v[3];
};

constexpr Patch kRoomPatches[] = {
    {{-3, -2, 0}, {6, 0, 0}, {0, 4, 0}},        // floor
    {{-3, -2, 2.5}, {6, 0, 0}, {0, 4, 0}},      // ceiling
    {{-3, -2, 0}, {6, 0, 0}, {0, 0, 2.5}},      // walls
    {{-3, 2, 0}, {6, 0, 0}, {0, 0.1, 2.5}},     //
    {{-3, -2, 0}, {0, 4, 0}, {0, 0, 2.5}},      //
    {{3, -2, 0}, {0.2, 4, 0}, {0, 0, 2.5}},     //
    {{-1, -0.5, 0.75}, {2, 0, 0}, {0, 1, 0}},   // a table
    {{1.5, 1, 0}, {0.8, 0.3, 0}, {0, 0, 0.9}},  // a box
    {{1.5, 1, 0.9}, {0.8, 0.3, 0}, {-0.3, 0.8, 0}},
    {{-2.9, -1.9, 0.06}, {1.2, 0, 0}, {0, 1.5, 0}},  // a rug, less than a step above the floor
};

class Drawer {
 public:
  Drawer(std::size_t points, std::uint32_t seed) : random_(seed) { values_.reserve(3 * points); }

  double between(double low, double high) {
    return low + (high - low) * (random_() / 4294967296.0);
  }
  std::uint32_t any() { return random_(); }
  // About so much, in an approximate normal distribution.
  double noise(double deviation) {
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += between(-1.0, 1.0);
    return deviation * sum / std::sqrt(2.0);
  }
  void add(double x, double y, double z) {
    for (const double v : {x, y, z}) values_.push_back(static_cast<float>(v));
  }
  void add_on(const Patch& p, double s, double t, double deviation) {
    double at[3];
    for (int k = 0; k < 3; ++k) at[k] = p.corner[k] + s * p.u[k] + t * p.v[k] + noise(deviation);
    add(at[0], at[1], at[2]);
  }
  std::vector<float> take() { return std::move(values_); }

 private:
  std::mt19937 random_;
  std::vector<float> values_;
};

void draw_hall(Drawer* d, std::size_t points) {
  const std::size_t each = points / std::size(kRoomPatches) + 1;
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(each))));
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t in_patch = i % each;
    d->add_on(kRoomPatches[i / each], static_cast<double>(in_patch % side) / side,
              static_cast<double>(in_patch / side) / side, 0.0);
  }
}

float any_float(Drawer* d) {
  const std::uint32_t bits = d->any();
  float v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

void draw_nothing(Drawer* d, std::size_t i) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const double none = std::numeric_limits<double>::quiet_NaN();
  switch (i % 4) {
    case 0:
      return d->add(0.0, -0.0, 0.0);
    case 1:
      return d->add(none, 1.0, 2.0);
    case 2:
      return d->add(1.0, kInfinite, 2.0);
    default:
      return d->add(1.0, 2.0, -kInfinite);
  }
}

void draw_point(Drawer* d, CloudKind kind, std::size_t i, std::size_t points) {
  const double s = d->between(0.0, 1.0), t = d->between(0.0, 1.0);
  switch (kind) {
    case CloudKind::kNothing:
      return draw_nothing(d, i);
    case CloudKind::kSame:
      return d->add(1.25, -0.5, 3.0);
    case CloudKind::kLine:
      return d->add(1.0 + s, 2.0 - 0.5 * s, 0.25 * s);
    case CloudKind::kFlat:
      return d->add(4.0 * s, 3.0 * t, 1.0);
    case CloudKind::kGrid:
      return d->add(0.1 * static_cast<double>(i / 2 % 13), 0.1 * static_cast<double>(i / 26 % 13),
                    0.1 * static_cast<double>(i / 338 % 13));
    case CloudKind::kBlob:
      return d->add(s, t, d->between(0.0, 1.0));
    case CloudKind::kSphere: {
      const double z = 2.0 * s - 1.0, r = std::sqrt(1.0 - z * z), a = 6.28318 * t;
      return d->add(2.0 * r * std::cos(a) + 1.0, 2.0 * r * std::sin(a), 2.0 * z);
    }
    case CloudKind::kStairs: {
      const double step = std::floor(12.0 * s);
      const bool riser = d->any() % 2 == 0;
      const double along = d->between(0.0, 0.25);
      return d->add(2.0 * t, 0.25 * step + (riser ? 0.0 : along),
                    0.18 * step + (riser ? 0.72 * along : 0.18) + d->noise(0.002));
    }
    case CloudKind::kGreat:
      if (i % 3 == 0) return d->add(any_float(d), any_float(d), any_float(d));
      break;
    default:
      break;
  }
  if (kind == CloudKind::kStrewn && i < std::min<std::size_t>(20, points / 1000)) {
    return d->add(d->between(-1000, 1000), d->between(-1000, 1000), d->between(-1000, 1000));
  }
  if (d->any() % 50 == 0) return draw_nothing(d, i);
  if (d->any() % 20 == 0) return d->add(6.0 * s - 3.0, 4.0 * t - 2.0, d->between(0.0, 2.5));
  d->add_on(kRoomPatches[d->any() % std::size(kRoomPatches)], s, t, 0.006);
}

}  // namespace

std::string name_of(CloudKind kind) {
  constexpr const char* kNames[] = {"room", "hall", "nothing", "same",   "line",   "flat",
                                    "grid", "blob", "sphere",  "stairs", "strewn", "great"};
  return kNames[static_cast<int>(kind)];
}

std::vector<float> draw_cloud(CloudKind kind, std::size_t points, std::uint32_t seed) {
  Drawer drawer(points, seed);
  if (kind == CloudKind::kHall) {
    draw_hall(&drawer, points);
  } else {
    for (std::size_t i = 0; i < points; ++i) draw_point(&drawer, kind, i, points);
  }
  return drawer.take();
}

std::vector<std::byte> laid_out(const std::vector<float>& values, const CloudLayout& layout) {
  const std::size_t points = values.size() / 3;
  std::vector<std::byte> bytes(points * layout.step, std::byte{0x7F});
  for (std::size_t i = 0; i < points; ++i) {
    std::memcpy(bytes.data() + i * layout.step + layout.offset, values.data() + 3 * i,
                3 * sizeof(float));
  }
  return bytes;
}

}  // namespace rdp::test
