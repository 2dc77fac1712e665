// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthplanes/planes_stats.h"

#include <algorithm>

#include "common/planes/ground.h"

namespace rdp::gst {
namespace {

const char* why_no_ground(const planes::PlaneSet& set, const planes::Parameters& parameters) {
  if (set.planes.empty()) return "no plane was found";
  // Only directions are checked here, so noise and tolerance do not matter.
  const planes::GroundRules rules = planes::ground_rules_of_cloud(parameters, 0.0);
  const bool any =
      std::any_of(set.planes.begin(), set.planes.end(),
                  [&](const planes::Plane& plane) { return planes::may_be_ground(plane, rules); });
  return any ? "below each plane that faces up there are more than 1/12 as many points as on it"
             : "no plane below the camera is within ground-tilt of up";
}

}  // namespace

PlanesStats stats_of(const planes::PlaneSet& set, const planes::Parameters& parameters) {
  PlanesStats stats;
  stats.counts = set.counts;
  stats.found = set.planes.size();
  stats.ground = set.ground.plane;
  if (stats.ground < 0) stats.no_ground = why_no_ground(set, parameters);
  return stats;
}

void add_planes_stats(GstStructure* fields, const PlanesStats& stats) {
  const planes::Counts& counts = stats.counts;
  const struct {
    const char* name;
    std::int64_t value;
  } numbers[] = {
      {"known", counts.known},
      {"outside", counts.outside},
      {"nodes", counts.nodes},
      {"planar-nodes", counts.planar_nodes},
      {"voters", counts.voters},
      {"peaks", counts.peaks},
      {"small", counts.small},
      {"thick", counts.thick},
      {"surplus", counts.surplus},
      {"merged", counts.merged},
      {"found", static_cast<std::int64_t>(stats.found)},
  };
  for (const auto& number : numbers) {
    gst_structure_set(fields, number.name, G_TYPE_UINT64, static_cast<guint64>(number.value),
                      nullptr);
  }
  gst_structure_set(fields, "noise", G_TYPE_DOUBLE, counts.noise, "resolution", G_TYPE_DOUBLE,
                    counts.resolution, "coarser", G_TYPE_BOOLEAN, counts.coarser ? TRUE : FALSE,
                    "ground", G_TYPE_INT, stats.ground, nullptr);
  if (stats.no_ground != nullptr) {
    gst_structure_set(fields, "no-ground", G_TYPE_STRING, stats.no_ground, nullptr);
  }
}

}  // namespace rdp::gst
