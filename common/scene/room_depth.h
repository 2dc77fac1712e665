// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_ROOM_DEPTH_H_
#define RDP_COMMON_SCENE_ROOM_DEPTH_H_

#include <cstdint>
#include <memory>
#include <span>

#include "common/image/grow_buffer.h"
#include "common/scene/room_scene.h"
#include "common/scene/room_view.h"
#include "common/scene/structured_light.h"

namespace rdp {

// The room that was asked for last: it is furnished once, and seen in many frames. Allocates when
// the first one is asked for.
class RoomKeeper {
 public:
  const RoomScene& get(std::uint32_t seed) {
    if (room_ == nullptr) {
      room_ = std::make_unique<RoomScene>(seed);
    } else if (seed_ != seed) {
      *room_ = RoomScene(seed);
    }
    seed_ = seed;
    return *room_;
  }

 private:
  std::unique_ptr<RoomScene> room_;
  std::uint32_t seed_ = 0;
};

// The disparities of a room's frame, exact or as a structured light camera gives them, row by row.
class RoomDepth {
 public:
  // noise, bend: of the camera, px (see structured_light.h); with 0 of both the disparities are
  // exact. Allocates only for frames wider than any before.
  struct Options {
    std::uint32_t seed = 0;
    double noise = 0.0;
    double bend = 0.0;
  };
  void begin(std::uint64_t number, const Options& options, int width, int height);
  // In 2^-24 px, 0 where unknown, valid until the next call. To be called in the rounding mode "to
  // nearest".
  std::span<const std::uint32_t> next_row();

 private:
  const std::uint32_t* shaded_row(int row) const {
    return rows_.data() + static_cast<std::size_t>(row % 3) * static_cast<std::size_t>(width_);
  }
  void add_row();

  RoomKeeper keeper_;
  RoomView view_;
  StructuredLight sensor_;
  bool senses_ = false;
  int width_ = 0;
  int height_ = 0;
  int row_ = 0;
  int added_ = 0;
  GrowBuffer<std::uint32_t> rows_;  // three, shaded
  GrowBuffer<std::uint32_t> sensed_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_ROOM_DEPTH_H_
