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

// Finds the bounds of choose_bounds(). In most clouds the first points already show that the values
// of bound_rank() leave the extremes in place. In others it selects those values bit by bit.
class CloudBoundsFinder {
 public:
  CloudBounds find(const CloudView& cloud, const CloudSettings& settings, ThreadPool* pool);

 private:
  // Selects the values of both ranks on each axis.
  void select(const CloudView& cloud, const CloudSettings& settings, std::int64_t finite,
              ThreadPool* pool, float low[3], float high[3]);

  std::vector<PointRange> ranges_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_BOUNDS_H_
