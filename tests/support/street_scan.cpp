// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/support/street_scan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

namespace rdp::test {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180.0;

// Random numbers that are the same with every standard library.
class Lots {
 public:
  explicit Lots(std::uint32_t seed) : random_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
  }
  bool chance(double share) { return between(0.0, 1.0) < share; }
  double noise(double deviation) {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += between(0.0, 1.0);
    return sum * deviation;
  }

 private:
  std::mt19937 random_;
};

// A box with upright sides, rotated about z.
struct Box {
  double x, y, bottom, top;
  double half_length, half_width;
  double cosine, sine;
  double soft;  // m, depth to which rays penetrate, as into leaves

  // The distance at which a ray from the origin enters the box, or `most`.
  double enter(const double ray[3], double most) const {
    // Early exit: most rays miss the box.
    const double off = ray[0] * y - ray[1] * x;
    const double reach2 = half_length * half_length + half_width * half_width;
    if (off * off > reach2 * (ray[0] * ray[0] + ray[1] * ray[1])) return most;
    const double from[3] = {-cosine * x - sine * y, sine * x - cosine * y, 0.0};
    const double along[3] = {cosine * ray[0] + sine * ray[1], cosine * ray[1] - sine * ray[0],
                             ray[2]};
    const double low[3] = {-half_length, -half_width, bottom};
    const double high[3] = {half_length, half_width, top};
    double near = 0.0;
    double far = most;
    for (int i = 0; i < 3; ++i) {
      if (std::abs(along[i]) < 1e-12) {
        if (from[i] < low[i] || from[i] > high[i]) return most;
        continue;
      }
      const double a = (low[i] - from[i]) / along[i];
      const double b = (high[i] - from[i]) / along[i];
      near = std::max(near, std::min(a, b));
      far = std::min(far, std::max(a, b));
    }
    return near > 0.3 && near <= far ? near : most;
  }
};

// The street about the sensor, which is the origin: x along the road, y to the left, z up.
class Scene {
 public:
  Scene(const Street& street, Lots* lots) : street_(street) {
    for (double& phase : phases_) phase = lots->between(0.0, 6.28);
    below_ = 0.0;
    below_ = height(0.0, 0.0) + street.height;
    for (int side = -1; side <= 1; side += 2) line_side(side, lots);
    const int cars = street.kind == StreetKind::kMotorway ? 10 : 6;
    for (int i = 0; i < cars; ++i) {
      const double x = (lots->chance(0.5) ? 1.0 : -1.0) * lots->between(7.0, 60.0);
      const double lane = lots->chance(0.5) ? 0.5 : -0.5;
      add(x, course(x) + lane * street.half_width, 0.3, 1.5, 2.2, 0.9, 0.0);
    }
    if (street.kind == StreetKind::kSquare) {
      for (int i = 0; i < 30; ++i) {
        const double angle = lots->between(0.0, 360.0) * kDegree;
        const double far = lots->between(6.0, 45.0);
        const bool car = lots->chance(0.5);
        add(far * std::cos(angle), far * std::sin(angle), car ? 0.3 : 0.0, car ? 1.5 : 1.8,
            car ? 2.2 : 0.25, car ? 0.9 : 0.25, 0.0);
      }
      for (int i = 0; i < 8; ++i) {
        const double angle = (45.0 * i + lots->between(0.0, 25.0)) * kDegree;
        const double far = lots->between(30.0, 70.0);
        add(far * std::cos(angle), far * std::sin(angle), 0.0, 12.0, 9.0, 9.0, 0.0);
      }
    }
  }

  double height(double x, double y) const {
    const double along = street_.slope * x + 0.5 * street_.bend * x * std::min(std::abs(x), 60.0) *
                                                 (x < 0.0 ? -1.0 : 1.0);
    const double across = y - course(x);
    const double from_crown = std::abs(across);
    const double edge = street_.half_width;
    double side = -street_.camber * std::min(from_crown, edge);
    double rough = 0.004;
    if (from_crown > edge) {
      const double out = from_crown - edge;
      switch (street_.kind) {
        case StreetKind::kCity:
          side += street_.kerb + 0.02 * out;
          break;
        case StreetKind::kRural:
          side -= out < 1.5 ? 0.0 : out < 3.0 ? 0.6 * (out - 1.5) : 0.9 - 0.1 * (out - 3.0);
          rough = 0.05;
          break;
        case StreetKind::kMotorway:
          side -= out < 2.0 ? 0.03 * out : 0.06 + 0.3 * std::min(out - 2.0, 10.0);
          rough = 0.04;
          break;
        case StreetKind::kSquare:
          side = -street_.camber * edge;
          break;
      }
    }
    const double waves = std::sin(1.9 * x + phases_[0]) * std::sin(2.3 * y + phases_[1]) +
                         std::sin(0.31 * x + phases_[2]) * std::sin(0.27 * y + phases_[3]);
    return along + side + rough * waves - below_;
  }

