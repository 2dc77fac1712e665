// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_PLANES_H_
#define RDP_COMMON_PLANES_PLANES_H_

#include <cstdint>
#include <vector>

namespace rdp::planes {

// A plane that was found: the points p with normal . p = distance, in metres and in the axes of the
// frame's camera or of the cloud. The distance is not below 0, so the normal points away from the
// origin.
struct Plane {
  double normal[3] = {};
  double distance = 0.0;
  double centroid[3] = {};
  double rms = 0.0;          // of its points' distances
  double area = 0.0;         // m2; 0 without a hull
  std::int64_t inliers = 0;  // pixels or points that have its label
  std::int64_t votes = 0;    // of its peak, filtered, in pixels or points
  int box[4] = {};           // frames: column, row, width, height of the pixels that have its label
  std::uint32_t first_corner = 0;
  std::uint32_t corners = 0;

  bool operator==(const Plane&) const = default;
};

// A corner of a plane's hull. Corners go around once; frames: clockwise in the picture.
struct Corner {
  int column = -1;  // frames: a pixel's
  int row = -1;
  double point[3] = {};  // on the plane, in metres

  bool operator==(const Corner&) const = default;
};

// The ground plane, and the camera's pose above it.
struct Ground {
  int plane = -1;       // -1: there is none
  double height = 0.0;  // m, of the camera above it
  double pitch = 0.0;   // rad; above 0: the camera looks down
  double roll = 0.0;    // rad; above 0: the image's right side is lower
};

// Statistics of the search: what was found, dropped and merged.
struct Counts {
  std::int64_t known = 0;    // pixels or points that were used
  std::int64_t outside = 0;  // points of a cloud left out of its bounds
  std::int64_t nodes = 0;    // nodes examined
  std::int64_t planar_nodes = 0;
  std::int64_t voters = 0;   // nodes that voted, over all rounds
  std::int64_t peaks = 0;    // over all rounds
  std::int64_t small = 0;    // planes dropped: too few inliers
  std::int64_t thick = 0;    // planes dropped: max_thickness
  std::int64_t surplus = 0;  // planes dropped: max_planes
  std::int64_t merged = 0;   // planes that became part of another one
  double noise = 0.0;        // 1/m, as measured or given
  double resolution = 0.0;   // m, of the integers
  bool coarser = false;      // true: the resolution is coarser than requested

  bool operator==(const Counts&) const = default;
};

// The planes of a frame or a cloud. The labels are stored elsewhere, possibly on the GPU: one byte
// a pixel or point, 0 = no plane, else the plane's index + 1.
struct PlaneSet {
  std::vector<Plane> planes;  // by inliers, largest first
  std::vector<Corner> corners;
  Ground ground;
  Counts counts;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_PLANES_H_
