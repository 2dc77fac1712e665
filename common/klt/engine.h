// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_ENGINE_H_
#define RDP_COMMON_KLT_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/image/grow_buffer.h"
#include "common/image/threaded_engine.h"
#include "common/klt/input.h"
#include "common/klt/parameters.h"
#include "common/klt/patch_store.h"
#include "common/klt/picture.h"
#include "common/klt/track.h"

namespace rdp::klt {

// The tracker's state of one camera, and the pending result of its next frame. Engine::track()
// writes the pending result; commit() makes it the state. So a frame that fails or is repeated uses
// no id.
class State {
 public:
  // Makes the frame tracked last the template of the next one.
  void commit();
  // Call it after a lost frame: no search then begins at the last displacement.
  void end_prediction();
  // Ends all tracks, as after a flush; ids continue.
  void end_tracks();
  // Resets the state: the next id is 1.
  void restart();
  // Call it after another engine tracked the camera: drops all tracks; ids continue at `next_id`.
  void begin_at(std::uint32_t next_id);
  std::uint32_t next_id() const { return moments_[current_].next_id; }

 private:
  friend class Engine;
  friend struct EngineImpl;

  struct Moment {
    Picture picture;
    GrowBuffer<Track> tracks;
    GrowBuffer<Place> starts;  // of the next search, for each
    std::size_t count = 0;
    std::uint32_t next_id = 1;
    bool is_template = false;  // there is a picture
    // With Warp::kAffine. Index i of the list has the patch slots[i], whichever track is there.
    bool has_shapes = false;
    GrowBuffer<TrackShape> shapes;
    GrowBuffer<std::uint32_t> slots;
    std::size_t slot_count = 0;
    int store = 0;  // of the patches, and what they were taken with
    int window = 0;
    Light light{};
  };

  Moment moments_[2];
  // A frame with another kind of window writes its patches to the other store, so that the previous
  // frame's patches stay valid until commit().
  PatchStore stores_[2];
  GrowBuffer<TrackWarp> warps_;
  int current_ = 0;
  bool pending_ = false;
  GrowBuffer<Lost> lost_;
};

// The results of a frame, in a State's memory, valid until its next frame.
struct Result {
  std::span<const Track> tracks;
  std::span<const Lost> lost;
  std::span<const TrackWarp> warps;  // one for each track with Warp::kAffine, else none
  std::size_t templates = 0;         // number taken by tracks in this frame
};

struct EngineImpl;

// The fast path on the CPU: SIMD chosen at run time for the machine, work spread over threads that
// live as long as the engine. Results are bit-identical to common/klt/reference.h for every SIMD
// target and thread count.
//
// An engine works on one frame at a time, of any camera. It allocates only when a frame needs more
// memory than any before it; if that fails, it throws std::bad_alloc and stays usable.
class Engine : public ThreadedEngine<EngineImpl> {
 public:
  using ThreadedEngine::ThreadedEngine;

  // See reference::advance(). The committed state does not change before commit().
  Result track(const Input& input, const Parameters& parameters, State* state);

  // The number of iterations that the last frame took, over all levels and both ways.
  long iterations() const;
};

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_ENGINE_H_
