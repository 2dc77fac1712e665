// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_ROOM_SCENE_H_
#define RDP_COMMON_SCENE_ROOM_SCENE_H_

#include <array>
#include <cstdint>

#include "common/scene/street_scene.h"

namespace rdp {

// A vector. In the room: x to the right, y up, z ahead, in metres. In a camera: x to the right, y
// down, z ahead.
struct RoomVector {
  double x = 0.0, y = 0.0, z = 0.0;
};
inline double dot(const RoomVector& a, const RoomVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline RoomVector along(const RoomVector& from, const RoomVector& direction, double by) {
  return {from.x + by * direction.x, from.y + by * direction.y, from.z + by * direction.z};
}

// A rotation without its angle, because libraries compute sines differently.
struct RoomTurn {
  double cosine = 1.0, sine = 0.0;

  // By the angle whose half has this tangent.
  static RoomTurn of_half(double tangent) {
    const double square = tangent * tangent;
    return {(1.0 - square) / (1.0 + square), 2.0 * tangent / (1.0 + square)};
  }
};

// A box that stands upright, turned about the vertical.
struct RoomBox {
  RoomVector centre;
  RoomVector half;  // along its own axes
  RoomTurn turn;
  std::uint8_t thing = 0;  // boxes of one thing look alike

  // Its own axes: 0 and 2 are horizontal, 1 is up.
  RoomVector axis(int i) const {
    if (i == 0) return {turn.cosine, 0.0, -turn.sine};
    if (i == 1) return {0.0, 1.0, 0.0};
    return {turn.sine, 0.0, turn.cosine};
  }
};

// The place of a camera, and the directions of its axes in the room.
struct RoomPose {
  RoomVector eye;
  RoomVector right, down, ahead;

  RoomVector turned(const RoomVector& v) const {
    return {dot(right, v), dot(down, v), dot(ahead, v)};
  }
  RoomVector seen(const RoomVector& point) const { return turned(along(point, eye, -1.0)); }
};

// A furnished room. The seed determines the furniture. seed mod 3 selects a table and boxes (0),
// five stairs and boxes (1), or a near table with objects on it (2). Pictures and doors are on the
// walls, a ball lies somewhere. The room is convex: walls, floor and ceiling hide nothing.
//
// It depends on the seed alone; the frame's number only moves the camera.
//
// Alternatively, a conveyor belt with parcels: see parcels().
class RoomScene {
 public:
  static constexpr double kHeight = 2.6;
  static constexpr double kNearest = 0.5;  // nearer to the camera's plane nothing is known
  static constexpr int kMaxBoxes = 40;
  static constexpr int kWalls = 6;
  // Numbers of planes: walls, floor and ceiling first, then six for each box.
  static constexpr int kMaxPlanes = kWalls + 6 * kMaxBoxes;

  // A face of a box, or a side of the room: normal . p = offset on it.
  struct Plane {
    RoomVector normal;  // out of the box; out of the room
    double offset = 0.0;
    RoomVector u, v;  // along it
    // The lowest number of the planes that are the same. Faces of several boxes may be one plane.
    std::int16_t same = 0;
    std::uint8_t thing = 0;
  };

  explicit RoomScene(std::uint32_t seed);

  // A belt in such a room with parcels of known sizes, in a frame. They move from left to right
  // under a fixed camera that looks down by 67 to 88 degrees. Each of the belt's 16 places has one
  // parcel, rotated by any angle; about one place in eight has two, less than 10 mm apart. After
  // kBeltFrames frames all are at their first places.
  //
  // The first box is the belt, whose upper side is kBeltTop above the floor. Each other box is a
  // parcel, and `thing` its number, from 1 to kMaxParcels.
  static RoomScene parcels(std::uint32_t seed, std::uint64_t frame);
  static constexpr double kBeltTop = 0.8;
  static constexpr std::uint64_t kBeltFrames = 500;
  static constexpr int kBeltStep = 16;  // mm a frame
  static constexpr int kMaxParcels = 32;

  // The camera of all rooms: a structured light sensor, focal length 525 px and baseline 75 mm for
  // frames of 640x480. Other frame sizes keep at least that field of view in one direction.
  static TestCamera camera(int width, int height);
  // The baseline of a camera of this focal length, which keeps disparities below 256 px.
  static double baseline_of(double focal) {
    return focal > 1700.0 ? 0.075 * (1700.0 / focal) : 0.075;
  }

  // The camera's pose in this frame. It swings about, without end.
  RoomPose pose(std::uint64_t frame) const;

  int box_count() const { return box_count_; }
  const RoomBox& box(int i) const { return boxes_[static_cast<std::size_t>(i)]; }
  int plane_count() const { return kWalls + 6 * box_count_; }
  const Plane& plane(int i) const { return planes_[static_cast<std::size_t>(i)]; }
  const RoomVector& ball() const { return ball_; }
  double ball_radius() const { return ball_radius_; }

 private:
  class Builder;

  RoomScene() = default;
  void find_planes();
  void put_parcel(const RoomVector& middle, const RoomVector& half, const RoomTurn& turn,
                  int number);

  double width_ = 0.0, depth_ = 0.0;
  std::array<RoomBox, kMaxBoxes> boxes_{};
  int box_count_ = 0;
  std::array<Plane, kMaxPlanes> planes_{};
  RoomVector ball_;
  double ball_radius_ = 0.0;
  RoomVector eye_;
  double yaw_ = 0.0, pitch_ = 0.0, roll_ = 0.0;  // tangents of the half angles
  double swing_ = 0.0;                           // m
  bool stands_ = false;                          // the camera is fixed
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_ROOM_SCENE_H_
