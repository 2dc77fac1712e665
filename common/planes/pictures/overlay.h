// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_PICTURES_OVERLAY_H_
#define RDP_COMMON_PLANES_PICTURES_OVERLAY_H_

#include <cstdint>
#include <memory>
#include <span>

#include "common/image/band_painter.h"
#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"
#include "common/planes/parameters.h"
#include "common/planes/pictures/overlay_style.h"
#include "common/planes/planes.h"

namespace rdp::planes {

struct OverlayOptions {
  OverlayStyle style = OverlayStyle::kPlanes;
  // Samples at the ends of the palette, and of the grey; palette_min may be the larger one. Both 0:
  // from the frame, far to near, without outliers; see palette_range() of common/rdp/overlay.h.
  double palette_min = 0.0;
  double palette_max = 0.0;
  // Adds a legend of the colours: see common/rdp/legend.h.
  bool legend = false;
  // For kResidual: the distance in metres at which the palette ends; 0: from the planes, three
  // times the root mean square over all of their pixels, 1 mm at least.
  double residual_range = 0.0;
};

// The painted content; it owns none of it.
struct OverlayScene {
  // The frame's camera, which converts samples to depths.
  const MetricCamera* camera = nullptr;
  // The parameters of the search; they have the range of known samples.
  const Parameters* parameters = nullptr;
  const PlaneSet* planes = nullptr;
  std::span<const NodeSquare> nodes;  // for kNodes; empty: no squares are drawn
};

// Paints pictures on the CPU.
//
// Paints one picture at a time. Allocates only when a frame needs more memory than any before; if
// that throws std::bad_alloc, the painter stays usable.
class OverlayPainter : public BandPainter {
 public:
  explicit OverlayPainter(unsigned threads = 0);  // 0: one for each processor
  ~OverlayPainter();

  // Paints `picture`, which has the size of `frame` and of `labels` (kU8; 0 or 1 + the index of a
  // plane of the scene). Opaque, but all four bytes are 0 where the sample is unknown and nothing
  // is drawn over it. Every pixel is written, none is read.
  void paint(const DepthView& frame, const DepthView& labels, const OverlayScene& scene,
             const OverlayOptions& options, const RgbaView& picture);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_PICTURES_OVERLAY_H_
