// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_TRAFFIC_SCENE_H_
#define RDP_COMMON_SCENE_TRAFFIC_SCENE_H_

#include <cstdint>

#include "common/scene/span_canvas.h"
#include "common/scene/viewpoint.h"

namespace rdp {

// Traffic: cars whose places and speeds are known, on a road between houses with two side streets.
// The camera is that of the street, and drives ahead by some mm a frame, or stands.
//
// All lengths are whole mm, all speeds whole mm a frame: in m/s, they are that times the frame rate
// / 1000. Axes are those of the left camera, which is level: to the right, ahead.
inline constexpr int kTrafficCars = 4;

// A car in one frame: a box that stands on the road.
struct TrafficCar {
  std::int64_t left, right;  // to the right of the left camera
  std::int64_t near, far;    // ahead of the camera
  std::int64_t height;
  // Its displacement in a frame, over the ground. Seen from the camera, it is `drive` less ahead.
  int across, along;
};

// Car 1 drives ahead in a lane on the right, car 2 crosses from the left to the right, car 3 comes
// towards the camera in a lane on the left, car 4 crosses from the right to the left, each with 333
// mm a frame (10 m/s at 30 frames/s). `seed` determines their sizes.
//
// Each car moves in a loop: it leaves at one end and reappears at the other, out of view or 60 m
// ahead. In frame kTrafficMoment, with any drive, cars 1 and 2 are 15 m ahead. From frame 30 to
// frame 60, with a drive of up to 400, no car hides another one. Cars 3 and 4 are then out of view.
// Cars never overlap.
inline constexpr int kTrafficMoment = 45;
TrafficCar traffic_car(int number, std::uint32_t seed, std::uint32_t drive, std::uint64_t frame);

// Draws a frame. The surfaces of car n have the label n, from 1. `turn`: camera turn to the right
// per frame, in 1/1000 rad for small angles: the tangent of half the angle is turn / 2000. In frame
// kTrafficMoment the camera looks along the road, and its axes are the road's; with turn 0 always.
void draw_traffic(std::uint32_t seed, std::uint32_t drive, std::uint32_t turn, std::uint64_t frame,
                  const Viewpoint& from, SpanCanvas* canvas);

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TRAFFIC_SCENE_H_
