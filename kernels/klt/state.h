// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_STATE_H_
#define RDP_KERNELS_KLT_STATE_H_

#include <cstddef>
#include <cstdint>

#include "common/klt/rules.h"
#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {

// klt::State on the GPU: what the tracker of one camera knows, and what its next frame made of it.
// KltEngine::track() writes the second, which becomes the first with commit(): a frame that fails,
// or that is asked for again, uses no id.
//
// The pictures and the tracks stay in device memory; the host knows how many tracks there are and
// the next id. An object is no engine's: any engine of the context may take its next frame. It
// belongs to the context that was current when it first got a frame, which has to be current when
// it is destroyed. The functions below start nothing on the device and do not throw. None may be
// called while a track() with this state is under way.
class KltState {
 public:
  KltState() = default;
  KltState(const KltState&) = delete;
  KltState& operator=(const KltState&) = delete;

  // The frame that was tracked last is the template of the next one. Once the stream of its track()
  // has been waited for, without an error. Without such a frame: nothing.
  void commit();
  // After a frame that was lost: no search begins at the last displacement.
  void end_prediction();
  // All tracks end, as with a flush; the ids go on.
  void end_tracks();
  // As new: the next id is 1. The memory stays.
  void restart();
  // Another engine has tracked the camera: there are no tracks, and the ids go on with this one.
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
    int store = 0;  // of the patches, and what they were taken with
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
  // A frame with another kind of window takes its patches into the other store, so that those of
  // the frame before stay until it counts.
  PatchStore stores_[2];
  PinnedBuffer report_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_STATE_H_
