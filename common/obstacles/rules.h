// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_RULES_H_
#define RDP_COMMON_OBSTACLES_RULES_H_

#include <cmath>
#include <cstdint>

#include "common/host_device.h"
#include "common/obstacles/ground_rules.h"

// Rules of single pixels, cells and bearings, shared by the reference, the engine and the kernels.
// Lengths are millimetres. Kernels receive structs by value.
namespace rdp::obstacles {

enum SampleClass : std::uint8_t { kUnknown, kGround, kObstacle, kAbove, kDrop, kBelow };
enum CellState : std::uint8_t { kUnseen, kFree, kOccupied, kDropped };

constexpr int kRings = 416;
constexpr int kMaxRange = 131071;

struct FrameRules {
  std::int32_t width = 0, height = 0;             // of the frame
  std::int32_t first_column = 0, end_column = 0;  // with rays that are no steeper than 2
  std::int32_t first_row = 0, end_row = 0;
  std::int32_t camera_height = 0;
  std::int32_t min_height = 0, max_height = 0;
  std::int32_t tolerance = 0;   // 1/65536 of the distance
  std::int32_t drop_depth = 0;  // 0: off
  std::int32_t range = 0;
  std::int32_t cell = 0, columns = 0, rows = 0, x0 = 0, y0 = 0;
  std::int32_t cell_samples = 0;
  std::int32_t bins = 0;
  std::int32_t free_gap = 0;
  float inverse_cell = 0;

