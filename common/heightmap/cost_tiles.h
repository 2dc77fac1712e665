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

// Places are kept in blocks of so many columns of a row, the last one filled up: by view and plane.
inline constexpr int kPlaceBlock = 16;
inline std::ptrdiff_t place_blocks(int width) { return (width + kPlaceBlock - 1) / kPlaceBlock; }

// Columns of a tile, at most, a multiple of kPlaceBlock: with those around it whose windows reach
// into it, its sums stay in the second-level cache.
inline constexpr int kTileColumns = 112;

// The census before the first pixel of another view: what a place outside of it is taken for.
inline constexpr std::uint32_t kOutsideCensus = std::uint32_t{1} << 31;

// The inputs of the costs of all pixels. See reference::costs().
struct CostField {
  const Geometry* geometry = nullptr;
  Parameters parameters;
  const Plane* planes = nullptr;             // of the heights, then the low ones
  const std::int32_t* potential = nullptr;   // by pixel
  const std::uint32_t* of = nullptr;         // the census of the reference, by pixel
  const std::uint32_t* const* in = nullptr;  // of each other view; kOutsideCensus before the first
  // The places of place_rows(), by row and block; none: they are worked out anew.
  const std::int32_t* table = nullptr;
  MessageLayout layout;
  std::uint8_t* costs = nullptr;  // as `layout` says

  int views() const { return static_cast<int>(geometry->others.size()); }
  int plane_count() const { return parameters.heights() + parameters.low_heights(); }
};

// A part of the reference picture. `left` is a multiple of kPlaceBlock.
struct Tile {
  int left, right;  // columns [left, right)
  int top, bottom;
};

// By how much the potential of pixels of one row differs, at most, within a tile and the columns
// around it.
int most_spread(const std::int32_t* potential, int width, int height, int window);

// Bytes of the scratch of tile_costs(). `spread`: most_spread().
std::size_t tile_scratch(const Parameters& parameters, int views, int spread);

// Fills the costs of a tile. The scratch is aligned as a GrowBuffer's.
//
// The windows' sums are box sums. Of a low height that is so as it is. An upright window follows
// the potential F: at its pixel q it takes the label l + F(q) - F(p), where p is its middle. In
// coordinates j = l - F(p) that is j + F(q) for all windows: a box again. A row has those j that
// its pixels need; beyond them every pixel shows its first or its last label.
void tile_costs(const CostField& field, const Tile& tile, int spread, std::byte* scratch);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_COST_TILES_H_
