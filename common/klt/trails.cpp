// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/klt/trails.h"

#include <algorithm>

namespace rdp::klt {

void Trails::update(std::span<const Track> tracks) {
  before_.clear();
  std::swap(before_, trails_);
  places_.clear();
  for (const Trail& trail : before_) {
    places_.emplace_back(trail.id, static_cast<std::uint32_t>(places_.size()));
  }
  std::sort(places_.begin(), places_.end());
  trails_.reserve(tracks.size());
  for (const Track& track : tracks) {
    Trail trail{track.id, track.age, 0, {}};
    const auto place =
        std::lower_bound(places_.begin(), places_.end(), std::pair(track.id, std::uint32_t{0}));
    if (place != places_.end() && place->first == track.id) {
      const Trail& before = before_[place->second];
      // A repeated frame replaces its last spot.
      if (track.age >= before.age) {
        trail = before;
        if (track.age == before.age) --trail.count;
        trail.age = track.age;
      }
    }
    if (trail.count == kTrailSpots) {
      std::copy(trail.spots + 1, trail.spots + kTrailSpots, trail.spots);
      --trail.count;
    }
    trail.spots[trail.count++] = {track.x, track.y};
    trails_.push_back(trail);
  }
}

}  // namespace rdp::klt
