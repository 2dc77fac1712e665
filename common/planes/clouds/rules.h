// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_RULES_H_
#define RDP_COMMON_PLANES_CLOUDS_RULES_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/planes/eigen.h"
#include "common/planes/ground_rules.h"
#include "common/planes/moments.h"

// Rules for a cloud's planar nodes and their points, for the engines and the kernels. See
// common/planes/clouds/reference.h for the order of the steps.
namespace rdp::planes {

constexpr int kCloudBits = 20;       // of a coordinate, with its sign
constexpr int kMaxCloudDepth = 8;    // levels of the octree below its root
constexpr int kCloudPlanes = 1024;   // maximum considered; far more than can be labelled
constexpr int kHullDirections = 32;  // maximum corners of a hull

// The parameters, with every default that does not depend on the points.
struct CloudSettings {
  double unit = 1.0;           // metres per unit of the cloud
  double resolution = 0.0;     // m; 0: by the extent
  double tolerance = 0.0;      // m
  double distance_step = 0.0;  // m; 0: by the extent
  double max_thickness = 0.0;  // squared; 0: any
  double angle_step = 0.0;     // pi / directions
  int directions = 0;
  int rounds = 0;
  int min_level = 0;
  int max_depth = 0;  // 0: by the extent
  std::int64_t min_points = 0;
  std::int64_t min_inliers = 0;  // 0: by the number of points
  int max_planes = 0;
  bool zero_is_unknown = true;
  bool hull = true;
};

// The bounds of the points.
struct CloudBounds {
  std::int64_t finite = 0;  // points with a known position
  float low[3] = {};        // points out of these bounds are not used
  float high[3] = {};
};

// Rules of the steps on a cloud. Lengths are in integer units unless stated otherwise.
struct CloudRules {
  float low[3] = {};  // in the cloud's unit
  float high[3] = {};
  double centre[3] = {};  // in the cloud's unit
  double scale = 0.0;     // units per unit of the cloud
  double unit = 0.0;      // metres per unit
  double tolerance = 0.0;
  double angle_step = 0.0;
  double distance_step = 0.0;
  int directions = 0;
  int distances = 0;
  int bits = 0;   // the root is a cube of 2^bits units a side about the centre
  int depth = 0;  // cells of 2^(bits - depth) units
  int rounds = 0;
  int min_level = 0;
  std::int64_t min_points = 0;
  std::int64_t min_inliers = 0;
  std::int64_t min_votes = 0;
  double max_thickness = 0.0;
  int max_planes = 0;
  bool zero_is_unknown = true;
  bool hull = true;
  bool coarser = false;  // than the requested resolution

  RDP_HOST_DEVICE int cell_bits() const { return bits - depth; }
};

// True if a point's position is known: finite, and not the origin if that means unknown.
RDP_HOST_DEVICE inline bool has_place(float x, float y, float z, bool zero_is_unknown) {
  // Infinities and NaN minus themselves are NaN.
  if (!(x - x == 0.0f && y - y == 0.0f && z - z == 0.0f)) return false;
  return !(zero_is_unknown && x == 0.0f && y == 0.0f && z == 0.0f);
}

// Rank, from either end, of the values that may bound a cloud of so many points: a few far outliers
// would make all cells large. 0: the extremes themselves.
RDP_HOST_DEVICE inline std::int64_t bound_rank(std::int64_t finite) { return finite / 1000; }

// Chooses the bounds from the extremes of each axis and the values `low` and `high` of
// bound_rank(). The latter, moved outwards, are used only if they make the cloud less than half as
// large.
RDP_HOST_DEVICE inline CloudBounds choose_bounds(std::int64_t finite, const float least[3],
                                                 const float greatest[3], const float low[3],
                                                 const float high[3]) {
  CloudBounds bounds;
  bounds.finite = finite;
  double margin = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double extent = static_cast<double>(high[i]) - static_cast<double>(low[i]);
    if (extent > margin) margin = extent;
  }
  margin = margin * 0.1;
  double whole = 0.0;
  double trimmed = 0.0;
  for (int i = 0; i < 3; ++i) {
    bounds.low[i] = least[i];
    bounds.high[i] = greatest[i];
    const double first = static_cast<double>(low[i]) - margin;
    const double last = static_cast<double>(high[i]) + margin;
    if (first > static_cast<double>(least[i])) bounds.low[i] = static_cast<float>(first);
    if (last < static_cast<double>(greatest[i])) bounds.high[i] = static_cast<float>(last);
    const double all = static_cast<double>(greatest[i]) - static_cast<double>(least[i]);
    const double some = static_cast<double>(bounds.high[i]) - static_cast<double>(bounds.low[i]);
    if (all > whole) whole = all;
    if (some > trimmed) trimmed = some;
  }
  if (!(trimmed < 0.5 * whole)) {
    for (int i = 0; i < 3; ++i) {
      bounds.low[i] = least[i];
      bounds.high[i] = greatest[i];
    }
  }
  return bounds;
}

