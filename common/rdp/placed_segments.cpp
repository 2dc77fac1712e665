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

// Positions on the picture. What is further away than any picture is large is not rounded but cut
// off there, so that products of differences fit 64 bits.
constexpr std::int32_t kSubpixels = 256;
constexpr double kFarthest = 65536.0;

std::int32_t rounded(double position) {
  // What is no number is none of a picture's positions either.
  const double within = position > -kFarthest ? std::min(position, kFarthest) : -kFarthest;
  return static_cast<std::int32_t>(std::floor(within * kSubpixels + 0.5));
}

// Towards positive infinity, which is what the first whole pixel is at or after a position.
std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

// The first pixel whose centre is not before the position.
std::int32_t first_pixel(std::int32_t position) {
  return static_cast<std::int32_t>(ceil_divide(position, kSubpixels));
}

// Metadata may come from anywhere. What no sample can be close to has no colour.
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
  constexpr std::size_t kMostEnds = 8192;
  const std::size_t step = segments.segment_count() / (kMostEnds / 2) + 1;
  ends->clear();
  ends->reserve(kMostEnds);
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

void PlacedSegments::add(const Corner (&corners)[4], double far, std::size_t segment,
                         int twice_column) {
  if (!tints_.empty() && tints_[segment] == kUnknownPixel) return;
  Quad quad;
  std::copy(corners, corners + 4, quad.corners);
  const auto [top, bottom] = std::minmax({corners[0].y, corners[1].y, corners[2].y, corners[3].y});
  quad.top = first_pixel(top);
  quad.bottom = first_pixel(bottom);
  quad.far = far;
  quad.segment = static_cast<std::uint32_t>(segment);
  quad.twice_column = twice_column;
  if (quad.top < quad.bottom) quads_.push_back(quad);
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
        add({{left, top}, {right, top}, {right, bottom}, {left, bottom}}, 0.0, i,
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
        Corner corners[4];
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
          corners[k] = {rounded(column), rounded(row)};
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

// Row by row: the pixels whose centres lie between the edges, those on the left edge included.
void PlacedSegments::paint_quad(const Quad& quad, const RgbaView& picture, std::uint8_t alpha,
                                PixelOrder order, int first_row, int end_row) const {
  const Segment& s = segments_.segments()[quad.segment];
  const int rows = s.last_row - s.first_row + 1;
  const Colours* colours;
  if (look_.style == OverlayStyle::kClasses) {
    const SegmentClass c =
        has_ground(look_.plane)
            ? class_on_plane(s.first_row, s.last_row, s.first_value, s.last_value,
                             quad.twice_column, look_.plane, look_.rules)
            : class_of(s.first_row, s.last_row, s.first_value, s.last_value, look_.ground,
                       look_.rules);
    colours = &kClassColours.of[static_cast<std::size_t>(c)];
  } else if (colours_ != nullptr) {
    colours = colours_;
  } else {
    colours =
        &kColours.level[pale_level(rows - 1, s.first_value, s.last_value, look_.range, height_)];
  }
  const Pixel tint = tints_.empty() ? kNoTint : tints_[quad.segment];
  const PaletteLine line(rows - 1, s.first_value, s.last_value, look_.range);
  // Twice the middle of the upper and of the lower end.
  const std::int64_t upper = std::int64_t{quad.corners[0].y} + quad.corners[1].y;
  const std::int64_t lower = std::int64_t{quad.corners[2].y} + quad.corners[3].y;
  const std::int64_t length = lower != upper ? lower - upper : 1;  // below 0: upside down

  for (int row = first_row; row < end_row; ++row) {
    const std::int64_t y = std::int64_t{row} * kSubpixels;
    std::int64_t left = picture.width;
    std::int64_t right = 0;
    bool crossed = false;
    for (int k = 0; k < 4; ++k) {
      const Corner& a = quad.corners[k];
      const Corner& b = quad.corners[(k + 1) % 4];
      const Corner& high = a.y < b.y ? a : b;
      const Corner& low = a.y < b.y ? b : a;
      if (y < high.y || y >= low.y) continue;
      const std::int64_t dy = std::int64_t{low.y} - high.y;
      const std::int64_t at =
          ceil_divide(high.x * dy + (y - high.y) * (std::int64_t{low.x} - high.x), dy * kSubpixels);
      left = crossed ? std::min(left, at) : at;
      right = crossed ? std::max(right, at) : at;
      crossed = true;
    }
    left = std::max<std::int64_t>(left, 0);
    right = std::min<std::int64_t>(right, picture.width);
    if (left >= right) continue;
    const std::int64_t down = (2 * y - upper) * rows / length;
    const int of_segment = static_cast<int>(std::clamp<std::int64_t>(down, 0, rows - 1));
    Pixel p = tint == kNoTint ? colours->entry[line.entry(of_segment)] : tint;
    const bool end =
        of_segment == 0 || of_segment == rows - 1 || row == quad.top || row == quad.bottom - 1;
    if (end) p = darkened(p);
    p = ordered_pixel(p, alpha, order);
    std::byte* to = picture.data + row * picture.stride + 4 * left;
    for (std::int64_t x = left; x < right; ++x, to += 4) std::memcpy(to, &p, sizeof p);
  }
}

}  // namespace rdp
