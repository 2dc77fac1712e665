// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_SEGMENT_MOTION_H_
#define RDP_COMMON_MOTION_SEGMENT_MOTION_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "common/image/grow_buffer.h"
#include "common/motion/column_medians.h"
#include "common/motion/motion.h"
#include "common/motion/parameters.h"

// The motion of segments from that of their supporting tracks: motion.md, section 6.
namespace rdp::motion {

inline constexpr double kSigmas = 3.0;   // moving segments are faster than so many sigmas
inline constexpr double kSlowest = 1.0;  // m/s, and faster than this
inline constexpr double kSigmaOfMedian =
    1.4826;  // sigma of a normal distribution / its median absolute deviation

// The motion of a track from the previous pair of frames. Known values are finite and not -0;
// unknown ones are kNotKnown.
enum Component { kDx, kDy, kVx, kVy, kVz, kSigma, kComponents };
inline constexpr double kNotKnown = std::numeric_limits<double>::infinity();
struct Moved {
  MedianRow row = {{kNotKnown, kNotKnown, kNotKnown, kNotKnown, kNotKnown, kNotKnown, 0.0, 0.0}};
  bool in_picture = false;  // dx, dy are known, px
  bool in_space = false;    // the others are, m/s

  // The sign of zeros is dropped.
  void set_shift(double dx, double dy) {
    in_picture = true;
    row.at[kDx] = dx + 0.0;
    row.at[kDy] = dy + 0.0;
  }
  void set_velocity(double vx, double vy, double vz, double sigma) {
    in_space = true;
    row.at[kVx] = vx + 0.0;
    row.at[kVy] = vy + 0.0;
    row.at[kVz] = vz + 0.0;
    row.at[kSigma] = sigma + 0.0;
  }
};

// Computes the motion of segments, frame by frame.
class SegmentMotions {
 public:
  // Prepares a frame of `tracks` tracks. Throws std::bad_alloc.
  void begin(std::size_t tracks);

  // The motion of a segment that these tracks support. `slot` is its index in its column: it reuses
  // the motion of that slot in the previous column if the supports are equal.
  SegmentMotion of(std::span<const std::uint32_t> support, std::size_t slot,
                   std::span<const Moved> moved, const Parameters& parameters);

 private:
  // Cache of the previous column's segments.
  static constexpr std::size_t kSlots = 16;
  static constexpr std::size_t kMaxRemembered = 128;
  struct Remembered {
    std::size_t count;  // of supports; 0: nothing
    std::uint32_t support[kMaxRemembered];
    SegmentMotion motion;
  };

  SegmentMotion work_out(std::span<const std::uint32_t> support, std::span<const Moved> moved,
                         const Parameters& parameters);

  Remembered slots_[kSlots] = {};
  GrowBuffer<double> values_;  // of a component
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_SEGMENT_MOTION_H_
