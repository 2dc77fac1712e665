// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/plain_costs.h"

#include <algorithm>
#include <cstring>

#include "common/heightmap/rules.h"
#include "common/image/carver.h"

namespace rdp::heightmap {
namespace {

struct PlainScratch {
  PlainScratch(int width, std::byte* memory) {
    Carver carver(memory);
    rows = carver.take<std::uint16_t>(static_cast<std::size_t>(width));
    mask = carver.take<std::uint8_t>(static_cast<std::size_t>(width));
    least = carver.take<std::uint8_t>(static_cast<std::size_t>(width));
    bytes = carver.used();
  }

  std::uint16_t* rows;
  std::uint8_t* mask;  // of a row's pixels of one colour: 1 if textureless
  std::uint8_t* least;
  std::size_t bytes;
};

// Counts, for each column, the consecutive rows up to the last added one that have one grey level
// across the column's window.
class PlainRows {
 public:
  PlainRows(const DepthView& picture, int reach, std::uint16_t* rows)
      : picture_(picture), reach_(reach), rows_(rows) {
    std::fill_n(rows_, picture_.width, std::uint16_t{0});
  }

  // Rows must be added in order.
  void add(int row) {
    const int width = picture_.width;
    const std::uint8_t* const greys = grey_row(row);
    int done = 0;
    int end = 0;
    // Every stretch of one grey level that is wide enough, at a border as well, has one of these
    // columns.
    for (int x = 0; x < width; x += reach_ + 1) {
      if (x < end) continue;
      int begin = x;
      end = x + 1;
      while (begin > 0 && greys[begin - 1] == greys[x]) --begin;
      while (end < width && greys[end] == greys[x]) ++end;
      const int from = begin == 0 ? 0 : begin + reach_;
      const int to = end == width ? width : end - reach_;
      if (from >= to) continue;
      std::fill(rows_ + done, rows_ + from, std::uint16_t{0});
      count(row, from, to);
      done = to;
    }
    std::fill(rows_ + done, rows_ + width, std::uint16_t{0});
    has_any_ = done > 0;
  }

  bool has_any() const { return has_any_; }
  int operator[](int column) const { return rows_[column]; }

 private:
  const std::uint8_t* grey_row(int row) const {
    return reinterpret_cast<const std::uint8_t*>(picture_.row(row));
  }
  void count(int row, int from, int to) {
    const std::uint8_t* const here = grey_row(row);
    const std::uint8_t* const above = grey_row(std::max(row - 1, 0));
    const auto most = static_cast<std::uint16_t>(2 * reach_ + 1);
    for (int x = from; x < to; ++x) {
      const bool goes_on = rows_[x] > 0 && here[x] == above[x];
      rows_[x] = goes_on ? std::min(most, static_cast<std::uint16_t>(rows_[x] + 1)) : 1;
    }
  }

  const DepthView& picture_;
  int reach_;
  std::uint16_t* rows_;
  bool has_any_ = false;
};

// For `count` pixels; `stride` from one label to the next.
void settle_costs(int heights, std::ptrdiff_t stride, int count, const std::uint8_t* mask,
                  std::uint8_t* least, std::uint8_t* costs) {
  std::fill_n(least, count, std::uint8_t{kMaxCost});
  for (int l = 0; l < heights; ++l, costs += stride) {
    for (int i = 0; i < count; ++i) {
      costs[i] = std::max(costs[i], mask[i]);
      least[i] = std::min(least[i], costs[i]);
    }
  }
  for (int i = 0; i < count; ++i) {
    if (mask[i] != 0) costs[i] = static_cast<std::uint8_t>(plain_unknown_cost(costs[i], least[i]));
  }
}

}  // namespace

void fill_unknown(int cost, const Tile& tile, const MessageLayout& layout, std::uint8_t* costs) {
  for (int row = tile.top; row < tile.bottom; ++row) {
    for (int odd = 0; odd < 2; ++odd) {
      const int colour = MessageLayout::even_colour(row) ^ odd;
      std::memset(
          costs + layout.costs(row, colour) + layout.heights * layout.stride + tile.left / 2, cost,
          static_cast<std::size_t>((tile.right - tile.left + 1 - odd) / 2));
    }
  }
}

std::size_t plain_scratch(int width) { return PlainScratch(width, nullptr).bytes; }

void fix_textureless_costs(const DepthView& picture, const Parameters& parameters, int first,
                           int end, const MessageLayout& layout, std::byte* memory,
                           std::uint8_t* costs) {
  const PlainScratch scratch(picture.width, memory);
  const int reach = plain_reach(parameters.window);
  const int last = picture.height - 1;
  PlainRows rows(picture, reach, scratch.rows);
  int added = std::max(first - reach, 0);
  for (int row = first; row < end; ++row) {
    const int lowest = std::min(row + reach, last);
    while (added <= lowest) rows.add(added++);
    if (!rows.has_any()) continue;
    const int wanted = lowest - std::max(row - reach, 0) + 1;
    for (int odd = 0; odd < 2; ++odd) {
      const int colour = MessageLayout::even_colour(row) ^ odd;
      const int count = layout.count(row, colour);
      int plain = 0;
      for (int i = 0; i < count; ++i) {
        scratch.mask[i] = rows[2 * i + odd] >= wanted ? kPlainCost : 0;
        plain += scratch.mask[i];
      }
      if (plain == 0) continue;
      settle_costs(layout.heights, layout.stride, count, scratch.mask, scratch.least,
                   costs + layout.costs(row, colour));
    }
  }
}

}  // namespace rdp::heightmap