  RDP_HOST_DEVICE std::int32_t cells() const { return columns * rows; }
};

// Completes the rules of a camera and parameters with everything that depends on the ground.
RDP_HOST_DEVICE inline FrameRules rules_over(FrameRules rules, const Axes& axes) {
  const std::int32_t side = (rules.range + rules.cell - 1) / rules.cell;
  rules.camera_height = axes.height;
  rules.columns = axes.steep ? 2 * side : side;
  rules.rows = 2 * side;
  rules.x0 = axes.steep ? -side * rules.cell : 0;
  rules.y0 = -side * rules.cell;
  return rules;
}

// A direction from the origin in 1/16384.
struct Direction {
  std::int32_t cosine;
  std::int32_t sine;
};

// The root of a number below 2^52; on devices below 2^46, which samples do not reach.
RDP_HOST_DEVICE inline std::int32_t floor_root(std::uint64_t square) {
#ifdef __CUDA_ARCH__
  // A float is off by less than 1; few devices are fast in double.
  const auto root = static_cast<std::int32_t>(sqrtf(static_cast<float>(square)));
  const std::int64_t left = static_cast<std::int64_t>(square) - std::int64_t{root} * root;
  return root + (left > 2 * root ? 1 : 0) - (left < 0 ? 1 : 0);
#else
  return static_cast<std::int32_t>(std::sqrt(static_cast<double>(square)));
#endif
}

RDP_HOST_DEVICE inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

// n / rules.cell, for n below 2^21.
RDP_HOST_DEVICE inline std::int32_t cells_of(std::int32_t n, const FrameRules& rules) {
#ifdef __CUDA_ARCH__
  // The quotient of n + 0.5 differs from whole numbers by at least half of 1 / cell, more than the
  // rounding error.
  return static_cast<std::int32_t>((static_cast<float>(n) + 0.5F) * rules.inverse_cell);
#else
  return n / rules.cell;
#endif
}

// A coordinate of a sample at the depth z, from its pixel's `ray` in 1/65536.
RDP_HOST_DEVICE inline std::int32_t along_ray(std::int32_t z, std::int32_t ray) {
  return static_cast<std::int32_t>((std::int64_t{z} * ray + 32768) >> 16);
}

// A sample on the ground's axes.
struct Placed {
  std::int32_t x, y, h;
  std::int32_t rho;   // distance on the ground
  std::int32_t cell;  // -1: none
  SampleClass kind;
};

RDP_HOST_DEVICE inline std::int32_t distance_on_ground(std::int32_t x, std::int32_t y) {
  return floor_root(static_cast<std::uint64_t>(std::int64_t{x} * x + std::int64_t{y} * y));
}

// Moves a sample below the ground to the intersection of its ray and the ground.
RDP_HOST_DEVICE inline void move_to_ground(Placed* p, std::int32_t camera_height) {
  const std::int32_t whole = camera_height - p->h;
  p->x = static_cast<std::int32_t>(floor_divide(std::int64_t{p->x} * camera_height, whole));
  p->y = static_cast<std::int32_t>(floor_divide(std::int64_t{p->y} * camera_height, whole));
  p->rho = distance_on_ground(p->x, p->y);
}

// `inside` has a byte for each cell, 0 outside of the area; null: all cells are inside.
RDP_HOST_DEVICE inline Placed place_sample(std::int32_t z, std::int32_t ray_x, std::int32_t ray_y,
                                           std::int32_t ray_h, const FrameRules& rules,
                                           const std::uint8_t* inside) {
  Placed p{0, 0, 0, 0, -1, kUnknown};
  if (z <= 0) return p;
  p.x = along_ray(z, ray_x);
  p.y = along_ray(z, ray_y);
  p.h = rules.camera_height + along_ray(z, ray_h);
  p.rho = distance_on_ground(p.x, p.y);
  const auto margin = static_cast<std::int32_t>(std::int64_t{p.rho} * rules.tolerance >> 16);
  SampleClass kind;
  if (p.h >= rules.min_height + margin) {
    kind = p.h <= rules.max_height ? kObstacle : kAbove;
  } else if (rules.drop_depth > 0 && p.h <= -(rules.drop_depth + margin)) {
    kind = kDrop;
    move_to_ground(&p, rules.camera_height);
  } else {
    kind = p.h > -(rules.min_height + margin) ? kGround : kBelow;
  }
  if (p.rho >= rules.range || p.x < rules.x0) return p;
  const std::int32_t cell =
      cells_of(p.y - rules.y0, rules) * rules.columns + cells_of(p.x - rules.x0, rules);
  if (inside != nullptr && inside[cell] == 0) return p;
  p.cell = cell;
  p.kind = kind;
  return p;
}

// The bit of an obstacle sample in its cell's 8x8 parts.
RDP_HOST_DEVICE inline int part_of_cell(const Placed& p, const FrameRules& rules) {
  const auto part = [&](std::int32_t n) {
    return cells_of(8 * (n - cells_of(n, rules) * rules.cell), rules);
  };
  return 8 * part(p.y - rules.y0) + part(p.x - rules.x0);
}

// Rings are 1 mm wide below 64 mm, and from there on 32 for each doubling of the distance.
RDP_HOST_DEVICE inline int ring_of(std::int32_t rho) {
  if (rho < 64) return rho;
#ifdef __CUDA_ARCH__
  const int shift = 26 - __clz(rho);
#else
  const int shift = 26 - __builtin_clz(static_cast<unsigned>(rho));
#endif
  return 32 * shift + (rho >> shift);
}

// True if a point lies to the left of a direction or on it.
RDP_HOST_DEVICE inline bool is_left_of(std::int32_t x, std::int32_t y, const Direction& direction) {
  return std::int64_t{y} * direction.cosine >= std::int64_t{x} * direction.sine;
}

// The bearing of a point with x > 0, from the `bins` + 1 edges; -1: outside of all.
RDP_HOST_DEVICE inline int bin_of(std::int32_t x, std::int32_t y, const Direction* edges,
                                  std::int32_t bins) {
  if (!is_left_of(x, y, edges[0]) || is_left_of(x, y, edges[bins])) return -1;
  int low = 0;
  int high = bins;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (is_left_of(x, y, edges[middle]) ? low : high) = middle;
  }
  return low;
}