  // The distance of the first hit of a ray from the sensor, and the penetration depth of the hit
  // object.
  double cast(const double ray[3], double reach, double* soft) const {
    double most = reach;
    *soft = 0.0;
    for (const Box& box : boxes_) {
      const double at = box.enter(ray, most);
      if (at >= most) continue;
      most = at;
      *soft = box.soft;
    }
    double last = 0.0;
    double at = 0.3;
    while (last < most) {
      at = std::min(at, most);
      const double above = ray[2] * at - height(ray[0] * at, ray[1] * at);
      if (above <= 0.0) {
        double low = last;
        double high = at;
        for (int i = 0; i < 30; ++i) {
          const double middle = 0.5 * (low + high);
          const bool in = ray[2] * middle <= height(ray[0] * middle, ray[1] * middle);
          (in ? high : low) = middle;
        }
        *soft = 0.0;
        return high;
      }
      if (at >= most) break;
      last = at;
      at += std::max(0.1, 0.5 * above);
    }
    return most;
  }

 private:
  double course(double x) const { return street_.off_crown + 0.5 * street_.turn * x * x; }

  void add(double x, double y, double bottom, double top, double half_length, double half_width,
           double soft) {
    const double direction = street_.turn * x;
    const double length = std::sqrt(1.0 + direction * direction);
    const double ground = height(x, y);
    boxes_.push_back({x, y, ground + bottom, ground + top, half_length, half_width, 1.0 / length,
                      direction / length, soft});
  }

  void line_side(int side, Lots* lots) {
    const double edge = street_.half_width;
    switch (street_.kind) {
      case StreetKind::kCity:
        for (double x = -80.0; x < 80.0; x += lots->between(12.0, 26.0)) {
          const double half = lots->between(5.0, 8.0);
          add(x, course(x) + side * (edge + lots->between(3.0, 6.0) + 5.0), -1.0,
              lots->between(4.0, 12.0), half, 5.0, 0.0);
        }
        for (double x = -45.0; x < 45.0; x += lots->between(5.5, 14.0)) {
          add(x, course(x) + side * (edge - 1.0), 0.3, 1.5, 2.1, 0.85, 0.0);
        }
        for (double x = -45.0; x < 45.0; x += lots->between(9.0, 25.0)) {
          add(x, course(x) + side * (edge + 0.5), 0.0, 6.0, 0.15, 0.15, 0.0);
        }
        break;
      case StreetKind::kRural:
        for (double x = -60.0; x < 60.0; x += lots->between(3.0, 9.0)) {
          add(x, course(x) + side * (edge + lots->between(4.0, 12.0)), 0.0, lots->between(0.8, 5.0),
              lots->between(0.5, 2.0), lots->between(0.5, 2.0), 1.0);
        }
        break;
      case StreetKind::kMotorway:
        for (double x = -78.0; x < 78.0; x += 4.0) {
          add(x, course(x) + side * (edge + 1.0), 0.4, 0.8, 2.0, 0.1, 0.0);
        }
        break;
      case StreetKind::kSquare:
        break;
    }
  }

  Street street_;
  double below_ = 0.0;
  double phases_[4] = {};
  std::vector<Box> boxes_;
};

// Rotates from the road's axes to the sensor's: pitch about y, then roll about x.
void turn_to_sensor(const Street& street, const double from[3], double to[3]) {
  const double cp = std::cos(street.pitch), sp = std::sin(street.pitch);
  const double cr = std::cos(street.roll), sr = std::sin(street.roll);
  const double v[3] = {cp * from[0] - sp * from[2], from[1], sp * from[0] + cp * from[2]};
  to[0] = v[0];
  to[1] = cr * v[1] + sr * v[2];
  to[2] = cr * v[2] - sr * v[1];
}

