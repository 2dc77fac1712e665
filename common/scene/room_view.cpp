// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/room_view.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

// Only +, -, *, /, square roots, roundings and comparisons of doubles, without contraction: see
// street_scene.cpp.
namespace rdp {
namespace {

// A camera within a nanometre of a plane counts as in front of it, which avoids a division by 0.
constexpr double kLeastDistance = 1e-9;

int pixel_within(double x, int least, int most) {
  return static_cast<int>(std::clamp(x, static_cast<double>(least), static_cast<double>(most)));
}

}  // namespace

RoomView::SeenPlane RoomView::seen_plane(int number) const {
  const RoomScene::Plane& plane = scene_->plane(number);
  const SeenPlane seen = {pose_.turned(plane.normal), plane.offset - dot(plane.normal, pose_.eye)};
  if (seen.distance > 0.0) return seen;
  return {along({}, seen.normal, -1.0), -seen.distance};
}

RoomView::Line RoomView::difference(const Line& a, const Line& b) {
  return {a.by_column - b.by_column, a.by_row - b.by_row, a.at_zero - b.at_zero};
}

bool RoomView::is_faced(int plane) const {
  const RoomScene::Plane& p = scene_->plane(plane);
  return p.offset - dot(p.normal, pose_.eye) < kLeastDistance;
}

// Bit-identical for faces of one plane.
RoomView::Line RoomView::line_of(int plane) const {
  const RoomScene::Plane& p = scene_->plane(scene_->plane(plane).same);
  const RoomVector normal = pose_.turned(p.normal);
  double distance = p.offset - dot(p.normal, pose_.eye);
  if (distance < kLeastDistance && distance > -kLeastDistance) distance = -kLeastDistance;
  Line line;
  line.by_column = scale_ * normal.x / (distance * camera_.focal);
  line.by_row = scale_ * normal.y / (distance * camera_.focal);
  line.at_zero = scale_ * normal.z / distance - line.by_column * camera_.centre_column -
                 line.by_row * camera_.centre_row;
  return line;
}

// From inside, a ray meets the wall with the greatest 1 / z first.
void RoomView::add_walls() {
  for (int i = 0; i < RoomScene::kWalls; ++i) {
    Face& face = faces_.emplace_back();
    face.value = line_of(i);
    face.plane = static_cast<std::int16_t>(i);
    for (int k = 0; k < RoomScene::kWalls; ++k) {
      if (k == i) continue;
      face.bounds[static_cast<std::size_t>(face.bound_count++)] =
          difference(face.value, line_of(k));
    }
  }
}

void RoomView::add_box(int first_plane) {
  for (int i = first_plane; i < first_plane + 6; ++i) {
    if (!is_faced(i)) continue;
    Face& face = faces_.emplace_back();
    face.value = line_of(i);
    face.plane = scene_->plane(i).same;
    face.bounds[static_cast<std::size_t>(face.bound_count++)] = face.value;  // before the camera
    for (int k = first_plane; k < first_plane + 6; ++k) {
      if (k == i) continue;
      face.bounds[static_cast<std::size_t>(face.bound_count++)] =
          is_faced(k) ? difference(line_of(k), face.value) : difference(face.value, line_of(k));
    }
  }
}

// The pixels that the ball may be in: those of the cube around it.
void RoomView::find_ball() {
  ball_ = pose_.seen(scene_->ball());
  const double radius = scene_->ball_radius();
  double left = width_, right = 0.0, top = height_, bottom = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    const double z = ball_.z + ((corner & 4) != 0 ? radius : -radius);
    if (z < 0.1) {  // behind the camera, or nearly so
      ball_box_ = {};
      return;
    }
    const double x = ball_.x + ((corner & 1) != 0 ? radius : -radius);
    const double y = ball_.y + ((corner & 2) != 0 ? radius : -radius);
    left = std::min(left, camera_.centre_column + camera_.focal * x / z);
    right = std::max(right, camera_.centre_column + camera_.focal * x / z);
    top = std::min(top, camera_.centre_row + camera_.focal * y / z);
    bottom = std::max(bottom, camera_.centre_row + camera_.focal * y / z);
  }
  ball_box_ = {pixel_within(left, 0, width_), pixel_within(right + 1.0, 0, width_),
               pixel_within(top, 0, height_), pixel_within(bottom + 1.0, 0, height_)};
}

