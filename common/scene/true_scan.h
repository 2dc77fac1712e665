// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_TRUE_SCAN_H_
#define RDP_COMMON_SCENE_TRUE_SCAN_H_

#include <cstdint>
#include <vector>

#include "common/scene/crowd_camera.h"
#include "common/scene/crowd_walk.h"
#include "common/scene/room_scene.h"
#include "common/scene/test_pattern.h"

// The nearest obstacle in each bearing of a scene, exactly as a camera sees it: the ground truth
// for obstacle detection. Lengths are in metres.
namespace rdp {

// The ground below a camera, in the camera's axes.
struct SceneGround {
  RoomVector down;  // of length 1
  double height = 0.0;
};

// The ground of a pattern with distances: a road, a floor, or the belt under parcels.
SceneGround ground_of_scene(std::uint64_t number, const TestPatternOptions& options);
SceneGround ground_of_crowd(const CrowdCamera& camera);

// The bearings of a scan, counted from the right, and heights of things above the ground.
struct ScanRules {
  int bins = 360;
  double fov = 180.0;  // degrees
  double least_height = 0.1;
  double most_height = 2.0;
  double tolerance = 0.01;  // added to the least height for each metre of distance
  double range = 10.0;
  int points = 1;  // minimum for an obstacle in a bearing: the farthest of the nearest counts
};

// Collects the points that a camera sees. Ahead is the optical axis projected onto the ground; for
// a camera that looks down by more than 60 degrees, the image's upper side.
class TrueScan {
 public:
  TrueScan(const ScanRules& rules, const SceneGround& ground);

  // Adds a point in the camera's axes.
  void add(const RoomVector& point);
  // Distances along the ground. Infinite: the bearing shows only ground and points too low, too
  // high or too far. NaN: it shows nothing at all.
  std::vector<double> ranges() const;

 private:
  ScanRules rules_;
  SceneGround ground_;
  RoomVector ahead_, left_;
  struct Bearing {
    bool seen = false;
    std::vector<double> nearest;  // ascending, of things
  };
  std::vector<Bearing> bearings_;
};

// The scan of a frame of this size, independent of its noise.
std::vector<double> true_scan(std::uint64_t number, const TestPatternOptions& options, int width,
                              int height, const ScanRules& rules);
std::vector<double> true_scan_of_crowd(const CrowdOptions& options, std::int64_t moment,
                                       const CrowdCamera& camera, int width, int height,
                                       const ScanRules& rules);

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TRUE_SCAN_H_
