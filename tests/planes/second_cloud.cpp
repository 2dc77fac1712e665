// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/second_cloud.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "tests/planes/second_ball.h"
#include "tests/planes/second_numbers.h"
#include "tests/planes/second_output.h"
#include "tests/planes/second_passes.h"

namespace rdp::test {
namespace second {
namespace {

using Place = std::array<float, 3>;

double greatest_of(const Vector& v) { return std::max({v[0], v[1], v[2]}); }

// Bounds, coordinates and the octree.
struct Cloud {
  Cloud(const planes::CloudView& view, const planes::Parameters& parameters);

  double r(double k) const { return (k * tol) * (k * tol); }
  std::int64_t row_of(std::int64_t q) const {
    return std::min((q + ((std::int64_t{1} << bits) >> 1)) >> w, (std::int64_t{1} << depth) - 1);
  }
  std::int64_t begin_of(std::int64_t row) const {
    return row * (std::int64_t{1} << w) - ((std::int64_t{1} << bits) >> 1);
  }

  std::int64_t placed = 0;  // m
  std::vector<bool> known;  // within the bounds
  std::vector<Integers> points;
  Vector centre = {}, origin = {};  // origin: C_i
  int bits = 20, depth = 0, min_level = 0, w = 0, rounds = 2;
  bool coarser = false;
  double unit = 0.0, tol = 0.0, tolerance = 0.0, distance_step = 0.0, thickness = 0.0;
  std::int64_t distances = 0, least_inliers = 0, least_votes = 0;
};

std::vector<Place> places_of(const planes::CloudView& view) {
  std::vector<Place> places(view.points);
  for (std::size_t i = 0; i < view.points; ++i) {
    std::memcpy(places[i].data(), view.data + i * view.step + view.offset, sizeof(Place));
  }
  return places;
}

Cloud::Cloud(const planes::CloudView& view, const planes::Parameters& parameters) {
  const std::vector<Place> places = places_of(view);
  std::vector<bool> has_place;
  for (const Place& p : places) {
    const bool finite = std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
    const bool zero = p[0] == 0.0F && p[1] == 0.0F && p[2] == 0.0F;
    has_place.push_back(finite && !(parameters.zero_is_unknown && zero));
    placed += has_place.back() ? 1 : 0;
  }
  // Bounds.
  Vector low = {}, high = {}, least = {}, greatest = {};
  for (std::size_t axis = 0; axis < 3 && placed > 0; ++axis) {
    std::vector<float> sorted;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (has_place[i]) sorted.push_back(places[i][axis]);
    }
    std::sort(sorted.begin(), sorted.end());
    const std::size_t rank = sorted.size() / 1000;
    least[axis] = sorted.front();
    greatest[axis] = sorted.back();
    low[axis] = sorted[rank];
    high[axis] = sorted[sorted.size() - 1 - rank];
  }
  const double margin = 0.1 * greatest_of({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  Vector from, to;
  for (std::size_t i = 0; i < 3; ++i) {
    const double first = low[i] - margin;
    const double last = high[i] + margin;
    from[i] = first > least[i] ? static_cast<float>(first) : least[i];
    to[i] = last < greatest[i] ? static_cast<float>(last) : greatest[i];
  }
  const auto longest = [](const Vector& a, const Vector& b) {
    return greatest_of({b[0] - a[0], b[1] - a[1], b[2] - a[2]});
  };
  if (!(longest(from, to) < 0.5 * longest(least, greatest))) {
    from = least;
    to = greatest;
  }
  // Coordinates and the octree.
  const auto chosen = [](double property, double otherwise) {
    return property > 0.0 ? property : otherwise;
  };
  Vector extent;
  for (std::size_t i = 0; i < 3; ++i) {
    centre[i] = 0.5 * (from[i] + to[i]);
    extent[i] = to[i] - from[i];
    origin[i] = centre[i] * view.unit;
  }
  const double edge = greatest_of(extent) > 0.0 ? greatest_of(extent) : 1e-6;
  const double diagonal2 = extent[0] * extent[0] + extent[1] * extent[1] + extent[2] * extent[2];
  const double finest = edge / std::ldexp(1.0, 20);
  double resolution = parameters.resolution / view.unit;
  if (resolution > finest) {
    bits = 0;
    while (!(std::ldexp(1.0, bits) >= edge / resolution)) ++bits;
  } else {
    coarser = parameters.resolution > 0.0 && resolution < finest;
    resolution = finest;
  }
  const double scale = 1.0 / resolution;
  unit = resolution * view.unit;
  tolerance = chosen(parameters.tolerance, 0.020);
  tol = tolerance / unit;
  depth = parameters.max_depth;
  if (depth == 0) {
    double cell = edge * scale;
    while (depth < 8 && cell > 8.0 * tol) {
      cell = cell * 0.5;
      ++depth;
    }
  }
  depth = std::min(depth, bits);
  w = bits - depth;
  const double half = 0.5 * std::sqrt(diagonal2) * scale;
  distance_step = parameters.distance_step / unit;
  if (!(distance_step > 0.0)) distance_step = at_least(half / 300.0, 2.0 * tol);
  if (distance_step * 2000.0 < half) distance_step = half / 2000.0;
  distances = static_cast<std::int64_t>(half / distance_step) + 2;
  min_level = std::min(parameters.min_level, depth);
  rounds = parameters.rounds > 0 ? parameters.rounds : 2;
  least_inliers = parameters.min_inliers > 0 ? parameters.min_inliers : placed / 500;
  least_inliers = std::max<std::int64_t>(least_inliers, 1);
  least_votes = least_inliers / 4 * 16;
  const double most = parameters.max_thickness < 0.0 ? 0.2 : parameters.max_thickness;
  thickness = most * most;
  for (std::size_t i = 0; i < places.size(); ++i) {
    bool inside = has_place[i];
    Integers q = {};
    for (std::size_t axis = 0; axis < 3 && inside; ++axis) {
      const double v = places[i][axis];
      inside = v >= from[axis] && v <= to[axis];
      if (inside) q[axis] = static_cast<std::int64_t>(std::nearbyint((v - centre[axis]) * scale));
    }
    known.push_back(inside);
    points.push_back(q);
  }
}

using Row = Integers;  // the rows of a cell

struct CubeCell {
  Row row = {};
  Sums sums;
  int owner = -1;
};
using Key = std::uint64_t;
using Cells = std::map<Key, CubeCell>;

Key key_of(const Row& row) {
  Key key = 0;
  for (int i = 0; i < 8; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      key |= static_cast<Key>(row[axis] >> i & 1) << (3 * i + static_cast<int>(axis));
    }
  }
  return key;
}

Row row_of(const Cloud& cloud, const Integers& q) {
  return {cloud.row_of(q[0]), cloud.row_of(q[1]), cloud.row_of(q[2])};
}

// A flat node, and the cells that it has.
struct Cube : Voter {
  std::vector<Key> cells;
  int owner = -1;
};

std::vector<Cube> look_at(const Cloud& cloud, const Cells& cells, std::size_t min_points,
                          planes::Counts* counts) {
  std::vector<Cube> flat;
  std::set<Key> settled;  // cells of a node that was flat or dropped
  for (int level = cloud.min_level; level <= cloud.depth; ++level) {
    std::map<Key, Cube> nodes;
    for (const auto& [key, cell] : cells) {
      if (settled.count(key) != 0) continue;
      Cube& node = nodes[key >> 3 * (cloud.depth - level)];
      node.sums.add(cell.sums);
      node.cells.push_back(key);
    }
    for (auto& [number, node] : nodes) {
      counts->nodes += 1;
      const bool dropped = static_cast<std::size_t>(node.sums.n) < min_points;
      if (!dropped) {
        node.statistics = statistics_of(node.sums);
        if (thicker(node.statistics, 2.0 * cloud.tol * cloud.tol)) continue;
        node.fit = fit_of(node.statistics);
        if (!(node.fit.l1 * 25.0 < node.fit.l2 && node.fit.l2 * 6.0 > node.fit.l3)) continue;
        node.t2 = cloud.r(1.0);
        flat.push_back(node);
      }
      settled.insert(node.cells.begin(), node.cells.end());
    }
  }
  counts->planar_nodes = static_cast<std::int64_t>(flat.size());
  return flat;
}

struct CloudPlane {
  Sums sums;
  Fit fit;
  std::int64_t votes = 0;
};

// Removes planes with fewer than `least` points, or none; the others keep their order and are
// fitted.
void drop_small(std::int64_t least, std::vector<CloudPlane>* planes, std::vector<Cube>* nodes) {
  for (CloudPlane& plane : *planes) plane.sums = {};
  for (const Cube& node : *nodes) {
    if (node.owner >= 0) (*planes)[static_cast<std::size_t>(node.owner)].sums.add(node.sums);
  }
  std::vector<CloudPlane> kept;
  std::vector<int> numbers;
  for (const CloudPlane& plane : *planes) {
    const bool goes = plane.sums.n < least || plane.sums.n == 0;
    numbers.push_back(goes ? -1 : static_cast<int>(kept.size()));
    if (!goes) kept.push_back({plane.sums, fit_of(plane.sums), plane.votes});
  }
  for (Cube& node : *nodes) {
    if (node.owner >= 0) node.owner = numbers[static_cast<std::size_t>(node.owner)];
  }
  *planes = kept;
}

std::vector<CloudPlane> go_rounds(const Cloud& cloud, int directions, std::vector<Cube>* nodes,
                                  planes::Counts* counts) {
  std::vector<CloudPlane> planes;
  const Ball ball(directions);
  const double angle_step = kPi / directions;
  for (int round = 0; round < cloud.rounds; ++round) {
    std::vector<Voter> voters;
    for (const Cube& node : *nodes) {
      const bool far = std::all_of(planes.begin(), planes.end(), [&](const CloudPlane& plane) {
        return distance2(node.statistics, plane.fit) > cloud.r(3.0);
      });
      if (far) voters.push_back(node);
    }
    if (voters.empty()) break;
    counts->voters += static_cast<std::int64_t>(voters.size());
    Votes votes = votes_of(voters, ball, angle_step, cloud.distance_step);
    for (auto cell = votes.begin(); cell != votes.end();) {
      cell = cell->first.second >= cloud.distances ? votes.erase(cell) : std::next(cell);
    }
    std::vector<Peak> peaks = peaks_of(votes, ball, cloud.least_votes);
    counts->peaks += static_cast<std::int64_t>(peaks.size());
    while (!peaks.empty() && planes.size() + peaks.size() > 1024) peaks.pop_back();
    for (const PeakPlane& plane :
         planes_of_peaks(voters, peaks, ball, angle_step, cloud.distance_step, cloud.least_inliers,
                         [&](double k, double) { return cloud.r(k); })) {
      planes.push_back({{}, plane.fit, plane.votes});
    }
    for (Cube& node : *nodes) {
      node.owner = -1;
      double least = 0.0;
      for (std::size_t p = 0; p < planes.size(); ++p) {
        const double d2 = distance2(node.statistics, planes[p].fit);
        if (!(d2 <= cloud.r(2.0)) || !same_direction(node.fit, cloud.r(1.0), planes[p].fit)) {
          continue;
        }
        if (node.owner >= 0 && !(d2 < least)) continue;
        node.owner = static_cast<int>(p);
        least = d2;
      }
    }
    drop_small(cloud.least_inliers / 2, &planes, nodes);
  }
  drop_small(cloud.least_inliers, &planes, nodes);
  return planes;
}

// Merging.

struct Border {
  std::int64_t steps = 0;
  std::int64_t pairs = 0;
  bool no_step = false;
};

template <typename Visit>
void visit_around(const Cloud& cloud, const Cells& cells, const Row& row, const Visit& visit) {
  const std::int64_t rows = std::int64_t{1} << cloud.depth;
  for (std::int64_t z = row[2] - 1; z <= row[2] + 1; ++z) {
    for (std::int64_t y = row[1] - 1; y <= row[1] + 1; ++y) {
      for (std::int64_t x = row[0] - 1; x <= row[0] + 1; ++x) {
        if (std::min({x, y, z}) < 0 || std::max({x, y, z}) >= rows) continue;
        const auto found = cells.find(key_of({x, y, z}));
        if (found != cells.end()) visit(found->first, found->second);
      }
    }
  }
}

using PlanePair = std::pair<int, int>;

std::map<PlanePair, Border> borders_of(const Cloud& cloud, const Cells& cells,
                                       const std::vector<CloudPlane>& planes) {
  std::map<PlanePair, Border> all;
  const auto count = static_cast<int>(planes.size());
  const auto fit = [&](int p) -> const Fit& { return planes[static_cast<std::size_t>(p)].fit; };
  for (const auto& of_key : cells) {
    const CubeCell& cell = of_key.second;
    if (cell.owner < 0) continue;
    visit_around(cloud, cells, cell.row, [&](Key, const CubeCell& other) {
      // Each pair once, from the side of the lower owner.
      if (other.owner <= cell.owner) return;
      const Fit& p = fit(cell.owner);
      const Fit& q = fit(other.owner);
      const Vector mp = statistics_of(cell.sums).mean;
      const Vector mq = statistics_of(other.sums).mean;
      const double sign = dot(p.normal, q.normal) < 0.0 ? -1.0 : 1.0;
      const double a = dot(p.normal, mq) - p.distance;
      const double b = sign * (dot(q.normal, mp) - q.distance);
      Border& border = all[{cell.owner, other.owner}];
      border.steps += round_up((a - b) * 0.5);
      border.pairs += 1;
    });
  }
  std::map<PlanePair, Border> borders;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const Fit& p = fit(i);
      const Fit& q = fit(j);
      if (!(std::abs(dot(p.normal, q.normal)) >= 0.990268)) continue;
      Border border = all[{i, j}];
      border.no_step = border.pairs > 0 && static_cast<double>(std::abs(border.steps)) <=
                                               2.0 * cloud.tol * static_cast<double>(border.pairs);
      const double a = dot(q.normal, p.mean) - q.distance;
      const double b = dot(p.normal, q.mean) - p.distance;
      const bool near = a * a <= cloud.r(2.0) && b * b <= cloud.r(2.0);
      if (border.no_step || near) borders[{i, j}] = border;
    }
  }
  return borders;
}

bool may_be_one(const Cloud& cloud, const Border& border, const CloudPlane& p,
                const CloudPlane& q) {
  if (!(std::abs(dot(p.fit.normal, q.fit.normal)) >= 0.990268)) return false;
  Sums sums = p.sums;
  sums.add(q.sums);
  const Fit joint = fit_of(sums);
  if (border.no_step && joint.l1 <= cloud.r(2.0) + 0.02 * 0.02 * joint.l3) return true;
  return distance2(statistics_of(p.sums), joint) - p.fit.l1 <= cloud.r(0.5) &&
         distance2(statistics_of(q.sums), joint) - q.fit.l1 <= cloud.r(0.5);
}

// Updates `planes`; returns for each former plane its new number.
std::vector<int> merge(const Cloud& cloud, const Cells& cells, std::vector<CloudPlane>* planes,
                       planes::Counts* counts) {
  return merge_in_passes(
      borders_of(cloud, cells, *planes), 32, planes,
      [&](const Border& border, const CloudPlane& p, const CloudPlane& q) {
        return may_be_one(cloud, border, p, q);
      },
      counts);
}

// Labels of points: a plane's number, or -1.
std::vector<int> label_points(const Cloud& cloud, const Cells& cells,
                              const std::vector<CloudPlane>& planes) {
  const auto view = [](double v) {
    const double most = std::ldexp(1.0, 30);
    return static_cast<std::int64_t>(std::nearbyint(at_most(at_least(v, -most), most)));
  };
  const double s = std::ldexp(1.0, 28 - cloud.w);
  std::vector<int> labels;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    labels.push_back(-1);
    if (!cloud.known[i]) continue;
    const Integers& q = cloud.points[i];
    const Row row = row_of(cloud, q);
    std::set<int> around;
    visit_around(cloud, cells, row, [&](Key, const CubeCell& cell) { around.insert(cell.owner); });
    around.erase(-1);
    std::int64_t least = 0;
    for (const int number : around) {
      const Fit& fit = planes[static_cast<std::size_t>(number)].fit;
      Vector begin;
      std::int64_t d = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t first = cloud.begin_of(row[axis]);
        begin[axis] = static_cast<double>(first);
        d += view(fit.normal[axis] * s) * (q[axis] - first);
      }
      d = std::abs(d + view((dot(fit.normal, begin) - fit.distance) * s));
      const double deviation = 2.5 * std::sqrt(std::max(fit.l1, 0.0));
      if (d > view(std::max(deviation, 2.0 * cloud.tol) * s)) continue;
      if (labels[i] >= 0 && d >= least) continue;
      labels[i] = number;
      least = d;
    }
  }
  return labels;
}

