// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_ENGINE_H_
#define RDP_KERNELS_KLT_ENGINE_H_

#include <cuda.h>

#include <memory>
#include <span>

#include "common/klt/parameters.h"
#include "common/klt/track.h"
#include "kernels/klt/device_track_list.h"
#include "kernels/klt/state.h"
#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// The next frame of a camera.
struct KltInput {
  DeviceDepthView frame;               // of 8 bits, 1 to kMaxSide rows and columns
  KltState* state;                     // of this camera
  std::span<const klt::Point> points;  // the caller's own, in the host's memory: copied at once
};

// GPU version of klt::reference::advance(): tracks, lost features and ids are bit-identical.
//
// KltState holds the state of a camera, DeviceTrackList the results of its frames. The engine has
// the work memory of its kernels, and serves all cameras. A frame takes these steps:
//
//   engine.track (inputs, mask, parameters, &list, stream);   // starts it
//   (wait for the stream)
//   state->commit ();                                         // of each input, if all went well
//   list.track_count (i), list.copy_to (…)                    // now, later or never
//
// All inputs of a call share its launches, so a batch of cameras takes one call. They have the same
// size, and a state each: two frames of one camera take two calls, with a commit() between them. A
// frame without commit() changes nothing that others see. The same call may be repeated with this
// frame or a later one; its template is the last committed frame.
//
// An object belongs to the context that was current when it was made; that context must be current
// whenever it is used or destroyed. It works on one call at a time: wait for the stream of the last
// call before the next. It allocates only when frames need more memory than any before them.
// Everything throws CudaError, and leaves engine, states and list usable.
class KltEngine {
 public:
  KltEngine();
  ~KltEngine();
  KltEngine(const KltEngine&) = delete;
  KltEngine& operator=(const KltEngine&) = delete;

  // Tracks the features of each state into its next frame, and finds new ones there. `inputs`: 1 to
  // kMaxFrames. `mask`: 8 bits, of the frames' size; no feature is found where it is 0. Null data:
  // no mask. Prepares `result`, and writes input i to its slice i. Asynchronous: frames and mask
  // must not change until the stream has finished. May be captured into a CUDA graph once these
  // states have tracked a frame of this size with as many tracks and points. A replay repeats the
  // same frame.
  void track(std::span<const KltInput> inputs, const DeviceDepthView& mask,
             const klt::Parameters& parameters, DeviceTrackList* result, CUstream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_ENGINE_H_
