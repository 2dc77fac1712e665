// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_HEIGHTMAP_BLOCK_VIEWS_H_
#define RDP_TESTS_HEIGHTMAP_BLOCK_VIEWS_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/rig.h"
#include "common/image/depth_view.h"
#include "tests/heightmap/calibration_text.h"

// A textured block on textured ground, seen by cameras around it. In these small pictures some
// pixels get a height and some get none.
namespace rdp::test {

inline constexpr double kBlockHeight = 0.6;  // metres

// A camera that looks at the block from above, with its pose and the pose's matrix. Cameras 1, 2,
// ... stand alternately on both sides of camera 0.
struct BlockCamera {
  heightmap::View view;
  double pose[12];
  double focal, principal_x, principal_y;
};

inline BlockCamera block_camera(int index, int width, int height) {
  const double angle = (index % 2 == 1 ? 1.0 : -1.0) * ((index + 1) / 2) * 0.2;
  const double at[3] = {2.5 * std::sin(angle), -2.5 * std::cos(angle), 2.2 + 0.1 * index};
  double forward[3] = {-at[0], -at[1], 0.3 - at[2]};
  const double length =
      std::sqrt(forward[0] * forward[0] + forward[1] * forward[1] + forward[2] * forward[2]);
  for (double& each : forward) each /= length;
  const double level = std::sqrt(forward[0] * forward[0] + forward[1] * forward[1]);
  const double right[3] = {forward[1] / level, -forward[0] / level, 0.0};
  const double down[3] = {forward[1] * right[2] - forward[2] * right[1],
                          forward[2] * right[0] - forward[0] * right[2],
                          forward[0] * right[1] - forward[1] * right[0]};
  BlockCamera camera{};
  camera.focal = 1.1 * width;
  camera.principal_x = (width - 1) / 2.0;
  camera.principal_y = (height - 1) / 2.0;
  camera.view.width = width;
  camera.view.height = height;
  for (int i = 0; i < 3; ++i) {
    const double row[4] = {right[i], down[i], forward[i], at[i]};
    for (int column = 0; column < 4; ++column) camera.pose[4 * i + column] = row[column];
  }
  // K [R' | -R' t], where (R, t) is the pose, world from camera.
  double turned[3][4];
  for (int row = 0; row < 3; ++row) {
    double shift = 0.0;
    for (int column = 0; column < 3; ++column) {
      turned[row][column] = camera.pose[4 * column + row];
      shift += turned[row][column] * camera.pose[4 * column + 3];
    }
    turned[row][3] = -shift;
  }
  for (int column = 0; column < 4; ++column) {
    camera.view.projection[0][column] =
        camera.focal * turned[0][column] + camera.principal_x * turned[2][column];
    camera.view.projection[1][column] =
        camera.focal * turned[1][column] + camera.principal_y * turned[2][column];
    camera.view.projection[2][column] = turned[2][column];
  }
  return camera;
}

// Camera metadata with the pose, and with `with_projection` the matrix, too (transfer full).
inline GstRdpCamera* new_camera(const BlockCamera& camera, bool with_projection = false) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = static_cast<guint>(camera.view.width);
  info.height = static_cast<guint>(camera.view.height);
  info.focal_length = info.focal_length_y = camera.focal;
  info.principal_x = camera.principal_x;
  info.principal_y = camera.principal_y;
  info.rectified = TRUE;
  info.has_pose = TRUE;
  for (int i = 0; i < 12; ++i) info.pose[i] = camera.pose[i];
  info.has_projection = with_projection ? TRUE : FALSE;
  for (int i = 0; with_projection && i < 12; ++i) {
    info.projection[i] = camera.view.projection[i / 4][i % 4];
  }
  return gst_rdp_camera_new(&info, nullptr);
}

// A calibration of such cameras: JSON with their matrices.
inline std::string block_calibration(const std::vector<BlockCamera>& cameras) {
  std::vector<heightmap::View> views;
  for (const BlockCamera& camera : cameras) views.push_back(camera.view);
  return calibration_text(views);
}

// Grey level of a plane's texture, interpolated between cells of 0.1 m.
inline int texture_at(double x, double y, std::uint32_t seed) {
  const auto corner = [seed](std::int64_t column, std::int64_t row) {
    std::uint32_t hash = seed * 2654435761U + static_cast<std::uint32_t>(column) * 2246822519U +
                         static_cast<std::uint32_t>(row) * 3266489917U;
    hash = (hash ^ (hash >> 15)) * 2246822519U;
    return static_cast<double>((hash ^ (hash >> 13)) & 255);
  };
  const double column = std::floor(10 * x);
  const double row = std::floor(10 * y);
  const double right = 10 * x - column;
  const double down = 10 * y - row;
  const auto c = static_cast<std::int64_t>(column);
  const auto r = static_cast<std::int64_t>(row);
  return static_cast<int>((corner(c, r) * (1 - right) + corner(c + 1, r) * right) * (1 - down) +
                          (corner(c, r + 1) * (1 - right) + corner(c + 1, r + 1) * right) * down);
}

// Draws a camera's view of the block, which stands at another place in each scene.
inline void draw_block(const BlockCamera& camera, unsigned scene, const MutableDepthView& picture) {
  const double middle = 0.15 * scene - 0.1;
  const auto hit = [&](double height, int column, int row, double* x, double* y) {
    const heightmap::Matrix3 to_ground =
        heightmap::adjugate(heightmap::plane_matrix(camera.view.projection, height));
    const heightmap::Vector3 q = heightmap::times(to_ground, column, row);
    *x = q.x / q.z;
    *y = q.y / q.z;
  };
  for (int row = 0; row < picture.height; ++row) {
    for (int column = 0; column < picture.width; ++column) {
      double x, y;
      hit(kBlockHeight, column, row, &x, &y);
      int grey;
      if (std::fabs(x - middle) < 0.45 && std::fabs(y) < 0.45) {
        grey = texture_at(x, y, 1 + scene);
      } else {
        hit(0.0, column, row, &x, &y);
        grey = texture_at(x, y, 77);
      }
      picture.set(row, column, static_cast<std::uint16_t>(grey));
    }
  }
}

}  // namespace rdp::test

#endif  // RDP_TESTS_HEIGHTMAP_BLOCK_VIEWS_H_
