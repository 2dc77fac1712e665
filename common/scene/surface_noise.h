// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_SURFACE_NOISE_H_
#define RDP_COMMON_SCENE_SURFACE_NOISE_H_

#include <cstdint>

namespace rdp {

// The texture of surfaces: value noise, a sum of octaves. Each has a random number in [-1, 1) for
// every corner of a grid of cells, and bilinear interpolation. It depends on its arguments alone;
// the cache of the last cells only saves work. Only +, -, *, / and integers: bit-identical on every
// machine.
//
// Cell sides are powers of two metres, independent in u and v. Only octaves with cells of about 1.5
// to 24 px in the image count. So every distance has contrast at the scale of pixels, and no finer
// detail that would alias. Octaves fade in and out with the size of their cells, so that nothing
// pops as the camera moves. Surfaces seen at a slant have cells that are longer that way; their
// lengths blend, too.
//
// The numbers repeat themselves every 65536 m.
class SurfaceNoise {
 public:
  // About -2 to 2, with a standard deviation of about 0.7. (u, v): a point in m. u_px, v_px: pixels
  // per metre there in each direction, above 0.
  double at(std::uint64_t key, double u, double v, double u_px, double v_px);

 private:
  static constexpr int kOctaves = 5;
  struct Cell {  // the last used one
    std::uint64_t key = 0;
    std::int64_t u = -1, v = -1;
    double upper_right = 0.0, lower_right = 0.0;               // at two corners
    double base = 0.0, by_u = 0.0, by_v = 0.0, by_both = 0.0;  // between them all
  };
  struct Scale {
    int u, v;          // cells a metre: 2^u, 2^v
    double cell_size;  // px, in [1, 2)
  };
  double octaves(std::uint64_t key, double u, double v, const Scale& finest, Cell* cells);

  Cell cells_[2][kOctaves];
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_SURFACE_NOISE_H_
