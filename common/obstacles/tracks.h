// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_TRACKS_H_
#define RDP_COMMON_OBSTACLES_TRACKS_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// Association of things on the ground from frame to frame: whoever finds them, and whatever they
// are. In integers, so that every machine gives the same ids.
namespace rdp::obstacles {

// A thing on the ground in millimetres; sides of 0 where only its place is known.
struct Box {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t length = 0;
  std::int32_t width = 0;
};

struct TrackParameters {
  std::int32_t gate = 500;  // mm, to 100000: how far a thing may be from where it is expected
  std::int32_t memory = 8;  // frames, 2 to 64, over which speeds are fitted
  std::int32_t keep = 10;   // frames, 0 to 255, that a thing may be missed
  // mm: for each frame that it was missed in, a track is as far off as so much farther to the side.
  // Things are then left to tracks that were seen. 0: all tracks are alike.
  std::int32_t doubt = 0;
};

constexpr std::int64_t kMaxTrackTime = 1000000000;  // ns between frames; beyond, all tracks end
constexpr int kMaxTracks = 4096;
constexpr std::int32_t kFitsOfSpeed = 3;

// The track of a thing of this frame. Speeds are 1/256 mm a second.
struct TrackOfBox {
  std::uint32_t id = 0;
  std::int32_t age = 0;   // frames after its first one that it was seen in
  std::int32_t fits = 0;  // the same since speeds were forgotten; known from kFitsOfSpeed on
  std::int64_t vx = 0;
  std::int64_t vy = 0;
};

// A speed of the track in m/s; NaN where it is not known.
inline float speed_of(const TrackOfBox& track, std::int64_t TrackOfBox::*speed) {
  return track.fits >= kFitsOfSpeed
             ? static_cast<float>(static_cast<double>(track.*speed) / 256000.0)
             : std::numeric_limits<float>::quiet_NaN();
}

// The way from the last frame's axes on the ground to this frame's, both x forward, y left, z up: a
// turn and a shift in millimetres.
struct GroundMotion {
  double r[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  double shift[2] = {0.0, 0.0};
};

// Tracks of one camera. Predicts where each is, by the line that fits its last places, and gives
// each the thing that is nearest in place and size, the best pairs first.
class Tracks {
 public:
  // dt: nanoseconds since the last frame, 0: not known. All tracks end where it is below 0 or above
  // kMaxTrackTime. Spans are valid until the next call. Throws std::bad_alloc.
  void update(std::span<const Box> boxes, std::int64_t dt, const TrackParameters& parameters);

  // Moves the tracks to this frame's axes, before update().
  void move(const GroundMotion& motion);
  // All speeds become 0 and count as unknown until they are fitted anew.
  void forget_speeds();
  // All tracks end, and are lost with the next update(). Ids go on.
  void end();

  std::span<const TrackOfBox> boxes() const { return boxes_; }       // of each box
  std::span<const std::uint32_t> lost() const { return lost_; }      // ascending ids
  std::span<const std::uint32_t> hidden() const { return hidden_; }  // of tracks that were missed

 private:
  struct Track {
    std::uint32_t id;
    std::int32_t age;
    std::int32_t fits;
    std::int32_t missed;
    std::int64_t x, y;    // 1/256 mm
    std::int64_t vx, vy;  // that a second
    std::int32_t length, width;
    std::int32_t box;  // of this frame; -1: none
  };
  struct Pair {
    std::int64_t cost;
    std::int32_t track;
    std::int32_t box;
  };

  void match(std::span<const Box> boxes, const TrackParameters& parameters);
  void add(const Box& box, std::int32_t number);
  void drop_surplus(std::size_t more);

  std::vector<Track> tracks_;  // in ascending order of ids
  std::vector<Pair> pairs_;
  std::vector<TrackOfBox> boxes_;
  std::vector<std::uint32_t> lost_;
  std::vector<std::uint32_t> hidden_;
  std::vector<std::uint32_t> ended_;  // lost with the next frame
  std::uint32_t next_id_ = 1;
};

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_TRACKS_H_
