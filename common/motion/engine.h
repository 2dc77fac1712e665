// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_ENGINE_H_
#define RDP_COMMON_MOTION_ENGINE_H_

#include <memory>
#include <span>

#include "common/image/camera.h"
#include "common/motion/input.h"
#include "common/motion/motion.h"
#include "common/motion/parameters.h"

namespace rdp::motion {

// Counts of a frame, for statistics.
struct Counts {
  int tracks = 0;       // in the frame, each id once
  int measured = 0;     // of these on a segment that has a value
  int continued = 0;    // with a position in the previous pair
  int filters = 0;      // with a filter
  int started = 0;      // of these filters: in this frame
  int ended = 0;        // filters that ended in this frame, of tracks that are still there
  int supported = 0;    // segments with at least one track
  int known = 0;        // segments with a velocity
  int moving = 0;       // of these, flagged
  int ego_tracks = 0;   // used to estimate the camera's motion
  int ego_inliers = 0;  // of these, that agree with it
};

// The motion of a pair of frames, in the engine's memory: until its next one.
struct Result {
  // False: the pair has the previous pair's time and is ignored. The other members are then unset,
  // and the engine's state is unchanged.
  bool accepted = false;
  bool has_previous = false;  // there is a previous pair; without one there is no motion
  double dt = 0.0;            // seconds since that pair; 0 without one
  bool has_ego = false;
  Pose ego;  // (R t), row by row: from the axes of the camera at the pair before to the current
  std::span<const SegmentMotion> segments;  // one a segment, in the segments' order
  // All tracks, by id; none without a camera. The position is the filter's, or without a filter the
  // measured one on the track's segment. The velocity is NaN before two measurements.
  std::span<const TrackMotion> tracks;
  Counts counts;
};

// Estimates the motion of segments: each tracked feature is filtered in space, and a segment gets
// the median over the tracks that support it (support.h). See D. Pfeiffer, U. Franke, "Efficient
// Representation of Traffic Scenes by Means of Dynamic Stixels", IV 2010; U. Franke, C. Rabe, H.
// Badino, S. Gehrig, "6D-Vision", DAGM 2005.
//
// This code is also the definition of the result, one step per file:
//   - measures of values (space.h),
//   - tracks of segments (support.h),
//   - the camera's motion (ego_motion.h, pose_step.h),
//   - the filter of a track (kalman.h),
//   - medians and moving candidates (segment_motion.h, lower_median.h),
//   - confirmed candidates (agreement.h).
// It uses only doubles and + - * / sqrt, in the order written there, on one thread, without
// contraction. So results are bit-identical on every machine, in every floating-point environment.
// Only medians have a faster path beside the definition (column_medians.h).
//
// An engine serves one camera. It allocates only when a frame needs more memory than any but the
// last before it. If that fails, it throws std::bad_alloc and keeps its previous state.
class Engine {
 public:
  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Processes the next pair of frames. Resets if the geometry changes (size, placement, values, the
  // camera by more than refocusing) or the time goes back. A changed ego_motion or filter ends all
  // filters.
  Result advance(const Input& input, const Parameters& parameters);

  // Forgets all tracks and the camera's motion. Call it after a flush or a discontinuity.
  void reset();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_ENGINE_H_
