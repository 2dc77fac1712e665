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
  int continued = 0;    // with a place in the pair before
  int filters = 0;      // with a filter
  int started = 0;      // of these filters: in this frame
  int ended = 0;        // filters that ended in this frame, of tracks that are still there
  int supported = 0;    // segments with at least one track
  int known = 0;        // segments with a velocity
  int moving = 0;       // of these, flagged
  int ego_tracks = 0;   // that the camera's motion was looked for with
  int ego_inliers = 0;  // that agree with it
};

// The motion of a pair of frames, in the engine's memory: until its next one.
struct Result {
  // False: the time is that of the last pair, so that this frame is as if it had no
  // partner. There is nothing else then, and the engine knows what it knew before.
  bool accepted = false;
  bool has_previous = false;  // there was a pair before: without one nothing has moved
  double dt = 0.0;            // seconds since that pair; 0 without one
  bool has_ego = false;
  Pose ego;  // (R t), row by row: from the axes of the camera at the pair before to the current
  std::span<const SegmentMotion> segments;  // one a segment, in the segments' order
  // All tracks, by id; none without a camera. The place is the filter's, without a filter that on
  // the track's segment. The velocity is NaN before two measurements.
  std::span<const TrackMotion> tracks;
  Counts counts;
};

// Finds how segments move: the motion of tracked features is filtered in space, for each by itself,
// and a segment has the median of those that lie on what it is a part of. See D. Pfeiffer,
// U. Franke, "Efficient Representation of Traffic Scenes by Means of Dynamic Stixels", IV 2010;
// U. Franke, C. Rabe, H. Badino, S. Gehrig, "6D-Vision", DAGM 2005.
//
// This is the definition of the result, too, in files of one step each: what values measure
// (space.h), which tracks belong to which segments (support.h), the camera's motion (ego_motion.h,
// pose_step.h), the filter of a track (kalman.h), medians and candidates for what moves
// (segment_motion.h, lower_median.h), which of these move (agreement.h). Doubles and + - * / sqrt
// alone, in the order that is written there, one thread, compiled without contraction: the same
// bits on every machine, in every floating-point environment. Only medians have a faster way beside
// the definition (column_medians.h).
//
// An engine works on the frames of one camera. It allocates only when a frame needs more memory
// than any but the last before it; then it throws std::bad_alloc where that is not to be had, and
// knows what it knew before that frame.
class Engine {
 public:
  Engine();
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The next pair of frames. Whatever changes the meaning of places (size, placement, values,
  // another camera than one that focuses) and a time before that of the last pair is a reset;
  // another ego_motion or filter ends all filters.
  Result advance(const Input& input, const Parameters& parameters);

  // Forgets all tracks and the camera's motion: after a flush, or where frames do not continue.
  void reset();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_ENGINE_H_
