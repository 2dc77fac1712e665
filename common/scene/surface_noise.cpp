// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/surface_noise.h"

#include <algorithm>
#include <bit>

#include "common/scene/hash_random.h"

namespace rdp {
namespace {

// x = mantissa * 2^exponent, the mantissa in [1, 2). Of positive normal numbers.
struct Binary {
  int exponent;
  double mantissa;

  explicit Binary(double x) {
    constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    exponent = static_cast<int>(bits >> 52) - 1023;
    mantissa = std::bit_cast<double>((bits & kFraction) | (std::uint64_t{1023} << 52));
  }
};

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// No std::floor: that is a call on processors without SSE 4.1.
std::int64_t rounded_down(double x) {
  const auto cut = static_cast<std::int64_t>(x);
  return cut - (static_cast<double>(cut) > x ? 1 : 0);
}

// Wraps the index of a cell whose side is 2^-scale m.
std::uint64_t wrapped(std::int64_t index, int scale) {
  const int bits = std::clamp(16 + scale, 0, 62);
  return static_cast<std::uint64_t>(index) & ((std::uint64_t{1} << bits) - 1);
}

constexpr std::uint64_t kAcross = 0xD1342543DE82EF95U;

double corner(std::uint64_t key, std::uint64_t u, std::uint64_t v) {
  const std::uint64_t bits = mix_bits(key + u * kGoldenRatio64 + v * kAcross);
  return static_cast<double>(static_cast<std::int32_t>(bits >> 32)) * 0x1p-31;
}

// The weight of an octave with cells of this many px.
double weight(double px) {
  if (px < 3.0) return std::max((px - 1.5) * (1.0 / 1.5), 0.0);
  return px > 16.0 ? std::max((24.0 - px) * (1.0 / 8.0), 0.0) : 1.0;
}

}  // namespace

double SurfaceNoise::octaves(std::uint64_t key, double u, double v, const Scale& finest,
                             Cell* cells) {
  double sum = 0.0;
  double cell_size = finest.cell_size;
  double scaled_u = u * power_of_two(finest.u);
  double scaled_v = v * power_of_two(finest.v);
  for (int i = 0; i < kOctaves; ++i) {
    const double share = weight(cell_size);
    if (share > 0.0) {
      const int scale_u = finest.u - i;
      const int scale_v = finest.v - i;
      const std::uint64_t octave_key =
          key ^ (static_cast<std::uint64_t>((scale_u + 1024) * 4096 + scale_v + 1024) << 32);
      const std::int64_t cell_u = rounded_down(scaled_u);
      const std::int64_t cell_v = rounded_down(scaled_v);
      Cell& cell = cells[i];
      if (cell.u != cell_u || cell.v != cell_v || cell.key != octave_key) {
        const std::uint64_t u0 = wrapped(cell_u, scale_u);
        const std::uint64_t u1 = wrapped(cell_u + 1, scale_u);
        const std::uint64_t v0 = wrapped(cell_v, scale_v);
        const std::uint64_t v1 = wrapped(cell_v + 1, scale_v);
        // The cell to the right shares two corners with the last one.
        const bool next = cell.key == octave_key && cell.v == cell_v && cell.u + 1 == cell_u;
        const double upper = next ? cell.upper_right : corner(octave_key, u0, v0);
        const double lower = next ? cell.lower_right : corner(octave_key, u0, v1);
        cell.upper_right = corner(octave_key, u1, v0);
        cell.lower_right = corner(octave_key, u1, v1);
        cell.base = upper;
        cell.by_u = cell.upper_right - upper;
        cell.by_v = lower - upper;
        cell.by_both = cell.lower_right - lower - cell.by_u;
        cell.key = octave_key;
        cell.u = cell_u;
        cell.v = cell_v;
      }
      const double a = scaled_u - static_cast<double>(cell_u);
      const double b = scaled_v - static_cast<double>(cell_v);
      sum += share * (cell.base + a * cell.by_u + b * (cell.by_v + a * cell.by_both));
    }
    cell_size *= 2.0;
    scaled_u *= 0.5;
    scaled_v *= 0.5;
  }
  return sum;
}

double SurfaceNoise::at(std::uint64_t key, double u, double v, double u_px, double v_px) {
  // Limits far beyond the scale of any image keep all powers below normal numbers.
  const Binary along_u(std::clamp(u_px, 0x1p-40, 0x1p40));
  const Binary along_v(std::clamp(v_px, 0x1p-40, 0x1p40));
  // The ratio of both lies between two powers of two. With the smaller one, cells have at least as
  // many px in v as in u; with the larger one at most as many.
  const bool carries = along_v.mantissa < along_u.mantissa;
  const int slant = along_v.exponent - along_u.exponent - (carries ? 1 : 0);
  const double ratio = along_v.mantissa / along_u.mantissa * (carries ? 2.0 : 1.0);
  const double blend = std::clamp((ratio - 1.375) * 4.0, 0.0, 1.0);
  double noise = 0.0;
  if (blend < 1.0) {
    const Scale finest = {along_u.exponent, along_u.exponent + slant, along_u.mantissa};
    noise = (1.0 - blend) * octaves(key, u, v, finest, cells_[0]);
  }
  if (blend > 0.0) {
    const Scale finest = {along_v.exponent - slant - 1, along_v.exponent, along_v.mantissa};
    noise += blend * octaves(key, u, v, finest, cells_[1]);
  }
  return noise;
}

}  // namespace rdp
