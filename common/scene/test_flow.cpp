// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/test_flow.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "common/image/float_environment.h"

// Only +, -, *, / and conversions of doubles, without contraction: see street_scene.cpp.
namespace rdp {

// shows(pixel): true if that pixel of the next frame shows the same surface.
template <typename Shows>
void TestFlowRenderer::write(int row, int column, double right, double down, Shows shows) {
  const double u = kFlowScale * (right + kFlowReach) + 0.5;
  const double v = kFlowScale * (down + kFlowReach) + 0.5;
  const double x = column + right + 0.5;
  const double y = row + down + 0.5;
  const bool fits = u >= 1.0 && u < 65536.0 && v >= 1.0 && v < 65536.0;
  const bool known =
      fits && x >= 0.0 && x < width_ && y >= 0.0 && y < height_ &&
      shows(next_.data()[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                         static_cast<std::size_t>(x)]);
  flow_.set(row, column, known ? static_cast<std::uint16_t>(u) : 0);
  flow_.set(height_ + row, column, known ? static_cast<std::uint16_t>(v) : 0);
}

void TestFlowRenderer::draw_canvas(std::uint64_t number, const TestPatternOptions& options) {
  const auto draw_frame = [&](std::uint64_t frame, SurfaceList* surfaces) {
    canvas_.begin(width_, height_);
    surfaces->begin();
    draw_pattern(frame, options, {camera_, 0.0, surfaces}, &canvas_);
  };
  draw_frame(number + 1, &next_surfaces_);
  for (int r = 0; r < height_; ++r) {
    canvas_.next_row();
    std::int16_t* next = next_.data() + static_cast<std::ptrdiff_t>(r) * width_;
    for (const std::int32_t surface : canvas_.surfaces()) {
      *next++ = static_cast<std::int16_t>(surface);
    }
  }
  draw_frame(number, &surfaces_);
  const double metre = camera_.disparity(1.0) * 0x1p24;
  for (int r = 0; r < height_; ++r) {
    const std::span<const std::uint32_t> disparities = canvas_.next_row();
    const std::span<const std::int32_t> numbers = canvas_.surfaces();
    const double rise = (camera_.centre_row - r) / camera_.focal;
    for (int c = 0; c < width_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      const Surface& surface = surfaces_.at(numbers[i]);
      // The point's position before and after, relative to the camera; of the sky its direction.
      const bool sky = surface.shape == Surface::kSky;
      const double ray = (c - camera_.centre_column) / camera_.focal;
      const double z = metre / disparities[i];
      double next_x = sky ? ray : ray * z + surface.move_x;
      double next_z = sky ? 1.0 : z + surface.move_z;
      if (surfaces_.heading.turns) {
        const double far = sky ? 1.0 : z;
        const double across =
            surfaces_.heading.across(ray * far, far) + (sky ? 0.0 : surface.move_x);
        const double along = surfaces_.heading.along(ray * far, far) + (sky ? 0.0 : surface.move_z);
        next_x = next_surfaces_.heading.right(across, along);
        next_z = next_surfaces_.heading.ahead(across, along);
      }
      const double next_ray = sky && next_z == 1.0 ? next_x : next_x / next_z;
      const double next_rise = (sky ? rise : rise * z + surface.move_y) / next_z;
      write(r, c, camera_.focal * (next_ray - ray), camera_.focal * (rise - next_rise),
            [&](std::int16_t next) {
              return surface.lasts && next_z > 0.0 && next_surfaces_.at(next).key == surface.key;
            });
    }
  }
}

void TestFlowRenderer::draw_room(std::uint64_t number, std::uint32_t seed) {
  const RoomScene& room = keeper_.get(seed);
  const RoomPose pose = room.pose(number);
  const RoomPose next_pose = room.pose(number + 1);
  room_.begin(room, next_pose, 0.0, camera_, width_, height_);
  for (int r = 0; r < height_; ++r) {
    const std::span<const std::int16_t> planes = room_.next_row().planes;
    std::copy(planes.begin(), planes.end(), next_.data() + static_cast<std::ptrdiff_t>(r) * width_);
  }
  room_.begin(room, pose, 0.0, camera_, width_, height_);
  const double metre = camera_.disparity(1.0) * 0x1p24;
  for (int r = 0; r < height_; ++r) {
    const RoomView::Row row = room_.next_row();
    const double fall = (r - camera_.centre_row) / camera_.focal;
    for (int c = 0; c < width_; ++c) {
      const auto i = static_cast<std::size_t>(c);
      const std::int16_t plane = row.planes[i];
      const double ray = (c - camera_.centre_column) / camera_.focal;
      const double z = metre / row.disparities[i];
      const RoomVector point =
          along(along(along(pose.eye, pose.right, ray * z), pose.down, fall * z), pose.ahead, z);
      const RoomVector next = next_pose.seen(point);
      write(r, c, camera_.focal * (next.x / next.z - ray), camera_.focal * (next.y / next.z - fall),
            [&](std::int16_t shown) {
              return plane != RoomView::kTooNear && next.z > 0.0 && shown == plane;
            });
    }
  }
}

void TestFlowRenderer::draw(std::uint64_t number, const TestPatternOptions& options,
                            const MutableDepthView& flow) {
  flow_ = flow;
  width_ = flow.width;
  height_ = flow.height / 2;
  if (!has_distances(options.pattern)) {
    const std::size_t bytes = static_cast<std::size_t>(width_) * bytes_per_sample(flow.type);
    for (int r = 0; r < flow.height; ++r) std::memset(flow.row(r), 0, bytes);
    return;
  }
  next_.ensure(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  with_standard_floats([&] {
    camera_ = camera_of_pattern(options.pattern, width_, height_);
    options.pattern == TestPattern::kRoom ? draw_room(number, options.seed)
                                          : draw_canvas(number, options);
  });
}

}  // namespace rdp
