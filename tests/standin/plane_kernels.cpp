// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/plane_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "common/image/depth_view.h"
#include "kernels/planes/overlay_arguments.h"

namespace {

using namespace rdp;
using cuda::PlanePictureArguments;

constexpr PaleColours kColours = make_pale_colours();
constexpr Colours kGreys = make_greys();

// A picture in layers: each kernel paints a whole layer.
class Layers {
 public:
  explicit Layers(const void* arguments)
      : a_(*static_cast<const PlanePictureArguments*>(arguments)), rules_(a_.rules) {
    rules_.range = a_.range.get();
  }

  void paint_pixels() const {
    for (int y = 0; y < rules_.height; ++y) {
      for (int x = 0; x < rules_.width; ++x) {
        const bool outline = planes::is_outline(a_.labels, a_.labels_pitch, x, y, rules_);
        put(x, y, outline ? planes::kOutlinePixel : below(x, y));
      }
    }
  }
  void paint_squares() const {
    for (int i = 0; i < a_.square_count; ++i) {
      const planes::NodeSquare& square = a_.squares[i];
      for_each(square.x, square.y, square.size, square.size, [&](int x, int y) {
        Pixel pixel;
        if (planes::square_pixel(square, x - square.x, y - square.y, below(x, y), &pixel)) {
          put(x, y, pixel);
        }
      });
    }
  }

 private:
  // Calls paint(x, y) for each pixel of the rectangle that is in the picture.
  template <typename Paint>
  void for_each(int left, int top, int width, int height, Paint paint) const {
    for (int y = std::max(top, 0); y < std::min(top + height, rules_.height); ++y) {
      for (int x = std::max(left, 0); x < std::min(left + width, rules_.width); ++x) paint(x, y);
    }
  }
  DepthView view(const unsigned char* data, std::int64_t pitch, std::uint32_t bytes) const {
    return {reinterpret_cast<const std::byte*>(data), pitch, rules_.width, rules_.height,
            static_cast<SampleType>(bytes)};
  }
  Pixel below(int x, int y) const {
    return planes::picture_pixel(x, y, view(a_.frame, a_.pitch, a_.sample_bytes).at(y, x),
                                 view(a_.labels, a_.labels_pitch, 1).at(y, x), rules_, a_.planes,
                                 kColours.level[0], kGreys);
  }
  void put(int x, int y, Pixel pixel) const {
    std::memcpy(a_.picture + y * a_.picture_pitch + std::ptrdiff_t{4} * x, &pixel, sizeof pixel);
  }

  const PlanePictureArguments& a_;
  planes::PixelRules rules_;
};

}  // namespace

HostKernel find_plane_kernel(std::string_view name) {
  constexpr std::pair<std::string_view, HostKernel> kKernels[] = {
      {"rdp_plane_picture", [](const void* a) { Layers(a).paint_pixels(); }},
      {"rdp_plane_squares", [](const void* a) { Layers(a).paint_squares(); }},
  };
  for (const auto& [of, kernel] : kKernels) {
    if (of == name) return kernel;
  }
  return nullptr;
}
