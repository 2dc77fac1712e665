// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_FILTER_SCENES_H_
#define RDP_TESTS_BENCH_ACCURACY_FILTER_SCENES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/image/reference.h"

// Test frames of depthfilter: 640x480 with their exact depths in mm. The structured light camera
// has a focal length of 525 px and a baseline of 75 mm.
namespace rdp::bench {

// Classes of pixels. A pixel of a decimated frame belongs to one of the first four if all pixels of
// its block do. It belongs to one of the others if any of them does.
enum PixelClass : std::uint8_t {
  kSurface = 1,      // in rooms: a labelled surface, off its edges
  kStill = 2,        // background, unchanged for five frames
  kApproaching = 4,  // the approaching box, off its edges in five frames
  kReceding = 8,     // the receding box
  kEdge = 16,        // the 7x7 window has two labels
  kUncovered = 32,   // the label has changed within five frames
  kMade = 64,        // an artificial hole, or a true sample near mixed ones
  kFlying = 128      // a mixed sample
};

struct FilterScene {
  reference::Frame frame;             // mm, 0 unknown
  std::vector<double> truth;          // mm, 0 unknown; empty: only the classes are known
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
// The same from depthtestsrc's rooms.
std::vector<FilterRoom> draw_filter_rooms();

// Three boxes moving in front of a wall and a floor, with noise of `sigma` px. Frames from
// kFirstScored on have classes.
constexpr int kMovingFrames = 24;
constexpr int kFirstScored = 8;
std::vector<FilterScene> moving_scene(double sigma);

// A room at half size. Samples are means of 2x2 pixels of the exact frame, blurred by 0 or 1 px
// before. kFlying: more than 10/km from all contributing pixels.
FilterScene mixed_scene(const FilterRoom& room, int blur, int number);
// A cross one pixel wide, 1.5 m before a wall; kMade: the cross.
FilterScene pole_scene();
// A room with the projector's shadow on the background, and 2 % pinholes. kMade: these holes.
FilterScene holes_scene(const FilterRoom& room, int number);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_FILTER_SCENES_H_
