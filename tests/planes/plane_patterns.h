// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_PLANE_PATTERNS_H_
#define RDP_TESTS_PLANES_PLANE_PATTERNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/planes/parameters.h"

// Frames that are hard for a plane detector, for the CPU and GPU engines.
namespace rdp::test {

enum class PlaneKind {
  kRoom,      // three walls, boxes and a ball, with noise
  kFlat,      // one wall without any noise
  kSlanted,   // one plane through all depths, without noise
  kTiles,     // more small planes than there are labels
  kStripes,   // planes thinner than a cell
  kNoise,     // every sample alike
  kExtremes,  // the smallest and the largest samples
  kSparse,    // few known samples
  kConstant,  // one sample everywhere
  kUnknown,   // none
  kLayers,    // parallel planes, three steps of the distance apart
  kWaves,     // the room's walls behind a filter: noise that changes slowly; 1 in 45 unknown
};
inline constexpr int kPlaneKinds = 12;
const char* name_of(PlaneKind kind);

// Draws samples of the frame's type in millimetres (8 bits: in steps of 40 mm).
void draw_planes(const MutableDepthView& frame, PlaneKind kind, std::uint32_t seed);

// A camera with a field of view of 60 degrees, for samples of draw_planes(), or for disparities.
MetricCamera plane_camera(int width, int height, SampleType type, bool disparity = false);

// A frame with its camera and the parameters of its detection.
struct PlaneCase {
  std::string name;
  int width, height;
  SampleType type;
  PlaneKind kind;
  std::uint32_t seed;
  bool disparity;
  planes::Parameters parameters;
};

// All kinds, sizes and settings; `many` adds larger frames.
std::vector<PlaneCase> plane_cases(bool many);

}  // namespace rdp::test

#endif  // RDP_TESTS_PLANES_PLANE_PATTERNS_H_
