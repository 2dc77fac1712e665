// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/speckles.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace rdp::stereo {
namespace {

std::uint32_t root_of(SpeckleRun* runs, std::uint32_t run) {
  while (runs[run].parent != run) {
    runs[run].parent = runs[runs[run].parent].parent;
    run = runs[run].parent;
  }
  return run;
}

void join(SpeckleRun* runs, std::uint32_t a, std::uint32_t b) {
  a = root_of(runs, a);
  b = root_of(runs, b);
  if (a == b) return;
  if (a > b) std::swap(a, b);
  runs[b].parent = a;
  runs[a].size += runs[b].size;
}

int sample(const std::byte* row, int column) {
  std::uint16_t value;
  std::memcpy(&value, row + 2 * static_cast<std::ptrdiff_t>(column), sizeof value);
  return value;
}

}  // namespace

void remove_speckles(const MutableDepthView& disparity, int size, int range,
                     SpeckleScratch* scratch) {
  if (size <= 1) return;
  const int width = disparity.width;
  scratch->prepare(width, disparity.height);
  SpeckleRun* const runs = scratch->runs.data();
  std::uint32_t* const rows = scratch->rows.data();
  std::uint32_t count = 0;
  for (int row = 0; row < disparity.height; ++row) {
    rows[row] = count;
    const std::byte* const here = disparity.row(row);
    for (int column = 0; column < width;) {
      int value = sample(here, column);
      if (value == 0) {
        ++column;
        continue;
      }
      const int first = column;
      for (++column; column < width; ++column) {
        const int next = sample(here, column);
        if (next == 0 || std::abs(next - value) > range) break;
        value = next;
      }
      runs[count] = {count, static_cast<std::uint32_t>(column - first),
                     static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(column)};
      ++count;
    }
    if (row == 0) continue;
    // Runs that have neighbours of each other.
    const std::byte* const above = disparity.row(row - 1);
    std::uint32_t upper = rows[row - 1];
    for (std::uint32_t run = rows[row]; run < count; ++run) {
      while (upper < rows[row] && runs[upper].end <= runs[run].first) ++upper;
      for (std::uint32_t other = upper; other < rows[row] && runs[other].first < runs[run].end;
           ++other) {
        const int end = std::min(runs[run].end, runs[other].end);
        for (int column = std::max(runs[run].first, runs[other].first); column < end; ++column) {
          if (std::abs(sample(here, column) - sample(above, column)) > range) continue;
          join(runs, run, other);
          break;
        }
      }
    }
  }
  rows[disparity.height] = count;
  for (int row = 0; row < disparity.height; ++row) {
    for (std::uint32_t run = rows[row]; run < rows[row + 1]; ++run) {
      if (runs[root_of(runs, run)].size >= static_cast<std::uint32_t>(size)) continue;
      std::memset(disparity.row(row) + 2 * static_cast<std::ptrdiff_t>(runs[run].first), 0,
                  2 * static_cast<std::size_t>(runs[run].end - runs[run].first));
    }
  }
}

}  // namespace rdp::stereo
