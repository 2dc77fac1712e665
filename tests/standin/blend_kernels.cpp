// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/blend_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/blend.h"
#include "common/rdp/overlay.h"
#include "kernels/filters/filter_arguments.h"
#include "kernels/rdp/placed_arguments.h"

namespace {

using namespace rdp;
using namespace rdp::cuda;

RgbaView rgba_of(const unsigned char* data, std::int64_t pitch, int width, int height) {
  return {reinterpret_cast<std::byte*>(const_cast<unsigned char*>(data)), pitch, width, height};
}

// Blends into a picture of either format.
void blend(const RgbaView& drawing, const BlendedPicture& to) {
  auto* const pixels = reinterpret_cast<std::byte*>(to.pixels);
  if (to.chroma == nullptr) {
    blend_into_rgba(drawing, {pixels, to.pitch, to.width, to.height});
  } else {
    blend_into_nv12(drawing, to.matrix,
                    {pixels, to.pitch, reinterpret_cast<std::byte*>(to.chroma), to.chroma_pitch,
                     to.width, to.height});
  }
}

void run_blend(const void* arguments) {
  const auto& a = *static_cast<const BlendArguments*>(arguments);
  blend(rgba_of(a.drawing, a.drawing_pitch, a.picture.width, a.picture.height), a.picture);
}

// Draws the quadrangles in order, pixel by pixel.
void run_placed(const void* arguments) {
  static constexpr PaleColours kColours = make_pale_colours();
  static constexpr ClassColours kClassColours = make_class_colours();
  const auto& a = *static_cast<const PlacedArguments*>(arguments);
  const int width = a.picture.width;
  const int height = a.picture.height;
  std::vector<Pixel> drawing(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::uint32_t i = 0; i < a.count; ++i) {
    const PlacedBox& box = a.boxes[i];
    const PlacedLine& line = a.lines[i];
    const Colours& colours =
        a.classes != 0
            ? kClassColours
                  .of[static_cast<std::size_t>(class_of_placed(line, a.ground, a.plane, a.rules))]
            : kColours.level[placed_pale_level(line, a.range, a.frame_height)];
    for (int row = std::max<int>(box.top, 0); row < std::min<int>(box.bottom, height); ++row) {
      PlacedSpan span{box.left, box.right};
      if (a.corners != nullptr) span = span_of(a.corners[i], row);
      const Pixel pixel = placed_pixel(line, box, row, colours, a.range);
      for (int x = std::max(span.left, 0); x < std::min(span.right, width); ++x) {
        drawing[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                static_cast<std::size_t>(x)] =
            ordered_pixel(pixel, static_cast<std::uint8_t>(a.alpha), PixelOrder::kRgba);
      }
    }
  }
  blend({reinterpret_cast<std::byte*>(drawing.data()), std::ptrdiff_t{4} * width, width, height},
        a.picture);
}

}  // namespace

HostKernel find_blend_kernel(std::string_view name) {
  if (name == "rdp_blend_rgba" || name == "rdp_blend_nv12") return run_blend;
  if (name == "rdp_placed_rgba" || name == "rdp_placed_nv12") return run_placed;
  return nullptr;
}
