// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_SPEEDS_H_
#define RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_SPEEDS_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <span>
#include <vector>

#include "common/obstacles/ground_rules.h"
#include "gst/elements/base/method.h"

namespace rdp::gst {

// Object speeds from segment motion, if rdpmotion is upstream. Keeps its memory between frames.
class MotionSpeeds {
 public:
  // Gives objects the median speed of their moving segments, if there are at least three. They are
  // in the object's pixel box, and within `gate` metres of its distance. Throws std::bad_alloc.
  void apply(GstBuffer* buffer, guint input, const Task& task, const obstacles::Axes& axes,
             double gate, std::span<GstRdpObstacle> objects);

 private:
  struct Moving {
    double column, row;
    double distance;  // on the ground
    float vx, vy;
    bool over_ground;
  };

  void collect(GstBuffer* buffer, guint input, const Task& task, const obstacles::Axes& axes);

  std::vector<Moving> moving_;
  std::vector<float> vx_, vy_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_SPEEDS_H_
