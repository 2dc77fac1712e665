// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_REFERENCE_H_
#define RDP_COMMON_IMAGE_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/image/blend.h"
#include "common/image/depth_view.h"
#include "common/image/inverse_depth.h"
#include "common/image/known_range.h"
#include "common/image/rectification_map.h"

// The definition of the filters: plain scalar code that is meant to be read, as in
// common/rdp/reference.h. Nothing here is used while streaming.
namespace rdp::reference {

// A frame of 16-bit samples that owns its memory, one row after the other.
struct Frame {
  int width = 0;
  int height = 0;
  std::vector<std::uint16_t> samples;

  std::uint16_t at(int row, int column) const {
    return samples[static_cast<std::size_t>(row) * width + column];
  }
  DepthView view() const {
    return {reinterpret_cast<const std::byte*>(samples.data()),
            static_cast<std::ptrdiff_t>(width) * 2, width, height, SampleType::kU16};
  }
};

// u = clamp(round(scale / z), 1, 65535) for known z, 0 for unknown; halves round away from zero.
Frame inverse_depth(const DepthView& frame, const InverseDepth& inverse);
// The median of the side x side window around each sample, border samples replicated; unknown
// samples count as values. The same as cv::medianBlur. side is 3 or 5.
Frame median(const DepthView& frame, int side);
// Joins `column_width` neighbouring columns (the last group may be narrower). In each row: the
// lower median of the group's known samples, or unknown_sample(known) if fewer than half are known.
Frame join_columns(const DepthView& frame, const KnownRange& known, int column_width);
// Sets every connected component of fewer than `size` pixels to 0 (unknown). 4-connected neighbours
// belong to one component if both are known and alike(a, b) is true.
void remove_speckles(const MutableDepthView& frame, int size,
                     const std::function<bool(int, int)>& alike);
// Resamples a view: see rectify_rows().
void rectify(const DepthView& picture, const RectificationMap& map, const MutableDepthView& out);
// Blends a drawing into a picture of its size.
void blend_into_rgba(const RgbaView& drawing, const RgbaView& picture);
void blend_into_nv12(const RgbaView& drawing, const YuvMatrix& matrix, const Nv12View& picture);

}  // namespace rdp::reference

#endif  // RDP_COMMON_IMAGE_REFERENCE_H_
