// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_ALIGN_ENGINE_H_
#define RDP_COMMON_ALIGN_ENGINE_H_

#include "common/align/parameters.h"
#include "common/align/picture.h"
#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"
#include "common/image/threaded_engine.h"

namespace rdp::align {

struct EngineImpl;

// reference::align() and reference::colour() on the CPU, with SIMD and threads: the same bits.
// Works on one frame at a time. Makes the rays of a camera with its first frame, and allocates only
// for new cameras and for frames that need more memory than any before.
class Engine : public ThreadedEngine<EngineImpl> {
 public:
  Engine() : ThreadedEngine(1) {}

  // Sizes of the views are those of the cameras' frames; `aligned` has 16-bit samples, and all of
  // them are written. Throws std::bad_alloc, with `aligned` as it was.
  Counts align(const DepthView& depth, const Parameters& parameters,
               const MutableDepthView& aligned);

  // The colours of the depth's pixels. `aligned` is align()'s result for this depth and these
  // parameters. `picture` has its size, `out` has the depth's. Throws std::bad_alloc, with `out` as
  // it was.
  void colour(const DepthView& depth, const Parameters& parameters, const DepthView& aligned,
              const Picture& picture, const RgbaView& out);
};

}  // namespace rdp::align

#endif  // RDP_COMMON_ALIGN_ENGINE_H_
