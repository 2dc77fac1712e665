// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_RUNS_H_
#define RDP_COMMON_PLANES_CLOUDS_RUNS_H_

#include <cstddef>
#include <cstdint>

#include "common/planes/clouds/points.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/moments.h"

// SIMD code for the points of a cell, which are a run of packed points.
namespace rdp::planes {

// The corner of a cell.
struct CellCorner {
  std::int32_t at[3];

  CellCorner(const CloudRules& rules, std::uint32_t key) {
    for (int k = 0; k < 3; ++k) at[k] = row_start(rules, gather_bits(key >> k));
  }
};

// A plane that a point of a cell may belong to.
struct CellCandidate {
  CellPlaneView plane;
  std::uint16_t number;  // above 0
};

// Functions for this machine, looked up once: runs are short.
struct RunFunctions {
  // Sums over points, from the corner of their cell.
  void (*sum)(const std::uint64_t* packed, std::size_t count, int part, Moments* moments);
  // Sums over those of them that have this number.
  void (*sum_numbered)(const std::uint64_t* packed, const std::uint16_t* numbers, std::size_t count,
                       int part, std::uint16_t number, Moments* moments);
  // Gives each point the number of the nearest plane within its limit, the first of equals, or 0.
  // Returns true if all points got the same number.
  bool (*label)(const std::uint64_t* packed, std::size_t count, int part,
                const CellCandidate* candidates, int candidate_count, std::uint16_t* numbers);
};
RunFunctions run_functions();

// Converts sums relative to a corner to sums relative to the middle of the cloud.
Moments translated(const Moments& moments, const CellCorner& corner);

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_RUNS_H_
