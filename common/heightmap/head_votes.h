// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_HEAD_VOTES_H_
#define RDP_COMMON_HEIGHTMAP_HEAD_VOTES_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/heightmap/geometry.h"
#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/image/grow_buffer.h"

namespace rdp::heightmap {

// Finds heads like reference::heads(): sorts votes by cell, then computes scores one row of cells
// after the other.
class HeadFinder {
 public:
  // Bytes that prepare() asks for.
  static std::size_t memory_of(std::size_t pixels, int least);
  // Prepares for pictures of `pixels` pixels. `least`: minimum votes of a head, at least 1.
  void prepare(std::size_t pixels, int least);

  // `planes`: of the heights. The result is valid until the next call.
  std::span<const Head> find(const Geometry& geometry, const Plane* planes,
                             const Parameters& parameters, const Area& area,
                             const std::uint8_t* labels);

 private:
  // A vote for a cell (head_cell()). Sorted by cell, then by pixel.
  struct Vote {
    std::uint32_t cell;
    std::uint32_t pixel;
  };
  // A cell with votes, from `first` to the next cell's first.
  struct Cell {
    std::uint32_t cell;
    std::uint32_t first;
  };

  std::size_t cast_votes(const Geometry& geometry, const Plane* planes, int unknown,
                         const std::uint8_t* labels);
  void sort_votes(std::size_t count);
  const Cell* cells_from(std::uint32_t cell) const;
  const std::int32_t* score_row(int row);
  bool is_head(int row, int column, std::int32_t score);
  Head head_at(int row, int column, const Geometry& geometry, const Plane* planes,
               const Parameters& parameters, const std::uint8_t* labels) const;

  int least_ = 1;
  GrowBuffer<Vote> votes_;
  GrowBuffer<Vote> sorted_;
  GrowBuffer<Cell> cells_;
  std::size_t cell_count_ = 0;
  GrowBuffer<std::int32_t> scores_;  // of some rows, in a ring
  GrowBuffer<Head> heads_;
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_HEAD_VOTES_H_