// Samples of a ring of a bearing.
struct RingSum {
  std::uint32_t count = 0;
  std::uint32_t spare = 0;
  std::uint64_t sum = 0;  // of their distances
};

// Rings of a bearing lie `bins` apart: those of neighbouring bearings are neighbours in memory.
RDP_HOST_DEVICE inline std::int32_t ring_place(int ring, int bin, std::int32_t bins) {
  return ring * bins + bin;
}

// True if a bearing's range lies in this ring and the next one; count(ring): its samples.
template <typename Count>
RDP_HOST_DEVICE inline bool holds_range(int ring, std::int32_t cell_samples, const Count& count) {
  const std::int64_t w = count(ring) + count(ring + 1);
  return w >= cell_samples && 4 * w >= count(ring + 1) + count(ring + 2) &&
         4 * w >= count(ring + 2) + count(ring + 3);
}
RDP_HOST_DEVICE inline std::uint32_t range_of_rings(const RingSum& ring, const RingSum& next) {
  const std::uint64_t samples = std::uint64_t{ring.count} + next.count;
  return static_cast<std::uint32_t>((ring.sum + next.sum + samples / 2) / samples);
}

// The range of a bearing; 0: none. `first`: no ring before it has samples.
RDP_HOST_DEVICE inline std::uint32_t range_of(const RingSum* rings, int bin,
                                              const FrameRules& rules, int first = 0) {
  const auto at = [&](int ring) -> RingSum {
    return ring < kRings ? rings[ring_place(ring, bin, rules.bins)] : RingSum();
  };
  const auto count = [&](int ring) { return std::int64_t{at(ring).count}; };
  for (int r = first; r < kRings; ++r) {
    if (holds_range(r, rules.cell_samples, count)) return range_of_rings(at(r), at(r + 1));
  }
  return 0;
}

// The step along a bearing's middle, and the cell at a distance below the range.
RDP_HOST_DEVICE inline std::int32_t free_step(const FrameRules& rules) {
  return (rules.cell + 1) / 2;
}
RDP_HOST_DEVICE inline std::int32_t cell_on_bearing(std::int32_t r, const Direction& middle,
                                                    const FrameRules& rules) {
  const auto along = [&](std::int32_t share) {
    return static_cast<std::int32_t>((std::int64_t{r} * share + 8192) >> 14);
  };
  const std::int32_t column = cells_of(along(middle.cosine) - rules.x0, rules);
  const std::int32_t row = cells_of(along(middle.sine) - rules.y0, rules);
  return row * rules.columns + column;
}

// The free distance along a bearing, at most its range. cell_at(i): the cell after i + 1 steps.
template <typename CellAt>
RDP_HOST_DEVICE inline std::uint32_t free_of(std::uint32_t range, const std::uint8_t* states,
                                             const FrameRules& rules, const CellAt& cell_at) {
  const std::int32_t step = free_step(rules);
  std::int32_t free = 0;
  std::int32_t gap = 0;
  for (std::int32_t i = 0, r = step; r < rules.range; ++i, r += step) {
    const std::uint8_t state = states[cell_at(i)];
    if (state == kOccupied || state == kDropped) break;
    if (state == kFree) {
      free = r;
      gap = 0;
    } else if (free > 0) {
      gap += step;
      if (gap > rules.free_gap) break;
    }
  }
  const auto found = static_cast<std::uint32_t>(free);
  return range > 0 && found > range ? range : found;
}

// The camera, as used for cells that no sample falls into.
struct CellView {
  double r[3][3];
  double camera_height;
  double focal_x, focal_y, principal_x, principal_y;
};

RDP_HOST_DEVICE inline CellView view_of(const Axes& axes, const GroundLens& lens) {
  CellView view{};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) view.r[i][k] = axes.r[i][k];
  }
  view.camera_height = axes.height;
  view.focal_x = lens.focal_x;
  view.focal_y = lens.focal_y;
  view.principal_x = lens.principal_x;
  view.principal_y = lens.principal_y;
  return view;
}

