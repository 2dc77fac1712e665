// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/placed_segments.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/image/float_environment.h"
#include "common/rdp/overlay_pixels.h"

namespace rdp {
namespace {

constexpr PaleColours kColours = make_pale_colours();
constexpr ClassColours kClassColours = make_class_colours();

// Positions on the picture are clamped to this, beyond all pictures, so that products of
// differences fit 64 bits.
constexpr double kFarthest = 65536.0;

std::int32_t rounded(double position) {
  // NaN is no position in a picture either.
  const double within = position > -kFarthest ? std::min(position, kFarthest) : -kFarthest;
  return static_cast<std::int32_t>(std::floor(within * kSubpixels + 0.5));
}

// A RowQuotient, updated from row to row without a division, which would take longer than all other
// work of a row.
class Quotient {
 public:
  Quotient() = default;
  explicit Quotient(const RowQuotient& of)
      : divisor_(of.divisor),
        value_(floor_divide(of.dividend, of.divisor)),
        rest_(of.dividend - value_ * of.divisor),
        step_(floor_divide(of.step, of.divisor)),
        rest_of_step_(of.step - step_ * of.divisor) {}
  std::int64_t value() const { return value_; }
  void next_row() {
    value_ += step_;
    rest_ += rest_of_step_;
    if (rest_ >= divisor_) {
      rest_ -= divisor_;
      ++value_;
    }
  }

