// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_SPECKLES_H_
#define RDP_COMMON_IMAGE_SPECKLES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"

// Small components of neighbours with similar values. Runs of neighbours are joined from row to row
// (union-find, C. A. R. Hoare's and others', as in R. E. Tarjan, JACM 22 (2), 1975, with path
// halving).
namespace rdp {

// Neighbours of a row that belong together: a run of columns [first, end).
struct SpeckleRun {
  std::uint32_t parent;  // a run of the same component that comes no later; itself: the root
  std::uint32_t size;    // of a root: the component's pixels
  std::uint16_t first;
  std::uint16_t end;
};

// Scratch memory of remove_small_components().
struct SpeckleScratch {
  GrowBuffer<SpeckleRun> runs;
  GrowBuffer<std::uint32_t> rows;  // the first run of each row

  // In the worst case every pixel is a run of its own; memory of unused runs is never touched.
  static std::size_t most_runs(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  void prepare(int width, int height) {
    runs.ensure(most_runs(width, height));
    rows.ensure(static_cast<std::size_t>(height) + 1);
  }
};

inline std::uint32_t root_of(SpeckleRun* runs, std::uint32_t run) {
  while (runs[run].parent != run) {
    runs[run].parent = runs[runs[run].parent].parent;
    run = runs[run].parent;
  }
  return run;
}

inline void join_runs(SpeckleRun* runs, std::uint32_t a, std::uint32_t b) {
  a = root_of(runs, a);
  b = root_of(runs, b);
  if (a == b) return;
  if (a > b) std::swap(a, b);
  runs[b].parent = a;
  runs[a].size += runs[b].size;
}

// True for values that differ by at most `range`.
struct WithinRange {
  bool operator()(int a, int b) const { return std::abs(a - b) <= range; }
  int range;
};

// Erases connected components of fewer than `size` pixels and returns the number of erased pixels.
// 4-neighbours belong together if alike(a, b) is true for their values. Picture has
//   Row row(int) const;                           int Row::operator()(int column) const: the value
//   bool is_known(int value) const;
//   void erase(int row, int first, int end) const;
template <typename Picture, typename Alike>
std::int64_t remove_small_components(const Picture& picture, int width, int height, int size,
                                     const Alike& alike, SpeckleScratch* scratch) {
  if (size <= 1) return 0;
  scratch->prepare(width, height);
  SpeckleRun* const runs = scratch->runs.data();
  std::uint32_t* const rows = scratch->rows.data();
  std::uint32_t count = 0;
  for (int row = 0; row < height; ++row) {
    rows[row] = count;
    const auto here = picture.row(row);
    for (int column = 0; column < width;) {
      int value = here(column);
      if (!picture.is_known(value)) {
        ++column;
        continue;
      }
      const int first = column;
      for (++column; column < width; ++column) {
        const int next = here(column);
        if (!picture.is_known(next) || !alike(next, value)) break;
        value = next;
      }
      runs[count] = {count, static_cast<std::uint32_t>(column - first),
                     static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(column)};
      ++count;
    }
    if (row == 0) continue;
    // Joins each run with the runs above it that touch it and are alike.
    const auto above = picture.row(row - 1);
    std::uint32_t upper = rows[row - 1];
    for (std::uint32_t run = rows[row]; run < count; ++run) {
      while (upper < rows[row] && runs[upper].end <= runs[run].first) ++upper;
      for (std::uint32_t other = upper; other < rows[row] && runs[other].first < runs[run].end;
           ++other) {
        const int end = std::min(runs[run].end, runs[other].end);
        for (int column = std::max(runs[run].first, runs[other].first); column < end; ++column) {
          if (!alike(here(column), above(column))) continue;
          join_runs(runs, run, other);
          break;
        }
      }
    }
  }
  rows[height] = count;
  std::int64_t removed = 0;
  for (int row = 0; row < height; ++row) {
    for (std::uint32_t run = rows[row]; run < rows[row + 1]; ++run) {
      if (runs[root_of(runs, run)].size >= static_cast<std::uint32_t>(size)) continue;
      picture.erase(row, runs[run].first, runs[run].end);
      removed += runs[run].end - runs[run].first;
    }
  }
  return removed;
}

// The same for 16-bit samples, where 0 is unknown: see reference::remove_speckles().
template <typename Alike>
std::int64_t remove_speckles(const MutableDepthView& frame, int size, const Alike& alike,
                             SpeckleScratch* scratch) {
  struct Row {
    int operator()(int column) const {
      std::uint16_t value;
      std::memcpy(&value, samples + 2 * static_cast<std::ptrdiff_t>(column), sizeof value);
      return value;
    }
    const std::byte* samples;
  };
  struct Picture {
    Row row(int number) const { return {frame.row(number)}; }
    bool is_known(int value) const { return value != 0; }
    void erase(int number, int first, int end) const {
      std::memset(frame.row(number) + 2 * static_cast<std::ptrdiff_t>(first), 0,
                  2 * static_cast<std::size_t>(end - first));
    }
    MutableDepthView frame;
  };
  return remove_small_components(Picture{frame}, frame.width, frame.height, size, alike, scratch);
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_SPECKLES_H_
