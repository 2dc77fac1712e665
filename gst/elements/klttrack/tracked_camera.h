// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_KLTTRACK_TRACKED_CAMERA_H_
#define RDP_GST_ELEMENTS_KLTTRACK_TRACKED_CAMERA_H_

#include <gst/gst.h>

#include <cstdint>
#include <utility>

#include "common/klt/trails.h"
#include "gst/elements/base/batch_cameras.h"

namespace rdp::gst {

// A camera's state between frames, beside the engine's state, which belongs to one worker at a
// time.
struct TrackedCamera : BatchCamera {
  guint64 worker = 0;  // that has the engine's state; 0: none so far
  std::uint32_t next_id = 1;
  // The worker's state includes frames of an unfinished batch: see go_on().
  bool is_ahead = false;
  // Changes to the state before its next frame.
  bool ends_tracks = false;
  bool ends_prediction = false;
  // PTS of the template frame; GST_CLOCK_TIME_NONE without a template or without its time.
  GstClockTime template_pts = GST_CLOCK_TIME_NONE;
  klt::Trails trails;  // if an overlay shows them

  void end_tracks() {
    ends_tracks = true;
    template_pts = GST_CLOCK_TIME_NONE;
    trails.clear();
  }

  void let_go() {
    end_tracks();
    trails = {};
    worker = 0;
    is_gone = true;
  }

  // Call before a frame is tracked with a worker's state, a klt::State or a cuda::KltState. May be
  // repeated for the same frame.
  template <typename State>
  void prepare(guint64 for_worker, State* state) {
    if (worker != for_worker || is_ahead) {
      state->begin_at(next_id);
      worker = for_worker;
      is_ahead = false;
      ends_tracks = false;
      template_pts = GST_CLOCK_TIME_NONE;
      trails.clear();
    }
    if (std::exchange(ends_tracks, false)) state->end_tracks();
    if (std::exchange(ends_prediction, false)) state->end_prediction();
  }
  // Call before a further frame of the camera in the same batch. If the batch fails, the tracks end
  // and no id is used, because the earlier state is gone.
  template <typename State>
  void go_on(State* state) {
    state->commit();
    is_ahead = true;
  }
  // Call once the frames are done.
  template <typename State>
  void commit(State* state) {
    state->commit();
    next_id = state->next_id();
    is_ahead = false;
  }
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_KLTTRACK_TRACKED_CAMERA_H_
