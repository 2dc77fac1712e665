// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_PATCH_H_
#define RDP_COMMON_KLT_PATCH_H_

#include <cstddef>
#include <cstdint>

#include "common/klt/picture.h"
#include "common/klt/registration.h"

// Registration of windows to patches, with SIMD: bit-identical to reference::register_track().
namespace rdp::klt {

// Maximum rows and columns of a window's blocks: offsets from a block's middle, times a gradient,
// fit 16 bits.
inline constexpr int kBlockSide = 16;
inline constexpr int kPatchPairs = kBlockSide * kBlockSide / 2;  // of a block, at most
inline constexpr int kPatchLanes = 8;                            // most pairs of a vector

// The samples of a window in the order of patches: block by block, each in pairs of a sample and
// the one below it, row by row. Whole vectors: numbers beyond a block are 0.
struct PatchGrid {
  struct Block {
    int first;  // pair
    int end;    // a multiple of kPatchLanes from the first
    int u;      // of the offset 0: u = 2 column + this, v = 2 row + that
    int v;
  };

  // For windows of this side.
  void prepare(int side);

  int window = 0;
  int blocks = 0;
  Block block[4];
  alignas(64) std::int32_t u[4 * kPatchPairs];  // of both samples
  alignas(64) std::int32_t v[4 * kPatchPairs];  // of the upper one
  // Pairs of 16 bits: offsets from the middle of the block, and 1 where there is a sample.
  alignas(64) std::int16_t column[8 * kPatchPairs];
  alignas(64) std::int16_t row[8 * kPatchPairs];
  alignas(64) std::int16_t ones[8 * kPatchPairs];
  // The sample's place in the window; beyond a block, any.
  std::uint8_t window_row[8 * kPatchPairs];
  std::uint8_t window_column[8 * kPatchPairs];
};

// The number of pairs in a patch, and of its samples: intensities, then the two gradients.
std::size_t patch_pairs(int window);
inline std::size_t patch_numbers(int window) { return 6 * patch_pairs(window); }

struct PatchMemory {
  std::int16_t* samples;
  PatchEquations* equations;
};

// The inputs of a registration, beside the track.
struct PatchSearch {
  const LevelView* from;
  const LevelView* to;
  const PatchGrid* grid;
  StepRules rules;
};

// See reference::register_track().
Registered register_track(const PatchSearch& search, Place place, Place found, bool may_take,
                          TrackShape* shape, const PatchMemory& patch);

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_PATCH_H_
