// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_MOTION_PAIRS_H_
#define RDP_TESTS_BENCH_MOTION_PAIRS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/image/depth_view.h"

// Picture pairs for the evaluation of tracking.
namespace rdp::bench {

// An 8-bit grey picture, row by row; empty (width 0) if there is none.
struct GrayPicture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;

  DepthView view() const;
};

struct MotionPair {
  std::string name;
  int levels = 4;  // pyramid levels that its displacements need
  GrayPicture first;
  GrayPicture second;
  std::vector<float> flow;  // u and v of each pixel of the first picture, px; NaN: unknown

  // True if the motion of a pixel is known.
  bool knows(int row, int column) const;
  float u(int row, int column) const { return flow[index(row, column)]; }
  float v(int row, int column) const { return flow[index(row, column) + 1]; }

 private:
  std::size_t index(int row, int column) const {
    return 2 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(first.width) +
                static_cast<std::size_t>(column));
  }
};

// The folder `motion` of RDPSEGMENT_TEST_DATA.
std::optional<std::filesystem::path> motion_folder();

// Reads an 8-bit PNG as grey, colours as OpenCV converts them.
GrayPicture read_gray_picture(const std::filesystem::path& path);

// The available ones of the three pairs with truth: RubberWhale, KITTI 2012 #27 and #174.
std::vector<MotionPair> recorded_motion_pairs();

// The pair with other illumination: the second picture becomes (4p + 102) / 5, rounded.
MotionPair with_other_light(MotionPair pair);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_MOTION_PAIRS_H_
