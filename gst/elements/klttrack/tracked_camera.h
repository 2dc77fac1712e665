// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_KLTTRACK_TRACKED_CAMERA_H_
#define RDP_GST_ELEMENTS_KLTTRACK_TRACKED_CAMERA_H_

#include <gst/gst.h>

#include <vector>

#include "common/klt/engine.h"
#include "common/klt/trails.h"

namespace rdp::gst {

// What is kept of a camera from frame to frame.
struct TrackedCamera {
  klt::State state;
  // The frame that displacements count from; NONE without one, or where it had no time.
  GstClockTime template_pts = GST_CLOCK_TIME_NONE;
  // Points of the frame at hand that others want tracked.
  std::vector<klt::Point> points;
  klt::Trails trails;  // where pictures show them

  void end_tracks() {
    state.end_tracks();
    template_pts = GST_CLOCK_TIME_NONE;
    trails.clear();
  }
  // Once a frame with this time is done.
  void commit(GstClockTime pts) {
    state.commit();
    template_pts = pts;
  }
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_KLTTRACK_TRACKED_CAMERA_H_
