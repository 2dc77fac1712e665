// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_COST_TILES_H_
#define RDP_COMMON_HEIGHTMAP_COST_TILES_H_

#include <cstddef>
#include <cstdint>

#include "common/heightmap/geometry.h"
#include "common/heightmap/message_layout.h"
#include "common/heightmap/parameters.h"
#include "common/image/grow_buffer.h"

namespace rdp::heightmap {

// Columns of a row per block of places, by view and plane; the last block is padded.
inline constexpr int kPlaceBlock = 16;
inline std::ptrdiff_t place_blocks(int width) { return (width + kPlaceBlock - 1) / kPlaceBlock; }

// Maximum columns of a tile, a multiple of kPlaceBlock: its sums, border columns included, fit the
// L2 cache.
inline constexpr int kTileColumns = 112;

// Census value for places outside another view, stored before its first pixel (index kOutside).
inline constexpr std::uint32_t kOutsideCensus = std::uint32_t{1} << 31;

// The inputs of the costs of all pixels. See reference::costs().
struct CostField {
  const Geometry* geometry = nullptr;
  Parameters parameters;
  const Plane* planes = nullptr;             // of the heights, then the low ones
  const std::int32_t* potential = nullptr;   // by pixel
  const std::uint32_t* of = nullptr;         // the census of the reference, by pixel
  const std::uint32_t* const* in = nullptr;  // of each other view; element -1 is kOutsideCensus
  // Places of place_rows(), by row and block; null: recomputed.
  const std::int32_t* table = nullptr;
  MessageLayout layout;
  std::uint8_t* costs = nullptr;  // in the order of `layout`

  int views() const { return static_cast<int>(geometry->others.size()); }
  int plane_count() const { return parameters.heights() + parameters.low_heights(); }
};

// A part of the reference picture. `left` is a multiple of kPlaceBlock.
struct Tile {
  int left, right;  // columns [left, right)
  int top, bottom;
};

// Maximum difference of the potential within one row of a tile and its border columns.
int most_spread(const std::int32_t* potential, int width, int height, int window);

// Bytes of tile_costs()' scratch. `spread`: most_spread().
std::size_t tile_scratch(const Parameters& parameters, int views, int spread);

// Fills the costs of a tile. `scratch` is aligned like a GrowBuffer.
//
// Window sums are box sums. The flat windows of low heights are boxes already. An upright window
// with centre p takes the label l + F(q) - F(p) at its pixel q, where F is the potential. In
// coordinates j = l - F(p) this label is j + F(q) for all windows: a box again. A row stores the j
// that its pixels need; beyond them every pixel has its first or last label.
void tile_costs(const CostField& field, const Tile& tile, int spread, std::byte* scratch);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_COST_TILES_H_