void turn_to_road(const Street& street, const double from[3], double to[3]) {
  const double cp = std::cos(street.pitch), sp = std::sin(street.pitch);
  const double cr = std::cos(street.roll), sr = std::sin(street.roll);
  const double v[3] = {from[0], cr * from[1] - sr * from[2], sr * from[1] + cr * from[2]};
  to[0] = cp * v[0] + sp * v[2];
  to[1] = v[1];
  to[2] = cp * v[2] - sp * v[0];
}

}  // namespace

const Lidar kLidars[4] = {
    {"64 beams", 64, -24.8, 2.0, 1800, 100.0, 0.015, 0.01},
    {"32 beams", 32, -30.67, 10.67, 1084, 80.0, 0.02, 0.01},
    {"16 beams", 16, -15.0, 15.0, 1800, 90.0, 0.015, 0.005},
    {"40 beams", 40, -16.0, 7.0, 1800, 120.0, 0.01, 0.005},
};

StreetScan scan_street(const Lidar& lidar, const Street& street) {
  Lots lots(street.seed);
  const Scene scene(street, &lots);
  StreetScan scan;
  for (int beam = 0; beam < lidar.beams; ++beam) {
    const double up =
        (lidar.lowest + (lidar.highest - lidar.lowest) * beam / (lidar.beams - 1)) * kDegree;
    const double offset = lots.noise(lidar.offsets);
    for (int column = 0; column < lidar.columns; ++column) {
      const double around = (column + 0.01 * beam) * 360.0 / lidar.columns * kDegree;
      const bool kept = lots.chance(street.share);
      const bool wild = lots.chance(0.001);
      const double wild_range = lots.between(1.0, 40.0);
      const double noise = lots.noise(lidar.noise);
      const double depth = lots.between(0.0, 1.0);
      if (!kept) continue;
      const double ray[3] = {std::cos(up) * std::cos(around), std::cos(up) * std::sin(around),
                             std::sin(up)};
      double along[3];
      turn_to_road(street, ray, along);
      double soft = 0.0;
      double range = scene.cast(along, lidar.reach, &soft);
      if (range >= lidar.reach) continue;
      range += noise + offset + soft * depth;
      if (wild) range = wild_range;
      for (const double v : ray) scan.values.push_back(static_cast<float>(v * range));
    }
  }
  // The slope below the sensor, from differences over 2 m, which average out surface waves.
  const double rise = (scene.height(1.0, 0.0) - scene.height(-1.0, 0.0)) / 2.0;
  const double tilt = (scene.height(0.0, 1.0) - scene.height(0.0, -1.0)) / 2.0;
  const double length = std::sqrt(rise * rise + tilt * tilt + 1.0);
  const double down[3] = {rise / length, tilt / length, -1.0 / length};
  turn_to_sensor(street, down, scan.normal);
  scan.distance = street.height / length;
  return scan;
}

StreetCase street_case(int index) {
  Lots lots(1000 + static_cast<std::uint32_t>(index));
  StreetCase c;
  const auto& lidar = kLidars[index % 4];
  c.lidar = lidar;
  Street& s = c.street;
  s.kind = static_cast<StreetKind>(index / 4 % 4);
  constexpr double kShares[] = {1.0, 0.5, 0.25};
  s.share = kShares[index % 3];
  constexpr double kHeights[] = {1.7, 1.85, 1.7, 2.5, 1.55, 0.6};
  s.height = kHeights[index % 6 == 5 && index % 4 == 0 ? 0 : index % 6];
  s.slope = lots.chance(0.5) ? lots.between(-0.1, 0.1) : 0.0;
  s.bend = lots.between(-1.0, 1.0) / 1000.0;
  s.turn = lots.between(-1.0, 1.0) / 150.0;
  s.camber = lots.between(0.01, 0.025);
  s.half_width = s.kind == StreetKind::kMotorway ? 8.0 : lots.between(3.2, 6.0);
  s.kerb = lots.between(0.08, 0.16);
  s.off_crown = lots.between(1.0, 2.0);
  s.pitch = lots.between(-0.02, 0.02);
  s.roll = lots.between(-0.02, 0.02);
  s.seed = static_cast<std::uint32_t>(index) + 1;
  constexpr const char* kKinds[] = {"city", "rural", "motorway", "square"};
  c.name = std::to_string(index) + " " + kKinds[static_cast<int>(s.kind)] + ", " + lidar.name +
           ", share " + std::to_string(s.share).substr(0, 4) + ", height " +
           std::to_string(s.height).substr(0, 4);
  return c;
}

}  // namespace rdp::test
