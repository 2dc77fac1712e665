// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_ENGINE_H_
#define RDP_COMMON_POINTS_ENGINE_H_

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/image/thread_pool.h"
#include "common/points/parameters.h"
#include "common/points/ray_tables.h"

namespace rdp::points {

// Clouds of frames on the CPU, frame by frame: the bits of reference::make_points(), with SIMD and
// threads. The rays of a camera are made with its first frame. Works on one frame at a time;
// allocates for new cameras and sizes only.
class Engine {
 public:
  // Sets the number of threads, including the calling one; 0: one for each processor. Throws
  // std::system_error if the system starts fewer, and keeps those.
  void set_threads(unsigned threads);
  unsigned threads() const { return pool_.size(); }

  // `camera`: (nullable); without it every point is unknown. `to` has room for 3 * width * height
  // floats. Throws std::bad_alloc.
  void make_points(const DepthView& frame, const MetricCamera* camera, const Parameters& parameters,
                   float* to);

 private:
  ThreadPool pool_;
  RayTables rays_;
};

}  // namespace rdp::points

#endif  // RDP_COMMON_POINTS_ENGINE_H_
