// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/room_picture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/scene/hash_random.h"

// Only +, -, *, /, square roots and conversions of doubles, without contraction: see
// street_scene.cpp.
namespace rdp {
namespace {

// The purpose of a random number of a picture.
enum Stream : std::uint64_t { kPaint = 600, kTexture, kBallTexture };

constexpr double kContrast = 26.0;
constexpr double kBallGrey = 170.0;
constexpr double kTooNearGrey = 20.0;
constexpr double kWallGreys[RoomScene::kWalls] = {105.0, 225.0, 165.0, 150.0, 180.0, 185.0};

// Brightness of a box's faces, by their axis.
constexpr double kLight[3] = {0.82, 1.0, 0.68};

}  // namespace

void RoomPicture::find_looks(const RoomScene& room, const RoomPose& pose, std::uint32_t seed) {
  const std::uint64_t key = mix_bits(seed);
  const auto look_along = [&](const RoomVector& u, const RoomVector& v) {
    return Look{
        .u = pose.turned(u), .v = pose.turned(v), .u0 = dot(pose.eye, u), .v0 = dot(pose.eye, v)};
  };
  looks_.reserve(RoomScene::kMaxPlanes);
  looks_.resize(static_cast<std::size_t>(room.plane_count()));
  for (int i = 0; i < room.plane_count(); ++i) {
    const RoomScene::Plane& plane = room.plane(i);
    Look& look = looks_[static_cast<std::size_t>(i)];
    look = look_along(plane.u, plane.v);
    look.key = sub_key(sub_key(key, kTexture), static_cast<std::uint64_t>(i));
    if (i < RoomScene::kWalls) {
      look.grey = kWallGreys[i];
      continue;
    }
    HashSequence paint(sub_key(sub_key(key, kPaint), plane.thing));
    look.grey = paint.uniform(70.0, 220.0) * kLight[(i - RoomScene::kWalls) % 6 / 2];
  }
  ball_ = look_along({1.0, 0.0, 0.0}, {0.0, 1.0, 0.0});
  ball_.key = sub_key(key, kBallTexture);
  ball_.grey = kBallGrey;
}

void RoomPicture::begin_at(const RoomPose& pose, std::uint32_t seed, int width, int height) {
  row_ = 0;
  view_.begin(*room_, pose, shift_, camera_, width, height);
  find_looks(*room_, pose, seed);
}

void RoomPicture::begin(std::uint64_t number, std::uint32_t seed, bool left, int width,
                        int height) {
  room_ = &keeper_.get(seed);
  camera_ = RoomScene::camera(width, height);
  shift_ = left ? 0.0 : camera_.baseline;
  begin_at(room_->pose(number), seed, width, height);
}

void RoomPicture::begin_color(std::uint64_t number, std::uint32_t seed, const ColorRig& rig,
                              int width, int height) {
  room_ = &keeper_.get(seed);
  camera_ = color_camera_of_room(width, height);
  shift_ = 0.0;
  begin_at(color_pose(room_->pose(number), rig), seed, width, height);
}

std::size_t RoomPicture::thing_of(std::int16_t plane) const {
  if (plane < RoomScene::kWalls) return static_cast<std::size_t>(plane);
  return std::size_t{RoomScene::kWalls} + room_->plane(plane).thing;
}

// Both cameras use the left one's pixels per metre along the surface: otherwise their textures
// would differ.
double RoomPicture::grey_of(const Look& look, const RoomVector& point, bool flat) {
  const double px = camera_.focal / point.z;
  const auto pixels = [&](const RoomVector& direction) {
    const double x = direction.x - point.x / point.z * direction.z;
    const double y = direction.y - point.y / point.z * direction.z;
    return px * std::sqrt(x * x + y * y);
  };
  const double u = look.u0 + dot(look.u, point);
  const double v = look.v0 + dot(look.v, point);
  const double texture =
      noise_.at(look.key, u, v, flat ? pixels(look.u) : px, flat ? pixels(look.v) : px);
  return look.grey + kContrast * texture;
}

std::span<const std::uint32_t> RoomPicture::next_row(double* greys) {
  const RoomView::Row row = view_.next_row();
  planes_ = row.planes;
  const double metre = camera_.disparity(1.0) * 0x1p24;
  const double rise = (row_ - camera_.centre_row) / camera_.focal;
  for (std::size_t c = 0; c < row.planes.size(); ++c) {
    const std::int16_t plane = row.planes[c];
    if (plane == RoomView::kTooNear) {
      greys[c] = kTooNearGrey;
      continue;
    }
    const double z = metre / row.disparities[c];
    const double aside = (static_cast<double>(c) - camera_.centre_column) / camera_.focal;
    const RoomVector point = {aside * z + shift_, rise * z, z};
    const bool flat = plane >= 0;
    greys[c] = grey_of(flat ? looks_[static_cast<std::size_t>(plane)] : ball_, point, flat);
  }
  ++row_;
  return row.disparities;
}

}  // namespace rdp
