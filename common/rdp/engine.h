// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_ENGINE_H_
#define RDP_COMMON_RDP_ENGINE_H_

#include <cstdint>

#include "common/image/depth_view.h"
#include "common/image/threaded_engine.h"
#include "common/rdp/overlay.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"

namespace rdp {

// The most threads one engine works with.
inline constexpr unsigned kMaxThreads = 256;

struct EngineImpl;

// The fast path on the CPU: SIMD chosen at run time for the machine, columns spread over threads
// that live as long as the engine. Every result equals the one of common/rdp/reference.h bit for
// bit, whatever the SIMD target and the number of threads.
//
// An engine works on one frame at a time; calls on one object must not overlap. It allocates only
// when a frame needs more scratch memory than any before it. It throws std::bad_alloc when that
// memory is not to be had, and stays usable.
class Engine : public ThreadedEngine<EngineImpl> {
 public:
  using ThreadedEngine::ThreadedEngine;

  // Filters and segments `frame` (1..kMaxSide rows and columns) as `parameters` say, into `result`.
  void segment(const DepthView& frame, const Parameters& parameters, SegmentList* result);

  // Writes the segments' lines back into the frame of the last segment() call, whose samples must
  // not have changed since: see reference::reconstruct. The arguments are those of that call.
  void reconstruct(const MutableDepthView& frame, const Parameters& parameters,
                   const SegmentList& segments);

  // Paints `picture`, which has the size of `frame`: see overlay.h. `segments` belong to `frame`.
  void paint(const DepthView& frame, const SegmentList& segments, const Parameters& parameters,
             const OverlayOptions& options, const RgbaView& picture);
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_ENGINE_H_
