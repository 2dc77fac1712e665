// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_STATS_H_
#define RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_STATS_H_

#include <gst/gst.h>

#include "common/planes/parameters.h"
#include "common/planes/planes.h"

namespace rdp::gst {

// The outcome of the last frame or cloud, so that users can see why nothing was found. Copied under
// a lock, so it owns no memory.
struct PlanesStats {
  planes::Counts counts;
  guint64 found = 0;
  int ground = -1;
  const char* no_ground = nullptr;  // why; has static storage
};

PlanesStats stats_of(const planes::PlaneSet& set, const planes::Parameters& parameters);

// Adds the fields to the structure of the property `stats`.
void add_planes_stats(GstStructure* fields, const PlanesStats& stats);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_STATS_H_
