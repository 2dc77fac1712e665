// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/height_picture_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/heightmap/overlay_arguments.h"

namespace {

using namespace rdp;
using cuda::HeightPictureArguments;

constexpr Colours kPaletteColours = make_pale_colours().level[0];

const HeightPictureArguments& of(const void* arguments) {
  return *static_cast<const HeightPictureArguments*>(arguments);
}

void put(const HeightPictureArguments& a, int x, int y, Pixel pixel) {
  std::memcpy(a.picture + y * a.picture_pitch + std::ptrdiff_t{4} * x, &pixel, sizeof pixel);
}

// Draws lines in order: a later line overwrites earlier ones.
void run_lines(const void* arguments) {
  const HeightPictureArguments& a = of(arguments);
  for (int i = 0; i < a.line_count; ++i) {
    const PaintedLine& line = a.lines[i];
    const int steps = edge_steps(line.edge);
    for (int k = 0; k <= steps; ++k) {
      const int left = along_edge(line.edge.x0, line.edge.x1, k, steps);
      const int top = along_edge(line.edge.y0, line.edge.y1, k, steps);
      for (int y = std::max(top, 0); y < std::min(top + line.thickness, a.height); ++y) {
        for (int x = std::max(left, 0); x < std::min(left + line.thickness, a.width); ++x) {
          a.last_lines[std::ptrdiff_t{y} * a.width + x] = static_cast<std::uint32_t>(i) + 1;
        }
      }
    }
  }
}

template <typename PixelAt>
void paint(const HeightPictureArguments& a, const PixelAt& pixel) {
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      const std::uint32_t line =
          a.line_count > 0 ? a.last_lines[std::ptrdiff_t{y} * a.width + x] : 0;
      put(a, x, y, line > 0 ? a.lines[line - 1].colour : pixel(x, y));
    }
  }
}

void run_picture(const void* arguments) {
  const HeightPictureArguments& a = of(arguments);
  paint(a, [&](int x, int y) {
    return heightmap::picture_pixel(a.samples[y * a.samples_pitch + x],
                                    a.labels[std::ptrdiff_t{y} * a.width + x], a.rules,
                                    kPaletteColours);
  });
}

void run_map(const void* arguments) {
  const HeightPictureArguments& a = of(arguments);
  paint(a, [&](int x, int y) {
    return heightmap::map_pixel(a.columns[x], a.rows[y], a.ground, a.ground_columns, a.rules,
                                kPaletteColours);
  });
}

}  // namespace

HostKernel find_height_picture_kernel(std::string_view name) {
  constexpr std::pair<std::string_view, HostKernel> kKernels[] = {
      {"rdp_height_lines", run_lines},
      {"rdp_height_picture", run_picture},
      {"rdp_height_map", run_map},
  };
  for (const auto& [of_name, kernel] : kKernels) {
    if (of_name == name) return kernel;
  }
  return nullptr;
}
