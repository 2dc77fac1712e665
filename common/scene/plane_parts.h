// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_PLANE_PARTS_H_
#define RDP_COMMON_SCENE_PLANE_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/image/depth_view.h"

namespace rdp {

// The labels of an image's planes: each 4-connected part of a plane has its own, numbered from 1 in
// the order of first pixels. 0: pixels on no plane, parts below least_pixels(), and parts that
// would need a number above 255.
class PlaneParts {
 public:
  // 900 pixels of 640x480.
  static std::int64_t least_pixels(int width, int height) {
    return static_cast<std::int64_t>(width) * height / 341;
  }

  // Call begin(), then add_row() for each row from the top, with numbers of planes, below 0 for
  // none. May throw std::bad_alloc if an image has more parts than any before.
  void begin(int width, int height);
  void add_row(std::span<const std::int16_t> planes);

  // Writes the labels of the rows that were added, 8 bits a pixel.
  void write(const MutableDepthView& labels);

  // The plane of each label that write() has given, from 1.
  std::span<const std::int16_t> planes() const { return planes_; }

 private:
  struct Run {  // of pixels side by side on one plane
    std::int32_t first, end;
    std::int32_t parent;  // a run of the same part; the first of all has itself
    std::int16_t plane;
  };

  std::int32_t top_of(std::int32_t run);

  int width_ = 0;
  std::int64_t least_ = 0;
  std::vector<Run> runs_;
  std::vector<std::int32_t> row_starts_;
  std::vector<std::int64_t> pixels_;  // of each run's part, at its first run
  std::vector<std::uint8_t> labels_;
  std::vector<std::int16_t> planes_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_PLANE_PARTS_H_
