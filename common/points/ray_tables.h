// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_RAY_TABLES_H_
#define RDP_COMMON_POINTS_RAY_TABLES_H_

#include "common/image/camera.h"
#include "common/image/grow_buffer.h"
#include "common/image/thread_pool.h"
#include "common/points/rays.h"

namespace rdp::points {

// The rays of a camera's pixels, or of other places at distances of one pixel, on the host.
class RayTables {
 public:
  // Vectors may read so many rays beyond the last one, which are NaN.
  static constexpr int kPadding = 17;

  // Makes the rays of places at offset, offset + 1, … in both directions, unless they are there.
  // Throws std::bad_alloc.
  void update(const CameraLens& lens, int width, int height, double offset, ThreadPool* pool);

  // True if y is of each place of a row, else it is of the row.
  bool each_pixel() const { return !lens_.distortion.none; }
  const double* x_of_row(int row) const { return x_.data() + layout().x_of_row(row); }
  const double* y_of_row(int row) const { return y_.data() + layout().y_of_row(row); }

 private:
  RayLayout layout() const { return {width_, height_, each_pixel()}; }

  CameraLens lens_;
  int width_ = 0;  // 0: there are no rays
  int height_ = 0;
  double offset_ = 0.0;
  GrowBuffer<double> x_;
  GrowBuffer<double> y_;
};

}  // namespace rdp::points

#endif  // RDP_COMMON_POINTS_RAY_TABLES_H_
