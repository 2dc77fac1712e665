// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/head_votes.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/heightmap/area.h"
#include "common/heightmap/head_cells.h"

namespace rdp::heightmap {
namespace {

// Rows of scores that a head is compared with.
constexpr int kRing = 2 * kHeadLook + 1;
// Layout of a row of the ring: its number, the range of its scores, the scores.
constexpr std::ptrdiff_t kRowNumber = 0;
constexpr std::ptrdiff_t kRowFirst = 1;
constexpr std::ptrdiff_t kRowEnd = 2;
constexpr std::ptrdiff_t kRowScores = 16;
constexpr std::ptrdiff_t kRowSize = kRowScores + kHeadCells;

}  // namespace

std::size_t HeadFinder::memory_of(std::size_t pixels, int least) {
  return (2 * pixels * sizeof(Vote)) + ((pixels + 1) * sizeof(Cell)) +
         (static_cast<std::size_t>(kRing * kRowSize) * sizeof(std::int32_t)) +
         (most_heads(pixels, least) * sizeof(Head));
}

void HeadFinder::prepare(std::size_t pixels, int least) {
  least_ = least;
  votes_.ensure(pixels);
  sorted_.ensure(pixels);
  cells_.ensure(pixels + 1);
  std::int32_t* const scores = scores_.ensure(static_cast<std::size_t>(kRing * kRowSize));
  std::memset(scores, 0, static_cast<std::size_t>(kRing * kRowSize) * sizeof(std::int32_t));
  heads_.ensure(most_heads(pixels, least));
}

std::size_t HeadFinder::cast_votes(const Geometry& geometry, const Plane* planes, int unknown,
                                   const std::uint8_t* labels) {
  Vote* const votes = votes_.data();
  std::size_t count = 0;
  std::uint32_t pixel = 0;
  for (int row = 0; row < geometry.height; ++row) {
    for (int column = 0; column < geometry.width; ++column, ++pixel) {
      const int label = labels[pixel];
      if (label == unknown) continue;
      int x = 0;
      int y = 0;
      if (!ground_of(planes[label], column, row, &x, &y)) continue;
      votes[count++] = {head_cell_at(x, y), pixel};
    }
  }
  return count;
}

// Stable radix sort by cell.
void HeadFinder::sort_votes(std::size_t count) {
  constexpr int kBits = 11;
  constexpr std::uint32_t kDigits = 1 << kBits;
  Vote* from = votes_.data();
  Vote* to = sorted_.data();
  for (int shift = 0; shift < 32; shift += kBits) {
    std::uint32_t places[kDigits] = {};
    const auto digit = [shift](const Vote& vote) { return vote.cell >> shift & (kDigits - 1); };
    for (std::size_t i = 0; i < count; ++i) ++places[digit(from[i])];
    std::uint32_t sum = 0;
    for (std::uint32_t& place : places) sum += std::exchange(place, sum);
    for (std::size_t i = 0; i < count; ++i) to[places[digit(from[i])]++] = from[i];
    std::swap(from, to);
  }
  // After an odd number of passes the result is in sorted_.
  Cell* const cells = cells_.data();
  cell_count_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && from[i].cell == from[i - 1].cell) continue;
    cells[cell_count_++] = {from[i].cell, static_cast<std::uint32_t>(i)};
  }
  cells[cell_count_] = {UINT32_MAX, static_cast<std::uint32_t>(count)};
}

// The first cell with votes at or after `cell`; a sentinel ends the list.
const HeadFinder::Cell* HeadFinder::cells_from(std::uint32_t cell) const {
  return std::lower_bound(cells_.data(), cells_.data() + cell_count_, cell,
                          [](const Cell& a, std::uint32_t b) { return a.cell < b; });
}

// The scores of a row, by column.
const std::int32_t* HeadFinder::score_row(int row) {
  std::int32_t* const place = scores_.data() + row % kRing * kRowSize;
  std::int32_t* const scores = place + kRowScores;
  if (place[kRowNumber] == row) return scores;
  std::fill(scores + place[kRowFirst], scores + place[kRowEnd], 0);
  place[kRowNumber] = row;
  int first = kHeadCells;
  int end = 0;
  for (int dv = -kHeadLook; dv <= kHeadLook; ++dv) {
    const int reach = head_reach(dv, kHeadReach);
    if (reach < 0) continue;
    for (const Cell* cell = cells_from(head_cell(row + dv, 0));
         head_cell_row(cell->cell) == row + dv; ++cell) {
      const int column = head_cell_column(cell->cell);
      const auto count = static_cast<std::int32_t>(cell[1].first - cell->first);
      for (int u = column - reach; u <= column + reach; ++u) scores[u] += count;
      first = std::min(first, column - reach);
      end = std::max(end, column + reach + 1);
    }
  }
  place[kRowFirst] = std::min(first, end);
  place[kRowEnd] = end;
  return scores;
}

