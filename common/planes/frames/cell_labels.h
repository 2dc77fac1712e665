// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAMES_CELL_LABELS_H_
#define RDP_COMMON_PLANES_FRAMES_CELL_LABELS_H_

#include <cstddef>
#include <cstdint>

#include "common/planes/cell_rules.h"

// Finds the plane of each pixel of a cell, in SIMD.
namespace rdp::planes {

constexpr int kAround = 2;  // a cell's pixels may be on the planes of the 5x5 cells around
constexpr int kMaxAround = 50;
constexpr std::uint16_t kNoPlane = 0xffff;

// Lists, for each cell of a row of `columns`, the planes that own one of the surrounding 5x5 cells,
// lowest number first. `owners` and `of_rest` (nullable) point to the first cell, in rows of
// `stride` numbers; at least two cells of kNoPlane surround the rows. `planes` has room for
// kMaxAround numbers a cell; the list of each cell ends at its entry of `ends`.
void find_planes_around(const std::uint16_t* owners, const std::uint16_t* of_rest,
                        std::ptrdiff_t stride, int columns, std::uint16_t* planes,
                        std::int32_t* ends);

// A plane that may contain pixels of a cell.
struct Candidate {
  PixelPlane plane;
  std::int32_t limit = 0;  // of the distance
  std::uint16_t label = 0;
};

// Labels a cell of 8 columns and `rows` rows that begins at column x and row y. `depth` and
// `labels` point to that pixel; labels beyond the frame's columns, where depths are 0, become 0.
// Candidates are in the order of their labels: the first of the nearest wins. `left` gets `rows`
// times 8 numbers: the depths of the pixels without a label, 0 for the others. Returns true if any
// pixel is without one.
bool label_cell(const std::int32_t* depth, std::ptrdiff_t depth_stride, int x, int y, int rows,
                const Candidate* candidates, int count, std::uint16_t* labels,
                std::ptrdiff_t label_stride, std::int32_t* left);

// 3x3 majority filter over `width` pixels of a row; writes at most `width` + 16. `labels` points
// into rows of `stride` numbers, with a pixel of 0 and known rows or rows of kOutside before and
// after each.
constexpr std::uint16_t kOutside = 0xffff;
void smooth_row(const std::uint16_t* labels, std::ptrdiff_t stride, const std::int32_t* depth,
                int width, std::uint16_t* smoothed);

// Finds the end of each run of equal labels in a row of `width` pixels: the column after its last
// pixel. A different label follows the row. `ends` has room for width + 16. Returns the number of
// runs.
int find_ends(const std::uint16_t* labels, int width, std::int32_t* ends);

// Marks, among `cells` cells side by side, all within the frame, those whose pixels all have the
// same label, which is not 0.
void find_whole_cells(const std::uint16_t* labels, std::ptrdiff_t stride, int cells,
                      std::uint8_t* whole);

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_CELL_LABELS_H_
