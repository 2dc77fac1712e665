// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_RIG_H_
#define RDP_COMMON_HEIGHTMAP_RIG_H_

#include <string>
#include <vector>

#include "common/heightmap/parameters.h"

// The cameras of a height map, and their faults.
//
// The world is right-handed, its ground Z = 0, up +Z, in metres. A pixel's centre is a whole
// number, the first is (0, 0).
namespace rdp::heightmap {

// The camera of a view: x ~ P (X, Y, Z, 1), in pixels. Its lens does not distort.
struct View {
  double projection[3][4] = {};
  int width = 0;  // of its pictures, 1 to kMaxSide
  int height = 0;

  bool operator==(const View&) const = default;
};

struct Rig {
  std::vector<View> views;  // kLeastViews to kMaxViews
  int reference = 0;        // index of the labelled view

  const View& seen() const { return views[static_cast<std::size_t>(reference)]; }
  bool operator==(const Rig&) const = default;
};

// The fault of a rig: of one view, or of it and the reference.
enum class RigFault {
  kNone,
  kNotFinite,     // a number of the matrix is not finite
  kNoCamera,      // M, the matrix's left three columns, has no inverse
  kGroundBehind,  // the ground is behind the camera in the middle of the picture, or is not seen
                  // there: a left-handed world, or a camera that looks at the sky
  kBelow,         // the camera is below the ground: a world whose X and Y are left-handed
  kNoGround,      // G(h) of a height has no inverse: the camera is at that height
  kApart,         // the view and the reference see no common ground
};
struct RigError {
  RigFault fault = RigFault::kNone;
  int view = 0;
};
// The first fault, in the order of the views. `parameters`: the heights to be found.
RigError check_rig(const Rig& rig, const Parameters& parameters);

// Speckle size in pixels if the parameter is -1: a third of a disc 0.2 m in diameter, at least 1.
// The disc is at the middle height, in the middle of the reference picture.
int speckle_pixels(const Rig& rig, const Parameters& parameters);
// Speckle size in pixels; 0: off.
inline int speckle_of(const Rig& rig, const Parameters& parameters) {
  return parameters.speckle < 0 ? speckle_pixels(rig, parameters) : parameters.speckle;
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_RIG_H_