// Hulls.

double cosine_of(int i) {
  constexpr long double kLongPi = 3.14159265358979323846264338327950288L;
  return i == 8 ? 0.0 : static_cast<double>(std::cos(kLongPi * i / 16));
}

std::vector<Integers> corners_of(const Cloud& cloud, const std::vector<std::size_t>& points,
                                 const Vector& n) {
  std::size_t least = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (std::abs(n[i]) < std::abs(n[least])) least = i;
  }
  const Vector choice[3] = {{0.0, n[2], -n[1]}, {-n[2], 0.0, n[0]}, {n[1], -n[0], 0.0}};
  Vector e1 = choice[least];
  const double length = std::sqrt(e1[0] * e1[0] + e1[1] * e1[1] + e1[2] * e1[2]);
  for (double& e : e1) e = e / length;
  const Vector e2 = {n[1] * e1[2] - n[2] * e1[1], n[2] * e1[0] - n[0] * e1[2],
                     n[0] * e1[1] - n[1] * e1[0]};
  std::vector<Integers> corners;
  for (int i = 0; i < 32; ++i) {
    const int j = i % 16;
    const double cos = cosine_of(j);
    const double sin = j < 8 ? cosine_of(8 - j) : cosine_of(j - 8);
    Integers direction;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double along = (e1[axis] * cos + e2[axis] * sin) * 65536;
      direction[axis] = static_cast<std::int64_t>(std::nearbyint(along)) * (i < 16 ? 1 : -1);
    }
    const Integers* farthest = nullptr;
    std::int64_t most = 0;
    for (const std::size_t point : points) {
      const Integers& q = cloud.points[point];
      const std::int64_t product = direction[0] * q[0] + direction[1] * q[1] + direction[2] * q[2];
      if (farthest != nullptr && product <= most) continue;
      farthest = &q;
      most = product;
    }
    if (!corners.empty() && (*farthest == corners.back() || *farthest == corners.front())) continue;
    corners.push_back(*farthest);
  }
  return corners;
}

