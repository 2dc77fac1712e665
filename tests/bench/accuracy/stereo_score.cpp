// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/accuracy/stereo_score.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace rdp::bench {
namespace {

bool is_wrong(std::uint16_t disparity, double truth) {
  const double off = std::fabs(disparity / 256.0 - truth);
  return off > 3.0 && off > 0.05 * truth;
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// False: the row has no known pixels.
bool fill_row(std::span<std::uint16_t> row) {
  std::uint16_t before = 0;
  for (std::size_t first = 0; first < row.size();) {
    if (row[first] != 0) {
      before = row[first++];
      continue;
    }
    std::size_t end = first;
    while (end < row.size() && row[end] == 0) ++end;
    const std::uint16_t after = end < row.size() ? row[end] : before;
    if (before == 0 && after == 0) return false;
    const std::uint16_t value = before == 0 ? after : std::min(before, after);
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(first),
              row.begin() + static_cast<std::ptrdiff_t>(end), value);
    first = end;
  }
  return true;
}

}  // namespace

void fill_unknown(std::vector<std::uint16_t>* disparity, int width) {
  const auto columns = static_cast<std::size_t>(width);
  const std::size_t rows = disparity->size() / columns;
  const auto row_at = [&](std::size_t row) {
    return std::span(*disparity).subspan(row * columns, columns);
  };
  const auto copy = [&](std::size_t from, std::size_t to) {
    std::copy(row_at(from).begin(), row_at(from).end(), row_at(to).begin());
  };
  std::size_t unfilled = 0;  // rows at the top
  for (std::size_t row = 0; row < rows; ++row) {
    const bool filled = fill_row(row_at(row));
    if (unfilled == row && !filled) {
      ++unfilled;
    } else if (!filled) {
      copy(row - 1, row);
    }
  }
  for (std::size_t row = 0; unfilled < rows && row < unfilled; ++row) copy(unfilled, row);
}

StereoScore score_disparity(const std::vector<std::uint16_t>& disparity,
                            const std::vector<double>& truth, int width) {
  std::vector<std::uint16_t> filled = disparity;
  fill_unknown(&filled, width);
  std::size_t true_pixels = 0;
  std::size_t known = 0;
  std::size_t known_wrong = 0;
  std::size_t filled_wrong = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] == 0.0) continue;
    ++true_pixels;
    if (disparity[i] != 0) {
      ++known;
      known_wrong += is_wrong(disparity[i], truth[i]) ? 1 : 0;
    }
    filled_wrong += is_wrong(filled[i], truth[i]) ? 1 : 0;
  }
  return {percent(known, true_pixels), percent(known_wrong, known),
          percent(filled_wrong, true_pixels)};
}

}  // namespace rdp::bench
