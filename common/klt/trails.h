// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_TRAILS_H_
#define RDP_COMMON_KLT_TRAILS_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/klt/track.h"

namespace rdp::klt {

inline constexpr int kTrailSpots = 16;

// The places of a feature in the last frames, the oldest first.
struct Trail {
  struct Spot {
    float x;
    float y;
  };

  std::uint32_t id;
  std::uint32_t age;  // in the last of them
  int count;
  Spot spots[kTrailSpots];
};

// Trails of features for overlays, built from the tracks of successive frames.
class Trails {
 public:
  // Adds the tracks of the next frame, in any order, or of the same frame again. A trail continues
  // if its feature's age has grown; frames in between may be missing. Throws std::bad_alloc; there
  // are then no trails.
  void update(std::span<const Track> tracks);
  void clear() { trails_.clear(); }

  // One for each track of the last frame, in its order.
  std::span<const Trail> trails() const { return trails_; }

 private:
  std::vector<Trail> trails_;
  std::vector<Trail> before_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;  // indices in before_, by id
};

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_TRAILS_H_
