// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/hull.h"

#include <algorithm>
#include <cmath>

namespace rdp::planes {
namespace {

// Above 0: a, b, c turn clockwise as the picture shows them.
std::int64_t turn(const Corner& a, const Corner& b, int column, int row) {
  const std::int64_t x = std::int64_t{b.column} - a.column;
  const std::int64_t y = std::int64_t{b.row} - a.row;
  return x * (row - b.row) - y * (column - b.column);
}

// Appends a pixel to a chain that only turns clockwise from its index `start`.
void extend(std::vector<Corner>* chain, std::size_t start, int column, int row) {
  while (chain->size() >= start + 2 &&
         turn((*chain)[chain->size() - 2], chain->back(), column, row) <= 0) {
    chain->pop_back();
  }
  chain->push_back({column, row, {}});
}

void place(const Plane& plane, const CameraLens& camera, Corner* corner) {
  const double x = (static_cast<double>(corner->column) - camera.principal_x) / camera.focal_x;
  const double y = (static_cast<double>(corner->row) - camera.principal_y) / camera.focal_y;
  const double along = plane.normal[0] * x + plane.normal[1] * y + plane.normal[2];
  const double z = along > 0.0 ? plane.distance / along : 0.0;
  corner->point[0] = x * z;
  corner->point[1] = y * z;
  corner->point[2] = z;
}

}  // namespace

// Half the length of the sum of its triangles' cross products.
double area_of(const Corner* corners, std::size_t count) {
  double sum[3] = {0.0, 0.0, 0.0};
  for (std::size_t i = 2; i < count; ++i) {
    double a[3], b[3];
    for (int k = 0; k < 3; ++k) {
      a[k] = corners[i - 1].point[k] - corners[0].point[k];
      b[k] = corners[i].point[k] - corners[0].point[k];
    }
    sum[0] = sum[0] + (a[1] * b[2] - a[2] * b[1]);
    sum[1] = sum[1] + (a[2] * b[0] - a[0] * b[2]);
    sum[2] = sum[2] + (a[0] * b[1] - a[1] * b[0]);
  }
  return 0.5 * std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

Plane plane_in_metres(const Moments& moments, const Fit& fit, double unit) {
  Plane plane;
  for (int i = 0; i < 3; ++i) {
    plane.normal[i] = fit.normal[i];
    plane.centroid[i] = fit.mean[i] * unit;
  }
  plane.distance = fit.distance * unit;
  plane.rms = std::sqrt(std::max(0.0, fit.variance[0])) * unit;
  plane.inliers = static_cast<std::int64_t>(moments.n);
  return plane;
}

void add_hulls(const RowExtents& extents, const CameraLens& camera, bool hull, PlaneSet* set) {
  std::vector<Corner>& chain = set->corners;
  for (std::size_t p = 0; p < set->planes.size(); ++p) {
    Plane& plane = set->planes[p];
    int top = extents.height();
    int bottom = -1;
    int left = INT32_MAX;
    int right = -1;
    for (int row = 0; row < extents.height(); ++row) {
      const RowExtents::Extent& e = extents.at(p, row);
      if (e.last < e.first) continue;
      top = std::min(top, row);
      bottom = row;
      left = std::min(left, static_cast<int>(e.first));
      right = std::max(right, static_cast<int>(e.last));
    }
    plane.box[0] = left;
    plane.box[1] = top;
    plane.box[2] = right - left + 1;
    plane.box[3] = bottom - top + 1;
    const std::size_t start = chain.size();
    plane.first_corner = static_cast<std::uint32_t>(start);
    if (!hull) continue;
    // Down the right side, then up the left one.
    extend(&chain, start, extents.at(p, top).first, top);
    for (int row = top; row <= bottom; ++row) {
      const RowExtents::Extent& e = extents.at(p, row);
      if (e.last >= e.first && !(row == top && e.last == e.first)) {
        extend(&chain, start, e.last, row);
      }
    }
    const std::size_t turned = chain.size() - 1;
    for (int row = bottom; row >= top; --row) {
      const RowExtents::Extent& e = extents.at(p, row);
      const bool there = chain.back().column == e.first && chain.back().row == row;
      if (e.last >= e.first && !there) extend(&chain, turned, e.first, row);
    }
    if (chain.size() > start + 1) chain.pop_back();  // the first pixel again
    for (std::size_t i = start; i < chain.size(); ++i) place(plane, camera, &chain[i]);
    plane.corners = static_cast<std::uint32_t>(chain.size() - start);
    plane.area = area_of(chain.data() + start, plane.corners);
  }
}

}  // namespace rdp::planes
