// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/room_depth.h"

#include <algorithm>
#include <cstddef>

#include "common/scene/hash_random.h"

namespace rdp {

void RoomDepth::begin(std::uint64_t number, const Options& options, int width, int height) {
  const RoomScene& room =
      options.parcels ? keeper_.get_parcels(options.seed, number) : keeper_.get(options.seed);
  const TestCamera camera = RoomScene::camera(width, height);
  const std::uint64_t key = mix_bits(options.seed);
  width_ = width;
  height_ = height;
  row_ = 0;
  added_ = 0;
  view_.begin(room, room.pose(number), 0.0, camera, width, height);
  senses_ = options.noise > 0.0 || options.bend > 0.0;
  if (!senses_) return;
  rows_.ensure(3 * static_cast<std::size_t>(width));
  sensed_.ensure(static_cast<std::size_t>(width));
  sensor_.begin({.frame_key = sub_key(key, number),
                 .camera_key = key,
                 .noise = options.noise,
                 .bend = options.bend,
                 .focal = camera.focal},
                width);
}

void RoomDepth::add_row() {
  const std::span<const std::uint32_t> exact = view_.next_row().disparities;
  std::uint32_t* row = rows_.data() + static_cast<std::size_t>(added_ % 3) * exact.size();
  std::copy(exact.begin(), exact.end(), row);
  StructuredLight::shade({row, exact.size()});
  ++added_;
}

std::span<const std::uint32_t> RoomDepth::next_row() {
  if (!senses_) return view_.next_row().disparities;
  while (added_ < std::min(row_ + 2, height_)) add_row();
  sensor_.sense(shaded_row(std::max(row_ - 1, 0)), shaded_row(row_),
                shaded_row(std::min(row_ + 1, height_ - 1)), sensed_.data());
  ++row_;
  return {sensed_.data(), static_cast<std::size_t>(width_)};
}

}  // namespace rdp
