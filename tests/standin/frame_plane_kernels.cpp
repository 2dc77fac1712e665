// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/frame_plane_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/planes/frames/geometry.h"
#include "common/planes/frames/reference.h"
#include "kernels/planes/frame_planes_arguments.h"

namespace {

using namespace rdp;
using cuda::FramePlanesArguments;
using cuda::FrameResult;

// Replaces the last kernel, which writes the result: the reference does all steps at once.
void run_write(const void* arguments) {
  const auto& a = *static_cast<const FramePlanesArguments*>(arguments);
  const SampleType type = a.sample_bytes == 1 ? SampleType::kU8 : SampleType::kU16;
  const int width = a.rules.width, height = a.rules.height;
  planes::Geometry geometry;
  geometry.rules = a.rules;
  geometry.ray_x.assign(a.ray_x, a.ray_x + width);
  geometry.ray_y.assign(a.ray_y, a.ray_y + height);
  geometry.depth.assign(a.depth, a.depth + max_sample(type) + 1);
  const MutableDepthView labels{reinterpret_cast<std::byte*>(a.result_labels), a.result_pitch,
                                width, height, SampleType::kU8};
  const planes::reference::LabelledFrame found = planes::reference::find_labelled(
      {reinterpret_cast<const std::byte*>(a.frame), a.frame_pitch, width, height, type}, geometry,
      labels);

  const planes::reference::Pyramid pyramid = planes::reference::look_at_nodes(
      {reinterpret_cast<const std::byte*>(a.frame), a.frame_pitch, width, height, type}, geometry);
  for (int level = 0; level < planes::kLevels; ++level) {
    for (const planes::reference::Node& node : pyramid.nodes[level]) {
      const int number = a.level_start[level] + node.row * a.level_columns[level] + node.column;
      a.main_cells.planar[number] = node.planar ? 1 : 0;
    }
  }

  FrameResult& r = *a.result.frame;
  const planes::Counts& counts = found.counts;
  r.known = counts.known;
  r.nodes = counts.nodes;
  r.planar_nodes = counts.planar_nodes;
  r.voters = counts.voters;
  r.peaks = counts.peaks;
  r.small = counts.small;
  r.thick = counts.thick;
  r.surplus = counts.surplus;
  r.merged = counts.merged;
  r.noise = counts.noise;
  const std::size_t count = found.planes.size();
  r.count = static_cast<std::int32_t>(count);
  planes::GroundRules ground = a.ground;
  ground.factor = 1.7 * r.noise;
  for (std::size_t p = 0; p < count; ++p) {
    const planes::reference::LabelledPlane& plane = found.planes[p];
    planes::GroundCandidate candidate;
    for (int i = 0; i < 3; ++i) {
      candidate.normal[i] = plane.fit.normal[i];
      candidate.centroid[i] = plane.fit.mean[i] * a.rules.unit;
    }
    candidate.distance = plane.fit.distance * a.rules.unit;
    std::int64_t under = 0;
    for (const planes::CellMean& cell : found.means) {
      if (cell.n > 0 && planes::lies_under(cell.mean, candidate, ground)) under += cell.n;
    }
    r.planes[p] = {plane.moments, plane.fit, plane.votes, static_cast<unsigned long long>(under)};
  }
  std::fill_n(a.result.extents, count * static_cast<std::size_t>(height), 0xFFFFU);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::uint16_t label = labels.at(y, x);
      if (label == 0) continue;
      std::uint32_t& extent =
          a.result.extents[static_cast<std::size_t>(label - 1) * static_cast<std::size_t>(height) +
                           static_cast<std::size_t>(y)];
      const std::uint32_t first = std::min(extent & 0xFFFFU, static_cast<unsigned>(x));
      extent = first | static_cast<std::uint32_t>(x) << 16;
    }
  }
  // Any row may have corners.
  for (std::size_t p = 0; p < count; ++p) {
    for (int y = 0; y < height; ++y) {
      cuda::CornerRows& rows =
          a.result.corner_rows[p * static_cast<std::size_t>(cuda::corner_words(height)) +
                               static_cast<std::size_t>(y / 32)];
      if (y % 32 == 0) rows = {};
      rows.firsts |= 1U << y % 32;
      rows.lasts |= 1U << y % 32;
    }
  }
}

void run_nothing(const void*) {}

}  // namespace

HostKernel find_frame_plane_kernel(std::string_view name) {
  constexpr std::string_view kPrefix = "rdp_planes_";
  if (!name.starts_with(kPrefix)) return nullptr;
  return name.substr(kPrefix.size()) == "write" ? run_write : run_nothing;
}
