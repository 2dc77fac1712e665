// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAMES_LABEL_PARTS_H_
#define RDP_COMMON_PLANES_FRAMES_LABEL_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/depth_view.h"
#include "common/planes/eigen.h"
#include "common/planes/frames/cell_sums.h"
#include "common/planes/hull.h"
#include "common/planes/moments.h"

namespace rdp::planes {

// The pixels of one label, or a 4-connected part of them.
struct PlanePart {
  std::int64_t first = 0;  // pixel
  std::uint16_t label = 0;
  Moments moments;
  Fit fit;
};

// Finds the 4-connected parts of labels by runs: pixels of one label side by side. Memory is kept
// from frame to frame.
class LabelParts {
 public:
  // Finds the parts of labels above 0. No label is kOutside, and a different value follows each
  // row. `connected`: if false, all pixels of a label are one part. The labels must stay valid
  // until sum_up() returns.
  void find(const std::uint16_t* labels, std::ptrdiff_t stride, int width, int height,
            bool connected);
  // Computes the sums of all parts. `cells` has the sums of the frame's cells, most of which lie in
  // one part.
  void sum_up(const DepthRows& depth, const std::int32_t* ray_x, const std::int32_t* ray_y,
              const std::vector<Moments>& cells);

  // Sorted by their first pixels; the caller may drop some and reorder the rest.
  std::vector<PlanePart>& planes() { return planes_; }

  // Writes the labels of the remaining planes, numbered from 1, and 0 elsewhere.
  void write(const MutableDepthView& out);
  // The planes' extents in each row; valid after write().
  const RowExtents& extents() const { return extents_; }

 private:
  struct Run {
    std::int32_t first, end;
    std::int32_t root;  // a run of the same part, at first; then the part
    std::uint16_t label;
  };

  std::int32_t root_of(std::int32_t run);

  const std::uint16_t* labels_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  int width_ = 0;
  std::vector<std::int32_t> ends_;  // of the runs of a row
  std::vector<std::uint8_t> whole_;
  std::vector<std::int32_t> stretch_;
  std::vector<Run> runs_;
  std::vector<std::int32_t> rows_;  // first run of each row, and their number
  std::vector<PlanePart> planes_;
  std::vector<std::int32_t> of_label_;
  std::vector<std::uint8_t> number_;
  RowExtents extents_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_LABEL_PARTS_H_
