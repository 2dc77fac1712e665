// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_FILTER_SCENES_H_
#define RDP_TESTS_BENCH_ACCURACY_FILTER_SCENES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/image/reference.h"

// Depth frames of 640x480 with their exact depths, in mm: what the filter of depthfilter is judged
// by. Focal length 525 px, a structured light camera with a baseline of 75 mm.
namespace rdp::bench {

// Classes of pixels. A pixel of a decimated frame has one of the first four if all pixels of its
// block do, and one of the others if any does.
enum PixelClass : std::uint8_t {
  kSurface = 1,      // of a room: a labelled surface, off its edges
  kStill = 2,        // background that has not changed for five frames
  kApproaching = 4,  // of the box that comes nearer, off its edges in five frames
  kReceding = 8,     // of the box that goes away
  kEdge = 16,        // the 7x7 window has two labels
  kUncovered = 32,   // another label in one of five frames
  kMade = 64,        // a hole that was made, or a true sample near mixed ones
  kFlying = 128      // a mixed sample
};

struct FilterScene {
  reference::Frame frame;             // mm, 0 unknown
  std::vector<double> truth;          // mm, 0 unknown; empty: nothing but the classes is known
  std::vector<std::uint8_t> classes;  // sums of PixelClass
  std::vector<std::uint8_t> labels;
};

struct FilterRoom {
  std::vector<FilterScene> variants;  // n020, n045, bend
};
constexpr const char* kRoomVariants[] = {"n020", "n045", "bend"};
constexpr int kFilterRooms = 6;

// The rooms 01 to 06 of a folder, as render_rooms writes them; none if one is missing.
std::vector<FilterRoom> read_filter_rooms(const std::filesystem::path& folder);
// The same of depthtestsrc's rooms.
std::vector<FilterRoom> draw_filter_rooms();

// Three boxes that move before a wall and a floor, with noise of `sigma` px. Frames from
// kFirstScored on have classes.
constexpr int kMovingFrames = 24;
constexpr int kFirstScored = 8;
std::vector<FilterScene> moving_scene(double sigma);

// A room at half size: samples are means of 2x2 pixels of the exact frame, blurred by 0 or 1 px
// before. Flying: more than 10/km from all pixels that took part.
FilterScene mixed_scene(const FilterRoom& room, int blur, int number);
// A cross one pixel wide, 1.5 m before a wall; kMade: the cross.
FilterScene pole_scene();
// A room with the projector's shadow on the background, and 2 % pinholes. kMade: these holes.
FilterScene holes_scene(const FilterRoom& room, int number);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_FILTER_SCENES_H_
