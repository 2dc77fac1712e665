// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_OVERLAY_H_
#define RDP_COMMON_FILTER_OVERLAY_H_

#include <cstdint>

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

inline constexpr Pixel kRemovedPixel = pixel(230, 60, 40);
inline constexpr Pixel kFilledPixel = pixel(70, 130, 255);

// The pixel of a sample before and after the filter; 0: unknown. `greys` are make_greys().
RDP_HOST_DEVICE inline Pixel changed_pixel(std::uint32_t before, std::uint32_t after,
                                           const PaletteRange& range, const Colours& greys) {
  if (after == 0) return before == 0 ? kUnknownPixel : kRemovedPixel;
  if (before == 0) return kFilledPixel;
  return greys.entry[palette_entry(palette_position(static_cast<float>(after), range))];
}

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
