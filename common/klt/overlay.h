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

// Pictures of tracks. Where a line lies is worked out in floating point and rounded once, to a
// pixel; the rest is integers, so that pictures are the same bits everywhere.
namespace rdp::klt {

enum class OverlayStyle : std::uint8_t {
  kTrails,   // where each feature was in the last frames, in a colour by its id; new ones are white
  kMotion,   // how each has moved since the template: the hue is the direction, and the faster, the
             // stronger it is
  kLost,     // where features were lost, in a colour by the reason; the others are grey
  kWindows,  // the window of each at its birth, as it is warped now, in a colour by its id; grey
             // where no template was fitted in this frame
};

// The painted content. Refers to it only.
struct OverlayScene {
  std::span<const Track> tracks;
  std::span<const Lost> lost;
  std::span<const Trail> trails;  // for kTrails
  // For kWindows.
  std::span<const TrackWarp> warps = {};  // one a track; none: nothing turns or grows
  int window = 0;                         // px, the side
};

// The lines of a picture. Keeps its memory between pictures.
class Marks {
 public:
  // For a picture of this size, on which the tracked frame lies at `placement`. What is not finite,
  // or far outside, is left out. Throws std::bad_alloc.
  void look(OverlayStyle style, const OverlayScene& scene, const FramePlacement& placement,
            int width, int height);
  // Paints what of them lies in rows [first_row, end_row); all other pixels stay as they are.
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
  // The warp of the tracks, some of whose colours the legend has only then.
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
