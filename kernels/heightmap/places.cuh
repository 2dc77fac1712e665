// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_PLACES_CUH_
#define RDP_KERNELS_HEIGHTMAP_PLACES_CUH_

#include <cstdint>

#include "common/heightmap/plane.h"
#include "kernels/heightmap/height_arguments.h"

namespace rdp::cuda {

// The pixel of another view that shows a pixel at the heights of planes: heightmap::place_of(),
// bit-identical. Double precision is slow, on most devices very slow. So places are computed in
// single precision, with an error bound. Only those that may be in the next pixel are computed as
// defined.
//
// The bound. With e = 2^-24, each conversion and operation errs by at most e of its result, and so
// the third component w = a.z + h b.z by no more than 4 e (|a.z| + h |b.z|), the others alike. The
// reciprocal errs by 4 e of itself, the product by e. A place u within `side` pixels is therefore
// wrong by no more than e (4 (|a.x| + h |b.x|) + 9 side (|a.z| + h |b.z|)) / |w|, and by terms of
// e^2, for which a tenth is added. Where that is at most a quarter of a pixel, the sign of w is
// certain as well, and a place that seems to be beyond side + 1 is outside.
class Places {
 public:
  // highest: no plane is higher; metres.
  __device__ Places(const HeightSight& sight, const double (&horizon)[3], float highest, int x,
                    int y)
      : sight_(sight), x_(x), y_(y) {
    const double side = heightmap::row_times(horizon, x, y);
    before_ = side > 0.0 ? 1 : side < 0.0 ? -1 : 0;
    const heightmap::Vector3 a = heightmap::times(sight.sight.h0, x, y);
    const heightmap::Vector3 b = heightmap::times(sight.sight.h1, x, y);
    ax_ = static_cast<float>(a.x);
    ay_ = static_cast<float>(a.y);
    az_ = static_cast<float>(a.z);
    bx_ = static_cast<float>(b.x);
    by_ = static_cast<float>(b.y);
    bz_ = static_cast<float>(b.z);
    constexpr float kError = 1.1F / (1 << 24);
    most_ = static_cast<float>(max(sight.sight.width, sight.sight.height));
    const float x_size = fabsf(ax_) + highest * fabsf(bx_);
    const float y_size = fabsf(ay_) + highest * fabsf(by_);
    const float z_size = fabsf(az_) + highest * fabsf(bz_);
    error_ = kError * (4.0F * fmaxf(x_size, y_size) + 9.0F * most_ * z_size);
  }

  // The pixel of the view, heightmap::kOutside, or kUnsure.
  static constexpr std::int32_t kUnsure = -2;
  __device__ __forceinline__ std::int32_t roughly(const HeightPlane& plane) const {
    if (plane.sign == 0 || before_ != plane.sign) return heightmap::kOutside;
    constexpr float kLeast = 1e-18F;  // below it, errors are no part of the number any more
    const float w = az_ + plane.rough_height * bz_;
    const float inverse = __fdividef(1.0F, w);
    const float error = error_ * fabsf(inverse);
    if (!(error <= 0.25F && fabsf(w) >= kLeast)) return kUnsure;
    if (plane.sign < 0 ? w > 0.0F : w < 0.0F) return heightmap::kOutside;
    const float u = (ax_ + plane.rough_height * bx_) * inverse;
    const float v = (ay_ + plane.rough_height * by_) * inverse;
    if (fmaxf(fabsf(u), fabsf(v)) >= most_ + 1.0F) return heightmap::kOutside;
    // To whole numbers: numbers from here on have no fraction.
    constexpr float kWhole = 12582912.0F;  // 1.5 * 2^23
    const float whole_u = u + kWhole, whole_v = v + kWhole;
    const float off = fmaxf(fabsf(u - (whole_u - kWhole)), fabsf(v - (whole_v - kWhole)));
    if (!(off + error < 0.499999F)) return kUnsure;
    const int column = __float_as_int(whole_u) - __float_as_int(kWhole);
    const int row = __float_as_int(whole_v) - __float_as_int(kWhole);
    if (static_cast<unsigned>(column) >= static_cast<unsigned>(sight_.sight.width) ||
        static_cast<unsigned>(row) >= static_cast<unsigned>(sight_.sight.height)) {
      return heightmap::kOutside;
    }
    return row * sight_.sight.width + column;
  }

  // The exact place, for planes for which roughly() returned kUnsure.
  __device__ std::int32_t exactly(const HeightPlane& plane) const {
    return heightmap::place_of(heightmap::times(sight_.sight.h0, x_, y_),
                               heightmap::times(sight_.sight.h1, x_, y_), plane.height,
                               plane.sign < 0, sight_.sight.width, sight_.sight.height);
  }

 private:
  const HeightSight& sight_;
  const int x_, y_;
  int before_;  // the sign of planes that the pixel is before
  float ax_, ay_, az_, bx_, by_, bz_;
  float most_;
  float error_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_PLACES_CUH_
