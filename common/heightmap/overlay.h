// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_OVERLAY_H_
#define RDP_COMMON_HEIGHTMAP_OVERLAY_H_

#include <memory>
#include <span>

#include "common/heightmap/overlay_pixels.h"
#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"
#include "common/image/band_painter.h"
#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"

// Overlays of height maps. Positions of the area's lines are computed in floating point and rounded
// once, to a pixel. The rest is integer, so that pictures are bit-identical everywhere.
namespace rdp::heightmap {

// Content of a picture without its samples, on the host for every painter. Non-owning.
struct OverlaySubject {
  const Rig* rig = nullptr;
  const Parameters* parameters = nullptr;
  const Area* area = nullptr;  // its outline is painted, too
  int cell = 50;               // for kBirdsEye: mm, at least 1
  std::span<const Head> heads;
};

// Content of a picture. Non-owning.
struct OverlayScene : OverlaySubject {
  DepthView picture;  // of the reference view, 8 bits
  // One label of `parameters` per pixel of the picture, row by row.
  std::span<const std::uint8_t> labels;
};

struct OverlayOptions {
  OverlayStyle style = OverlayStyle::kHeights;
  // The picture has a legend of its colours (common/heightmap/overlay_legend.h) and, also with
  // kHeights, the number of heads.
  bool legend = false;
};

// The colour of a height, mm: the palette goes from the smallest to the largest label.
Pixel height_colour(const Parameters& parameters, int height);
// The rules for a picture's pixels.
PixelRules pixel_rules(const Parameters& parameters, OverlayStyle style);

// Paints pictures of height maps. Allocates only when a set needs more memory than any before it,
// or has another rig.
class OverlayPainter : public BandPainter {
 public:
  explicit OverlayPainter(unsigned threads = 0);  // as set_threads()
  ~OverlayPainter();

  // Paints `picture`, which has the size of the scene's. Pixels are opaque. Only beside
  // the map of kBirdsEye all four bytes are 0. Every pixel is written, none is read. The rig has no
  // fault (check_rig()). Throws std::bad_alloc, and stays usable.
  void paint(const OverlayScene& scene, const OverlayOptions& options, const RgbaView& picture);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_OVERLAY_H_
