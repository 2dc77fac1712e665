// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CELL_RULES_H_
#define RDP_COMMON_PLANES_CELL_RULES_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/planes/eigen.h"
#include "common/planes/frame_rules.h"
#include "common/planes/moments.h"

// Rules that decide which cells make a plane, for the engines and the kernels.
namespace rdp::planes {

constexpr double kPeakReach = 2.5;       // distance steps from a peak to its nodes
constexpr double kPeakAngleSteps = 3.0;  // and direction steps, with the node's own uncertainty
constexpr double kMaxUncertainty = 0.35;
constexpr double kNarrowing[] = {4.0, 2.0, 1.0};  // tolerances from a peak's plane to its nodes
constexpr double kAssignAngle = 0.1;
constexpr double kMaxAssignAngle = 0.6;
constexpr int kGrowthPixels = 16;  // minimum of a cell that may take a neighbour's plane
constexpr int kGrowthPasses = 10;
constexpr int kMergePasses = 16;
constexpr double kMergeCosine = 0.97815;  // of 12 degrees

// The squared distance of a node from a peak; at most 1 is near enough.
RDP_HOST_DEVICE inline double nearness(const Fit& node, double tolerance2, const double centre[3],
                                       double distance, double angle_step, double distance_step) {
  double uncertainty = 2.0 * sqrt(tolerance2 / node.variance[1]);
  if (uncertainty > kMaxUncertainty) uncertainty = kMaxUncertainty;
  const double limit = kPeakAngleSteps * angle_step + uncertainty;
  const double angle = 2.0 * (1.0 - dot(centre, node.normal)) / (limit * limit);
  const double off = (dot(centre, node.mean) - distance) / (kPeakReach * distance_step);
  return angle > off * off ? angle : off * off;
}

// True if a node's normal matches a plane's within the node's uncertainty.
RDP_HOST_DEVICE inline bool same_direction(const Fit& node, double tolerance2, const Fit& plane) {
  double a = kAssignAngle + 2.0 * sqrt(tolerance2 / node.variance[1]);
  if (a > kMaxAssignAngle) a = kMaxAssignAngle;
  const double cosine = dot(node.normal, plane.normal);
  return (cosine < 0.0 ? -cosine : cosine) >= 1.0 - 0.5 * a * a;
}

// Squared distance between the means of a cell and of a plane.
RDP_HOST_DEVICE inline double squared_extent(const Statistics& cell, const Fit& plane) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double d = cell.mean[i] - plane.mean[i];
    sum = sum + d * d;
  }
  return sum;
}

// The step of plane p beyond plane q at their border, in units, at the means of two neighbouring
// cells, of p and of q. A crease cancels, a step does not.
RDP_HOST_DEVICE inline std::int64_t border_step(const Fit& p, const double cell_of_p[3],
                                                const Fit& q, const double cell_of_q[3]) {
  const double sign = dot(p.normal, q.normal) < 0.0 ? -1.0 : 1.0;
  const double a = dot(p.normal, cell_of_q) - p.distance;
  const double b = sign * (dot(q.normal, cell_of_p) - q.distance);
  return static_cast<std::int64_t>(floor((a - b) * 0.5 + 0.5));
}

// Maximum border step of planes that are one: the tolerance there.
RDP_HOST_DEVICE inline std::int64_t border_tolerance(const FrameRules& rules, double slope,
                                                     const double cell_of_p[3],
                                                     const double cell_of_q[3]) {
  const double z = (cell_of_p[2] + cell_of_q[2]) * 0.5;
  return static_cast<std::int64_t>(floor(tolerance_at(rules, slope, z) + 0.5));
}

RDP_HOST_DEVICE inline bool similar_direction(const Fit& p, const Fit& q) {
  const double cosine = dot(p.normal, q.normal);
  return (cosine < 0.0 ? -cosine : cosine) >= kMergeCosine;
}

// True if two planes may be one, from their fits and the fit of both.
RDP_HOST_DEVICE inline bool may_merge(const FrameRules& rules, double slope, const Fit& p,
                                      const Fit& q, const Statistics& smaller, const Fit& joint) {
  if (!similar_direction(p, q)) return false;
  const double z = joint.mean[2];
  double limit = squared_tolerance(rules, slope, z, joint.variance[2]);
  const double bent = rules.merge_floor + rules.merge_slope * z * z;
  if (bent * bent > limit) limit = bent * bent;
  return joint.variance[0] <= limit && squared_distance(smaller, joint) <= limit;
}

// The distance of a pixel from a plane, |(z t >> 28) - distance|, in integers. t = n . ray in 2^-28
// is exact at the first pixel of each row of a cell and incremental from there.
struct PixelPlane {
  std::int64_t a = 0, b = 0, c = 0;  // n . ray = a + b x + c y, in 2^-40
  std::int32_t distance = 0;         // units
};

// The plane for rays that are linear in columns and rows.
RDP_HOST_DEVICE inline PixelPlane pixel_plane(const Fit& plane, double focal_x, double focal_y,
                                              double principal_x, double principal_y) {
  const double scale = 1099511627776.0;  // 2^40
  const double b = plane.normal[0] / focal_x;
  const double c = plane.normal[1] / focal_y;
  const double a = plane.normal[2] - b * principal_x - c * principal_y;
  PixelPlane p;
  p.a = static_cast<std::int64_t>(floor(a * scale + 0.5));
  p.b = static_cast<std::int64_t>(floor(b * scale + 0.5));
  p.c = static_cast<std::int64_t>(floor(c * scale + 0.5));
  p.distance = static_cast<std::int32_t>(floor(plane.distance + 0.5));
  return p;
}

// n . ray in 2^-28 of a pixel in a cell that begins in column x0.
RDP_HOST_DEVICE inline std::int32_t ray_along(const PixelPlane& p, int x, int y, int x0) {
  return static_cast<std::int32_t>((p.a + p.b * x0 + p.c * y) >> 12) +
         (x - x0) * static_cast<std::int32_t>(p.b >> 12);
}

RDP_HOST_DEVICE inline std::int32_t pixel_distance(std::int32_t depth, std::int32_t along,
                                                   std::int32_t distance) {
  const std::int32_t d =
      static_cast<std::int32_t>((static_cast<std::int64_t>(depth) * along) >> 28) - distance;
  return d < 0 ? -d : d;
}

// Maximum pixel_distance() of a cell's pixels: 2 T(z, e), rounded down.
RDP_HOST_DEVICE inline std::int32_t pixel_limit(const FrameRules& rules, double slope,
                                                const Statistics& cell, const Fit& plane) {
  const double t2 = squared_tolerance(rules, slope, cell.mean[2], squared_extent(cell, plane));
  return static_cast<std::int32_t>(2.0 * sqrt(t2));
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CELL_RULES_H_
