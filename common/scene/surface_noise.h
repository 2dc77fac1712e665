// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_SURFACE_NOISE_H_
#define RDP_COMMON_SCENE_SURFACE_NOISE_H_

#include <cstdint>

namespace rdp {

// The texture of surfaces: value noise, a sum of octaves, each a random number in [-1, 1) for every
// corner of a grid of cells and bilinear between them. A function of its arguments alone; what is
// kept from the pixel before only saves work. Only +, -, *, / and integers: the same bits on every
// machine.
//
// Cells have sides of powers of two metres, of their own in u and v. Those octaves take part whose
// cells are some 1.5 to 24 px wide as they are seen, so that there is contrast at the scale of
// pixels at every distance and nothing finer that sampling would turn into noise. Octaves fade in
// and out with the size of their cells: nothing pops as the camera moves on. A surface that is seen
// at a slant has cells that are longer that way; the lengths change by a blend, too.
//
// The numbers repeat themselves every 65536 m.
class SurfaceNoise {
 public:
  // About -2 to 2, its standard deviation some 0.7. (u, v): a point, m. u_px, v_px: how many pixels
  // a metre takes there in the direction of each, above 0.
  double at(std::uint64_t key, double u, double v, double u_px, double v_px);

 private:
  static constexpr int kOctaves = 5;
  struct Cell {  // the one that was used last
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
