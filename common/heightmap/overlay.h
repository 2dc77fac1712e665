// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_OVERLAY_H_
#define RDP_COMMON_HEIGHTMAP_OVERLAY_H_

#include <cstdint>
#include <memory>
#include <span>

#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"
#include "common/image/band_painter.h"
#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"
#include "common/rdp/overlay_pixels.h"

// Pictures of height maps. Where a line of the area lies is worked out in floating point and
// rounded once, to a pixel; the rest is integers, so that pictures are the same bits everywhere.
namespace rdp::heightmap {

enum class OverlayStyle : std::uint8_t {
  kHeights,   // heights in the palette's colours; where none is known, the reference picture, dark
  kHeads,     // the reference picture with a cross at each head, in the colour of its height, which
              // is written beside it where there is room, and how many heads there are
  kBirdsEye,  // the ground from above, X to the right and Y up: the highest of each cell in the
              // palette's colours, a grid in metres, crosses at the heads, and how many there are.
              // It shows the bounding box of the area, or without one what the cameras look at
              // (common/heightmap/seen_ground.h)
};

// What is painted. Refers to it only.
struct OverlayScene {
  DepthView picture;  // of the reference view, 8 bits
  const Rig* rig = nullptr;
  const Parameters* parameters = nullptr;
  const Area* area = nullptr;  // its outline is painted, too
  int cell = 50;               // for kBirdsEye: mm, at least 1
  // One a pixel of the picture, row by row, of what `parameters` have.
  std::span<const std::uint8_t> labels;
  std::span<const Head> heads;
};

struct OverlayOptions {
  OverlayStyle style = OverlayStyle::kHeights;
  // Whether the picture says what its colours stand for (common/heightmap/overlay_legend.h), and,
  // also with kHeights, how many heads there are.
  bool legend = false;
};

// The colour of a height, mm: the palette goes from the smallest to the largest label.
Pixel height_colour(const Parameters& parameters, int height);
// The darkest and the brightest grey of the picture below heights, and of that below crosses. No
// height looks like one of the former, and white edges are seen on all of the latter.
inline constexpr int kHeightsGreys[2] = {14, 76};
inline constexpr int kHeadsGreys[2] = {16, 176};
// Of cells where nothing is known to stand.
inline constexpr Pixel kNothingPixel = pixel(44, 46, 50);
inline constexpr Pixel kAreaPixel = pixel(86, 180, 233);
inline constexpr Pixel kHeadPixel = pixel(255, 255, 255);

// Paints pictures of height maps. Allocates only when a set needs more memory than any before it,
// or has another rig.
class OverlayPainter : public BandPainter {
 public:
  explicit OverlayPainter(unsigned threads = 0);  // as set_threads()
  ~OverlayPainter();

  // Paints `picture`, which has the size of the scene's. Opaque, but all four bytes 0 beside what
  // is seen from above. Every pixel is written, none is read. The rig has no fault (check_rig()).
  // Throws std::bad_alloc, and stays usable.
  void paint(const OverlayScene& scene, const OverlayOptions& options, const RgbaView& picture);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_OVERLAY_H_
