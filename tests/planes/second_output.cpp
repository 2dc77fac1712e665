// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/second_output.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tests/planes/second_rounds.h"

namespace rdp::test::second {

// The planes that are given out.

namespace {

struct Part {
  std::vector<Pixel> pixels;  // by row, then column
  int plane = kNone;
  Sums sums;
  Fit fit;
};

// Parts, in the order of their first pixels.
std::vector<Part> parts_of(const Frame& frame, const std::vector<int>& numbers, bool connected) {
  std::vector<Part> parts;
  std::vector<bool> taken(numbers.size());
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      const int plane = numbers[frame.pixel(x, y)];
      if (plane == kNone || taken[frame.pixel(x, y)]) continue;
      Part part;
      part.plane = plane;
      const auto take = [&](int column, int row) {
        if (column < 0 || column >= frame.width || row < 0 || row >= frame.height) return;
        const std::size_t pixel = frame.pixel(column, row);
        if (numbers[pixel] != plane || taken[pixel]) return;
        taken[pixel] = true;
        part.pixels.emplace_back(column, row);
      };
      if (connected) {
        take(x, y);
        for (std::size_t i = 0; i < part.pixels.size(); ++i) {
          const auto [column, row] = part.pixels[i];
          take(column, row - 1);
          take(column - 1, row);
          take(column + 1, row);
          take(column, row + 1);
        }
      } else {
        for (int row = 0; row < frame.height; ++row) {
          for (int column = 0; column < frame.width; ++column) take(column, row);
        }
      }
      for (const auto& [column, row] : part.pixels) {
        part.sums.add(frame.points[frame.pixel(column, row)]);
      }
      parts.push_back(part);
    }
  }
  return parts;
}

// Twice the area of a triangle; above 0 where a, b, c go around clockwise as the picture shows it.
std::int64_t turn(const Pixel& a, const Pixel& b, const Pixel& c) {
  return static_cast<std::int64_t>(b.first - a.first) * (c.second - a.second) -
         static_cast<std::int64_t>(b.second - a.second) * (c.first - a.first);
}

}  // namespace

std::vector<Pixel> hull_of(const std::vector<Pixel>& pixels) {
  const auto before = [](const Pixel& a, const Pixel& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  };
  std::vector<Pixel> sorted = pixels;
  std::sort(sorted.begin(), sorted.end(), before);
  if (sorted.size() == 1) return sorted;
  // Down the right side, then up the left one.
  const auto side = [](const auto& begin, const auto& end) {
    std::vector<Pixel> chain;
    for (auto pixel = begin; pixel != end; ++pixel) {
      while (chain.size() >= 2 && turn(chain[chain.size() - 2], chain.back(), *pixel) <= 0) {
        chain.pop_back();
      }
      chain.push_back(*pixel);
    }
    chain.pop_back();  // the first of the other side
    return chain;
  };
  std::vector<Pixel> corners = side(sorted.begin(), sorted.end());
  const std::vector<Pixel> left = side(sorted.rbegin(), sorted.rend());
  corners.insert(corners.end(), left.begin(), left.end());
  return corners;
}

double area_of(const std::vector<planes::Corner>& corners) {
  Vector s = {0.0, 0.0, 0.0};
  for (std::size_t i = 2; i < corners.size(); ++i) {
    Vector a, b;
    for (std::size_t j = 0; j < 3; ++j) {
      a[j] = corners[i - 1].point[j] - corners[0].point[j];
      b[j] = corners[i].point[j] - corners[0].point[j];
    }
    s[0] = s[0] + (a[1] * b[2] - a[2] * b[1]);
    s[1] = s[1] + (a[2] * b[0] - a[0] * b[2]);
    s[2] = s[2] + (a[0] * b[1] - a[1] * b[0]);
  }
  return 0.5 * std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
}

namespace {

planes::Plane plane_of(const Part& part, std::int64_t votes, double unit) {
  planes::Plane plane;
  for (std::size_t i = 0; i < 3; ++i) {
    plane.normal[i] = part.fit.normal[i];
    plane.centroid[i] = part.fit.mean[i] * unit;
  }
  plane.distance = part.fit.distance * unit;
  plane.rms = std::sqrt(at_least(part.fit.l1, 0.0)) * unit;
  plane.inliers = part.sums.n;
  plane.votes = votes / 16;
  int first[2] = {part.pixels[0].first, part.pixels[0].second};
  int last[2] = {first[0], first[1]};
  for (const auto& [column, row] : part.pixels) {
    first[0] = std::min(first[0], column);
    first[1] = std::min(first[1], row);
    last[0] = std::max(last[0], column);
    last[1] = std::max(last[1], row);
  }
  for (int i = 0; i < 2; ++i) {
    plane.box[i] = first[i];
    plane.box[i + 2] = last[i] - first[i] + 1;
  }
  return plane;
}

planes::Corner corner_of(const Pixel& pixel, const MetricCamera& camera,
                         const planes::Plane& plane) {
  const double x = (pixel.first - camera.principal_x) / camera.focal_x;
  const double y = (pixel.second - camera.principal_y) / camera.focal_y;
  const double along = plane.normal[0] * x + plane.normal[1] * y + plane.normal[2];
  const double z = along > 0.0 ? plane.distance / along : 0.0;
  return {pixel.first, pixel.second, {x * z, y * z, z}};
}

}  // namespace

