// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAMES_ENGINE_H_
#define RDP_COMMON_PLANES_FRAMES_ENGINE_H_

#include <cstdint>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/image/threaded_engine.h"
#include "common/planes/parameters.h"
#include "common/planes/pictures/overlay_style.h"
#include "common/planes/planes.h"

namespace rdp::planes {

struct FrameEngineImpl;

// Finds the planes of depth frames on the CPU: SIMD chosen at run time, work spread over threads
// that live as long as the object. Its results equal those of common/planes/frames/reference.h bit
// for bit.
//
// It works on one frame at a time, and allocates only when a frame needs more memory than any
// before; then it throws std::bad_alloc where that is not to be had, and stays usable.
class FrameEngine : public ThreadedEngine<FrameEngineImpl> {
 public:
  using ThreadedEngine::ThreadedEngine;

  // See reference::find(). `labels` has the frame's size and type kU8, and shares no memory with
  // it. The set is the engine's until the next call. `nodes`: gets the squares that were looked at,
  // for pictures; by level, the largest first, then by row and column.
  const PlaneSet& find(const DepthView& frame, const MetricCamera& camera,
                       const Parameters& parameters, const MutableDepthView& labels,
                       std::vector<NodeSquare>* nodes = nullptr);
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_ENGINE_H_
