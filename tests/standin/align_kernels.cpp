// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/align_kernels.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/align/align_arguments.h"
#include "kernels/align/align_pixel.h"

namespace {

using namespace rdp;
using namespace rdp::cuda;

// Calls body(x, y) for the pixels of a frame.
template <typename Body>
void for_pixels(int width, int height, const Body& body) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) body(x, y);
  }
}

void run_cover(const void* arguments) {
  const auto& a = *static_cast<const AlignArguments*>(arguments);
  for_pixels(a.width, a.height, [&](int x, int y) {
    const double z = align_depth(a, x, y);
    if (!(z > 0.0)) return;
    ++a.counters[kAlignKnown];
    align::Span columns, rows;
    const int sample = align_cover(a, x, y, z, &columns, &rows);
    if (sample == 0) return;
    ++a.counters[kAlignLanded];
    for (int row = rows.first; row < rows.end; ++row) {
      for (int column = columns.first; column < columns.end; ++column) {
        std::uint32_t& nearest = a.nearest[std::int64_t{row} * a.target_width + column];
        nearest = std::min(nearest, static_cast<std::uint32_t>(sample));
      }
    }
  });
}

void run_finish(const void* arguments) {
  const auto& a = *static_cast<const AlignArguments*>(arguments);
  std::copy_n(a.counters, kAlignCounts, a.counts);
  for_pixels(a.target_width, a.target_height,
             [&](int x, int y) { aligned_row(a, y)[x] = align_finished(a, x, y); });
}

void run_colour(const void* arguments) {
  const auto& a = *static_cast<const AlignArguments*>(arguments);
  for_pixels(a.width, a.height, [&](int x, int y) {
    const std::uint32_t word = align_colour(a, x, y);
    std::memcpy(a.colours + y * a.colours_pitch + 4 * x, &word, sizeof word);
  });
}

}  // namespace

HostKernel find_align_kernel(std::string_view name) {
  if (name == "rdp_align_cover") return run_cover;
  if (name == "rdp_align_finish") return run_finish;
  if (name == "rdp_align_colour") return run_colour;
  return nullptr;
}