constexpr double kWidestCell = 8.0;  // maximum cell edge in tolerances, within the maximum depth
constexpr double kMaxDistances = 2000.0;  // maximum distance cells from the ball's middle

// The rules for a cloud with these bounds and at least one known point.
RDP_HOST_DEVICE inline CloudRules cloud_rules(const CloudSettings& settings,
                                              const CloudBounds& bounds) {
  CloudRules rules;
  double edge = 0.0;
  double diagonal2 = 0.0;
  for (int i = 0; i < 3; ++i) {
    rules.low[i] = bounds.low[i];
    rules.high[i] = bounds.high[i];
    const double low = bounds.low[i];
    const double high = bounds.high[i];
    rules.centre[i] = 0.5 * (low + high);
    const double extent = high - low;
    if (extent > edge) edge = extent;
    diagonal2 = diagonal2 + extent * extent;
  }
  // All points in one place: any resolution will do.
  if (!(edge > 0.0)) edge = 1e-6;
  const double finest = edge / (1 << kCloudBits);
  double resolution = settings.resolution / settings.unit;
  rules.coarser = settings.resolution > 0.0 && resolution < finest;
  rules.bits = 0;
  if (resolution > finest) {
    const double units = edge / resolution;
    while ((1 << rules.bits) < units) ++rules.bits;
  } else {
    resolution = finest;
    rules.bits = kCloudBits;
  }
  rules.scale = 1.0 / resolution;
  rules.unit = resolution * settings.unit;
  rules.depth = settings.max_depth;
  rules.tolerance = settings.tolerance / rules.unit;
  if (rules.depth == 0) {
    double cell = edge * rules.scale;
    while (rules.depth < kMaxCloudDepth && cell > kWidestCell * rules.tolerance) {
      cell = cell * 0.5;
      ++rules.depth;
    }
  }
  if (rules.depth > rules.bits) rules.depth = rules.bits;
  const double half_diagonal = 0.5 * sqrt(diagonal2) * rules.scale;
  rules.angle_step = settings.angle_step;
  rules.directions = settings.directions;
  rules.distance_step = settings.distance_step / rules.unit;
  if (!(rules.distance_step > 0.0)) {
    rules.distance_step = half_diagonal / 300.0;
    if (rules.distance_step < 2.0 * rules.tolerance) rules.distance_step = 2.0 * rules.tolerance;
  }
  if (rules.distance_step * kMaxDistances < half_diagonal) {
    rules.distance_step = half_diagonal / kMaxDistances;
  }
  rules.distances = static_cast<int>(half_diagonal / rules.distance_step) + 2;
  rules.rounds = settings.rounds;
  rules.min_level = settings.min_level < rules.depth ? settings.min_level : rules.depth;
  rules.min_points = settings.min_points;
  rules.min_inliers = settings.min_inliers;
  if (rules.min_inliers == 0) rules.min_inliers = bounds.finite / 500;
  if (rules.min_inliers < 1) rules.min_inliers = 1;
  rules.min_votes = rules.min_inliers / 4 * 16;
  rules.max_thickness = settings.max_thickness;
  rules.max_planes = settings.max_planes;
  rules.zero_is_unknown = settings.zero_is_unknown;
  rules.hull = settings.hull;
  return rules;
}

struct CloudPoint {
  std::int32_t at[3];
};

// Converts a point to units about the centre, rounding halves to even. Returns false for points
// that are unknown or out of bounds.
RDP_HOST_DEVICE inline bool place_point(const CloudRules& rules, const float v[3],
                                        CloudPoint* point) {
  if (!has_place(v[0], v[1], v[2], rules.zero_is_unknown)) return false;
  for (int i = 0; i < 3; ++i) {
    if (v[i] < rules.low[i] || v[i] > rules.high[i]) return false;
    const double units = (static_cast<double>(v[i]) - rules.centre[i]) * rules.scale;
    point->at[i] = static_cast<std::int32_t>(rint(units));
  }
  return true;
}

// Spreads 8 bits to every third of 24, from the lowest.
RDP_HOST_DEVICE inline std::uint32_t spread_bits(std::uint32_t v) {
  v = (v | (v << 8)) & 0x0000f00fu;
  v = (v | (v << 4)) & 0x000c30c3u;
  return (v | (v << 2)) & 0x00249249u;
}

