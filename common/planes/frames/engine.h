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

// Finds the planes of depth frames on the CPU, bit-identical to common/planes/frames/reference.h.
// SIMD is chosen at run time; the threads live as long as the object.
//
// Works on one frame at a time. Allocates only when a frame needs more memory than any before; if
// that throws std::bad_alloc, the engine stays usable.
class FrameEngine : public ThreadedEngine<FrameEngineImpl> {
 public:
  using ThreadedEngine::ThreadedEngine;

  // See reference::find(). `labels` has the frame's size and type kU8, and shares no memory with
  // it. The set is valid until the next call. `nodes` (nullable) gets the examined squares, for
  // overlays: by level, the largest first, then by row and column.
  const PlaneSet& find(const DepthView& frame, const MetricCamera& camera,
                       const Parameters& parameters, const MutableDepthView& labels,
                       std::vector<NodeSquare>* nodes = nullptr);
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_ENGINE_H_
