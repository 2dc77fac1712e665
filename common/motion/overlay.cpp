// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/overlay.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/image/direction_colour.h"
#include "common/image/float_environment.h"
#include "common/motion/overlay_legend.h"
#include "common/rdp/birdseye_inset.h"
#include "common/rdp/overlay.h"

namespace rdp::motion {
namespace {

constexpr Colours make_still_colours() {
  Colours colours{};
  for (int i = 0; i < 256; ++i) {
    const int grey = kStillGreys[0] + i * (kStillGreys[1] - kStillGreys[0]) / 255;
    colours.entry[i] = pixel(grey, grey, grey);
  }
  return colours;
}
constexpr Colours kStillColours = make_still_colours();

// False for NaN and implausible values.
bool fixed(float value, std::int32_t* out) {
  constexpr float kMost = static_cast<float>(kMaxMove / kMoveOne);
  if (!(value >= -kMost && value <= kMost)) return false;
  *out = static_cast<std::int32_t>(value * static_cast<float>(kMoveOne));
  return true;
}

enum class State : std::uint8_t { kUnknown, kStill, kMoves };

State state_of(const SegmentMotion& motion, bool has_camera, Move* move) {
  if (has_camera) {
    const bool known = (motion.flags & kKnown) != 0 && fixed(motion.vx, &move->x) &&
                       fixed(motion.vy, &move->y) && fixed(motion.vz, &move->z);
    if (!known) return State::kUnknown;
    return (motion.flags & kMoving) != 0 ? State::kMoves : State::kStill;
  }
  if (!fixed(motion.dx, &move->x) || !fixed(motion.dy, &move->y)) return State::kUnknown;
  const bool moves = std::max(std::abs(move->x), std::abs(move->y)) >= kMoveOne;
  return moves ? State::kMoves : State::kStill;
}

Pixel colour_of(const Move& m, bool has_camera) {
  const auto square = [](std::int64_t v) { return static_cast<double>(v * v); };
  const auto speed = static_cast<std::int64_t>(std::sqrt(square(m.x) + square(m.y) + square(m.z)));
  if (has_camera) return velocity_colour(m.x, m.z, speed, kFullSpeed * kMoveOne);
  return velocity_colour(m.x, -std::int64_t{m.y}, speed, kFullShift * kMoveOne);
}

double speed_of(const MovingThing& thing) {
  return std::sqrt(thing.x * thing.x + thing.y * thing.y + thing.z * thing.z);
}

// The two ends of a thing's arrow, as places of the frame.
bool find_way(const MovingThing& thing, const OverlayScene& scene, double (&from)[2],
              double (&to)[2]) {
  from[0] = to[0] = thing.column;
  if (scene.camera == nullptr) {
    from[1] = to[1] = thing.row;
    if (!(scene.dt > 0.0)) return true;
    to[0] += thing.x * (kArrowSeconds / scene.dt);
    to[1] += thing.y * (kArrowSeconds / scene.dt);
    return true;
  }
  from[1] = thing.foot_row;
  Point p;
  if (!point_of_value(thing.column, thing.foot_row, thing.foot_value, *scene.camera, &p)) {
    return false;
  }
  double seconds = kArrowSeconds;
  const double nearest = 0.25 * p.z;
  if (p.z + thing.z * seconds < nearest) seconds = (nearest - p.z) / thing.z;
  return pixel_of_point(p.x + thing.x * seconds, p.y + thing.y * seconds, p.z + thing.z * seconds,
                        *scene.camera, &to[0], &to[1]);
}

// The place of a point on a picture from above.
bool spot_above(double x, double z, const BirdseyeScale& scale, const BirdseyeSize& size,
                Spot* spot) {
  return place_spot(0.5 * size.width + x * scale.cells_of_metre - 0.5,
                    size.height - z * scale.cells_of_metre - 0.5, {}, spot);
}

}  // namespace

MotionFrame motion_frame(const OverlayScene& scene) {
  if (scene.camera == nullptr) return MotionFrame::kPicture;
  for (const SegmentMotion& motion : scene.motions) {
    if ((motion.flags & kKnown) == 0) continue;
    return (motion.flags & kAbsolute) != 0 ? MotionFrame::kGround : MotionFrame::kCamera;
  }
  return MotionFrame::kNothing;
}

Pixel velocity_colour(std::int64_t right, std::int64_t ahead, std::int64_t speed,
                      std::int64_t full) {
  // The minimum shows the direction of slow things, too, and is brighter than static things.
  constexpr int kLeast = 120;
  constexpr int kMost = 232;
  const auto more =
      static_cast<int>((kMost - kLeast) * std::clamp<std::int64_t>(speed, 0, full) / full);
  const Rgb c = direction_colour(right, -ahead, kLeast + more);
  return pixel(c.r, c.g, c.b);
}

// --- the marks ----------------------------------------------------------------------------------

void MotionMarks::read_moves(const OverlayScene& scene) {
  const std::size_t n = scene.segments.segment_count();
  const std::size_t known = std::min(n, scene.motions.size());
  moves_.assign(n, {});
  tints_.assign(n, kUnknownMotionPixel);
  for (std::size_t i = 0; i < known; ++i) {
    const bool has_camera = scene.camera != nullptr;
    const State state = state_of(scene.motions[i], has_camera, &moves_[i]);
    moves_[i].moves = state == State::kMoves;
    if (state == State::kStill) tints_[i] = kNoTint;
    if (state == State::kMoves) tints_[i] = colour_of(moves_[i], has_camera);
  }
  things_.find(scene.segments, moves_, scene.width, scene.height, scene.parameters->column_width);
}

void MotionMarks::look(const OverlayScene& scene, const FramePlacement& placement, int width,
                       int height, Shown shown, const Box& free) {
  with_standard_floats([&] {
    from_above_ = false;
    read_moves(scene);
    if (shown == Shown::kMovingOnly) {
      for (std::size_t i = 0; i < tints_.size(); ++i) {
        if (!moves_[i].moves) tints_[i] = kUnknownPixel;
      }
    }
    PlacedLook look;
    look.options.style = rdp::OverlayStyle::kSegments;
    look.colours = &kStillColours;
    look.tints = tints_;
    segments_.place(scene.segments, *scene.parameters, scene.width, scene.height, placement, look);
    footprints_.clear();
    arrows_.begin(width, height, text_zoom(width, height));
    arrows_.keep_free(free);
    for (const MovingThing& thing : things_.things()) {
      double from[2], to[2];
      Spot first, last;
      if (find_way(thing, scene, from, to) && place_spot(from[0], from[1], placement, &first) &&
          place_spot(to[0], to[1], placement, &last)) {
        arrows_.add(first, last, scene.camera != nullptr ? speed_of(thing) : -1.0);
      }
    }
    arrows_.put_texts();
  });
}

// Paints moving things in their colour on a dark edge: lines as wide as their columns, a little
// deeper than obstacles are.
void MotionMarks::add_footprints(const OverlayScene& scene, const BirdseyeScale& scale,
                                 const BirdseyeSize& size) {
  constexpr int kEdge = 2;
  const int column_width = scene.parameters->column_width;
  const auto add = [&](int column, std::size_t segment, Pixel colour, int deep) {
    const Segment& s = scene.segments.segments()[segment];
    const double value =
        0.5 * (static_cast<double>(s.first_value) + static_cast<double>(s.last_value));
    const double row = 0.5 * (s.first_row + s.last_row);
    const int end = std::min((column + 1) * column_width, scene.width);
    Point left, right;
    Spot first, last;
    if (point_of_value(column * column_width - 0.5, row, value, *scene.camera, &left) &&
        point_of_value(end - 0.5, row, value, *scene.camera, &right) &&
        spot_above(left.x, left.z, scale, size, &first) &&
        spot_above(right.x, right.z, scale, size, &last)) {
      footprints_.add(first, last, colour, deep, deep / 2);
    }
  };
  footprints_.clear();
  for (const bool is_edge : {true, false}) {
    for (int c = 0; c < scene.segments.columns(); ++c) {
      for (std::size_t i = scene.segments.offsets()[static_cast<std::size_t>(c)];
           i < scene.segments.offsets()[static_cast<std::size_t>(c) + 1]; ++i) {
        if (!moves_[i].moves) continue;
        add(c, i, is_edge ? kLegendPaper : tints_[i],
            is_edge ? kObstacleCells + 2 * kEdge : kObstacleCells);
      }
    }
  }
}

void MotionMarks::look_from_above(const OverlayScene& scene, const BirdseyeScale& scale,
                                  const BirdseyeSize& size, const Box& free) {
  with_standard_floats([&] {
    from_above_ = true;
    read_moves(scene);
    add_footprints(scene, scale, size);
    arrows_.begin(size.width, size.height, std::max(size.zoom, 1));
    arrows_.keep_free(free);
    for (const MovingThing& thing : things_.things()) {
      Point p;
      Spot first, last;
      if (point_of_value(thing.column, thing.foot_row, thing.foot_value, *scene.camera, &p) &&
          spot_above(p.x, p.z, scale, size, &first) &&
          spot_above(p.x + thing.x * kArrowSecondsAbove, p.z + thing.z * kArrowSecondsAbove, scale,
                     size, &last)) {
        arrows_.add(first, last, speed_of(thing));
      }
    }
    arrows_.put_texts();
  });
}

void MotionMarks::paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order,
                        int first_row, int end_row) const {
  if (!from_above_) segments_.paint(picture, alpha, order, first_row, end_row);
  footprints_.paint(picture, alpha, order, first_row, end_row);
  arrows_.paint(picture, alpha, order, first_row, end_row);
}

