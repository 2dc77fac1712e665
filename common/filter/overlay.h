// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_OVERLAY_H_
#define RDP_COMMON_FILTER_OVERLAY_H_

#include <cstdint>

#include "common/filter/overlay_pixels.h"
#include "common/image/band_painter.h"
#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"
#include "common/rdp/legend.h"

// Pictures of the changes that the filter makes.
namespace rdp::filter {

enum class OverlayStyle : std::uint8_t {
  kChanges,  // removed samples red, filled ones blue, others in grey
};

struct OverlayOptions {
  OverlayStyle style = OverlayStyle::kChanges;
  // The picture has a legend of its colours: see common/rdp/legend.h.
  bool legend = false;
};

class OverlayPainter : public BandPainter {
 public:
  explicit OverlayPainter(unsigned threads = 0) : BandPainter(threads) {}

  // Paints `picture`, which has the size of `before`. `after` is smaller by `decimation`; pixels
  // beyond its last block are as they came. Grey goes from the 1st to the 99th percentile of
  // `before`: palette_range() of common/rdp/overlay.h. Every pixel is written, none is read.
  void paint(const DepthView& before, const DepthView& after, int decimation,
             const OverlayOptions& options, const RgbaView& picture);
};

// The picture's legend: empty if there is no room for it.
Legend legend_of(int width, int height, const OverlayOptions& options);

}  // namespace rdp::filter

#endif  // RDP_COMMON_FILTER_OVERLAY_H_
