// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_ROOM_PICTURE_H_
#define RDP_COMMON_SCENE_ROOM_PICTURE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/scene/color_rig.h"
#include "common/scene/room_depth.h"
#include "common/scene/room_view.h"
#include "common/scene/surface_noise.h"

namespace rdp {

// Grey images of a room's cameras, row by row, with a texture on each plane. The texture depends on
// the place in the room, so it is the same from every viewpoint.
class RoomPicture {
 public:
  // Starts the picture of the left camera, or of the right one, a baseline beside it. Allocates
  // only for the first picture and for one wider than any before.
  void begin(std::uint64_t number, std::uint32_t seed, bool left, int width, int height);

  // Starts the image of the colour camera, with disparities of color_camera_of_room().
  void begin_color(std::uint64_t number, std::uint32_t seed, const ColorRig& rig, int width,
                   int height);

  // Writes the next row's greys, one for each pixel. Returns its disparities in 2^-24 px, valid
  // until the next call. Requires the rounding mode "to nearest".
  std::span<const std::uint32_t> next_row(double* greys);
  // The planes of that row, numbered as by RoomView; valid as long.
  std::span<const std::int16_t> planes() const { return planes_; }
  // The number of a plane's object: for walls the wall's, for others from kWalls on.
  std::size_t thing_of(std::int16_t plane) const;
  static constexpr std::size_t kMaxThings = RoomScene::kWalls + RoomScene::kMaxBoxes + 1;

 private:
  // A texture's coordinates, in m, from a point as the left camera sees it.
  struct Look {
    RoomVector u, v;
    double u0 = 0.0, v0 = 0.0;
    std::uint64_t key = 0;
    double grey = 128.0;
  };

  void begin_at(const RoomPose& pose, std::uint32_t seed, int width, int height);
  void find_looks(const RoomScene& room, const RoomPose& pose, std::uint32_t seed);
  double grey_of(const Look& look, const RoomVector& point, bool flat);

  RoomKeeper keeper_;
  const RoomScene* room_ = nullptr;
  RoomView view_;
  SurfaceNoise noise_;
  TestCamera camera_{};
  double shift_ = 0.0;
  int row_ = 0;
  std::span<const std::int16_t> planes_;
  std::vector<Look> looks_;  // of planes
  Look ball_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_ROOM_PICTURE_H_
