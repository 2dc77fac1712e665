// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_ENGINE_H_
#define RDP_COMMON_OBSTACLES_ENGINE_H_

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/image/threaded_engine.h"
#include "common/obstacles/parameters.h"

namespace rdp::obstacles {

struct EngineImpl;

// SIMD and multithreaded reference::find(), bit-identical. Works on one frame at a time. Allocates
// only for a frame that needs more memory than any before, and when the camera or the parameters
// change.
class Engine : public ThreadedEngine<EngineImpl> {
 public:
  Engine() : ThreadedEngine(1) {}

  // The camera's lens must not distort. `start` (nullable): without it there is no ground, and all
  // is unknown. Throws std::bad_alloc.
  void find(const DepthView& frame, const MetricCamera& camera, const Ground* start,
            const Parameters& parameters, Obstacles* result);
};

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_ENGINE_H_
