// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_PICTURE_LAYOUT_H_
#define RDP_KERNELS_KLT_PICTURE_LAYOUT_H_

#include <cstddef>
#include <cstdint>

#include "common/klt/rules.h"

namespace rdp::cuda {

// A pyramid level in device memory, with klt::kExtension pixels around it: mirrored pixels, and
// gradients of 0, which are cleared once and never written.
//
// Each pixel has its right neighbour in its upper byte: one load brings both for interpolation.
struct LevelLayout {
  std::int64_t pixels;     // byte offset of pixel (0, 0), of 16 bits
  std::int64_t gradients;  // byte offset, of 32 bits: x in the lower half, y in the upper one
  std::int32_t pitch;      // pixels from one row to the next, of both
  std::int32_t width;
  std::int32_t height;
};

struct PictureLayout {
  LevelLayout levels[klt::kMaxLevels];
  std::int64_t bytes;  // of a picture

  // The layout for frames of this size.
  static PictureLayout of(int width, int height) {
    PictureLayout layout{};
    std::int64_t used = 0;
    const auto take = [&](std::int64_t bytes) {
      const std::int64_t at = used;
      used += (bytes + 255) / 256 * 256;
      return at;
    };
    for (LevelLayout& level : layout.levels) {
      constexpr int kBeside = 2 * klt::kExtension;
      level.width = width;
      level.height = height;
      level.pitch = (width + kBeside + 31) / 32 * 32;
      const std::int64_t pixels = static_cast<std::int64_t>(level.pitch) * (height + kBeside);
      const std::int64_t first = (static_cast<std::int64_t>(level.pitch) + 1) * klt::kExtension;
      level.pixels = take(pixels * 2) + first * 2;
      level.gradients = take(pixels * 4) + first * 4;
      width = klt::next_level_size(width);
      height = klt::next_level_size(height);
    }
    layout.bytes = used;
    return layout;
  }
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_PICTURE_LAYOUT_H_
