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

// The tracker's knowledge of one camera, and the outcome of its next frame. Engine::track() writes
// the second, which becomes the first with commit(): a frame that fails, or that is asked for
// again, uses no id.
class State {
 public:
  // The frame that was tracked last is the template of the next one.
  void commit();
  // After a frame that was lost: no search begins at the last displacement.
  void end_prediction();
  // All tracks end, as with a flush; the ids go on.
  void end_tracks();
  // As new: the next id is 1.
  void restart();
  // Another engine has tracked the camera: there are no tracks, and the ids go on with this one.
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
    // With Warp::kAffine. Place i of the list has the patch slots[i], whichever track is there.
    bool has_shapes = false;
    GrowBuffer<TrackShape> shapes;
    GrowBuffer<std::uint32_t> slots;
    std::size_t slot_count = 0;
    int store = 0;  // of the patches, and what they were taken with
    int window = 0;
    Light light{};
  };

  Moment moments_[2];
  // A frame with another kind of window takes its patches into the other store, so that those of
  // the frame before stay until it counts.
  PatchStore stores_[2];
  GrowBuffer<TrackWarp> warps_;
  int current_ = 0;
  bool pending_ = false;
  GrowBuffer<Lost> lost_;
};

// The results of a frame, in a State's memory: until its next frame.
struct Result {
  std::span<const Track> tracks;
  std::span<const Lost> lost;
  std::span<const TrackWarp> warps;  // one for each track with Warp::kAffine, else none
  std::size_t templates = 0;         // the number that tracks took in this frame
};

struct EngineImpl;

// The fast path on the CPU: SIMD chosen at run time for the machine, work spread over threads that
// live as long as the engine. Every result equals the one of common/klt/reference.h bit for bit,
// whatever the SIMD target and the number of threads.
//
// An engine works on one frame at a time, of any camera. It allocates only when a frame needs more
// memory than any before it; then it throws std::bad_alloc where that is not to be had, and stays
// usable.
class Engine : public ThreadedEngine<EngineImpl> {
 public:
  using ThreadedEngine::ThreadedEngine;

  // See reference::advance(). Of the state nothing changes that another frame sees, until commit().
  Result track(const Input& input, const Parameters& parameters, State* state);

  // The number of iterations that the last frame took, over all levels and both ways.
  long iterations() const;
};

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_ENGINE_H_