// True if no nearby score is greater, and no equal one comes first.
bool HeadFinder::is_head(int row, int column, std::int32_t score) {
  for (int dv = -kHeadLook; dv <= kHeadLook; ++dv) {
    const int reach = head_reach(dv, kHeadApart);
    const std::int32_t* const scores = score_row(row + dv);
    for (int du = -reach; du <= reach; ++du) {
      const std::int32_t other = scores[column + du];
      if (other > score || (other == score && (dv < 0 || (dv == 0 && du < 0)))) return false;
    }
  }
  return true;
}

Head HeadFinder::head_at(int row, int column, const Geometry& geometry, const Plane* planes,
                         const Parameters& parameters, const std::uint8_t* labels) const {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t count = 0;
  std::uint32_t votes[kMaxHeights] = {};
  std::uint32_t first[kMaxHeights];
  std::fill_n(first, kMaxHeights, UINT32_MAX);
  const auto width = static_cast<std::uint32_t>(geometry.width);
  for (int dv = -kHeadLook; dv <= kHeadLook; ++dv) {
    const int reach = head_reach(dv, kHeadReach);
    if (reach < 0) continue;
    const std::uint32_t last = head_cell(row + dv, column + reach);
    for (const Cell* cell = cells_from(head_cell(row + dv, column - reach)); cell->cell <= last;
         ++cell) {
      for (std::uint32_t i = cell->first; i < cell[1].first; ++i) {
        const std::uint32_t pixel = sorted_.data()[i].pixel;
        const int label = labels[pixel];
        int vote_x = 0;
        int vote_y = 0;
        ground_of(planes[label], static_cast<int>(pixel % width), static_cast<int>(pixel / width),
                  &vote_x, &vote_y);
        x += vote_x;
        y += vote_y;
        ++count;
        ++votes[label];
        first[label] = std::min(first[label], pixel);
      }
    }
  }
  const std::int64_t rank = head_rank(count);
  int label = parameters.heights() - 1;
  for (std::int64_t above = votes[label]; above < rank; above += votes[label]) --label;
  Head head{static_cast<int>(first[label] % width),
            static_cast<int>(first[label] / width),
            mean_place(x, count),
            mean_place(y, count),
            parameters.height_of(label),
            static_cast<int>(count)};
  move_behind_front(geometry.eye, head.height, &head.x, &head.y);
  return head;
}

std::span<const Head> HeadFinder::find(const Geometry& geometry, const Plane* planes,
                                       const Parameters& parameters, const Area& area,
                                       const std::uint8_t* labels) {
  sort_votes(cast_votes(geometry, planes, parameters.heights(), labels));
  for (int i = 0; i < kRing; ++i) scores_.data()[i * kRowSize + kRowNumber] = -1;
  std::size_t heads = 0;
  // Rows of cells that have a score, and in each the columns: those near cells with votes.
  constexpr int kNear = head_reach(0, kHeadReach);
  int row = 0;
  for (;;) {
    const Cell* const next = cells_from(head_cell(std::max(row - kNear, 0), 0));
    if (next == cells_.data() + cell_count_) break;
    row = std::max(row, head_cell_row(next->cell) - kNear);
    const Cell* around[2 * kNear + 1];
    for (int i = 0; i <= 2 * kNear; ++i) around[i] = cells_from(head_cell(row - kNear + i, 0));
    for (int column = 0;;) {
      int nearest = kHeadCells;
      for (int i = 0; i <= 2 * kNear; ++i) {
        const Cell*& cell = around[i];
        const int its = row - kNear + i;
        while (head_cell_row(cell->cell) == its && head_cell_column(cell->cell) + kNear < column)
          ++cell;
        if (head_cell_row(cell->cell) != its) continue;
        nearest = std::min(nearest, std::max(column, head_cell_column(cell->cell) - kNear));
      }
      if (nearest == kHeadCells) break;
      const std::int32_t score = score_row(row)[nearest];
      if (score >= least_ && is_head(row, nearest, score)) {
        const Head head = head_at(row, nearest, geometry, planes, parameters, labels);
        if (contains(area, head.x, head.y)) heads_.data()[heads++] = head;
      }
      column = nearest + 1;
    }
    ++row;
  }
  return {heads_.data(), heads};
}

}  // namespace rdp::heightmap
