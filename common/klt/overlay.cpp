// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/klt/overlay.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "common/image/direction_colour.h"
#include "common/image/float_environment.h"
#include "common/image/index_colour.h"
#include "common/rdp/overlay.h"

namespace rdp::klt {
namespace {

constexpr Pixel pixel_of(Rgb c) { return pixel(c.r, c.g, c.b); }

constexpr Pixel kNewPixel = pixel(255, 255, 255);
constexpr Pixel kLivePixel = pixel(150, 150, 150);
// By Reason; the first, kTracked, has no colour. They differ in lightness, too.
constexpr Pixel kReasonPixels[] = {0,
                                   pixel(86, 180, 233),
                                   pixel(240, 228, 66),
                                   pixel(213, 94, 0),
                                   pixel(204, 121, 167),
                                   pixel(0, 158, 115),
                                   pixel(0, 114, 178)};
constexpr std::string_view kReasonNames[] = {"",      "texture", "outside", "residual",
                                             "check", "crowded", "template"};

// A colour that becomes white where there is no motion, and is full from 16 px on.
Pixel motion_colour(float dx, float dy) {
  const auto fixed = [](float v) {
    return static_cast<std::int64_t>(std::clamp(v, -16384.0F, 16384.0F) * 1024.0F);
  };
  const std::int64_t x = fixed(dx);
  const std::int64_t y = fixed(dy);
  const auto strength =
      static_cast<int>(std::min<std::int64_t>(std::max(std::abs(x), std::abs(y)) / 64, 256));
  return pixel_of(direction_colour(x, y, strength));
}

}  // namespace

// --- the marks ----------------------------------------------------------------------------------

bool Marks::place(double x, double y, Spot* spot) const {
  return place_spot(x, y, placement_, spot);
}

void Marks::line(Spot from, Spot to, Pixel colour) { lines_.add(from, to, colour, zoom_); }

void Marks::dot(Spot at, Pixel colour) {
  line({at.x - zoom_, at.y}, {at.x + zoom_, at.y}, colour);
  line({at.x, at.y - zoom_}, {at.x, at.y + zoom_}, colour);
}

void Marks::cross(Spot at, Pixel colour) {
  const int reach = 2 * zoom_;
  line({at.x - reach, at.y - reach}, {at.x + reach, at.y + reach}, colour);
  line({at.x - reach, at.y + reach}, {at.x + reach, at.y - reach}, colour);
}

void Marks::trace(const Trail& trail) {
  const Pixel colour =
      trail.age == 0 ? kNewPixel : pixel_of(index_colour(static_cast<int>(trail.id % 256)));
  Spot before{};
  bool is_placed = false;
  for (int i = 0; i < trail.count; ++i) {
    Spot spot;
    if (!place(static_cast<double>(trail.spots[i].x), static_cast<double>(trail.spots[i].y),
               &spot)) {
      is_placed = false;
      continue;
    }
    if (is_placed) line(before, spot, colour);
    before = spot;
    is_placed = true;
  }
  if (is_placed) dot(before, colour);
}

void Marks::move(const Track& track) {
  const auto x = static_cast<double>(track.x);
  const auto y = static_cast<double>(track.y);
  Spot now, then;
  if (!place(x, y, &now) ||
      !place(x - static_cast<double>(track.dx), y - static_cast<double>(track.dy), &then)) {
    return;
  }
  const Pixel colour = track.age == 0 ? kLivePixel : motion_colour(track.dx, track.dy);
  line(then, now, colour);
  dot(now, colour);
}

void Marks::outline(const Track& track, const TrackWarp& warp, double half) {
  constexpr int kCorners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  Spot spots[4];
  bool placed[4];
  for (int i = 0; i < 4; ++i) {
    const double x = half * kCorners[i][0];
    const double y = half * kCorners[i][1];
    placed[i] = place(static_cast<double>(track.x) + static_cast<double>(warp.a) * x +
                          static_cast<double>(warp.b) * y,
                      static_cast<double>(track.y) + static_cast<double>(warp.c) * x +
                          static_cast<double>(warp.d) * y,
                      &spots[i]);
  }
  const Pixel colour =
      warp.age > 0 ? pixel_of(index_colour(static_cast<int>(track.id % 256))) : kLivePixel;
  for (int i = 0; i < 4; ++i) {
    const int next = (i + 1) % 4;
    if (placed[i] && placed[next]) line(spots[i], spots[next], colour);
  }
}

void Marks::look(OverlayStyle style, const OverlayScene& scene, const FramePlacement& placement,
                 int width, int height) {
  with_standard_floats([&] {
    placement_ = placement;
    zoom_ = text_zoom(width, height);
    lines_.clear();
    if (style == OverlayStyle::kTrails) {
      for (const Trail& trail : scene.trails) trace(trail);
      return;
    }
    if (style == OverlayStyle::kWindows) {
      for (std::size_t i = 0; i < scene.tracks.size(); ++i) {
        const TrackWarp warp =
            i < scene.warps.size() ? scene.warps[i] : TrackWarp{1, 0, 0, 1, 0, 0};
        outline(scene.tracks[i], warp, scene.window / 2.0);
      }
      return;
    }
    for (const Track& track : scene.tracks) {
      Spot spot;
      if (style == OverlayStyle::kMotion) {
        move(track);
      } else if (place(static_cast<double>(track.x), static_cast<double>(track.y), &spot)) {
        dot(spot, kLivePixel);
      }
    }
    if (style != OverlayStyle::kLost) return;
    for (const Lost& lost : scene.lost) {
      Spot spot;
      const auto reason = static_cast<std::size_t>(lost.reason);
      if (reason == 0 || reason >= std::size(kReasonPixels)) continue;
      if (place(static_cast<double>(lost.x), static_cast<double>(lost.y), &spot)) {
        cross(spot, kReasonPixels[reason]);
      }
    }
  });
}

void Marks::paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
                  int end_row) const {
  lines_.paint(picture, alpha, order, first_row, end_row);
}

