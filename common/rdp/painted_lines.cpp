// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/painted_lines.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rdp {

bool place_spot(double x, double y, const FramePlacement& placement, Spot* spot) {
  constexpr double kLeast = -4096.0;  // px, beyond which nothing is seen
  constexpr double kMost = 20480.0;
  const auto placed = [](double v, double scale, double offset) {
    return std::floor((v + 0.5) * scale + offset);
  };
  const double column = placed(x, placement.scale_x, placement.offset_x);
  const double row = placed(y, placement.scale_y, placement.offset_y);
  // Written so that NaN is left out.
  if (!(column >= kLeast && column <= kMost && row >= kLeast && row <= kMost)) return false;
  *spot = {static_cast<int>(column), static_cast<int>(row)};
  return true;
}

void PaintedLines::add(Spot from, Spot to, Pixel colour, int thickness, int before) {
  lines_.push_back(
      {{from.x - before, from.y - before, to.x - before, to.y - before}, colour, thickness});
}

void PaintedLines::paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order,
                         int first_row, int end_row) const {
  for (const PaintedLine& line : lines_) {
    const PaintedEdge& edge = line.edge;
    const auto [top, bottom] = std::minmax(edge.y0, edge.y1);
    const auto [left, right] = std::minmax(edge.x0, edge.x1);
    if (bottom + line.thickness <= first_row || top >= end_row) continue;
    if (right + line.thickness <= 0 || left >= picture.width) continue;
    const Pixel colour = ordered_pixel(line.colour, alpha, order);
    const int steps = edge_steps(edge);
    for (int i = 0; i <= steps; ++i) {
      const int x = along_edge(edge.x0, edge.x1, i, steps);
      const int y = along_edge(edge.y0, edge.y1, i, steps);
      for (int row = std::max(y, first_row); row < std::min(y + line.thickness, end_row); ++row) {
        std::byte* to = picture.data + row * picture.stride;
        for (int c = std::max(x, 0); c < std::min(x + line.thickness, picture.width); ++c) {
          std::memcpy(to + 4 * static_cast<std::ptrdiff_t>(c), &colour, sizeof colour);
        }
      }
    }
  }
}

}  // namespace rdp