// The planes that are given out.

struct Part {
  std::vector<std::size_t> points;
  Sums sums;
  Fit fit;
  std::int64_t votes = 0;
};

planes::PlaneSet give_out(const Cloud& cloud, const planes::Parameters& parameters,
                          const std::vector<int>& numbers, const std::vector<CloudPlane>& planes,
                          const std::set<int>& there, planes::Counts counts,
                          std::vector<std::uint8_t>* labels) {
  std::map<int, Part> parts;
  for (const int number : there) {
    parts[number].votes = planes[static_cast<std::size_t>(number)].votes;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0) continue;
    parts[numbers[i]].points.push_back(i);
    parts[numbers[i]].sums.add(cloud.points[i]);
  }
  std::vector<Part> kept;
  for (auto& [number, part] : parts) {
    if (part.sums.n < cloud.least_inliers) {
      counts.small += 1;
      continue;
    }
    part.fit = fit_of(part.sums);
    if (cloud.thickness > 0.0 && part.fit.l1 > cloud.thickness * part.fit.l2) {
      counts.thick += 1;
      continue;
    }
    kept.push_back(part);
  }
  std::sort(kept.begin(), kept.end(), [](const Part& a, const Part& b) {
    return a.sums.n != b.sums.n ? a.sums.n > b.sums.n : a.points[0] < b.points[0];
  });
  while (kept.size() > static_cast<std::size_t>(parameters.max_planes)) {
    kept.pop_back();
    counts.surplus += 1;
  }
  planes::PlaneSet set;
  set.counts = counts;
  labels->assign(numbers.size(), 0);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Part& part = kept[i];
    for (const std::size_t point : part.points) {
      (*labels)[point] = static_cast<std::uint8_t>(i + 1);
    }
    planes::Plane plane;
    Vector normal = part.fit.normal;
    plane.distance = part.fit.distance * cloud.unit + dot(normal, cloud.origin);
    if (plane.distance < 0.0) {
      plane.distance = -plane.distance;
      for (double& n : normal) n = -n;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      plane.normal[axis] = normal[axis];
      plane.centroid[axis] = part.fit.mean[axis] * cloud.unit + cloud.origin[axis];
    }
    plane.rms = std::sqrt(at_least(part.fit.l1, 0.0)) * cloud.unit;
    plane.inliers = part.sums.n;
    plane.votes = part.votes / 16;
    plane.first_corner = static_cast<std::uint32_t>(set.corners.size());
    if (parameters.hull) {
      std::vector<planes::Corner> corners;
      for (const Integers& q : corners_of(cloud, part.points, part.fit.normal)) {
        Vector c;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          c[axis] = static_cast<double>(q[axis]) * cloud.unit + cloud.origin[axis];
        }
        const double off = dot(normal, c) - plane.distance;
        for (std::size_t axis = 0; axis < 3; ++axis) c[axis] = c[axis] - off * normal[axis];
        corners.push_back({-1, -1, {c[0], c[1], c[2]}});
      }
      plane.corners = static_cast<std::uint32_t>(corners.size());
      plane.area = area_of(corners);
      set.corners.insert(set.corners.end(), corners.begin(), corners.end());
    }
    set.planes.push_back(plane);
  }
  return set;
}

}  // namespace
}  // namespace second

