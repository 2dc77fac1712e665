// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_ALIGN_ROWS_H_
#define RDP_COMMON_ALIGN_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/align/parameters.h"
#include "common/align/rules.h"

// Rows of the engine's steps, with SIMD. Vectors go beyond the last column: all that they read and
// write, rays too, has kRowPadding elements more.
namespace rdp::align {

constexpr int kRowPadding = 16;

// Rays of a row of places.
struct RayRow {
  const double* x = nullptr;
  const double* y = nullptr;
  bool each_pixel = false;  // y: one per place, else one per row
};

// A row of the source: samples, 0 beyond the last one, the rays of their centres and of the corners
// above and below them.
struct SourceRow {
  const std::uint16_t* samples = nullptr;
  int width = 0;
  RayRow centres, upper, lower;
};

// The target pixels that each pixel of a source row covers: [first, end) columns and rows, clipped
// to the target's frame. end_row equal to first_row: none.
struct CoverRow {
  std::int16_t* first_column = nullptr;
  std::int16_t* end_column = nullptr;
  std::int16_t* first_row = nullptr;
  std::int16_t* end_row = nullptr;
  std::uint16_t* sample = nullptr;  // less 1
};
constexpr int kCoverArrays = 5;

// The target's pixels that show the centres of a row, and the samples there; row -1: none.
struct PlaceRow {
  std::int16_t* column = nullptr;
  std::int16_t* row = nullptr;
  std::uint16_t* sample = nullptr;
};

// Working rows store the target's samples minus 1, so that the minimum is the nearest sample.
constexpr std::uint16_t kUnknownLessOne = 65535;

struct RowSteps {
  // Returns the rows of the target that the row covers; counts its pixels.
  Span (*cover)(const SourceRow& row, const Parameters& parameters, int target_width,
                int target_height, const CoverRow& out, Counts* counts);
  void (*place)(const SourceRow& row, const Parameters& parameters, int target_width,
                int target_height, const PlaceRow& out);
  // Writes the samples of covered pixels that are in `rows` and nearer than what is there. `first`
  // is the target's first row.
  void (*paint)(const CoverRow& cover, int width, const Span& rows, std::uint16_t* first,
                std::ptrdiff_t stride);
  // Aligned samples. Unknown ones lie before the first and behind the last column.
  void (*fill_cracks)(const std::uint16_t* above, const std::uint16_t* row,
                      const std::uint16_t* below, int width, const filter::Tolerance& tolerance,
                      std::uint16_t* out);
};
// The steps for this machine.
const RowSteps& row_steps();

}  // namespace rdp::align

#endif  // RDP_COMMON_ALIGN_ROWS_H_
