// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_PARAMETERS_H_
#define RDP_COMMON_OBSTACLES_PARAMETERS_H_

#include <cstdint>
#include <vector>

#include "common/image/known_range.h"
#include "common/obstacles/ground_rules.h"

// Obstacles on a ground: a grid, a scan, and objects. Axes: x forward, y left, z up, with the
// origin on the ground below the camera.
namespace rdp::obstacles {

constexpr int kMaxGridSide = 1024;  // M: range / cell_size, rounded up
constexpr int kMaxBins = 1440;
constexpr int kMaxObjects = 255;
constexpr int kMaxLink = 8;

struct AreaCorner {
  double x = 0.0;
  double y = 0.0;

  bool operator==(const AreaCorner&) const = default;
};

// The properties of the element, lengths in metres.
struct Parameters {
  KnownRange known{1, 65535};
  bool refine = true;
  double min_height = 0.1;         // at least 0.001
  double max_height = 2.0;         // above min_height
  double ground_tolerance = 0.01;  // per metre of distance
  double drop_depth = 0.0;         // 0: off
  double range = 10.0;             // 0.1 to 131
  double cell_size = 0.05;         // range / cell_size is at most kMaxGridSide
  int cell_samples = 4;            // at least 1
  std::vector<AreaCorner> area;    // empty: everywhere; else at least 3
  int scan_bins = 360;             // 1 to kMaxBins
  int scan_fov = 180;              // degrees, 1 to 180
  double free_gap = 0.3;
  int link = 1;               // cells, 1 to kMaxLink
  double split_height = 0.0;  // 0: off
  int object_samples = 30;
  int max_objects = 64;  // 1 to kMaxObjects

  bool operator==(const Parameters&) const = default;
};

// A rectangle on the ground, and the pixels that show the thing on it. Millimetres.
struct Object {
  std::int32_t x = 0;  // of the rectangle's middle
  std::int32_t y = 0;
  std::int32_t length = 0;  // the longer side
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::int32_t yaw = 0;  // of the longer side, -255 to 256 parts of pi / 512
  std::int32_t distance = 0;
  std::int32_t samples = 0;
  std::int32_t cells = 0;
  std::int32_t column = 0;
  std::int32_t row = 0;
  std::int32_t columns = 0;
  std::int32_t rows = 0;
  std::int32_t cut = 0;  // 1: its pixels touch the edge of the frame

  bool operator==(const Object&) const = default;
};

// Cells lie in rows along x, as in ROS's OccupancyGrid. Millimetres.
struct GridPlace {
  std::int32_t cell = 0;
  std::int32_t columns = 0;
  std::int32_t rows = 0;
  std::int32_t x = 0;  // of the first cell's corner
  std::int32_t y = 0;

  bool operator==(const GridPlace&) const = default;
};

// The result of a frame. Vectors keep their memory between frames.
struct Obstacles {
  bool has_ground = false;
  bool refined = false;
  std::int64_t inliers = 0;  // samples of the refinement that are on the ground
  Ground ground;
  Axes axes;
  GridPlace grid;
  std::vector<std::uint8_t> classes;  // of each pixel: SampleClass
  std::vector<std::uint8_t> states;   // of each cell: CellState
  std::vector<std::uint16_t> tops;    // of each cell, mm; 0 unless it is occupied
  std::vector<std::uint32_t> ranges;  // of each bearing from the right, mm; 0: none
  std::vector<std::uint32_t> free;    // of each bearing, mm
  std::vector<Object> objects;        // the nearest first
};

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_PARAMETERS_H_