// Inverse of spread_bits().
RDP_HOST_DEVICE inline std::uint32_t gather_bits(std::uint32_t v) {
  v &= 0x00249249u;
  v = (v | (v >> 2)) & 0x000c30c3u;
  v = (v | (v >> 4)) & 0x0000f00fu;
  return (v | (v >> 8)) & 0x000000ffu;
}

// The row of cells that contains a coordinate; row_start() is where the row begins.
RDP_HOST_DEVICE inline std::uint32_t cell_row(const CloudRules& rules, std::int32_t coordinate) {
  const std::int32_t row = (coordinate + ((1 << rules.bits) >> 1)) >> rules.cell_bits();
  const std::int32_t last = (1 << rules.depth) - 1;
  return static_cast<std::uint32_t>(row < last ? row : last);
}

RDP_HOST_DEVICE inline std::int32_t row_start(const CloudRules& rules, std::uint32_t row) {
  return static_cast<std::int32_t>(row << rules.cell_bits()) - ((1 << rules.bits) >> 1);
}

// G. M. Morton's key of a cell: the interleaved bits of its rows, so that the cells of a node are
// consecutive.
RDP_HOST_DEVICE inline std::uint32_t morton_key(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return spread_bits(x) | spread_bits(y) << 1 | spread_bits(z) << 2;
}

RDP_HOST_DEVICE inline std::uint32_t cell_key(const CloudRules& rules, const CloudPoint& point) {
  return morton_key(cell_row(rules, point.at[0]), cell_row(rules, point.at[1]),
                    cell_row(rules, point.at[2]));
}

constexpr double kCloudThinness = 25.0;  // planar node: minimum variance ratio, plane to across
constexpr double kCloudRoundness = 6.0;  // its two variances in the plane: maximum ratio
constexpr double kCloudThickness = 2.0;  // maximum variance across, in squared tolerances

// Tests the shape of a node; the caller has tested thicker_than().
RDP_HOST_DEVICE inline bool is_flat_node(const Fit& fit) {
  return fit.variance[0] * kCloudThinness < fit.variance[1] &&
         fit.variance[1] * kCloudRoundness > fit.variance[2];
}

// True if a node with these statistics is planar; then `fit` is its plane.
RDP_HOST_DEVICE inline bool is_planar_node(const Statistics& s, const CloudRules& rules, Fit* fit) {
  if (thicker_than(s.covariance, kCloudThickness * rules.tolerance * rules.tolerance)) return false;
  *fit = fit_of(s);
  return is_flat_node(*fit);
}

constexpr double kVoteAgainDistance = 3.0;  // in tolerances; farther nodes vote again
constexpr double kCloudAssignDistance = 2.0;
constexpr double kCloudNarrowing[] = {4.0, 2.0, 1.0};
constexpr double kCloudMergeCosine = 0.990268;  // of 8 degrees
constexpr double kCloudMergeStep = 2.0;         // tolerances
constexpr double kCloudMergeBend = 0.02;        // bend of a merged plane per length
constexpr double kCloudSameTolerances = 0.5;    // of points from a joint fit, beyond their own
constexpr int kCloudMergePasses = 32;

// Square of a distance that is given in tolerances.
RDP_HOST_DEVICE inline double squared_reach(const CloudRules& rules, double tolerances) {
  const double reach = tolerances * rules.tolerance;
  return reach * reach;
}

// True if two planes meet without a step: `steps` sums the steps of `pairs` pairs of cells.
RDP_HOST_DEVICE inline bool no_step(const CloudRules& rules, std::int64_t steps,
                                    std::int64_t pairs) {
  const std::int64_t step = steps < 0 ? -steps : steps;
  return static_cast<double>(step) <=
         kCloudMergeStep * rules.tolerance * static_cast<double>(pairs);
}

RDP_HOST_DEVICE inline bool similar_cloud_direction(const Fit& p, const Fit& q) {
  const double cosine = dot(p.normal, q.normal);
  return (cosine < 0.0 ? -cosine : cosine) >= kCloudMergeCosine;
}

// True if two planes are candidates for a merge: they meet without a step, or the middle of each is
// near the other plane, with something between their parts.
RDP_HOST_DEVICE inline bool may_be_one_plane(const CloudRules& rules, std::int64_t steps,
                                             std::int64_t pairs, const Fit& p, const Fit& q) {
  if (!similar_cloud_direction(p, q)) return false;
  if (pairs > 0 && no_step(rules, steps, pairs)) return true;
  const double reach = squared_reach(rules, kCloudMergeStep);
  const double off_p = dot(q.normal, p.mean) - q.distance;
  const double off_q = dot(p.normal, q.mean) - p.distance;
  return off_p * off_p <= reach && off_q * off_q <= reach;
}