// Finds the pixel that shows a cell's middle, and its depth q2. Returns false if there is none.
RDP_HOST_DEVICE inline bool pixel_of_cell(double x, double y, const CellView& view,
                                          const FrameRules& rules, std::int32_t* column,
                                          std::int32_t* row, double* depth) {
  const double range = rules.range;
  if (!(x * x + y * y < range * range)) return false;
  double q[3];
  for (int k = 0; k < 3; ++k) {
    q[k] = (view.r[0][k] * x + view.r[1][k] * y) - view.r[2][k] * view.camera_height;
  }
  if (!(q[2] > 0.0)) return false;
  const double u = (q[0] / q[2] * view.focal_x + view.principal_x) + 0.5;
  const double v = (q[1] / q[2] * view.focal_y + view.principal_y) + 0.5;
  if (!(u >= 0.0 && u < rules.width && v >= 0.0 && v < rules.height)) return false;
  *column = static_cast<std::int32_t>(u);
  *row = static_cast<std::int32_t>(v);
  *depth = q[2];
  return true;
}

// True if the pixel that shows a cell's middle is ground and not much nearer. ground_at(column,
// row): its z; 0 where it is no ground.
template <typename GroundAt>
RDP_HOST_DEVICE inline bool is_seen_free(std::int32_t index, const CellView& view,
                                         const FrameRules& rules, const GroundAt& ground_at) {
  const double x = rules.x0 + index % rules.columns * rules.cell + 0.5 * rules.cell;
  const double y = rules.y0 + index / rules.columns * rules.cell + 0.5 * rules.cell;
  std::int32_t column, row;
  double depth;
  return pixel_of_cell(x, y, view, rules, &column, &row, &depth) &&
         8.0 * ground_at(column, row) >= 7.0 * depth;
}

// The obstacle and drop samples of a cell.
struct CellSum {
  std::uint64_t parts = 0;  // obstacles', as bits: part_of_cell()
  std::uint32_t count = 0;
  std::int32_t top = 0;  // mm, the highest obstacle's; 0: there are drops alone
};

// The state of a cell from its samples. A kUnseen cell without samples may be is_seen_free().
RDP_HOST_DEVICE inline CellState state_of(const CellSum& cell, bool ground,
                                          std::int32_t cell_samples) {
  if (cell.count >= static_cast<std::uint32_t>(cell_samples)) {
    return cell.top > 0 ? kOccupied : kDropped;
  }
  return ground ? kFree : kUnseen;
}

struct OccupiedCell {
  std::int32_t index = 0;
  CellSum sum;
};

// The obstacle samples of an object: their heights in bins, and the box of their pixels.
struct ObjectSamples {
  static constexpr int kBins = 256;

  std::uint32_t counts[kBins] = {};
  std::uint64_t sums[kBins] = {};
  std::int32_t first_column = INT32_MAX, end_column = 0;
  std::int32_t first_row = INT32_MAX, end_row = 0;

  // The inverse of a bin's height, and the bin of a height below 2^16. Adding 0.5 keeps quotients
  // away from whole numbers by more than the rounding error.
  RDP_HOST_DEVICE static float inverse_bin(std::int32_t max_height) {
    return 1.0F / static_cast<float>(max_height / kBins + 1);
  }
  RDP_HOST_DEVICE static int bin_of(std::int32_t h, float inverse) {
    return static_cast<int>((static_cast<float>(h) + 0.5F) * inverse);
  }
  void add_height(std::int32_t h, int bin) {
    ++counts[bin];
    sums[bin] += static_cast<std::uint64_t>(h);
  }
  void add_pixels(std::int32_t row, std::int32_t first, std::int32_t end);
  void add(const ObjectSamples& more);
};

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_RULES_H_
