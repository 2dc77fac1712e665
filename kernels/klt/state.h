// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_STATE_H_
#define RDP_KERNELS_KLT_STATE_H_

#include <cstddef>
#include <cstdint>

#include "common/klt/rules.h"
#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {

// klt::State on the GPU: a camera's tracker state, and its pending state after the next frame.
// KltEngine::track() writes the pending state; commit() makes it current. So a frame that fails or
// is repeated uses no id.
//
// Pictures and tracks stay in device memory; the host knows the number of tracks and the next id.
// Any engine of the context may track the next frame. An object belongs to the context that was
// current when it first got a frame, which must be current when it is destroyed. The functions
// below start nothing on the device and do not throw. Do not call them while a track() with this
// state is running.
class KltState {
 public:
  KltState() = default;
  KltState(const KltState&) = delete;
  KltState& operator=(const KltState&) = delete;

  // Makes the last tracked frame the template of the next one. Call it after the stream of track()
  // has finished without an error. Does nothing without such a frame.
  void commit();
  // Call it after a lost frame: no search begins at the last displacement.
  void end_prediction();
  // Ends all tracks, as a flush does; ids go on.
  void end_tracks();
  // Resets to a new state: the next id is 1. The memory stays.
  void restart();
  // Takes over from another engine: no tracks, and `next_id` continues its ids.
  void begin_at(std::uint32_t next_id);

  // The number of tracks of the last frame that was committed.
  std::size_t tracks() const { return moments_[current_].count; }
  std::uint32_t next_id() const { return moments_[current_].next_id; }

 private:
  friend class KltEngine;

  // The device's report on a frame, in page-locked memory.
  struct Report {
    std::uint32_t tracks;
    std::uint32_t next_id;
  };
  struct Moment {
    DeviceBuffer picture;  // the pyramid and its gradients, as PictureLayout has them
    DeviceBuffer tracks;   // KltRecord
    int width = 0;         // of the picture; 0: there is none
    int height = 0;
    int made = 0;  // levels of the picture
    std::uint32_t count = 0;
    std::uint32_t next_id = 1;
    bool is_template = false;  // there is a picture
    bool predicts = true;      // searches may begin at the last displacement
    // With klt::Warp::kAffine.
    bool has_shapes = false;
    DeviceBuffer shapes;  // as KltShapes has them
    std::uint32_t slots = 0;
    int store = 0;  // of the patches; window and light they were taken with
    int window = 0;
    klt::Light light{};
  };
  // The patches of the tracks: KltPatch.
  struct PatchStore {
    DeviceBuffer memory;
    std::uint32_t patches = 0;
    std::size_t size = 0;  // bytes of a patch
  };

  Moment moments_[2];
  int current_ = 0;
  bool pending_ = false;
  // A frame that cannot keep the patches takes its own into the other store, so that the previous
  // frame's survive until commit().
  PatchStore stores_[2];
  PinnedBuffer report_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_STATE_H_