 private:
  std::int64_t divisor_ = 1;
  std::int64_t value_ = 0;
  std::int64_t rest_ = 0;
  std::int64_t step_ = 0;
  std::int64_t rest_of_step_ = 0;
};

// False for values far from any sample's: metadata may come from anywhere.
bool has_colour(const Segment& s) {
  constexpr float kMost = 1e9F;
  const auto within = [](float value) { return value >= -kMost && value <= kMost; };
  return within(s.first_value) && within(s.last_value) && s.first_row <= s.last_row;
}

// The palette of these values, as palette_range() finds it for samples.
PaletteRange range_of(std::vector<float>& values) {
  if (values.empty()) return {};
  const auto tail = static_cast<std::ptrdiff_t>(values.size() / 100);
  std::nth_element(values.begin(), values.begin() + tail, values.end());
  const float low = values[static_cast<std::size_t>(tail)];
  std::nth_element(values.begin() + tail, values.end() - 1 - tail, values.end());
  return palette_range_between(low, *(values.end() - 1 - tail));
}

}  // namespace

PaletteRange palette_range_of_ends(const SegmentArrays& segments, std::vector<float>* ends) {
  constexpr std::size_t kMaxEnds = 8192;
  const std::size_t step = segments.segment_count() / (kMaxEnds / 2) + 1;
  ends->clear();
  ends->reserve(kMaxEnds);
  for (std::size_t i = 0; i < segments.segment_count(); i += step) {
    if (!has_colour(segments.segments()[i])) continue;
    ends->push_back(segments.segments()[i].first_value);
    ends->push_back(segments.segments()[i].last_value);
  }
  return range_of(*ends);
}

void PlacedSegments::begin(const SegmentArrays& segments, const Parameters& parameters, int height,
                           const PlacedLook& look) {
  segments_ = segments;
  height_ = height;
  alpha_ = look.alpha;
  order_ = look.order;
  colours_ = look.colours;
  tints_ = look.tints;
  upright_ = true;
  quads_.clear();
  quads_.reserve(segments.segment_count());
  look_ = {};
  look_.style = look.options.style;
  look_.range = is_palette_of_frame(look.options) ? palette_range_of_ends(segments, &ends_)
                                                  : chosen_palette_range(look.options);
  if (look_.style == OverlayStyle::kClasses) {
    look_.rules = class_rules(parameters);
    look_.plane = look.options.ground;
    if (!has_ground(look_.plane)) look_.ground = find_ground(segments, height, look_.rules);
  }
}

void PlacedSegments::add(const PlacedCorners& corners, double far, std::size_t segment,
                         int twice_column) {
  if (!tints_.empty() && tints_[segment] == kUnknownPixel) return;
  const auto& c = corners.at;
  Quad quad;
  quad.corners = corners;
  const auto [top, bottom] = std::minmax({c[0].y, c[1].y, c[2].y, c[3].y});
  quad.top = first_pixel(top);
  quad.bottom = first_pixel(bottom);
  quad.far = far;
  quad.segment = static_cast<std::uint32_t>(segment);
  quad.twice_column = twice_column;
  if (quad.top >= quad.bottom) return;
  upright_ = upright_ && is_upright(corners);
  quads_.push_back(quad);
}

void PlacedSegments::place(const SegmentArrays& segments, const Parameters& parameters, int width,
                           int height, const FramePlacement& placement, const PlacedLook& look) {
  with_standard_floats([&] {
    begin(segments, parameters, height, look);
    const auto x_of = [&](double edge) {
      return rounded(edge * placement.scale_x + placement.offset_x - 0.5);
    };
    const auto y_of = [&](double edge) {
      return rounded(edge * placement.scale_y + placement.offset_y - 0.5);
    };
    for (int c = 0; c < segments.columns(); ++c) {
      const std::int32_t left = x_of(c * parameters.column_width);
      const std::int32_t right = x_of(std::min((c + 1) * parameters.column_width, width));
      for (std::size_t i = segments.offsets()[static_cast<std::size_t>(c)];
           i < segments.offsets()[static_cast<std::size_t>(c) + 1]; ++i) {
        const Segment& s = segments.segments()[i];
        if (!has_colour(s)) continue;
        const std::int32_t top = y_of(s.first_row);
        const std::int32_t bottom = y_of(s.last_row + 1.0);
        add({{{left, top}, {right, top}, {right, bottom}, {left, bottom}}}, 0.0, i,
            twice_middle(c, parameters.column_width, width));
      }
    }
  });
}

void PlacedSegments::project(const SegmentArrays& segments, const Parameters& parameters, int width,
                             int height, const FrameProjection& projection,
                             const PlacedLook& look) {
  with_standard_floats([&] {
    begin(segments, parameters, height, look);
    for (int c = 0; c < segments.columns(); ++c) {
      const double left = c * parameters.column_width - 0.5;
      const double right = std::min((c + 1) * parameters.column_width, width) - 0.5;
      for (std::size_t i = segments.offsets()[static_cast<std::size_t>(c)];
           i < segments.offsets()[static_cast<std::size_t>(c) + 1]; ++i) {
        const Segment& s = segments.segments()[i];
        const double columns[4] = {left, right, right, left};
        const double upper = s.first_row - 0.5;
        const double lower = s.last_row + 0.5;
        PlacedCorners corners;
        double far = 0.0;
        bool seen = has_colour(s);
        for (int k = 0; k < 4 && seen; ++k) {
          const bool above = k < 2;
          Point point;
          double column, row;
          seen = point_of_value(columns[k], above ? upper : lower,
                                above ? s.first_value : s.last_value, projection.frame, &point);
          if (!seen) break;
          point = transform(projection.between, point);
          seen = pixel_of_point(point.x, point.y, point.z, projection.picture, &column, &row);
          seen = seen && std::isfinite(column) && std::isfinite(row);
          if (!seen) break;
          corners.at[k] = {rounded(column), rounded(row)};
          far = std::max(far, point.z);
        }
        if (seen) add(corners, far, i, twice_middle(c, parameters.column_width, width));
      }
    }
    // In place: std::stable_sort() takes memory for each frame.
    std::sort(quads_.begin(), quads_.end(), [](const Quad& a, const Quad& b) {
      return a.far != b.far ? a.far > b.far : a.segment < b.segment;
    });
  });
}

void PlacedSegments::paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order,
                           int first_row, int end_row) const {
  with_standard_floats([&] {
    for (int row = first_row; row < end_row; ++row) {
      std::memset(picture.data + row * picture.stride, 0,
                  static_cast<std::size_t>(picture.width) * 4);
    }
    for (const Quad& quad : quads_) {
      const int top = std::max(quad.top, first_row);
      const int bottom = std::min(quad.bottom, end_row);
      if (top < bottom) paint_quad(quad, picture, alpha, order, top, bottom);
    }
  });
}

namespace {

// A side of a quadrangle, and its position in the row that is painted.
struct Side {
  int first = 0;
  int end = 0;
  Quotient left;

