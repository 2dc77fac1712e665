// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_PLANE_DIFFERENCES_H_
#define RDP_TESTS_PLANES_PLANE_DIFFERENCES_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "common/planes/planes.h"

// The only comparison of results for frames and point clouds: bit by bit, with a text that names
// each difference.
namespace rdp::test {

// Differences of two counts. 17 digits, so that different doubles look different.
inline std::string differences(const planes::Counts& expected, const planes::Counts& got) {
  std::string text;
  const auto add = [&](const char* name, auto e, auto g) {
    if (e == g) return;
    char line[128];
    std::snprintf(line, sizeof line, "%s expected %.17g, got %.17g; ", name, static_cast<double>(e),
                  static_cast<double>(g));
    text += line;
  };
  add("known", expected.known, got.known);
  add("outside", expected.outside, got.outside);
  add("nodes", expected.nodes, got.nodes);
  add("planar nodes", expected.planar_nodes, got.planar_nodes);
  add("voters", expected.voters, got.voters);
  add("peaks", expected.peaks, got.peaks);
  add("small", expected.small, got.small);
  add("thick", expected.thick, got.thick);
  add("surplus", expected.surplus, got.surplus);
  add("merged", expected.merged, got.merged);
  add("noise", expected.noise, got.noise);
  add("resolution", expected.resolution, got.resolution);
  add("coarser", expected.coarser, got.coarser);
  return text;
}

// Differences of two sets; empty if they are identical.
inline std::string differences(const planes::PlaneSet& expected, const planes::PlaneSet& got) {
  const std::string counts = differences(expected.counts, got.counts);
  if (!counts.empty()) return "counts: " + counts;
  if (expected.planes.size() != got.planes.size()) {
    return "expected " + std::to_string(expected.planes.size()) + " planes, got " +
           std::to_string(got.planes.size());
  }
  for (std::size_t p = 0; p < got.planes.size(); ++p) {
    if (got.planes[p] != expected.planes[p]) return "plane " + std::to_string(p);
  }
  if (got.corners != expected.corners) return "corners";
  const planes::Ground& e = expected.ground;
  const planes::Ground& g = got.ground;
  if (e.plane != g.plane || e.height != g.height || e.pitch != g.pitch || e.roll != g.roll) {
    return "ground: expected " + std::to_string(e.plane) + ", got " + std::to_string(g.plane);
  }
  return {};
}

// Differences of `count` labels.
template <typename Label>
std::string label_differences(const Label* expected, const Label* got, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (expected[i] == got[i]) continue;
    return "label " + std::to_string(i) + ": expected " +
           std::to_string(static_cast<int>(expected[i])) + ", got " +
           std::to_string(static_cast<int>(got[i]));
  }
  return {};
}

}  // namespace rdp::test

#endif  // RDP_TESTS_PLANES_PLANE_DIFFERENCES_H_
