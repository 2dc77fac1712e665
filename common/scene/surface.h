// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_SURFACE_H_
#define RDP_COMMON_SCENE_SURFACE_H_

#include <cstddef>
#include <cstdint>

#include "common/image/grow_buffer.h"
#include "common/scene/tree_crown.h"

namespace rdp {

// The look of one surface of a test scene. Its texture is a function of two coordinates (u, v) on
// the surface, in metres, so that it is the same from everywhere. The coordinates depend on the
// surface's direction:
//
// - kFace (faces the camera):  u = x, v = height
// - kFlat (lies, or slants away): u = x, v = z
// - kWall (along the road): u = z, v = height
// - kSky: the direction alone: u = x / z, v = height above the horizon / z
//
// each less (u0, v0), the point of the thing that the surface belongs to: a car that moves takes
// its texture along.
struct Surface {
  enum Shape : std::uint8_t { kFace, kFlat, kWall, kSky };
  enum Look : std::uint8_t {
    kPlain,
    kRoad,     // with dashes between the lanes
    kHouse,    // rows of windows
    kCarRear,  // lamps and a number plate
    kCarSide,  // glass above the waist
  };
  Shape shape = kFace;
  Look look = kPlain;
  std::uint64_t key = 0;   // of its texture
  double grey = 128.0;     // mean
  double contrast = 28.0;  // of the texture, in grey steps
  double u0 = 0.0;
  double v0 = 0.0;
  double extent = 0.0;               // kCarRear: half the width; kCarSide: height of the waist; m
  const TreeCrown* crown = nullptr;  // the ball, if the surface is a tree crown

  // Displacement of its points to the next frame, in the camera's axes, in m: to the right, up and
  // ahead. The surface has the same key there.
  double move_x = 0.0, move_y = 0.0, move_z = 0.0;
  bool lasts = true;  // false: it does not exist in the next frame

  std::uint8_t label = 0;  // of its object, if that has one
};

// The heading of a level camera: its axes are rotated to the right from the axes of the surfaces'
// coordinates. It stores no angle, because libraries compute sines differently.
struct Heading {
  double cosine = 1.0, sine = 0.0;
  bool turns = false;  // in some frame, if not in this one
  // From the camera's axes (to the right, ahead) to those of the surfaces, and back.
  double across(double x, double z) const { return cosine * x + sine * z; }
  double along(double x, double z) const { return cosine * z - sine * x; }
  double right(double across, double along) const { return cosine * across - sine * along; }
  double ahead(double across, double along) const { return sine * across + cosine * along; }
};

// The surfaces of one image. Drawing refers to them by number; 0 is the sky.
class SurfaceList {
 public:
  // Empties the list. Allocates the first time.
  void begin() {
    surfaces_.ensure(kMost);
    crowns_.ensure(kMaxCrowns);
    crown_count_ = 0;
    heading = {};
    surfaces_.data()[0] = Surface{.shape = Surface::kSky, .grey = 0.0, .contrast = 5.0};
    count_ = 1;
  }
  // Adds a surface and returns its number. A surface beyond the limit replaces the last one.
  int add(const Surface& surface) {
    if (count_ < kMost) ++count_;
    surfaces_.data()[count_ - 1] = surface;
    return count_ - 1;
  }
  // Keeps a crown for the lifetime of the image; returns null if there is no room.
  TreeCrown* add_crown(const TreeCrown& crown) {
    if (crown_count_ == kMaxCrowns) return nullptr;
    TreeCrown* kept = crowns_.data() + crown_count_++;
    *kept = crown;
    return kept;
  }
  // The heading of the camera. If it turns, coordinates and moves are in the road's axes, and all
  // shapes but kSky refer to the road, too.
  Heading heading;

  Surface& at(int number) { return surfaces_.data()[number]; }
  const Surface& at(int number) const { return surfaces_.data()[number]; }

 private:
  static constexpr int kMost = 2048;
  static constexpr int kMaxCrowns = 128;
  GrowBuffer<Surface> surfaces_;
  GrowBuffer<TreeCrown> crowns_;
  int count_ = 0;
  int crown_count_ = 0;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_SURFACE_H_
