// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_STRUCTURED_LIGHT_H_
#define RDP_COMMON_SCENE_STRUCTURED_LIGHT_H_

#include <cstdint>
#include <span>

#include "common/image/grow_buffer.h"

namespace rdp {

// Makes exact disparities what a structured light camera says of them, as the first Kinect does:
//
// - The projector is one baseline to the left. What it does not reach is unknown (0).
// - Edges are ragged: a pixel may have the disparity of its neighbour, because the place that it
//   looks at is off by 0.3 px (standard deviation).
// - Noise is smooth: white noise after a Gauss filter of 1 px.
// - A slow error (Gauss filter of 50 px at the focal length 525 px) bends what is flat. It is the
//   same in all frames, as that of a camera is.
// - Disparities have steps of 1/16 px.
//
// Integers, and + - * / of doubles: the same bits on every machine.
class StructuredLight {
 public:
  // noise, bend: standard deviations in px of disparity. Allocates only for rows wider than any
  // before.
  struct Options {
    std::uint64_t frame_key = 0;   // of everything that changes from frame to frame
    std::uint64_t camera_key = 0;  // of the slow error
    double noise = 0.0;
    double bend = 0.0;
    double focal = 525.0;
  };
  void begin(const Options& options, int width);

  // Processes rows in order, in 2^-24 px, in place: pixels that the projector does not reach become
  // 0. Call it for each row before sense() reads it.
  static void shade(std::span<std::uint32_t> row);
  // Measures the row `here`, between the shaded rows above and below it (at the frame's border:
  // itself).
  void sense(const std::uint32_t* above, const std::uint32_t* here, const std::uint32_t* below,
             std::uint32_t* sensed);

 private:
  static constexpr int kTaps = 7;
  static constexpr int kFields = 3;  // noise, and a pixel's look-up offset in each direction

  void add_white_row();
  void filter(int field, std::int32_t* filtered) const;
  void bend_row();

  Options options_;
  int width_ = 0;
  int row_ = 0;
  int white_row_ = 0;                // the next one; the first is above the frame
  GrowBuffer<std::int32_t> white_;   // of each field: one row with its margins
  GrowBuffer<std::int32_t> across_;  // the last kTaps rows of each field, filtered along the row
  GrowBuffer<std::int32_t> fields_;  // the present row
  GrowBuffer<double> knots_;
  GrowBuffer<double> bends_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_STRUCTURED_LIGHT_H_
