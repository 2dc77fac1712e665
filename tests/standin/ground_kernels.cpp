// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/ground_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/heightmap/ground_rules.h"
#include "common/heightmap/head_votes.h"
#include "common/heightmap/reference.h"
#include "common/image/depth_view.h"
#include "kernels/heightmap/ground_arguments.h"

namespace {

using namespace rdp;
using cuda::GroundArguments;
using cuda::GroundSamplesArguments;

// Removes speckles, counts and finds heads; the replacements of earlier kernels do nothing.
void run_finish(const void* arguments) {
  const auto& a = *static_cast<const GroundArguments*>(arguments);
  std::vector<std::uint8_t> labels(a.labels,
                                   a.labels + static_cast<std::ptrdiff_t>(a.width) * a.height);
  heightmap::reference::remove_speckles(a.width, a.height, a.unknown, a.speckle, &labels);
  std::copy(labels.begin(), labels.end(), a.labels);

  heightmap::Geometry geometry;
  geometry.width = a.width;
  geometry.height = a.height;
  // The host moves heads behind their front later, so disable it here.
  geometry.eye.x = std::numeric_limits<double>::quiet_NaN();
  heightmap::Parameters parameters;
  parameters.min_height = a.min_height;
  parameters.height_step = a.height_step;
  parameters.max_height = parameters.height_of(a.unknown - 1);
  heightmap::HeadFinder finder;
  finder.prepare(labels.size(), a.least);
  std::uint32_t count = 0;
  for (const heightmap::Head& head :
       finder.find(geometry, a.planes, parameters, {}, labels.data())) {
    a.found[count] = {count, head.column, head.row, head.x, head.y, head.height, head.votes};
    ++count;
  }
  const auto unknown = std::count(labels.begin(), labels.end(), a.unknown);
  *a.report = {labels.size() - static_cast<std::size_t>(unknown), count};
}

void run_nothing(const void*) {}

MutableDepthView samples_of(const GroundSamplesArguments& a) {
  return {reinterpret_cast<std::byte*>(a.samples), a.pitch, a.columns, a.rows, SampleType::kU16};
}
std::uint16_t height_of(const GroundSamplesArguments& a, int label) {
  return heightmap::height_sample(a.min_height + label * a.height_step);
}

// Writes sample_of(column, row, label) for known pixels, 0 for the others.
template <typename SampleOf>
void write(const GroundSamplesArguments& a, const SampleOf& sample_of) {
  const unsigned char* label = a.labels;
  for (int row = 0; row < a.height; ++row) {
    for (int column = 0; column < a.width; ++column, ++label) {
      samples_of(a).set(row, column,
                        *label == a.unknown ? std::uint16_t{0} : sample_of(column, row, *label));
    }
  }
}

void run_heights(const void* arguments) {
  const auto& a = *static_cast<const GroundSamplesArguments*>(arguments);
  write(a, [&](int, int, int label) { return height_of(a, label); });
}

void run_depths(const void* arguments) {
  const auto& a = *static_cast<const GroundSamplesArguments*>(arguments);
  write(a, [&](int column, int row, int label) {
    return heightmap::depth_sample(a.planes[label], a.axis, column, row);
  });
}

void run_clear(const void* arguments) {
  const auto& a = *static_cast<const GroundSamplesArguments*>(arguments);
  for (int row = 0; row < a.rows; ++row) {
    std::fill_n(samples_of(a).row(row), 2 * static_cast<std::size_t>(a.columns), std::byte{0});
  }
}

void run_draw(const void* arguments) {
  const auto& a = *static_cast<const GroundSamplesArguments*>(arguments);
  for (int row = 0; row < a.height; ++row) {
    for (int column = 0; column < a.width; ++column) {
      const int label = a.labels[static_cast<std::ptrdiff_t>(row) * a.width + column];
      int x = 0;
      int y = 0;
      if (label == a.unknown || !ground_of(a.planes[label], column, row, &x, &y)) continue;
      const std::int64_t u = heightmap::raster_cell(x, a.x, a.cell);
      const std::int64_t v = heightmap::raster_cell(y, a.y, a.cell);
      if (u < 0 || u >= a.columns || v < 0 || v >= a.rows) continue;
      const auto cell_row = static_cast<int>(v);
      const auto cell_column = static_cast<int>(u);
      const int there = samples_of(a).at(cell_row, cell_column);
      const int highest = std::max<int>(there, height_of(a, label));
      samples_of(a).set(cell_row, cell_column, static_cast<std::uint16_t>(highest));
    }
  }
}

}  // namespace

HostKernel find_ground_kernel(std::string_view name) {
  if (name == "rdp_heads_finish") return run_finish;
  if (name.starts_with("rdp_speckles_") || name.starts_with("rdp_heads_")) return run_nothing;
  if (name == "rdp_ground_heights") return run_heights;
  if (name == "rdp_ground_depths") return run_depths;
  if (name == "rdp_ground_clear") return run_clear;
  if (name == "rdp_ground_draw") return run_draw;
  return nullptr;
}