// --- pictures of frames -------------------------------------------------------------------------

Legend legend_of(int width, int height, const OverlayOptions& options) {
  Legend legend;
  if (!options.legend) return legend;
  switch (options.style) {
    case OverlayStyle::kTrails:
      add_legend_name("new", kNewPixel, &legend);
      add_legend_name("tracked", pixel_of(index_colour(1)), &legend);
      break;
    case OverlayStyle::kMotion: {
      constexpr float kFast = 16.0F;
      add_legend_name("left", motion_colour(-kFast, 0.0F), &legend);
      add_legend_name("right", motion_colour(kFast, 0.0F), &legend);
      add_legend_name("up", motion_colour(0.0F, -kFast), &legend);
      add_legend_name("down", motion_colour(0.0F, kFast), &legend);
      add_legend_name("still", motion_colour(0.0F, 0.0F), &legend);
      add_legend_name("new", kLivePixel, &legend);
      break;
    }
    case OverlayStyle::kLost: {
      const Reason last = options.warp == Warp::kAffine ? Reason::kTemplate : Reason::kCrowded;
      for (std::size_t reason = 1; reason <= static_cast<std::size_t>(last); ++reason) {
        add_legend_name(kReasonNames[reason], kReasonPixels[reason], &legend);
      }
      // There is no room for a seventh name.
      if (legend.names < kMaxNames) add_legend_name("tracked", kLivePixel, &legend);
      break;
    }
    case OverlayStyle::kWindows:
      add_legend_name("fitted", pixel_of(index_colour(1)), &legend);
      add_legend_name("unfitted", kLivePixel, &legend);
      break;
  }
  fit_legend(width, height, &legend);
  return legend;
}

void OverlayPainter::paint(const DepthView& frame, const OverlayScene& scene,
                           const OverlayOptions& options, const RgbaView& picture) {
  static constexpr Colours kGreys = make_greys();
  marks_.look(options.style, scene, {}, frame.width, frame.height);
  paint_bands(frame.height, [&](int first, int end) {
    for (int row = first; row < end; ++row) {
      const std::byte* from = frame.row(row);
      std::byte* to = picture.data + row * picture.stride;
      for (int column = 0; column < frame.width; ++column, to += 4) {
        std::memcpy(to, &kGreys.entry[std::to_integer<std::size_t>(from[column])], 4);
      }
    }
    marks_.paint(picture, 255, PixelOrder::kRgba, first, end);
  });
  const Ticks none{};
  paint_legend(legend_of(picture.width, picture.height, options), none, nullptr, 0, picture.width,
               picture);
}

}  // namespace rdp::klt
