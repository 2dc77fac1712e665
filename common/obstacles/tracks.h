// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_TRACKS_H_
#define RDP_COMMON_OBSTACLES_TRACKS_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// Associates objects on the ground from frame to frame, independent of their detector and kind.
// Integers make ids identical on every machine.
namespace rdp::obstacles {

// An object on the ground in millimetres; sides are 0 if only its place is known.
struct Box {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t length = 0;
  std::int32_t width = 0;
};

struct TrackParameters {
  std::int32_t gate = 500;  // mm, to 100000: maximum distance of a box from its predicted place
  std::int32_t memory = 8;  // frames, 2 to 64, over which speeds are fitted
  std::int32_t keep = 10;   // frames, 0 to 255, that a track survives without a box
  // mm: extra sideways distance of a track in the matching cost, for each frame in which it was
  // missed. Boxes then go to recently seen tracks. 0: all tracks are alike.
  std::int32_t doubt = 0;
};

constexpr std::int64_t kMaxTrackTime = 1000000000;  // ns between frames; beyond, all tracks end
constexpr int kMaxTracks = 4096;
constexpr std::int32_t kFitsOfSpeed = 3;

// The track of a box of this frame. Speeds are in 1/256 mm per second.
struct TrackOfBox {
  std::uint32_t id = 0;
  std::int32_t age = 0;   // number of later frames with a box
  std::int32_t fits = 0;  // the same since the last forget_speeds(); speeds need kFitsOfSpeed
  std::int64_t vx = 0;
  std::int64_t vy = 0;
};

// A speed of the track in m/s; NaN where it is not known.
inline float speed_of(const TrackOfBox& track, std::int64_t TrackOfBox::*speed) {
  return track.fits >= kFitsOfSpeed
             ? static_cast<float>(static_cast<double>(track.*speed) / 256000.0)
             : std::numeric_limits<float>::quiet_NaN();
}

// The transform from the previous frame's ground axes to this frame's, both x forward, y left, z
// up: a rotation and a shift in millimetres.
struct GroundMotion {
  double r[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
  double shift[2] = {0.0, 0.0};
};

// Tracks of one camera. Predicts each track's place by the line fitted to its last places, and
// assigns boxes by nearest place and size, best pairs first.
class Tracks {
 public:
  // Tracks the boxes of a frame. dt: nanoseconds since the previous frame, 0 = unknown; all tracks
  // end if it is below 0 or above kMaxTrackTime. Spans are valid until the next call. Throws
  // std::bad_alloc.
  void update(std::span<const Box> boxes, std::int64_t dt, const TrackParameters& parameters);

  // Moves the tracks to this frame's axes; call it before update().
  void move(const GroundMotion& motion);
  // Sets all speeds to 0; they are unknown until they are fitted again.
  void forget_speeds();
  // Ends all tracks; the next update() reports them as lost. Ids go on.
  void end();

  std::span<const TrackOfBox> boxes() const { return boxes_; }       // of each box
  std::span<const std::uint32_t> lost() const { return lost_; }      // ascending ids
  std::span<const std::uint32_t> hidden() const { return hidden_; }  // of missed tracks

 private:
  struct Track {
    std::uint32_t id;
    std::int32_t age;
    std::int32_t fits;
    std::int32_t missed;
    std::int64_t x, y;    // 1/256 mm
    std::int64_t vx, vy;  // 1/256 mm per second
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
  std::vector<std::uint32_t> ended_;  // reported as lost by the next update()
  std::uint32_t next_id_ = 1;
};

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_TRACKS_H_
