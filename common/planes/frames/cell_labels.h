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

// For each cell of a row of `columns`, lists the planes that own a cell in the 5x5 around, lowest
// number first. `owners` and `of_rest`, which may be null, point to the first cell, in rows that
// are `stride` long; two cells of kNoPlane and more stand around them. `planes` has room for
// kMaxAround of each cell; those of a cell end at its number of `ends`.
void find_planes_around(const std::uint16_t* owners, const std::uint16_t* of_rest,
                        std::ptrdiff_t stride, int columns, std::uint16_t* planes,
                        std::int32_t* ends);

// A plane that a cell's pixels may be on.
struct Candidate {
  PixelPlane plane;
  std::int32_t limit = 0;  // of the distance
  std::uint16_t label = 0;
};

// A cell whose first pixel is in column x and row y: 8 columns, `rows` rows. `depth` and `labels`
// point to that pixel; labels beyond the frame's columns, where depths are 0, become 0. Candidates
// are in the order of their labels: the first of the nearest wins. `left` gets the depths of the
// pixels without a label, 0 for the others, `rows` times 8 numbers. Returns whether there are any.
bool label_cell(const std::int32_t* depth, std::ptrdiff_t depth_stride, int x, int y, int rows,
                const Candidate* candidates, int count, std::uint16_t* labels,
                std::ptrdiff_t label_stride, std::int32_t* left);

// The 3x3 majority over `width` pixels of a row, at most `width` + 16 written. `labels` points into
// rows that are `stride` long, with a pixel of 0 and known rows or rows of kOutside before and
// after each.
constexpr std::uint16_t kOutside = 0xffff;
void smooth_row(const std::uint16_t* labels, std::ptrdiff_t stride, const std::int32_t* depth,
                int width, std::uint16_t* smoothed);

// The columns behind the last pixel of each run of equal labels in a row of `width` pixels; behind
// it stands another label. `ends` has room for width + 16. Returns how many they are.
int find_ends(const std::uint16_t* labels, int width, std::int32_t* ends);

// Marks, among `cells` cells side by side, all within the frame, those whose pixels all have the
// same label, which is not 0.
void find_whole_cells(const std::uint16_t* labels, std::ptrdiff_t stride, int cells,
                      std::uint8_t* whole);

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_CELL_LABELS_H_
