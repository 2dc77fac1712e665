// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/crowd_texture.h"

#include <cstddef>

#include "common/scene/hash_random.h"

// Only +, -, *, / and conversions of doubles, without contraction: see street_scene.cpp.
namespace rdp {
namespace {

// No std::floor: that is a call on processors without SSE 4.1.
std::int64_t rounded_down(double x) {
  const auto cut = static_cast<std::int64_t>(x);
  return cut - (static_cast<double>(cut) > x ? 1 : 0);
}

constexpr std::uint64_t kAlongY = 0xD1342543DE82EF95U;
constexpr std::uint64_t kAlongZ = 0xAF251AF3B0F025B5U;

std::uint64_t corner_key(std::uint64_t key, std::int64_t x, std::int64_t y, std::int64_t z) {
  return key + static_cast<std::uint64_t>(x) * kGoldenRatio64 +
         static_cast<std::uint64_t>(y) * kAlongY + static_cast<std::uint64_t>(z) * kAlongZ;
}

double corner(std::uint64_t key) {
  return static_cast<double>(static_cast<std::int32_t>(mix_bits(key) >> 32)) * 0x1p-31;
}

double weight_of(double px, const CrowdTexture::Band& band) {
  if (px <= band.from || px >= band.end) return 0.0;
  if (px < band.full) return (px - band.from) / (band.full - band.from);
  return px > band.last ? (band.end - px) / (band.end - band.last) : 1.0;
}

}  // namespace

void CrowdTexture::begin(double scale, const Band& band) {
  count_ = 0;
  double cells = 0x1p-10;
  for (int i = 0; i < 30; ++i, cells *= 2.0) {
    const double weight = weight_of(scale / cells, band);
    if (weight <= 0.0 || count_ == kMaxOctaves) continue;
    Octave& octave = octaves_[static_cast<std::size_t>(count_++)];
    if (octave.cells != cells) octave.has = false;
    octave.cells = cells;
    octave.weight = weight;
    octave.salt = static_cast<std::uint64_t>(i + 1) << 56;
  }
}

double CrowdTexture::at(std::uint64_t key, double x, double y) {
  double sum = 0.0;
  for (int i = 0; i < count_; ++i) {
    Octave& octave = octaves_[static_cast<std::size_t>(i)];
    const double a = x * octave.cells;
    const double b = y * octave.cells;
    const std::int64_t cell_x = rounded_down(a);
    const std::int64_t cell_y = rounded_down(b);
    auto& t = octave.term;
    if (!octave.has || octave.x != cell_x || octave.y != cell_y || octave.key != key) {
      const std::uint64_t first = corner_key(key ^ octave.salt, cell_x, cell_y, 0);
      t[0] = corner(first);
      t[1] = corner(first + kGoldenRatio64) - t[0];
      t[2] = corner(first + kAlongY) - t[0];
      t[3] = corner(first + kGoldenRatio64 + kAlongY) - t[0] - t[1] - t[2];
      octave.has = true;
      octave.key = key;
      octave.x = cell_x;
      octave.y = cell_y;
    }
    const double u = a - static_cast<double>(cell_x);
    const double v = b - static_cast<double>(cell_y);
    sum += octave.weight * (t[0] + u * t[1] + v * (t[2] + u * t[3]));
  }
  return sum;
}

double CrowdTexture::at(std::uint64_t key, double x, double y, double z) {
  double sum = 0.0;
  for (int i = 0; i < count_; ++i) {
    Octave& octave = octaves_[static_cast<std::size_t>(i)];
    const double a = x * octave.cells;
    const double b = y * octave.cells;
    const double c = z * octave.cells;
    const std::int64_t cell_x = rounded_down(a);
    const std::int64_t cell_y = rounded_down(b);
    const std::int64_t cell_z = rounded_down(c);
    auto& t = octave.term;
    if (!octave.has || octave.x != cell_x || octave.y != cell_y || octave.z != cell_z ||
        octave.key != key) {
      const std::uint64_t first = corner_key(key ^ octave.salt, cell_x, cell_y, cell_z);
      const std::uint64_t above = first + kAlongZ;
      t[0] = corner(first);
      t[1] = corner(first + kGoldenRatio64) - t[0];
      t[2] = corner(first + kAlongY) - t[0];
      t[3] = corner(first + kGoldenRatio64 + kAlongY) - t[0] - t[1] - t[2];
      t[4] = corner(above) - t[0];
      t[5] = corner(above + kGoldenRatio64) - t[0] - t[4] - t[1];
      t[6] = corner(above + kAlongY) - t[0] - t[4] - t[2];
      t[7] =
          corner(above + kGoldenRatio64 + kAlongY) - t[0] - t[4] - t[1] - t[5] - t[2] - t[6] - t[3];
      octave.has = true;
      octave.key = key;
      octave.x = cell_x;
      octave.y = cell_y;
      octave.z = cell_z;
    }
    const double u = a - static_cast<double>(cell_x);
    const double v = b - static_cast<double>(cell_y);
    const double w = c - static_cast<double>(cell_z);
    sum += octave.weight * (t[0] + u * t[1] + v * (t[2] + u * t[3]) +
                            w * (t[4] + u * t[5] + v * (t[6] + u * t[7])));
  }
  return sum;
}

}  // namespace rdp
