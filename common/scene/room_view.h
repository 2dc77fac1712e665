// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_ROOM_VIEW_H_
#define RDP_COMMON_SCENE_ROOM_VIEW_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/scene/room_scene.h"

namespace rdp {

// A camera's view of a room, row by row from the top. A pixel has the value at its centre, exactly.
//
// No ray tracing is needed, because 1 / z of a plane is linear in column and row. A ray enters a
// box through the plane with the least 1 / z of those facing the camera. It leaves the box through
// the one with the greatest 1 / z of the others. So each face is an interval in a row, between
// crossings of such lines.
class RoomView {
 public:
  // Labels of pixels that are on no plane.
  static constexpr std::int16_t kBall = -1;
  static constexpr std::int16_t kTooNear = -2;

  // A plane in the camera's axes: normal . p = distance, the distance above 0.
  struct SeenPlane {
    RoomVector normal;
    double distance = 0.0;
  };

  // Starts an image. `scene` must outlive it. `shift`: distance of this camera to the right of the
  // left one, in m. Allocates only for the first image and for wider ones than before.
  void begin(const RoomScene& scene, const RoomPose& pose, double shift, const TestCamera& camera,
             int width, int height);

  // The next row: disparities in 2^-24 px, 0 where it is too near to be known, and the numbers of
  // planes. Valid until the next call. To be called in the rounding mode "to nearest".
  struct Row {
    std::span<const std::uint32_t> disparities;
    std::span<const std::int16_t> planes;
  };
  Row next_row();

  const RoomPose& pose() const { return pose_; }  // of this camera
  SeenPlane seen_plane(int number) const;

 private:
  // by_column * column + by_row * row + at_zero
  struct Line {
    double by_column = 0.0, by_row = 0.0, at_zero = 0.0;
  };
  static constexpr int kMaxBounds = 6;
  // A potentially visible face; pixels belong to it if all `bounds` are at least 0 there.
  struct Face {
    Line value;  // 2^24 times the disparity
    std::int16_t plane = 0;
    std::int16_t bound_count = 0;
    std::array<Line, kMaxBounds> bounds{};
  };

  static Line difference(const Line& a, const Line& b);
  Line line_of(int plane) const;
  bool is_faced(int plane) const;
  void add_walls();
  void add_box(int first_plane);
  void find_ball();
  void draw_face(const Face& face, double row, int margin);
  void draw_ball(int row);

  const RoomScene* scene_ = nullptr;
  RoomPose pose_;
  TestCamera camera_{};
  double scale_ = 0.0;  // 2^24 times focal length and baseline
  int width_ = 0;
  int height_ = 0;
  int row_ = 0;
  std::vector<Face> faces_;  // with room for those of every room
  RoomVector ball_;
  struct {
    int left, right, top, bottom;
  } ball_box_{};

  GrowBuffer<double> nearest_;
  GrowBuffer<std::int16_t> planes_;
  GrowBuffer<std::uint32_t> disparities_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_ROOM_VIEW_H_
