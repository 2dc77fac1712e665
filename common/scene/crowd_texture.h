// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_CROWD_TEXTURE_H_
#define RDP_COMMON_SCENE_CROWD_TEXTURE_H_

#include <array>
#include <cstdint>

namespace rdp {

// Solid texture: value noise, with a random number in [-1, 1) for every corner of a grid of cubes
// and linear interpolation. It sums octaves with cube sides of powers of two metres. It depends on
// the point alone, so all cameras see the same texture. (SurfaceNoise chooses its octaves by the
// camera's place.)
//
// Only +, -, *, / and integers: the same bits on every machine.
class CrowdTexture {
 public:
  // Weights of octaves by their cell size in pixels: 0 below `from` and above `end`, full between
  // `full` and `last`, fading in between.
  struct Band {
    double from, full, last, end;
  };

  // scale: pixels a metre.
  void begin(double scale, const Band& band);

  // At a point, m; within some 1000 km of the origin.
  double at(std::uint64_t key, double x, double y, double z);
  // In the plane z = 0.
  double at(std::uint64_t key, double x, double y);

 private:
  static constexpr int kMaxOctaves = 6;
  struct Octave {
    double cells = 1.0;  // a metre
    double weight = 0.0;
    std::uint64_t salt = 0;  // without it all octaves would have the same numbers
    // The last used cell: the number at its first corner, and its changes along each axis, along
    // two, along all three.
    std::uint64_t key = 0;
    std::int64_t x = 0, y = 0, z = 0;
    bool has = false;
    std::array<double, 8> term{};
  };

  std::array<Octave, kMaxOctaves> octaves_;
  int count_ = 0;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_CROWD_TEXTURE_H_
