// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_NEIGHBOURS_H_
#define RDP_COMMON_PLANES_CLOUDS_NEIGHBOURS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/planes/border_merge.h"
#include "common/planes/clouds/octree.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/clouds/sort.h"
#include "common/planes/moments.h"

namespace rdp::planes {

// Finds adjacent planes, and the planes around each cell, in one walk over blocks of 4x4x4 cells,
// whose 64 keys are consecutive. The surroundings of a block are laid out as 6x6x6 cells, so each
// of the 27 neighbours is at a fixed place.
class CloudNeighbours {
 public:
  // `owners`: the plane of each cell or -1.
  void find(std::span<const PointRun> cells, std::span<const Moments> moments,
            std::span<const std::int32_t> owners, std::span<const CloudPlane> planes,
            const CloudRules& rules);

  // Sorted by p and q.
  const std::vector<PlaneBorder>& borders() const { return borders_; }
  // The planes that own one of the 27 cells around, each once, in any order.
  std::span<const std::uint16_t> around(std::size_t cell) const {
    return {around_.data() + first_[cell], first_[cell + 1] - first_[cell]};
  }

 private:
  struct Block {
    std::uint32_t key, first, end;  // cells
  };

  void find_blocks(std::span<const PointRun> cells, std::span<const std::int32_t> owners,
                   const CloudRules& rules);
  bool lay_out(const Block& block, const CloudRules& rules);
  PlaneBorder& border(int p, int q);
  const double* mean(std::uint32_t cell, std::span<const Moments> moments);

  std::vector<Block> blocks_;
  std::vector<std::uint64_t> masks_;        // occupied cells of each block of the root
  std::vector<std::uint64_t> owned_;        // those of them that a plane owns
  std::vector<std::uint32_t> block_first_;  // their first cell
  std::vector<std::int32_t> local_;         // 6x6x6: cells that a plane owns, or -1
  std::vector<std::int16_t> local_used_;
  std::vector<PlaneBorder> borders_;
  std::vector<std::int32_t> border_of_, next_border_;  // lists by the lower plane
  GrowBuffer<double> means_;
  std::vector<std::uint8_t> has_mean_;
  std::vector<std::uint16_t> around_;
  std::vector<std::uint32_t> first_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_NEIGHBOURS_H_