// True if a plane fits the points of another one as well as their own fit, up to a fraction of the
// tolerance.
RDP_HOST_DEVICE inline bool as_near(const CloudRules& rules, const Fit& plane,
                                    const Moments& points, const Fit& own) {
  return squared_distance(statistics_of(points), plane) - own.variance[0] <=
         squared_reach(rules, kCloudSameTolerances);
}

// True if they are one plane. If they meet without a step, the fit of both may bend; otherwise it
// has to be near to the points of each. Planes have a fit and moments.
template <typename Plane>
RDP_HOST_DEVICE inline bool are_one_plane(const CloudRules& rules, std::int64_t steps,
                                          std::int64_t pairs, const Plane& p, const Plane& q) {
  if (!similar_cloud_direction(p.fit, q.fit)) return false;
  Moments both = p.moments;
  both.add(q.moments);
  const Fit joint = fit_of(statistics_of(both));
  const double bent = kCloudMergeBend * kCloudMergeBend * joint.variance[2];
  if (pairs > 0 && no_step(rules, steps, pairs) &&
      joint.variance[0] <= squared_reach(rules, kCloudMergeStep) + bent) {
    return true;
  }
  return as_near(rules, joint, p.moments, p.fit) && as_near(rules, joint, q.moments, q.fit);
}

// A coordinate in metres. cloud_unit: metres per unit of the cloud.
RDP_HOST_DEVICE inline double cloud_metres(const CloudRules& rules, double cloud_unit, double units,
                                           int axis) {
  return units * rules.unit + rules.centre[axis] * cloud_unit;
}

// The plane of a fit in metres and the cloud's axes; its normal points away from their origin.
RDP_HOST_DEVICE inline GroundCandidate cloud_plane(const CloudRules& rules, double cloud_unit,
                                                   const Fit& fit) {
  GroundCandidate plane;
  double shift = 0.0;
  for (int i = 0; i < 3; ++i) {
    plane.normal[i] = fit.normal[i];
    plane.centroid[i] = cloud_metres(rules, cloud_unit, fit.mean[i], i);
    shift = shift + fit.normal[i] * (rules.centre[i] * cloud_unit);
  }
  plane.distance = fit.distance * rules.unit + shift;
  if (plane.distance < 0.0) {
    plane.distance = -plane.distance;
    for (int i = 0; i < 3; ++i) plane.normal[i] = -plane.normal[i];
  }
  return plane;
}

constexpr double kPointTolerances = 2.0;  // of a point from its plane, at most
constexpr double kPointDeviations = 2.5;  // or standard deviations of its nodes, if more

// A plane relative to a cell: normal . (point - corner of the cell) + offset, in 32 bits, of which
// 28 - cell_bits() are the fraction.
struct CellPlaneView {
  std::int32_t normal[3];
  std::int32_t offset;
  std::int32_t limit;  // of the distance
};

constexpr double kViewLimit = 1073741824.0;  // 2^30

RDP_HOST_DEVICE inline std::int32_t to_view(double v) {
  if (v > kViewLimit) v = kViewLimit;
  if (v < -kViewLimit) v = -kViewLimit;
  return static_cast<std::int32_t>(rint(v));
}

RDP_HOST_DEVICE inline CellPlaneView view_plane(const CloudRules& rules, const Fit& plane,
                                                const std::int32_t corner[3]) {
  CellPlaneView view;
  // The three products are below 2^28 sqrt(3), so sums with the offset fit.
  const double scale = static_cast<double>(1 << (28 - rules.cell_bits()));
  const double place[3] = {static_cast<double>(corner[0]), static_cast<double>(corner[1]),
                           static_cast<double>(corner[2])};
  for (int i = 0; i < 3; ++i) view.normal[i] = to_view(plane.normal[i] * scale);
  view.offset = to_view((dot(plane.normal, place) - plane.distance) * scale);
  const double variance = plane.variance[0] > 0.0 ? plane.variance[0] : 0.0;
  double limit = kPointDeviations * sqrt(variance);
  if (limit < kPointTolerances * rules.tolerance) limit = kPointTolerances * rules.tolerance;
  view.limit = to_view(limit * scale);
  return view;
}

// Absolute distance of a point from a plane; x, y and z are relative to the corner of its cell.
RDP_HOST_DEVICE inline std::int32_t view_distance(const CellPlaneView& plane, std::int32_t x,
                                                  std::int32_t y, std::int32_t z) {
  const std::int32_t d =
      plane.normal[0] * x + plane.normal[1] * y + plane.normal[2] * z + plane.offset;
  return d < 0 ? -d : d;
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_RULES_H_
