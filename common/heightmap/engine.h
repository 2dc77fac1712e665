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

// The memory that an engine holds for a rig, so that too much can be refused before it is
// allocated.
struct Memory {
  std::uint64_t work = 0;   // bytes of costs, messages, pictures
  std::uint64_t table = 0;  // bytes of the table of places, where it is kept
};

struct EngineImpl;

// The fast path on the CPU: SIMD chosen at run time for the machine, work spread over threads that
// live as long as the engine. Every result equals the one of common/heightmap/reference.h bit for
// bit, whatever the SIMD target and the number of threads, with the table of places and without.
//
// An engine works on one set of pictures at a time. After prepare() it allocates nothing; prepare()
// throws std::bad_alloc where memory is not to be had, and the engine stays usable.
class Engine : public ThreadedEngine<EngineImpl> {
 public:
  using ThreadedEngine::ThreadedEngine;

  void set_threads(unsigned threads);  // as that of ThreadedEngine

  // The memory that prepare() would hold for this rig. most_table: bytes; a larger table is not
  // kept, and the places are worked out anew with each set.
  static Memory memory_of(const Rig& rig, const Parameters& parameters, std::uint64_t most_table);

  // For the sets that follow. Does nothing where nothing changed. The rig has no fault
  // (check_rig()), the parameters are within their ranges.
  void prepare(const Rig& rig, const Parameters& parameters, const Area& area,
               std::uint64_t most_table);

  // pictures: of 8 bits, one for each view of the rig, of the view's size.
  Result run(std::span<const DepthView> pictures);

  // The number of pixels below which a component is a speckle.
  int speckle() const;
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_ENGINE_H_