planes::PlaneSet second_cloud_planes(const planes::CloudView& view,
                                     const planes::Parameters& parameters,
                                     std::vector<std::uint8_t>* labels) {
  using namespace second;
  const Cloud cloud(view, parameters);
  planes::Counts counts;
  Cells cells;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    if (!cloud.known[i]) continue;
    const Row row = row_of(cloud, cloud.points[i]);
    CubeCell& cell = cells[key_of(row)];
    cell.row = row;
    cell.sums.add(cloud.points[i]);
    counts.known += 1;
  }
  if (cloud.placed == 0) {
    labels->assign(view.points, 0);
    return {};
  }
  counts.outside = cloud.placed - counts.known;
  counts.resolution = cloud.unit;
  counts.coarser = cloud.coarser;
  std::vector<Cube> nodes =
      look_at(cloud, cells, static_cast<std::size_t>(parameters.min_points), &counts);
  std::vector<CloudPlane> planes =
      go_rounds(cloud, parameters.directions > 0 ? parameters.directions : 45, &nodes, &counts);
  for (const Cube& node : nodes) {
    for (const Key key : node.cells) cells[key].owner = node.owner;
  }
  const std::vector<int> became = merge(cloud, cells, &planes, &counts);
  for (auto& [key, cell] : cells) {
    if (cell.owner >= 0) cell.owner = became[static_cast<std::size_t>(cell.owner)];
  }
  planes::PlaneSet set = give_out(cloud, parameters, label_points(cloud, cells, planes), planes,
                                  {became.begin(), became.end()}, counts, labels);
  std::vector<CellPoints> means;
  for (const auto& [key, cell] : cells) {
    Vector mean = statistics_of(cell.sums).mean;
    for (std::size_t i = 0; i < 3; ++i) mean[i] = mean[i] * cloud.unit + cloud.origin[i];
    means.push_back({mean, cell.sums.n});
  }
  Vector up = {parameters.up[0], parameters.up[1], parameters.up[2]};
  if (view.forward_left_up && !parameters.up_given && up == Vector{0.0, -1.0, 0.0}) {
    up = {0.0, 0.0, 1.0};
  }
  set.ground = ground_of(
      set.planes, means,
      {up, parameters.ground_tilt, cloud.tolerance, 0.0, 0.08, 5.0, view.forward_left_up});
  return set;
}

}  // namespace rdp::test
