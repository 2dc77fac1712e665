// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_HEAD_TRACKS_H_
#define RDP_COMMON_HEIGHTMAP_HEAD_TRACKS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/heightmap/result.h"
#include "common/obstacles/tracks.h"

namespace rdp::heightmap {

// The defaults for people who walk closely together, ten sets a second: measured in
// tests/bench/accuracy/heads_accuracy.txt.
inline constexpr obstacles::TrackParameters kHeadTracks = {
    .gate = 500, .memory = 3, .keep = 10, .doubt = 200};

// Ids of heads from set to set, by the association of obstacles: a head is a box without extent.
class HeadTracks {
 public:
  // As obstacles::Tracks::update(). Throws std::bad_alloc.
  void update(std::span<const Head> heads, std::int64_t dt,
              const obstacles::TrackParameters& parameters) {
    boxes_.clear();
    for (const Head& head : heads) boxes_.push_back({head.x, head.y, 0, 0});
    tracks_.update(boxes_, dt, parameters);
  }
  // Ends all tracks; the next update() lists them as lost. Throws std::bad_alloc.
  void end() { tracks_.end(); }

  std::span<const obstacles::TrackOfBox> heads() const { return tracks_.boxes(); }  // of each head
  std::span<const std::uint32_t> lost() const { return tracks_.lost(); }            // ascending ids

 private:
  obstacles::Tracks tracks_;
  std::vector<obstacles::Box> boxes_;
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_HEAD_TRACKS_H_
