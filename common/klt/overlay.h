// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_OVERLAY_H_
#define RDP_COMMON_KLT_OVERLAY_H_

#include <cstdint>
#include <span>

#include "common/image/band_painter.h"
#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"
#include "common/klt/track.h"
#include "common/klt/trails.h"
#include "common/rdp/legend.h"
#include "common/rdp/painted_lines.h"
#include "common/rdp/placed_segments.h"

// Overlays of tracks. Positions of lines are computed in floating point and rounded once, to a
// pixel; the rest is integer, so that pictures are bit-identical everywhere.
namespace rdp::klt {

enum class OverlayStyle : std::uint8_t {
  kTrails,  // positions of each feature in the last frames, coloured by id; new ones are white
  kMotion,  // motion of each since the template: the hue is the direction, and a stronger colour is
            // faster
  kLost,    // lost features at their last positions, coloured by reason; the others are grey
  kWindows,  // the window of each at its birth, with its current warp, coloured by id; grey if no
             // template was fitted in this frame
};

// Content of a picture. Non-owning.
struct OverlayScene {
  std::span<const Track> tracks;
  std::span<const Lost> lost;
  std::span<const Trail> trails;  // for kTrails
  // For kWindows.
  std::span<const TrackWarp> warps = {};  // one per track; empty: no warp
  int window = 0;                         // px, the side
};

// The lines of a picture. Keeps its memory between pictures.
class Marks {
 public:
  // Prepares a picture of this size, with the tracked frame at `placement`. Non-finite and far
  // outside positions are skipped. Throws std::bad_alloc.
  void look(OverlayStyle style, const OverlayScene& scene, const FramePlacement& placement,
            int width, int height);
  // Paints the lines within rows [first_row, end_row); all other pixels are unchanged.
  void paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
             int end_row) const;

 private:
  bool place(double x, double y, Spot* spot) const;
  void line(Spot from, Spot to, Pixel colour);
  void dot(Spot at, Pixel colour);
  void cross(Spot at, Pixel colour);
  void trace(const Trail& trail);
  void move(const Track& track);
  void outline(const Track& track, const TrackWarp& warp, double half);

  FramePlacement placement_;
  int zoom_ = 1;  // the thickness of lines
  PaintedLines lines_;
};

struct OverlayOptions {
  OverlayStyle style = OverlayStyle::kTrails;
  // The picture has a legend of its colours: see common/rdp/legend.h.
  bool legend = false;
  // The warp of the tracks: the legend has some colours only with kAffine.
  Warp warp = Warp::kTranslation;
};

// Paints pictures of frames with their tracks.
class OverlayPainter : public BandPainter {
 public:
  explicit OverlayPainter(unsigned threads = 0) : BandPainter(threads) {}

  // Paints `picture`, which has the size of `frame` (8 bits): the frame in grey, the marks, the
  // legend. All of it is opaque. Every pixel is written, none is read. Throws std::bad_alloc, and
  // stays usable.
  void paint(const DepthView& frame, const OverlayScene& scene, const OverlayOptions& options,
             const RgbaView& picture);

 private:
  Marks marks_;
};

// The picture's legend: empty if there is no room for it.
Legend legend_of(int width, int height, const OverlayOptions& options);

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_OVERLAY_H_