// --- pictures of frames -------------------------------------------------------------------------

struct OverlayPainter::Impl {
  MotionMarks marks;
  BirdseyeInset above;
  PaintedLines legend_lines;
};

OverlayPainter::OverlayPainter(unsigned threads)
    : BandPainter(threads), impl_(std::make_unique<Impl>()) {}

OverlayPainter::~OverlayPainter() = default;

void OverlayPainter::paint(const OverlayScene& scene, const OverlayOptions& options,
                           const RgbaView& picture) {
  with_standard_floats([&] { paint_scene(scene, options, picture); });
}

void OverlayPainter::paint_scene(const OverlayScene& scene, const OverlayOptions& options,
                                 const RgbaView& picture) {
  MotionMarks& marks = impl_->marks;
  BirdseyeInset& above = impl_->above;
  const MotionLegend legend =
      motion_legend(scene.width, scene.height, options, motion_frame(scene));
  if (options.style == OverlayStyle::kMotion) {
    marks.look(scene, {}, scene.width, scene.height, MotionMarks::Shown::kAll, legend.box);
    paint_bands(scene.height, [&](int first, int end) {
      marks.paint(picture, 255, PixelOrder::kRgba, first, end);
    });
  } else if (scene.camera != nullptr && scene.segments.columns() > 0) {
    const BirdseyeSize size = {scene.width, scene.height, birdseye_zoom(scene.width, scene.height)};
    above.look(scene.segments, *scene.parameters, scene.width, scene.height, *scene.camera,
               options.birdseye_range, size);
    marks.look_from_above(scene, above.scale(), size, legend.box);
    const RgbaView seen = above.picture();
    paint_bands(scene.height, [&](int first, int end) {
      marks.paint(seen, 255, PixelOrder::kRgba, first, end);
      for (int row = first; row < end; ++row) {
        std::memcpy(picture.data + row * picture.stride, seen.data + row * seen.stride,
                    static_cast<std::size_t>(seen.stride));
      }
    });
  } else {
    for (int row = 0; row < scene.height; ++row) {
      std::memset(picture.data + row * picture.stride, 0,
                  static_cast<std::size_t>(scene.width) * 4);
    }
  }
  paint_motion_legend(legend, &impl_->legend_lines, picture);
}

}  // namespace rdp::motion