  Side() = default;
  explicit Side(const PlacedSide& side)
      : first(side.first), end(side.end), left(first < end ? Quotient(side.left) : Quotient()) {}
};

// Finds the part of a row of the picture between the sides; advances each side by a row.
void find_span(int row, int width, Side (&sides)[4], std::int64_t* left, std::int64_t* right) {
  *left = width;
  *right = 0;
  bool crossed = false;
  for (Side& side : sides) {
    if (row < side.first || row >= side.end) continue;
    const std::int64_t at = -side.left.value();
    side.left.next_row();
    *left = crossed ? std::min(*left, at) : at;
    *right = crossed ? std::max(*right, at) : at;
    crossed = true;
  }
  *left = std::max<std::int64_t>(*left, 0);
  *right = std::min<std::int64_t>(*right, width);
}

}  // namespace

// Row by row: the pixels whose centres lie between the sides, those on the left side included.
void PlacedSegments::paint_quad(const Quad& quad, const RgbaView& picture, std::uint8_t alpha,
                                PixelOrder order, int first_row, int end_row) const {
  const PlacedLine shown = line_of(quad);
  const int rows = rows_of(shown);
  const Colours* colours;
  if (look_.style == OverlayStyle::kClasses) {
    const SegmentClass c = class_of_placed(shown, look_.ground, look_.plane, look_.rules);
    colours = &kClassColours.of[static_cast<std::size_t>(c)];
  } else if (colours_ != nullptr) {
    colours = colours_;
  } else {
    colours = &kColours.level[placed_pale_level(shown, look_.range, height_)];
  }
  const Pixel tint = tints_.empty() ? kNoTint : tints_[quad.segment];
  const PaletteLine line(rows - 1, shown.first_value, shown.last_value, look_.range);
  Quotient down(row_of_segment(shown, first_row));

  const auto& c = quad.corners.at;
  const bool upright = is_upright(quad.corners);
  Side sides[4];
  if (!upright) {
    for (int k = 0; k < 4; ++k) sides[k] = Side(side_between(c[k], c[(k + 1) % 4], first_row));
  }
  const auto [low, high] = std::minmax(c[0].x, c[1].x);
  std::int64_t left = std::max(first_pixel(low), 0);
  std::int64_t right = std::min(first_pixel(high), picture.width);
  if (upright && left >= right) return;

  // Short loops one after the other: what each needs stays in registers.
  constexpr int kRows = 64;
  int of_segment[kRows];
  Pixel pixels[kRows] = {};
  for (int top = first_row; top < end_row; top += kRows) {
    const int count = std::min(end_row - top, kRows);
    for (int i = 0; i < count; ++i, down.next_row()) {
      of_segment[i] = static_cast<int>(std::clamp<std::int64_t>(down.value(), 0, rows - 1));
    }
    if (tint == kNoTint) {
      for (int i = 0; i < count; ++i) pixels[i] = colours->entry[line.entry(of_segment[i])];
    } else {
      std::fill(pixels, pixels + count, tint);
    }
    // Dark rows are only at both ends, none in between.
    const auto is_end = [&](int i) {
      return is_placed_end(of_segment[i], rows, top + i, quad.top, quad.bottom);
    };
    int first = 0;
    for (; first < count && is_end(first); ++first) pixels[first] = darkened(pixels[first]);
    for (int i = count - 1; i >= first && is_end(i); --i) pixels[i] = darkened(pixels[i]);
    // All kRows pixels, so that the compiler vectorises the loop.
    if (order == PixelOrder::kRgba) {
      for (Pixel& p : pixels) p = ordered_pixel(p, alpha, PixelOrder::kRgba);
    } else {
      for (Pixel& p : pixels) p = ordered_pixel(p, alpha, PixelOrder::kBgra);
    }
    std::byte* to = picture.data + top * picture.stride;
    // Most quadrangles are one or two pixels wide.
    if (upright && right - left <= 2) {
      to += 4 * left;
      const std::size_t second = right - left == 2 ? 4 : 0;
      for (int i = 0; i < count; ++i, to += picture.stride) {
        std::memcpy(to, &pixels[i], 4);
        std::memcpy(to + second, &pixels[i], 4);
      }
      continue;
    }
    for (int i = 0; i < count; ++i, to += picture.stride) {
      if (!upright) find_span(top + i, picture.width, sides, &left, &right);
      for (std::int64_t x = left; x < right; ++x) std::memcpy(to + 4 * x, &pixels[i], 4);
    }
  }
}

}  // namespace rdp
