// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_RAY_TABLES_H_
#define RDP_COMMON_POINTS_RAY_TABLES_H_

#include "common/image/camera.h"
#include "common/image/grow_buffer.h"
#include "common/image/thread_pool.h"
#include "common/points/rays.h"

namespace rdp::points {

// Host tables of a camera's rays, on a grid with steps of one pixel.
class RayTables {
 public:
  // Number of NaN rays after the last one, which SIMD loads may read.
  static constexpr int kPadding = 17;

  // Makes the rays of places at offset, offset + 1, … in both directions, unless they are there.
  // Throws std::bad_alloc.
  void update(const CameraLens& lens, int width, int height, double offset, ThreadPool* pool);

  // True if each pixel has its own y; else each row has one.
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
