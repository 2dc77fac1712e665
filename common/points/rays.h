// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_RAYS_H_
#define RDP_COMMON_POINTS_RAYS_H_

#include <cstddef>

#include "common/host_device.h"
#include "common/image/camera.h"

// The rays of all pixels of a camera, computed once: undistorting a pixel takes many iterations,
// too many for each frame.
namespace rdp::points {

// The layout of a frame's rays in memory. A lens without distortion has one x for each column and
// one y for each row; one with distortion has both for each pixel. An unknown ray is NaN.
struct RayLayout {
  RDP_HOST_DEVICE RayLayout(int w, int h, bool of_each_pixel)
      : width(w), height(h), each_pixel(of_each_pixel) {}

  int width;
  int height;
  bool each_pixel;

  // The number of values of x and y.
  RDP_HOST_DEVICE std::size_t x_count() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(each_pixel ? height : 1);
  }
  RDP_HOST_DEVICE std::size_t y_count() const {
    return static_cast<std::size_t>(height) * static_cast<std::size_t>(each_pixel ? width : 1);
  }
  // Index of x at a row's first column; x of the next column follows it.
  RDP_HOST_DEVICE std::size_t x_of_row(int row) const {
    return each_pixel ? static_cast<std::size_t>(row) * static_cast<std::size_t>(width) : 0;
  }
  // Index of y at a row's first column. With each_pixel, y of the next column follows it; else the
  // whole row shares it.
  RDP_HOST_DEVICE std::size_t y_of_row(int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(each_pixel ? width : 1);
  }
};

// The ray of an image position; both coordinates are `unknown`, a NaN, if there is none.
RDP_HOST_DEVICE inline void find_ray(double column, double row, const CameraLens& lens,
                                     double unknown, double* x, double* y) {
  if (ray_of_pixel(column, row, lens, x, y)) return;
  *x = unknown;
  *y = unknown;
}

}  // namespace rdp::points

#endif  // RDP_COMMON_POINTS_RAYS_H_
