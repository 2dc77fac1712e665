// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_ENGINE_H_
#define RDP_COMMON_HEIGHTMAP_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"
#include "common/image/depth_view.h"
#include "common/image/threaded_engine.h"

namespace rdp::heightmap {

// Memory that an engine needs for a rig; lets callers refuse too much before it is allocated.
struct Memory {
  std::uint64_t work = 0;   // bytes of costs, messages, pictures
  std::uint64_t table = 0;  // bytes of the table of places; 0 if not kept
};

struct EngineImpl;

// The fast path on the CPU: SIMD chosen at run time for the machine, work spread over threads that
// live as long as the engine. Results are bit-identical to common/heightmap/reference.h for every
// SIMD target and thread count, with and without the table of places.
//
// An engine works on one set of pictures at a time. After prepare() it allocates nothing; prepare()
// throws std::bad_alloc if memory runs out; the engine stays usable.
class Engine : public ThreadedEngine<EngineImpl> {
 public:
  using ThreadedEngine::ThreadedEngine;

  void set_threads(unsigned threads);  // see ThreadedEngine

  // Memory that prepare() would hold for this rig. A table above `most_table` bytes is not
  // kept; the places are then recomputed for each set.
  static Memory memory_of(const Rig& rig, const Parameters& parameters, std::uint64_t most_table);

  // Prepares for the following sets; does nothing if nothing changed. The rig must pass
  // check_rig(); the parameters must be within their ranges.
  void prepare(const Rig& rig, const Parameters& parameters, const Area& area,
               std::uint64_t most_table);

  // `pictures`: 8 bits, one per view of the rig, of the view's size.
  Result run(std::span<const DepthView> pictures);

  // The number of pixels below which a component is a speckle.
  int speckle() const;
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_ENGINE_H_
