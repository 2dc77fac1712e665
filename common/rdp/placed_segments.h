// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_PLACED_SEGMENTS_H_
#define RDP_COMMON_RDP_PLACED_SEGMENTS_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "common/image/camera.h"
#include "common/image/rgba_view.h"
#include "common/rdp/overlay.h"
#include "common/rdp/parameters.h"
#include "common/rdp/placed_quad.h"
#include "common/rdp/segment_list.h"

// Segments on a picture other than their own frame, such as colour beside depth. Each segment is a
// quadrangle there. Its corners are computed in floating point and rounded once, to 1/256 of a
// pixel; covered pixels and colours are decided in integers.
namespace rdp {

// The place of the segmented frame on the picture, without cameras: the centre of its pixel
// (column, row) at (column + ½) · scale_x + offset_x − ½, and likewise for rows. Scales below 0
// mirror.
struct FramePlacement {
  double scale_x = 1.0;
  double scale_y = 1.0;
  double offset_x = 0.0;
  double offset_y = 0.0;

  bool operator==(const FramePlacement&) const = default;
};

// The same with two cameras: the segmented frame's, the pose from its axes to the picture's camera,
// and that camera's lens.
struct FrameProjection {
  MetricCamera frame;
  Pose between;
  CameraLens picture;
};

// The tint of a segment without one: it is painted in the colours of the style.
inline constexpr Pixel kNoTint = 0x00FFFFFFU;

// The style of painting.
struct PlacedLook {
  // kSegments or kClasses, in the colours of paint_overlay(). A palette that is left to the frame
  // spans the 1st to 99th percentile of the segments' end values.
  OverlayOptions options;
  std::uint8_t alpha = 255;  // of each pixel that is painted; all others are 0, 0, 0, 0
  PixelOrder order = PixelOrder::kRgba;
  // For kSegments: colours instead of the palette's; null: the palette's. Must live as long as the
  // list.
  const Colours* colours = nullptr;
  // Empty, or a uniform colour for each segment of the list; must live as long as the list.
  // kUnknownPixel: the segment is not painted.
  std::span<const Pixel> tints;
};

// The palette range of a frame: the 1st to 99th percentile of its segments' end values, of some
// thousands of them. `ends` is scratch memory. Throws std::bad_alloc.
PaletteRange palette_range_of_ends(const SegmentArrays& segments, std::vector<float>* ends);

// Works on one frame at a time, and keeps its memory between frames. Throws std::bad_alloc.
class PlacedSegments {
 public:
  // Takes the segments that `parameters` gave for a frame of `width` x `height` pixels. The list
  // must live until the last paint(). A projection leaves out segments without a distance and those
  // that reach behind the picture's camera.
  void place(const SegmentArrays& segments, const Parameters& parameters, int width, int height,
             const FramePlacement& placement, const PlacedLook& look);
  void project(const SegmentArrays& segments, const Parameters& parameters, int width, int height,
               const FrameProjection& projection, const PlacedLook& look);

  // Paints rows [first_row, end_row) of `picture`, every pixel of them. Different rows may be
  // painted from different threads: the picture is the same however it is divided.
  //
  // Nearer segments cover farther ones: painting goes by decreasing distance of the farther ends,
  // for equal ones in list order. A segment that covers no pixel centre is not seen; segments that
  // touch leave no gap and share no pixel.
  void paint(const RgbaView& picture, int first_row, int end_row) const {
    paint(picture, alpha_, order_, first_row, end_row);
  }
  // The same with an alpha and order that replace the look's.
  void paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
             int end_row) const;

  // The number of placed segments, inside or outside of the picture.
  std::size_t size() const { return quads_.size(); }

  // The painted segments, for painters on other devices, in the order of painting.
  struct Quad {
    PlacedCorners corners;
    std::int32_t top, bottom;  // of the rows whose centres it may cover, the end not included
    double far;                // the distance of its farther end
    std::uint32_t segment;
    std::int32_t twice_column;  // see twice_middle()
  };
  std::span<const Quad> quads() const { return quads_; }
  static PlacedBox box_of(const Quad& quad) {
    const auto& c = quad.corners.at;
    const auto [left, right] = std::minmax({c[0].x, c[1].x, c[2].x, c[3].x});
    const auto within = [](std::int32_t pixel) {
      return static_cast<std::int16_t>(std::clamp(pixel, -1, 32767));
    };
    return {within(first_pixel(left)), within(quad.top), within(first_pixel(right)),
            within(quad.bottom)};
  }
  PlacedLine line_of(const Quad& quad) const {
    const Segment& s = segments_.segments()[quad.segment];
    const auto& c = quad.corners.at;
    return {c[0].y + c[1].y, c[2].y + c[3].y, s.first_row,      s.last_row,
            s.first_value,   s.last_value,    quad.twice_column};
  }
  // True if all quads are upright.
  bool upright() const { return upright_; }
  // The style of painting, if there are neither tints nor other colours than the palette's.
  const OverlayLook& look() const { return look_; }
  std::uint8_t alpha() const { return alpha_; }
  int frame_height() const { return height_; }

 private:
  void begin(const SegmentArrays& segments, const Parameters& parameters, int height,
             const PlacedLook& look);
  void add(const PlacedCorners& corners, double far, std::size_t segment, int twice_column);
  void paint_quad(const Quad& quad, const RgbaView& picture, std::uint8_t alpha, PixelOrder order,
                  int first_row, int end_row) const;

  SegmentArrays segments_;
  const Colours* colours_ = nullptr;
  std::span<const Pixel> tints_;
  OverlayLook look_;
  std::uint8_t alpha_ = 255;
  PixelOrder order_ = PixelOrder::kRgba;
  int height_ = 0;
  bool upright_ = true;
  std::vector<Quad> quads_;
  std::vector<float> ends_;
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_PLACED_SEGMENTS_H_
