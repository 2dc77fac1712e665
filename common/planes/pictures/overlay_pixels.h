// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_PICTURES_OVERLAY_PIXELS_H_
#define RDP_COMMON_PLANES_PICTURES_OVERLAY_PIXELS_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/image/camera.h"
#include "common/planes/pictures/overlay_style.h"
#include "common/rdp/overlay_pixels.h"

// Pixels of the pictures of planes, shared by the painters on the CPU and the GPU. Pictures are
// bit-identical: integers, and IEEE 754 operations in the order written here.
//
// A picture is painted in layers, each over those before: the pixels by themselves, those of
// outlines among them; the squares of nodes; the planes' numbers; the legend. Within a layer the
// order does not matter: neither squares (see NodeSquare) nor numbers cover each other.
namespace rdp::planes {

// A plane as it is painted. Its distance from the point of pixel (column, row) at the depth z is
// z * (per_column * column + per_row * row + offset) - distance.
struct PaintedPlane {
  Pixel colour;
  std::uint32_t reserved;
  double per_column, per_row, offset;
  double distance;
};

inline constexpr int kNumberPad = 2;  // within the panel of a plane's number, in cells
inline constexpr int kNumberGap = 2;  // at least between two panels

inline constexpr Pixel kOutlinePixel = kLegendInk;
inline constexpr Pixel kNodePixel = pixel(30, 160, 190);
inline constexpr Pixel kNodeEdgePixel = pixel(150, 150, 150);

// A colour at 65 % over another.
RDP_HOST_DEVICE inline Pixel laid_over(Pixel colour, Pixel ground) {
  Pixel mixed = 0xFF000000U;
  for (int shift = 0; shift < 24; shift += 8) {
    mixed |= (65 * (colour >> shift & 255) + 35 * (ground >> shift & 255) + 50) / 100 << shift;
  }
  return mixed;
}

// The rules for all pixels by themselves.
struct PixelRules {
  OverlayStyle style;
  std::uint32_t known_first, known_last;
  std::int32_t planes;  // number of planes
  std::int32_t width, height;
  PaletteRange range;     // of samples
  float residual_factor;  // from metres to positions of the palette
  DepthOfValue depth;
};

RDP_HOST_DEVICE inline bool is_known(std::uint32_t sample, const PixelRules& rules) {
  return sample >= rules.known_first && sample <= rules.known_last;
}

RDP_HOST_DEVICE inline bool has_plane(std::uint32_t label, const PixelRules& rules) {
  return label > 0 && label <= static_cast<std::uint32_t>(rules.planes);
}

// `colours` is the palette, `greys` the grey scale below planes.
RDP_HOST_DEVICE inline Pixel picture_pixel(int column, int row, std::uint32_t sample,
                                           std::uint32_t label, const PixelRules& rules,
                                           const PaintedPlane* planes, const Colours& colours,
                                           const Colours& greys) {
  if (!is_known(sample, rules)) return kUnknownPixel;
  const int entry = palette_entry(palette_position(static_cast<float>(sample), rules.range));
  if (rules.style == OverlayStyle::kDepth) return colours.entry[entry];
  const Pixel grey = greys.entry[entry];
  if (rules.style == OverlayStyle::kNodes || !has_plane(label, rules)) return grey;
  const PaintedPlane& plane = planes[label - 1];
  if (rules.style != OverlayStyle::kResidual) return laid_over(plane.colour, grey);
  const double z = depth_of_value(static_cast<double>(sample), rules.depth);
  const double beyond =
      z * (plane.per_column * column + plane.per_row * row + plane.offset) - plane.distance;
  const auto distance = static_cast<float>(beyond < 0.0 ? -beyond : beyond);
  return colours.entry[palette_entry(distance * rules.residual_factor)];
}

// True if a pixel is of a plane's outline, which lies over picture_pixel(): it has that plane's
// label, and the frame ends there or one of the four pixels beside it has another label.
RDP_HOST_DEVICE inline bool is_outline(const unsigned char* labels, std::int64_t pitch, int column,
                                       int row, const PixelRules& rules) {
  const unsigned char* at = labels + row * pitch + column;
  if (!shows_planes(rules.style) || !has_plane(*at, rules)) return false;
  if (column == 0 || row == 0 || column == rules.width - 1 || row == rules.height - 1) return true;
  return at[-1] != *at || at[1] != *at || at[-pitch] != *at || at[pitch] != *at;
}

// A pixel of a quadtree square, relative to its upper left one. Returns false if the pixel stays
// unchanged. `below` is picture_pixel() there.
RDP_HOST_DEVICE inline bool square_pixel(const NodeSquare& square, int column, int row, Pixel below,
                                         Pixel* pixel) {
  const bool edge = column == 0 || row == 0;
  if (edge) *pixel = kNodeEdgePixel;
  if (!edge && square.planar != 0 && below != kUnknownPixel) {
    *pixel = laid_over(kNodePixel, below);
    return true;
  }
  return edge;
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_PICTURES_OVERLAY_PIXELS_H_
