// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_PICTURE_H_
#define RDP_COMMON_KLT_PICTURE_H_

#include <cstddef>
#include <cstdint>

#include "common/image/grow_buffer.h"
#include "common/klt/rules.h"

namespace rdp::klt {

// A level of a pyramid in memory, extended by kExtension pixels: mirrored pixels, and gradients of
// 0. A pixel p is stored as 128 p + 2: so a rounding multiplication interpolates exactly. The 2
// becomes the half that rounds an intensity.
struct LevelView {
  std::int16_t* pixels;
  std::int16_t* gx;
  std::int16_t* gy;
  std::ptrdiff_t stride;  // of all three, in numbers
  int width;
  int height;
};

// Samples read beyond a row's end by whole vectors.
inline constexpr int kRowSlack = 64;

// The pyramid of a frame and its gradients. It has memory for all levels; the owner decides how
// many are made.
class Picture {
 public:
  // Prepares for frames of this size; a change of size discards the contents. Throws
  // std::bad_alloc; the size is then 0.
  void prepare(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = height_ = 0;
    made = 0;
    memory_.ensure(carve(width, height, nullptr));
    carve(width, height, memory_.data());
    width_ = width;
    height_ = height;
  }

  int width() const { return width_; }
  int height() const { return height_; }
  const LevelView& level(int i) const { return levels_[i]; }

  int made = 0;  // levels

 private:
  std::size_t carve(int width, int height, std::int16_t* memory) {
    std::size_t used = 0;
    for (LevelView& level : levels_) {
      level.width = width;
      level.height = height;
      level.stride = (width + 2 * kExtension + kRowSlack + 31) / 32 * 32;
      const std::ptrdiff_t plane = level.stride * (height + 2 * kExtension);
      const std::ptrdiff_t origin = kExtension * level.stride + kExtension;
      for (std::int16_t** numbers : {&level.pixels, &level.gx, &level.gy}) {
        if (memory != nullptr) *numbers = memory + used + origin;
        used += static_cast<std::size_t>(plane);
      }
      width = next_level_size(width);
      height = next_level_size(height);
    }
    return used;
  }

  int width_ = 0;
  int height_ = 0;
  LevelView levels_[kMaxLevels] = {};
  GrowBuffer<std::int16_t> memory_;
};

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_PICTURE_H_
