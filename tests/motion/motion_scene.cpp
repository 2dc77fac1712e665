// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/motion/motion_scene.h"

#include <algorithm>
#include <cmath>

namespace rdp::motion::test {
namespace {

constexpr int kHalf = 2;  // rows of a segment above and below its point

double value_of(double z, const Camera& camera, const Values& values) {
  const double measure =
      values.measures == Measure::kDisparity ? camera.focal_x * camera.baseline / z : z;
  const double sample = (measure - values.offset) / values.unit;
  return values.inverse_scale > 0.0 ? values.inverse_scale / sample : sample;
}

}  // namespace

void Scene::add_grid(int columns, int rows, double near, double far, const Point& velocity) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const double u = (j + 0.5) * width / columns;
      const double v = (i + 0.5) * height / rows;
      const double z = near + (far - near) * ((7 * i + 13 * j) % 17) / 16.0;
      points.push_back({{(u - camera.principal_x) * z / camera.focal_x,
                         (v - camera.principal_y) * z / camera.focal_y, z},
                        velocity});
    }
  }
}

void Scene::add_board(double column, double row, int columns, int rows, double step, double z,
                      const Point& velocity) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const double u = column + (j - 0.5 * (columns - 1)) * step;
      const double v = row + (i - 0.5 * (rows - 1)) * step;
      points.push_back({{(u - camera.principal_x) * z / camera.focal_x,
                         (v - camera.principal_y) * z / camera.focal_y, z},
                        velocity});
    }
  }
}

SceneFrame Scene::frame(double seconds, const Pose& pose, std::uint32_t age) const {
  struct Seen {
    int column;
    Segment segment;
    std::size_t point;
  };
  std::vector<Seen> seen;
  SceneFrame out;
  const Pose from_world = pose_between({}, pose);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& p = points[i].place;
    const Point& v = points[i].velocity;
    const Point at =
        transform(from_world, {p.x + v.x * seconds, p.y + v.y * seconds, p.z + v.z * seconds});
    if (at.z <= 0.01) continue;
    const double x = camera.focal_x * at.x / at.z + camera.principal_x;
    const double y = camera.focal_y * at.y / at.z + camera.principal_y;
    if (!(x >= 0.0 && x <= width - 1.0 && y >= 0.0 && y <= height - 1.0)) continue;
    out.tracks.push_back({static_cast<std::uint32_t>(i + 1), age, static_cast<float>(x),
                          static_cast<float>(y), 0.0F, 0.0F, 1.0F, 10.0F});
    const int row = static_cast<int>(y + 0.5);
    const auto value = static_cast<float>(value_of(at.z, camera, values));
    seen.push_back({static_cast<int>(x + 0.5) / column_width,
                    {static_cast<std::uint16_t>(std::max(row - kHalf, 0)),
                     static_cast<std::uint16_t>(std::min(row + kHalf, height - 1)), value, value},
                    i});
  }
  std::stable_sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
    return a.column != b.column ? a.column < b.column : a.segment.first_row < b.segment.first_row;
  });
  out.offsets.push_back(0);
  for (int c = 0; c * column_width < width; ++c) {
    int free_row = 0;  // of overlapping points the upper one is visible
    for (const Seen& s : seen) {
      if (s.column != c || s.segment.first_row < free_row) continue;
      free_row = s.segment.last_row + 1;
      out.segments.push_back(s.segment);
      out.point_of.push_back(s.point);
    }
    out.offsets.push_back(static_cast<std::uint32_t>(out.segments.size()));
  }
  out.rest.width = width;
  out.rest.height = height;
  out.rest.column_width = column_width;
  out.rest.values = values;
  out.rest.pts = static_cast<std::uint64_t>(std::llround(seconds * 1e9)) + 1000;
  out.rest.has_camera = true;
  out.rest.camera = camera;
  out.rest.has_pose = true;
  out.rest.pose = pose;
  return out;
}

Pose turned_pose(double angle, const Point& place) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {{c, 0, s, place.x, 0, 1, 0, place.y, -s, 0, c, place.z}};
}

}  // namespace rdp::motion::test
