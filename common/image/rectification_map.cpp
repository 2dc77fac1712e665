// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/rectification_map.h"

#include <cstddef>

#include "common/image/lens_reach.h"

namespace rdp {
namespace {

// Rounds to 1/32 px, halves up; false outside of 0 to `last`.
bool to_map(double position, int last, std::int32_t* result) {
  const double steps = position * kMapOne + 0.5;
  if (!(steps >= 0.0) || !(steps < static_cast<double>(last) * kMapOne + 1.0)) return false;
  *result = static_cast<std::int32_t>(steps);
  return true;
}

}  // namespace

RectificationMap rectification_map(const ViewRectification& view, int width, int height) {
  RectificationMap map;
  map.width = width;
  map.height = height;
  const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  map.points.resize(pixels);
  map.mask.resize(pixels);
  const Matrix3 to_camera = transposed(view.rotation);
  std::size_t i = 0;
  for (int row = 0; row < height; ++row) {
    const double y = (row - view.rectified.principal_y) / view.rectified.focal_y;
    for (int column = 0; column < width; ++column, ++i) {
      const double x = (column - view.rectified.principal_x) / view.rectified.focal_x;
      Vector3 ray = multiply(to_camera, Vector3{x, y, 1.0});
      double seen_x, seen_y;
      MapPoint point;
      const auto in_picture = [&] {
        return to_map(seen_x, width - 1, &point.x) && to_map(seen_y, height - 1, &point.y);
      };
      const bool known = pixel_of_point(ray[0], ray[1], ray[2], view.camera, &seen_x, &seen_y);
      const bool seen = known && in_picture();
      map.points[i] = seen ? point : MapPoint{kNotSeen, 0};
      map.mask[i] = seen ? 255 : 0;
      if (!known && pull_into_model(view.camera.distortion, &ray[0], &ray[1], ray[2]) &&
          pixel_of_point(ray[0], ray[1], ray[2], view.camera, &seen_x, &seen_y) && in_picture()) {
        ++map.cut;
      }
    }
  }
  return map;
}

void rectify_rows(const DepthView& picture, const RectificationMap& map, int first_row, int end_row,
                  const MutableDepthView& out) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(picture.data);
  const std::ptrdiff_t stride = picture.stride;
  const std::int32_t last_x = picture.width - 1;
  const std::int32_t last_y = picture.height - 1;
  for (int row = first_row; row < end_row; ++row) {
    const MapPoint* from = &map.points[static_cast<std::size_t>(row) * map.width];
    auto* to = reinterpret_cast<std::uint8_t*>(out.row(row));
    for (int column = 0; column < map.width; ++column) {
      const MapPoint point = from[column];
      if (point.x == kNotSeen) {
        to[column] = 0;
        continue;
      }
      const std::int32_t x = point.x >> 5;
      const std::int32_t y = point.y >> 5;
      const std::int32_t to_right = point.x & 31;
      const std::int32_t down = point.y & 31;
      const std::uint8_t* upper = data + y * stride + x;
      const std::uint8_t* lower = upper + (y < last_y ? stride : 0);
      const std::ptrdiff_t next = x < last_x ? 1 : 0;
      // Along the rows, then down them: the same whole number as the sum of four products.
      const std::int32_t above = 32 * upper[0] + to_right * (upper[next] - upper[0]);
      const std::int32_t below = 32 * lower[0] + to_right * (lower[next] - lower[0]);
      to[column] = static_cast<std::uint8_t>((32 * above + down * (below - above) + 512) >> 10);
    }
  }
}

}  // namespace rdp
