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

// klt::reference::advance() on the GPU, with its bits: tracks, lost features and ids.
//
// What belongs to a camera is in its KltState, what comes of its frames in a DeviceTrackList; the
// engine has what its kernels work in, and is the same for all cameras. A frame goes like this:
//
//   engine.track (inputs, mask, parameters, &list, stream);   // starts it
//   (wait for the stream)
//   state->commit ();                                         // of each input, if all went well
//   list.track_count (i), list.copy_to (…)                    // now, later or never
//
// All inputs of a call share its launches, so that a batch of cameras takes one call. They have one
// size, and a state each: two frames of one camera take two calls, the second one after the first
// one's commit(). A frame that is not committed has changed nothing that another one sees: the same
// call may be made again, with this frame or with a later one, whose template is then the last
// frame that was committed.
//
// An object belongs to the context that was current when it was made; that context must be current
// whenever it is used or destroyed. It works on one call at a time: the stream of the last one has
// to be waited for before the next. It allocates only when frames need more memory than any
// before them. Everything throws CudaError, and leaves engine, states and list usable.
class KltEngine {
 public:
  KltEngine();
  ~KltEngine();
  KltEngine(const KltEngine&) = delete;
  KltEngine& operator=(const KltEngine&) = delete;

  // Tracks what the states know into their next frames, and finds new features there. `inputs`:
  // 1 to kMaxFrames. `mask`: of the frames' size and 8 bits, no feature is found where it is 0;
  // without data: anywhere. Slice i of `result`, which it prepares, becomes that of input i.
  // Asynchronous: frames and mask stay as they are until the stream has been waited for. May be
  // captured into a CUDA graph once a frame of this size has been tracked with these states, with
  // as many tracks and points; a replay does the same frame again.
  void track(std::span<const KltInput> inputs, const DeviceDepthView& mask,
             const klt::Parameters& parameters, DeviceTrackList* result, CUstream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_ENGINE_H_
