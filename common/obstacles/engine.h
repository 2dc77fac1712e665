// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_ENGINE_H_
#define RDP_COMMON_OBSTACLES_ENGINE_H_

#include <memory>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/obstacles/parameters.h"

namespace rdp::obstacles {

// reference::find() on the CPU, with SIMD and threads: the same bits. Works on one frame at a time.
// Allocates only for a frame that needs more memory than any before, and where the camera or the
// parameters change.
class Engine {
 public:
  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Number of threads, the calling one included; 0: one for each processor. Throws std::bad_alloc,
  // and std::system_error where the system gives fewer; those it gave stay.
  void set_threads(unsigned threads);
  unsigned threads() const;

  // The camera's lens does not distort; null: no ground, and all is unknown. Throws std::bad_alloc.
  void find(const DepthView& frame, const MetricCamera& camera, const Ground* start,
            const Parameters& parameters, Obstacles* result);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_ENGINE_H_
