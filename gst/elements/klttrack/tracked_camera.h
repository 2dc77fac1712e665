// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_KLTTRACK_TRACKED_CAMERA_H_
#define RDP_GST_ELEMENTS_KLTTRACK_TRACKED_CAMERA_H_

#include <gst/gst.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "common/klt/track.h"
#include "common/klt/trails.h"

namespace rdp::gst {

// What is kept of a camera from frame to frame beside the engine's state, which belongs to a
// worker: one of them at a time has the camera.
struct TrackedCamera {
  guint64 worker = 0;  // which one; 0: none so far
  std::uint32_t next_id = 1;
  // What is to be done to the state before its next frame.
  bool ends_tracks = false;
  bool ends_prediction = false;
  // The frame that displacements count from; NONE without one, or where it had no time.
  GstClockTime template_pts = GST_CLOCK_TIME_NONE;
  // Points of the frame at hand that others want tracked.
  std::vector<klt::Point> points;
  klt::Trails trails;  // where pictures show them

  void end_tracks() {
    ends_tracks = true;
    template_pts = GST_CLOCK_TIME_NONE;
    trails.clear();
  }

  // Before a frame goes to a worker's state of the camera, a klt::State or a cuda::KltState. May be
  // called once more for the same frame.
  template <typename State>
  void prepare(guint64 for_worker, State* state) {
    if (worker != for_worker) {
      state->begin_at(next_id);
      worker = for_worker;
      ends_tracks = false;
      template_pts = GST_CLOCK_TIME_NONE;
      trails.clear();
    }
    if (std::exchange(ends_tracks, false)) state->end_tracks();
    if (std::exchange(ends_prediction, false)) state->end_prediction();
  }
  // Once the frame is done.
  template <typename State>
  void commit(State* state) {
    state->commit();
    next_id = state->next_id();
  }
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_KLTTRACK_TRACKED_CAMERA_H_
