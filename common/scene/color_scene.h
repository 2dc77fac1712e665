// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_COLOR_SCENE_H_
#define RDP_COMMON_SCENE_COLOR_SCENE_H_

#include <cstdint>
#include <span>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"
#include "common/scene/color_rig.h"
#include "common/scene/crowd_scene.h"
#include "common/scene/room_picture.h"
#include "common/scene/sensor_noise.h"

namespace rdp {

// Rows of an RGB picture, three bytes a pixel, as samples of 8 bits: `width` counts bytes.
using RgbRows = MutableDepthView;

// The view of a room's colour camera: its picture, and the depth of each of its pixels. Colours
// are greys of RoomPicture, tinted by the thing that a plane belongs to.
class RoomColorRenderer {
 public:
  // `noise`: standard deviation in grey steps, independent in each channel. Allocates only for
  // images wider than any before.
  void draw_picture(std::uint64_t number, std::uint32_t seed, const ColorRig& rig, double noise,
                    const RgbRows& picture);
  // 16-bit depth in mm, rounded to the nearest; known samples are at least 1, 0 = unknown.
  void draw_depth(std::uint64_t number, std::uint32_t seed, const ColorRig& rig,
                  const MutableDepthView& depth);

 private:
  RoomPicture picture_;
  RoomKeeper keeper_;
  RoomView view_;
  GrowBuffer<double> greys_;
};

// The colour view of a crowd through `projection`, with each person tinted.
class CrowdColorRenderer {
 public:
  void draw_picture(std::span<const CrowdPerson> people, const CrowdMatrix& projection,
                    const CrowdLook& look, const RgbRows& picture);

 private:
  CrowdRenderer renderer_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_COLOR_SCENE_H_
