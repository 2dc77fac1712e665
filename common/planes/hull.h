// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_HULL_H_
#define RDP_COMMON_PLANES_HULL_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/image/camera.h"
#include "common/planes/eigen.h"
#include "common/planes/moments.h"
#include "common/planes/planes.h"

namespace rdp::planes {

// A plane in metres from points in units; without votes, box and hull.
Plane plane_in_metres(const Moments& moments, const Fit& fit, double unit);

// The first and last column of each plane in each row: all that a box and a convex hull need.
class RowExtents {
 public:
  struct Extent {
    std::int32_t first = INT32_MAX;
    std::int32_t last = -1;  // below first: there is none
  };

  RowExtents() = default;
  RowExtents(std::size_t planes, int height) { start(planes, height); }
  // Takes extents filled in by the caller, by plane and row.
  RowExtents(std::vector<Extent> extents, int height)
      : height_(height), extents_(std::move(extents)) {}

  // Empties all rows.
  void start(std::size_t planes, int height) {
    height_ = height;
    extents_.assign(planes * height, Extent());
  }
  void add(std::size_t plane, int column, int row) {
    Extent& e = extents_[plane * height_ + row];
    if (column < e.first) e.first = column;
    if (column > e.last) e.last = column;
  }
  int height() const { return height_; }
  const Extent& at(std::size_t plane, int row) const { return extents_[plane * height_ + row]; }

 private:
  int height_ = 0;
  std::vector<Extent> extents_;
};

// The area of a flat polygon.
double area_of(const Corner* corners, std::size_t count);

// Gives each plane its box and, if wanted, its hull: A. M. Andrew's monotone chain over the rows'
// first and last pixels, clockwise in the picture from the first row's first one. Corners in metres
// are where the pixels' rays meet the plane; the area is that of the hull on the plane.
void add_hulls(const RowExtents& extents, const CameraLens& camera, bool hull, PlaneSet* set);

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_HULL_H_
