// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_BOUNDS_H_
#define RDP_COMMON_PLANES_CLOUDS_BOUNDS_H_

#include <cstdint>
#include <vector>

#include "common/image/thread_pool.h"
#include "common/planes/clouds/cloud.h"
#include "common/planes/clouds/points.h"
#include "common/planes/clouds/rules.h"

namespace rdp::planes {

// Finds the bounds of choose_bounds(). Most clouds show with their first points that the values
// near their ends are far enough apart; of the others these are selected by their bits.
class CloudBoundsFinder {
 public:
  CloudBounds find(const CloudView& cloud, const CloudSettings& settings, ThreadPool* pool);

 private:
  // The values of two ranks on each axis.
  void select(const CloudView& cloud, const CloudSettings& settings, std::int64_t finite,
              ThreadPool* pool, float low[3], float high[3]);

  std::vector<PointRange> ranges_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_BOUNDS_H_
