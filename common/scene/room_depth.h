// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_ROOM_DEPTH_H_
#define RDP_COMMON_SCENE_ROOM_DEPTH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "common/image/grow_buffer.h"
#include "common/scene/room_scene.h"
#include "common/scene/room_view.h"
#include "common/scene/structured_light.h"

namespace rdp {

// Keeps the last requested room, which many frames show; rooms with parcels are made for each
// frame. Allocates at the first request.
class RoomKeeper {
 public:
  const RoomScene& get(std::uint32_t seed) {
    if (room_ == nullptr || seed_ != seed) keep(RoomScene(seed));
    seed_ = seed;
    return *room_;
  }
  const RoomScene& get_parcels(std::uint32_t seed, std::uint64_t number) {
    keep(RoomScene::parcels(seed, number));
    seed_.reset();
    return *room_;
  }

 private:
  void keep(const RoomScene& room) {
    if (room_ == nullptr) {
      room_ = std::make_unique<RoomScene>(room);
    } else {
      *room_ = room;
    }
  }

  std::unique_ptr<RoomScene> room_;
  std::optional<std::uint32_t> seed_;  // of a room without parcels
};

// The disparities of a room's frame, row by row: exact, or as measured by a structured light
// camera.
class RoomDepth {
 public:
  // noise, bend: of the camera, px (see structured_light.h); with 0 of both the disparities are
  // exact. Allocates only for frames wider than any before.
  struct Options {
    std::uint32_t seed = 0;
    bool parcels = false;
    double noise = 0.0;
    double bend = 0.0;
  };
  void begin(std::uint64_t number, const Options& options, int width, int height);
  // In 2^-24 px, 0 = unknown; valid until the next call. Requires the rounding mode "to nearest".
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
