// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_GPU_COLUMNS_H_
#define RDP_TESTS_GPU_COLUMNS_H_

#include <cstdint>
#include <random>

#include "common/image/depth_view.h"

// Columns that a segmentation may find hard, one kind at a time.
namespace rdp::test {

enum class ColumnKind {
  kNoise,         // every value alike
  kExtremes,      // 0, 1, the largest and the one before it
  kSmallStep,     // few values, many ties
  kScene,         // slanted planes, steps, noise and holes of 0
  kConstant,      // one segment
  kRamp,          // one segment, or few where it wraps
  kTriangle,      // one cut, at a distance of a few whole samples
  kParabola,      // every row is a vertex, halves of equal length
  kUnknown,       // nothing but 0
  kSingle,        // one sample that is not 0
  kSparse,        // long stretches of 0 between few samples
  kAlternating,   // two values in turn: ties everywhere, of which the first counts
  kStairsDown,    // the deepest recursion: each split cuts off one row at the lower end
  kStairsUp,      // the same at the upper end
  kStairsMiddle,  // both, towards the middle
};
inline constexpr int kColumnKinds = 15;

// Whether the reference needs a time that grows with the square of the height.
inline bool is_deep(ColumnKind kind) { return kind >= ColumnKind::kAlternating; }

void fill_column(const MutableDepthView& frame, int column, ColumnKind kind, std::mt19937* random);

// All columns of one kind.
void fill_columns(const MutableDepthView& frame, ColumnKind kind, std::mt19937* random);

// Each column of a kind of its own. Of the deep ones, one at most for each `deep_every` columns;
// none where that is 0.
void fill_mixed(const MutableDepthView& frame, int deep_every, std::mt19937* random);

const char* name_of(ColumnKind kind);

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_COLUMNS_H_
