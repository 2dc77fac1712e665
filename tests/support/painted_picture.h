// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_PAINTED_PICTURE_H_
#define RDP_TESTS_SUPPORT_PAINTED_PICTURE_H_

#include <cstddef>
#include <vector>

#include "common/image/rgba_view.h"
#include "common/rdp/overlay_pixels.h"

namespace rdp::test {

// A picture with a margin that must not be written to.
struct PaintedPicture {
  static constexpr int kAround = 3;

  PaintedPicture(int width, int height, Pixel fill)
      : pixels(static_cast<std::size_t>((width + 2 * kAround) * (height + 2 * kAround)), fill),
        filled(fill) {
    const int stride = 4 * (width + 2 * kAround);
    view = {reinterpret_cast<std::byte*>(pixels.data()) + kAround * stride + 4 * kAround, stride,
            width, height};
  }
  Pixel at(int x, int y) const {
    return pixels[static_cast<std::size_t>((y + kAround) * (view.width + 2 * kAround) + x +
                                           kAround)];
  }
  bool is_within() const {
    for (int y = -kAround; y < view.height + kAround; ++y) {
      for (int x = -kAround; x < view.width + kAround; ++x) {
        const bool inside = x >= 0 && y >= 0 && x < view.width && y < view.height;
        if (!inside && at(x, y) != filled) return false;
      }
    }
    return true;
  }
  std::vector<Pixel> inside() const {
    std::vector<Pixel> all;
    for (int y = 0; y < view.height; ++y) {
      for (int x = 0; x < view.width; ++x) all.push_back(at(x, y));
    }
    return all;
  }

  std::vector<Pixel> pixels;
  Pixel filled;
  RgbaView view;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_PAINTED_PICTURE_H_
