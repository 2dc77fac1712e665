// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/tracks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "common/image/float_environment.h"
#include "common/obstacles/rules.h"

namespace rdp::obstacles {
namespace {

constexpr std::int64_t kSecond = 1000000000;
constexpr std::int64_t kMaxSpeed = std::int64_t{1} << 32;

// Updates a coordinate and its speed, of the line fitted to the last k places, with the next
// measurement.
void fit(std::int64_t measured, std::int64_t k, std::int64_t dt, std::int64_t* place,
         std::int64_t* speed) {
  const std::int64_t error = measured - *place;
  *place += floor_divide(2 * (2 * k - 1) * error, k * (k + 1));
  if (dt <= 0) return;
  *speed += floor_divide(6 * kSecond * error, k * (k + 1) * dt);
  *speed = std::clamp(*speed, -kMaxSpeed, kMaxSpeed);
}

}  // namespace

// Pairs tracks and boxes that are near enough, best first; each track and box belongs to at most
// one pair.
void Tracks::match(std::span<const Box> boxes, const TrackParameters& parameters) {
  pairs_.clear();
  const std::int64_t doubt = std::int64_t{parameters.doubt} * parameters.doubt;
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    const Track& track = tracks_[t];
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const Box& box = boxes[b];
      const std::int64_t dx = (track.x >> 8) - box.x;
      const std::int64_t dy = (track.y >> 8) - box.y;
      const std::int64_t gate = parameters.gate + ((std::int64_t{track.length} + box.length) >> 2);
      if (std::abs(dx) > gate || std::abs(dy) > gate) continue;
      const std::int64_t square = dx * dx + dy * dy;
      if (square > gate * gate) continue;
      const std::int64_t longer = std::int64_t{track.length} - box.length;
      const std::int64_t wider = std::int64_t{track.width} - box.width;
      pairs_.push_back({square + ((longer * longer + wider * wider) >> 2) + doubt * track.missed,
                        static_cast<std::int32_t>(t), static_cast<std::int32_t>(b)});
    }
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.cost, a.track, a.box) < std::tie(b.cost, b.track, b.box);
  });
  for (const Pair& pair : pairs_) {
    Track& track = tracks_[static_cast<std::size_t>(pair.track)];
    TrackOfBox& box = boxes_[static_cast<std::size_t>(pair.box)];
    if (track.box >= 0 || box.id != 0) continue;
    track.box = pair.box;
    box.id = track.id;
  }
}

void Tracks::add(const Box& box, std::int32_t number) {
  tracks_.push_back({next_id_, 0, 0, 0, std::int64_t{256} * box.x, std::int64_t{256} * box.y, 0, 0,
                     box.length, box.width, number});
  // 0 is no id.
  if (++next_id_ == 0) next_id_ = 1;
}

// Makes room for more tracks: ends the longest missed tracks, the oldest of them first.
void Tracks::drop_surplus(std::size_t more) {
  while (tracks_.size() + more > static_cast<std::size_t>(kMaxTracks)) {
    const auto longest =
        std::max_element(tracks_.begin(), tracks_.end(),
                         [](const Track& a, const Track& b) { return a.missed < b.missed; });
    lost_.push_back(longest->id);
    tracks_.erase(longest);
  }
}

void Tracks::update(std::span<const Box> boxes, std::int64_t dt,
                    const TrackParameters& parameters) {
  if (dt < 0 || dt > kMaxTrackTime) end();
  boxes_.assign(boxes.size(), {});
  lost_.assign(ended_.begin(), ended_.end());
  hidden_.clear();
  ended_.clear();
  for (Track& track : tracks_) {
    track.x += floor_divide(track.vx * dt + kSecond / 2, kSecond);
    track.y += floor_divide(track.vy * dt + kSecond / 2, kSecond);
    track.box = -1;
  }
  match(boxes, parameters);
  for (Track& track : tracks_) {
    if (track.box < 0) {
      ++track.missed;
      if (track.missed > parameters.keep) lost_.push_back(track.id);
      continue;
    }
    const Box& box = boxes[static_cast<std::size_t>(track.box)];
    ++track.age;
    ++track.fits;
    track.missed = 0;
    const std::int64_t k = std::min(std::int64_t{track.fits} + 1, std::int64_t{parameters.memory});
    fit(std::int64_t{256} * box.x, k, dt, &track.x, &track.vx);
    fit(std::int64_t{256} * box.y, k, dt, &track.y, &track.vy);
    track.length = box.length;
    track.width = box.width;
  }
  std::erase_if(tracks_, [&](const Track& track) { return track.missed > parameters.keep; });
  const auto is_new = [](const TrackOfBox& box) { return box.id == 0; };
  drop_surplus(static_cast<std::size_t>(std::count_if(boxes_.begin(), boxes_.end(), is_new)));
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    if (is_new(boxes_[b])) add(boxes[b], static_cast<std::int32_t>(b));
  }
  for (const Track& track : tracks_) {
    if (track.box < 0) {
      hidden_.push_back(track.id);
    } else {
      boxes_[static_cast<std::size_t>(track.box)] = {track.id, track.age, track.fits, track.vx,
                                                     track.vy};
    }
  }
  std::sort(lost_.begin(), lost_.end());
}

void Tracks::move(const GroundMotion& motion) {
  with_standard_floats([&] {
    for (Track& track : tracks_) {
      const auto turn = [&](std::int64_t* x, std::int64_t* y, double shift_x, double shift_y) {
        const auto old_x = static_cast<double>(*x);
        const auto old_y = static_cast<double>(*y);
        const double new_x = (motion.r[0][0] * old_x + motion.r[0][1] * old_y) + shift_x;
        const double new_y = (motion.r[1][0] * old_x + motion.r[1][1] * old_y) + shift_y;
        // Far beyond any object, but small enough for the prediction to add to.
        constexpr double kFarthest = 1e12;
        *x = static_cast<std::int64_t>(std::floor(std::clamp(new_x, -kFarthest, kFarthest) + 0.5));
        *y = static_cast<std::int64_t>(std::floor(std::clamp(new_y, -kFarthest, kFarthest) + 0.5));
      };
      turn(&track.x, &track.y, 256.0 * motion.shift[0], 256.0 * motion.shift[1]);
      turn(&track.vx, &track.vy, 0.0, 0.0);
    }
  });
}

void Tracks::forget_speeds() {
  for (Track& track : tracks_) {
    track.vx = track.vy = 0;
    track.fits = 0;
  }
}

void Tracks::end() {
  for (const Track& track : tracks_) ended_.push_back(track.id);
  tracks_.clear();
}

}  // namespace rdp::obstacles