void RoomView::begin(const RoomScene& scene, const RoomPose& pose, double shift,
                     const TestCamera& camera, int width, int height) {
  const auto w = static_cast<std::size_t>(width);
  nearest_.ensure(w);
  planes_.ensure(w);
  disparities_.ensure(w);
  scene_ = &scene;
  pose_ = pose;
  pose_.eye = along(pose.eye, pose.right, shift);
  camera_ = camera;
  scale_ = camera.focal * camera.baseline * 0x1p24;
  width_ = width;
  height_ = height;
  row_ = 0;
  faces_.reserve(RoomScene::kMaxPlanes);
  faces_.clear();
  add_walls();
  for (int i = 0; i < scene.box_count(); ++i) add_box(RoomScene::kWalls + 6 * i);
  find_ball();
}

// `margin`: pixels added to both ends of the interval when the nearest face decides anyway.
void RoomView::draw_face(const Face& face, double row, int margin) {
  double first = 0.0;
  double last = width_ - 1.0;
  for (int i = 0; i < face.bound_count; ++i) {
    const Line& bound = face.bounds[static_cast<std::size_t>(i)];
    const double at_row = bound.at_zero + bound.by_row * row;
    if (bound.by_column > 0.0) {
      first = std::max(first, -at_row / bound.by_column);
    } else if (bound.by_column < 0.0) {
      last = std::min(last, -at_row / bound.by_column);
    } else if (at_row < 0.0) {
      return;
    }
  }
  if (!(first <= last + 2.0 * margin)) return;
  const int from = pixel_within(std::ceil(first) - margin, 0, width_);
  const int end = pixel_within(std::floor(last) + margin + 1.0, 0, width_);
  const double at_row = face.value.at_zero + face.value.by_row * row;
  double* nearest = nearest_.data();
  std::int16_t* planes = planes_.data();
  for (int c = from; c < end; ++c) {
    const double value = at_row + face.value.by_column * c;
    if (value > nearest[c]) {
      nearest[c] = value;
      planes[c] = face.plane;
    }
  }
}

// With u = 1 / z, |ray - u * centre| = u * radius is quadratic in u; the greater root is nearer.
void RoomView::draw_ball(int row) {
  if (row < ball_box_.top || row >= ball_box_.bottom) return;
  const double rise = (row - camera_.centre_row) / camera_.focal;
  const double outside = dot(ball_, ball_) - scene_->ball_radius() * scene_->ball_radius();
  double* nearest = nearest_.data();
  std::int16_t* planes = planes_.data();
  for (int c = ball_box_.left; c < ball_box_.right; ++c) {
    const RoomVector ray = {(c - camera_.centre_column) / camera_.focal, rise, 1.0};
    const double towards = dot(ray, ball_);
    const double square = towards * towards - outside * dot(ray, ray);
    if (!(square > 0.0)) continue;
    const double value = scale_ * ((towards + std::sqrt(square)) / outside);
    if (value > nearest[c]) {
      nearest[c] = value;
      planes[c] = kBall;
    }
  }
}

RoomView::Row RoomView::next_row() {
  const auto w = static_cast<std::size_t>(width_);
  double* nearest = nearest_.data();
  std::int16_t* planes = planes_.data();
  std::uint32_t* disparities = disparities_.data();
  std::fill(nearest, nearest + w, 0.0);
  for (const Face& face : faces_) draw_face(face, row_, face.plane < RoomScene::kWalls ? 1 : 0);
  draw_ball(row_);
  const double most = scale_ / RoomScene::kNearest;
  for (std::size_t c = 0; c < w; ++c) {
    if (nearest[c] > most) planes[c] = kTooNear;
    disparities[c] = nearest[c] > most
                         ? 0U
                         : static_cast<std::uint32_t>(static_cast<std::int64_t>(nearest[c] + 0.5));
  }
  ++row_;
  return {{disparities, w}, {planes, w}};
}

}  // namespace rdp
