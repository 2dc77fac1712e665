// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_ENGINE_H_
#define RDP_COMMON_FILTER_ENGINE_H_

#include "common/filter/parameters.h"
#include "common/image/depth_view.h"
#include "common/image/threaded_engine.h"

namespace rdp::filter {

struct EngineImpl;

// reference::filter() on the CPU, with SIMD and threads: the same bits. Filters one frame at a time
// and allocates only for a frame that needs more memory than any before.
class Engine : public ThreadedEngine<EngineImpl> {
 public:
  Engine() : ThreadedEngine(1) {}

  // Both sides of `in` are at least `decimation` long. `out` has its sample type and floor(width /
  // decimation) x floor(height / decimation) samples. It may be `in` itself if both have the same
  // size. Throws std::bad_alloc, with `out` as it was.
  Counts filter(const DepthView& in, const Parameters& parameters, const MutableDepthView& out);

  // Forgets the previous frames. A frame of another size, and other parameters, do so as well.
  void clear();
};

}  // namespace rdp::filter

#endif  // RDP_COMMON_FILTER_ENGINE_H_
