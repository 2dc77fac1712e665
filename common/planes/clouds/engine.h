// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_ENGINE_H_
#define RDP_COMMON_PLANES_CLOUDS_ENGINE_H_

#include <cstdint>

#include "common/image/threaded_engine.h"
#include "common/planes/clouds/cloud.h"
#include "common/planes/parameters.h"
#include "common/planes/planes.h"

namespace rdp::planes {

// Seconds that the steps of the last call took.
struct CloudTimes {
  double bounds = 0.0;
  double points = 0.0;  // to integers
  double sort = 0.0;
  double cells = 0.0;    // their sums
  double nodes = 0.0;    // of the octree
  double planes = 0.0;   // votes, peaks, planes of nodes
  double borders = 0.0;  // and merging over them
  double labels = 0.0;
  double hulls = 0.0;
  double ground = 0.0;
};

struct CloudEngineImpl;

// Finds the planes of point clouds on the CPU, bit-identical to common/planes/clouds/reference.h.
// SIMD is chosen at run time; the threads live as long as the object.
//
// Works on one cloud at a time. Allocates only when a cloud needs more memory than any before; if
// that throws std::bad_alloc, the engine stays usable.
class CloudEngine : public ThreadedEngine<CloudEngineImpl> {
 public:
  using ThreadedEngine::ThreadedEngine;

  // See reference::find_in_cloud(). `labels` has a byte for each point. The set is valid until the
  // next call.
  const PlaneSet& find(const CloudView& cloud, const Parameters& parameters, std::uint8_t* labels);
  const CloudTimes& times() const;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_ENGINE_H_
