// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_ENGINE_H_
#define RDP_COMMON_STEREO_ENGINE_H_

#include <cstddef>

#include "common/image/threaded_engine.h"
#include "common/stereo/parameters.h"
#include "common/stereo/views.h"

namespace rdp::stereo {

struct EngineImpl;

// The fast path on the CPU: SIMD chosen at run time for the machine, work spread over threads that
// live as long as the engine. Results are bit-identical to common/stereo/reference.h for every SIMD
// target and thread count.
//
// An engine works on one pair at a time. It allocates only when a pair needs more memory than any
// before it; if that fails, it throws std::bad_alloc and stays usable.
class Engine : public ThreadedEngine<EngineImpl> {
 public:
  using ThreadedEngine::ThreadedEngine;

  // See reference::match(). `result` shares no memory with the pair.
  Counts match(const Pair& pair, const Parameters& parameters, const Result& result);

  // The memory that match() needs for such a pair, in bytes, for one thread.
  static std::size_t memory_for(int width, int height, const Parameters& parameters);
};

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_ENGINE_H_