planes::PlaneSet give_out(const Frame& frame, const MetricCamera& camera, const Rules& rules,
                          const planes::Parameters& parameters, const std::vector<int>& numbers,
                          const std::vector<std::int64_t>& votes, planes::Counts counts,
                          std::vector<std::uint8_t>* labels) {
  std::vector<Part> kept;
  for (Part& part : parts_of(frame, numbers, parameters.connected)) {
    if (part.sums.n < rules.least_inliers) {
      counts.small += 1;
      continue;
    }
    part.fit = fit_of(part.sums);
    if (rules.thickness > 0.0 && part.fit.l1 > rules.thickness * part.fit.l2) {
      counts.thick += 1;
      continue;
    }
    kept.push_back(part);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Part& a, const Part& b) { return a.sums.n > b.sums.n; });
  while (kept.size() > static_cast<std::size_t>(parameters.max_planes)) {
    kept.pop_back();
    counts.surplus += 1;
  }
  planes::PlaneSet set;
  set.counts = counts;
  labels->assign(numbers.size(), 0);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Part& part = kept[i];
    for (const auto& [column, row] : part.pixels) {
      (*labels)[frame.pixel(column, row)] = static_cast<std::uint8_t>(i + 1);
    }
    planes::Plane plane = plane_of(part, votes[static_cast<std::size_t>(part.plane)], rules.unit);
    plane.first_corner = static_cast<std::uint32_t>(set.corners.size());
    if (parameters.hull) {
      std::vector<planes::Corner> corners;
      for (const Pixel& pixel : hull_of(part.pixels)) {
        corners.push_back(corner_of(pixel, camera, plane));
      }
      plane.corners = static_cast<std::uint32_t>(corners.size());
      plane.area = area_of(corners);
      set.corners.insert(set.corners.end(), corners.begin(), corners.end());
    }
    set.planes.push_back(plane);
  }
  return set;
}

// The ground.

namespace {

double cosine_of_tilt(double degrees) {
  const double t = degrees > 90.0 ? 180.0 - degrees : degrees;
  const double x = t * (kPi / 180.0);
  double term = 1.0;
  double sum = 1.0;
  for (int i = 1; i <= 12; ++i) {
    term = -term * x * x / static_cast<double>((2 * i - 1) * (2 * i));
    sum = sum + term;
  }
  return degrees > 90.0 ? -sum : sum;
}

// A plane's quantities in the rules.
struct Candidate {
  const planes::Plane* plane;
  std::int64_t under = 0;
  bool rule1 = false;

  // Distance of a point below the plane.
  double below(const double place[3]) const {
    const double* n = plane->normal;
    return n[0] * place[0] + n[1] * place[1] + n[2] * place[2] - plane->distance;
  }
};

bool lies_under(const Candidate& candidate, const Vector& m, const GroundRules& rules) {
  const double below = candidate.below(m.data());
  const double* c = candidate.plane->centroid;
  const double x = m[0] - c[0];
  const double y = m[1] - c[1];
  const double z = m[2] - c[2];
  const double local = rules.noise_floor + 1.7 * rules.noise * m[2] * m[2];
  const double bent = rules.bend * rules.bend * (x * x + y * y + z * z);
  return below > 0.0 && below * below > 4.0 * (local * local + bent);
}

}  // namespace

planes::Ground ground_of(const std::vector<planes::Plane>& planes,
                         const std::vector<CellPoints>& cells, const GroundRules& rules) {
  Vector up = rules.up;
  const double length = std::sqrt(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
  for (double& u : up) u = length == 0.0 ? 0.0 : u / length;
  const double cosine = cosine_of_tilt(rules.tilt);
  std::int64_t known = 0;
  for (const CellPoints& cell : cells) known += cell.known;

  std::vector<Candidate> candidates;
  for (const planes::Plane& plane : planes) {
    const double* n = plane.normal;
    const double rise = n[0] * up[0] + n[1] * up[1] + n[2] * up[2];
    if (!(rise < 0.0 && -rise >= cosine)) continue;
    Candidate candidate;
    candidate.plane = &plane;
    for (const CellPoints& cell : cells) {
      if (lies_under(candidate, cell.mean, rules)) candidate.under += cell.known;
    }
    candidate.rule1 = candidate.under * 12 <= plane.inliers;
    candidates.push_back(candidate);
  }

  const planes::Plane* best = nullptr;
  double most = 0.0;
  for (const Candidate& candidate : candidates) {
    const planes::Plane& plane = *candidate.plane;
    std::int64_t lower = 0;
    for (const Candidate& other : candidates) {
      if (other.rule1 && candidate.below(other.plane->centroid) > 0.125 * plane.distance) {
        lower += other.plane->inliers;
      }
    }
    const bool rule2 = candidate.under * 50 <= known && lower * 12 <= plane.inliers;
    if (!candidate.rule1 && !rule2) continue;
    double weight = static_cast<double>(plane.inliers);
    if (rules.reach > 0.0) {
      const double* c = plane.centroid;
      const double beside =
          (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) - plane.distance * plane.distance;
      const double reaches = beside / (rules.reach * rules.reach);
      if (reaches > 4.0 && plane.inliers * 100 < known) continue;
      weight = weight / (1.0 + reaches);
    }
    if (best != nullptr && !(weight > most)) continue;
    best = &plane;
    most = weight;
  }

  planes::Ground ground;
  if (best == nullptr) return ground;
  const double* n = best->normal;
  const double right = rules.forward_left_up ? -n[1] : n[0];
  const double down = rules.forward_left_up ? -n[2] : n[1];
  const double forward = rules.forward_left_up ? n[0] : n[2];
  ground.plane = static_cast<int>(best - planes.data());
  ground.height = best->distance;
  ground.pitch = std::atan2(forward, std::sqrt(right * right + down * down));
  ground.roll = std::atan2(right, down);
  return ground;
}

}  // namespace rdp::test::second
