// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OVERLAY_H_
#define RDP_COMMON_OVERLAY_H_

#include <cstddef>
#include <cstdint>

#include "common/depth_view.h"
#include "common/parameters.h"
#include "common/segment_list.h"

namespace rdp {

// Eight-bit R, G, B, A in this order in memory. Row r starts at data + r * stride (bytes).
struct RgbaView {
  std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;
  int width = 0;
  int height = 0;
};

enum class OverlayStyle : std::uint8_t {
  kSegments,  // each segment in the palette's colour of its middle, its ends marked
  kDepth,     // the palette on the samples, unknown black
  kEdges,     // the samples as dark grey, the segments' ends bright
};

struct OverlayOptions {
  OverlayStyle style = OverlayStyle::kSegments;
  // What the ends of the palette stand for, in sample steps (u in Domain::kInverse). Both 0: the
  // smallest and the largest known sample of the frame.
  double palette_min = 0.0;
  double palette_max = 0.0;
};

// The painter's numbers for one frame: palette index = clamp((value - offset) * factor, 0, 255).
struct PaletteRange {
  float offset = 0.0F;
  float factor = 0.0F;
};

// Where the palette starts and ends for this frame. Reads the frame only if options ask for it.
PaletteRange palette_range(const DepthView& frame, const Parameters& parameters,
                           const OverlayOptions& options);

// Paints columns [first_column, end_column) of `picture`, which has the size of `frame`, opaque.
// Different columns may be painted from different threads. Every pixel is written.
void paint_overlay(const DepthView& frame, const SegmentList& segments,
                   const Parameters& parameters, OverlayStyle style, const PaletteRange& range,
                   int first_column, int end_column, const RgbaView& picture);

}  // namespace rdp

#endif  // RDP_COMMON_OVERLAY_H_
