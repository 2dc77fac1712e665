// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_SPECKLES_H_
#define RDP_COMMON_STEREO_SPECKLES_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"

namespace rdp::stereo {

// Neighbours of a row that belong together: a run of columns [first, end).
struct SpeckleRun {
  std::uint32_t parent;  // a run of the same component that comes no later; itself: the root
  std::uint32_t size;    // of a root: the component's pixels
  std::uint16_t first;
  std::uint16_t end;
};

// What remove_speckles() works in.
struct SpeckleScratch {
  GrowBuffer<SpeckleRun> runs;
  GrowBuffer<std::uint32_t> rows;  // the first run of each row

  // Every pixel may be a run of its own; memory of runs that there are not is never touched.
  static std::size_t most_runs(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  void prepare(int width, int height) {
    runs.ensure(most_runs(width, height));
    rows.ensure(static_cast<std::size_t>(height) + 1);
  }
};

// See reference::remove_speckles(). Runs of neighbours are joined from row to row (union-find, C.
// A. R. Hoare's and others', as in R. E. Tarjan, JACM 22 (2), 1975, with path halving).
void remove_speckles(const MutableDepthView& disparity, int size, int range,
                     SpeckleScratch* scratch);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_SPECKLES_H_
