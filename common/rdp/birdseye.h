// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_BIRDSEYE_H_
#define RDP_COMMON_RDP_BIRDSEYE_H_

#include <cstddef>
#include <cstdint>

#include "common/host_device.h"
#include "common/image/camera.h"
#include "common/rdp/overlay_pixels.h"
#include "common/rdp/painted_marks.h"
#include "common/rdp/round_numbers.h"
#include "common/rdp/segment_class.h"

// The bird's-eye view of a frame. The picture has W columns and H rows, as the frame has unless it
// is an inset (birdseye_inset.h). The H rows are `range` metres: a pixel is a cell of range / H
// metres a side. The camera is below the middle of the lowest row and looks up. Cell k is row
// H - 1 - k, from k to k + 1 cells ahead.
//
// The cells that a column of the frame fills:
//   Each end of a segment is Z = depth_of_value () ahead, in cell floor (Z * H / range). An end
//   without a depth is infinitely far if values are reciprocal to depths; otherwise its segment
//   fills nothing.
//   class_of () classifies a segment, with the frame's find_ground (). Ground fills the cells from
//   its nearer to its farther end. Far segments fill nothing. All others are obstacles: an upright
//   one fills the cell of the mean of its ends' values. A steep or overhanging one fills the cell
//   of its nearer end, because many of those reach from one thing to another. An obstacle fills two
//   more cells behind it, to be visible. If values are depths, both functions compare 1000 / Z,
//   in which a ground is a straight line as it is in disparity.
// The colour of a pixel in cell k and column c. It covers the frame's columns
//   floor (u (2 c - W) + 1/2) to floor (u (2 c + 2 - W) + 1/2), u (x) = cx + x * f / (2 k + 1).
//   It is an obstacle if one of these columns has an obstacle in cell k; else ground if one has
//   ground there; else unseen: no known line of sight reaches the ground there (hidden, unknown or
//   not looked at). So space counts as free only where ground was seen, also between the camera and
//   an obstacle. The pixel is transparent if all these columns are outside of the frame.
// A grid lies over all but obstacles. Its labels for distances ahead are at the right end, those
// for distances to the side at the bottom.
//
// All decisions use integers, each rounded once from a double that is computed in the order written
// here. So the CPU and the GPU are bit-identical.
namespace rdp {

inline constexpr Pixel kGroundPixel = pixel(30, 160, 110);
inline constexpr Pixel kObstaclePixel = pixel(250, 162, 18);
inline constexpr Pixel kUnseenPixel = pixel(58, 54, 92);
inline constexpr Pixel kGridPixel = pixel(112, 112, 122);

// --- the scale

struct BirdseyeScale {
  double cells_of_metre = 1.0;
  RoundNumber step;         // metres between two lines of the grid; a digit of 0: there is no grid
  double step_cells = 0.0;  // the same in cells
};

// Limits to which requested ranges are clamped, in metres.
inline constexpr double kLeastRange = 1e-3;
inline constexpr double kMaxRange = 1e6;
// The range, in metres, of a frame without any distance.
inline constexpr double kRangeOfNothing = 10.0;
// The least distance between grid lines, in cells of the text.
inline constexpr int kGridSpacing = 28;

// Rounds up to 1, 2, 3, 4, 5, 6 or 8 times a power of ten, so that a frame's range seldom changes.
RDP_HOST_DEVICE inline double rounded_range(double least) {
  for (int exponent = kLeastExponent; exponent <= kMaxExponent; ++exponent) {
    for (int digit = 1; digit <= 8; digit += digit == 6 ? 2 : 1) {
      const double range = times(1, {digit, exponent});
      if (range >= least) return range;
    }
  }
  return kMaxRange;
}

// A frame's own range, from the ends of its palette (1st and 99th percentile of its values). It is
// the far end's distance, but at most eight times the near end's, because farther things are small.
// Rounded up.
RDP_HOST_DEVICE inline double range_of_frame(const PaletteRange& palette,
                                             const DepthOfValue& depth) {
  const double low = palette.offset;
  const double high = low + 255.0 / static_cast<double>(palette.factor);
  const double near = depth_of_value(depth.reciprocal ? high : low, depth);
  const double far = depth_of_value(depth.reciprocal ? low : high, depth);
  if (!(near > 0.0)) return kRangeOfNothing;
  double least = 8.0 * near;
  if (far > 0.0 && far < least) least = far;
  return rounded_range(least);
}

// `zoom` is the size of a cell of the text; 0: there is no grid.
RDP_HOST_DEVICE inline BirdseyeScale birdseye_scale(double range, int height, int zoom) {
  const double within = range < kLeastRange ? kLeastRange : range > kMaxRange ? kMaxRange : range;
  BirdseyeScale scale;
  scale.cells_of_metre = height / within;
  if (zoom == 0) return scale;
  scale.step = round_step(kGridSpacing * zoom / scale.cells_of_metre);
  scale.step_cells = times(1, scale.step) * scale.cells_of_metre;
  return scale;
}

// --- what columns show

// Each kind has a bit for each cell: word (kind * words_of_column + cell / 32) * columns + column.
enum class SeenKind : std::uint8_t { kGround = 0, kObstacle = 1 };
inline constexpr int kSeenKinds = 2;
RDP_HOST_DEVICE inline int words_of_column(int height) { return (height + 31) / 32; }
// The number of words for `columns` segmented columns.
inline std::size_t birdseye_words(std::size_t columns, int height) {
  return columns * static_cast<std::size_t>(kSeenKinds * words_of_column(height));
}

// The cells of a segment: from `first` to `last`; none where last < first.
struct SeenCells {
  SeenKind kind;
  std::int32_t first;
  std::int32_t last;
};

// The depth of an obstacle, in cells.
inline constexpr int kObstacleCells = 3;

// The cell of a depth; `height` if it is beyond the picture.
RDP_HOST_DEVICE inline int cell_of_depth(double depth, double cells_of_metre, int height) {
  const double cells = depth * cells_of_metre;
  return cells < height ? static_cast<int>(cells) : height;
}

template <typename AnySegment>
RDP_HOST_DEVICE SeenCells seen_cells(const AnySegment& segment, const DepthOfValue& depth,
                                     const Ground& ground, const ClassRules& rules,
                                     double cells_of_metre, int height) {
  constexpr SeenCells kNothing = {SeenKind::kGround, 0, -1};
  const SegmentClass of =
      class_of(segment.first_row, segment.last_row, class_value(segment.first_value, rules),
               class_value(segment.last_value, rules), ground, rules);
  if (of == SegmentClass::kFar) return kNothing;
  double top_value = static_cast<double>(segment.first_value);
  double bottom_value = static_cast<double>(segment.last_value);
  if (of == SegmentClass::kUpright) {
    top_value = 0.5 * (top_value + bottom_value);
    bottom_value = top_value;
  }
  const double top = depth_of_value(top_value, depth);
  const double bottom = depth_of_value(bottom_value, depth);
  if (!depth.reciprocal && !(top > 0.0 && bottom > 0.0)) return kNothing;
  const int top_cell = top > 0.0 ? cell_of_depth(top, cells_of_metre, height) : height;
  const int bottom_cell = bottom > 0.0 ? cell_of_depth(bottom, cells_of_metre, height) : height;
  const int first = top_cell < bottom_cell ? top_cell : bottom_cell;
  const int last = top_cell < bottom_cell ? bottom_cell : top_cell;
  if (first == height) return kNothing;
  const bool is_ground = of == SegmentClass::kGround;
  const int end = is_ground ? last : first + kObstacleCells - 1;
  return {is_ground ? SeenKind::kGround : SeenKind::kObstacle, first,
          end < height ? end : height - 1};
}

// The cells 32 * word to 32 * word + 31 that are from `first` to `last`, as bits.
RDP_HOST_DEVICE inline std::uint32_t cells_in_word(int first, int last, int word) {
  const int from = first - 32 * word;
  const int to = last - 32 * word;
  if (to < 0 || from > 31) return 0;
  const std::uint32_t above = from > 0 ? 0xFFFFFFFFU << from : 0xFFFFFFFFU;
  const std::uint32_t below = to < 31 ? 0xFFFFFFFFU >> (31 - to) : 0xFFFFFFFFU;
  return above & below;
}

// --- pixels

// The frame's column floor (u (x) + 1/2), where x = `twice_offset` is 2 c - W and `slope` is
// f / (2 k + 1). -1 or `frame_width` beyond the frame.
RDP_HOST_DEVICE inline int column_at(int twice_offset, double slope, double principal_x,
                                     int frame_width) {
  const double u = principal_x + slope * twice_offset + 0.5;
  if (!(u >= 0.0)) return -1;
  return u < frame_width ? static_cast<int>(u) : frame_width;
}

// True if one of the lines i * step is in the cell from `at` to at + 1.
RDP_HOST_DEVICE inline bool is_line(double at, double step) {
  const double below = at / step;
  // No picture reaches beyond this.
  if (!(below > -1e6 && below < 1e6)) return false;
  const int i = static_cast<int>(below < 0.0 ? below - 1.0 : below);
  for (int line = i; line <= i + 2; ++line) {
    const double cell = line * step - at;
    if (cell >= 0.0 && cell < 1.0) return true;
  }
  return false;
}
RDP_HOST_DEVICE inline bool is_line_ahead(const BirdseyeScale& scale, int cell) {
  return scale.step.digit > 0 && cell > 0 && is_line(cell, scale.step_cells);
}
RDP_HOST_DEVICE inline bool is_line_aside(const BirdseyeScale& scale, int column, int width) {
  return scale.step.digit > 0 && is_line(column - 0.5 * width, scale.step_cells);
}

// --- labels

// The largest number of labels: ahead, and to each side. Lines are kGridSpacing apart at least.
RDP_HOST_DEVICE inline int most_labels_ahead(int height, int zoom) {
  return zoom > 0 ? height / (kGridSpacing * zoom) : 0;
}
RDP_HOST_DEVICE inline int most_labels_aside(int width, int zoom) {
  return zoom > 0 ? width / (2 * kGridSpacing * zoom) : 0;
}
RDP_HOST_DEVICE inline int most_labels(int width, int height, int zoom) {
  return zoom > 0 ? most_labels_ahead(height, zoom) + 2 * most_labels_aside(width, zoom) + 1 : 0;
}

// Label number `index`, from 0; of length 0 if there is none. Labels ahead end with "m", and stand
// above the right end of their line. Labels to the side stand in the lowest rows, centred on their
// line. No two of them touch.
RDP_HOST_DEVICE inline void find_label(const BirdseyeScale& scale, int width, int height, int zoom,
                                       int index, PaintedText* label) {
  static_assert(kNumberText + 2 <= kMaxPaintedText);
  *label = {};
  if (scale.step.digit == 0) return;
  const int ahead = most_labels_ahead(height, zoom);
  const bool is_ahead = index < ahead;
  const int line = is_ahead ? index + 1 : index - ahead - most_labels_aside(width, zoom);
  int length = write_number(line, scale.step, label->text);
  if (length == 0) return;
  const double at = line * scale.step_cells;
  int x = 0;
  int y = height - kLabelRows * zoom;
  if (is_ahead) {
    label->text[length++] = ' ';
    label->text[length++] = 'm';
    if (!(at < height)) return;
    x = width - label_columns(length) * zoom;
    y = y - 1 - static_cast<int>(at);
  } else {
    const double column = at + 0.5 * width;
    if (!(column >= 0.0 && column < width)) return;
    x = static_cast<int>(column) - label_columns(length) * zoom / 2;
    if (label_columns(length) * zoom >= scale.step_cells) return;
  }
  if (x < 0 || y < 0 || x + label_columns(length) * zoom > width) return;
  label->zoom = zoom;
  label->pad = kLabelPad;
  label->length = static_cast<std::int16_t>(length);
  label->box = box_at(x, y, *label);
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_BIRDSEYE_H_
