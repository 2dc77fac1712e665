// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_DEPTH_PATTERNS_H_
#define RDP_TESTS_SUPPORT_DEPTH_PATTERNS_H_

#include <cstdint>
#include <random>

#include "common/image/depth_view.h"
#include "common/scene/test_pattern.h"

// The samples of all frames that tests and benchmarks make, wherever these lie afterwards. What is
// drawn depends on the size, the type and the seed alone.
namespace rdp::test {

// Columns that a segmentation may find hard, one kind at a time.
enum class ColumnKind {
  kNoise,         // every value alike
  kExtremes,      // 0, 1, the largest and the one before it
  kSmallStep,     // few values, many ties
  kScene,         // slanted planes, steps, noise and holes of 0
  kConstant,      // one segment
  kRamp,          // one segment, or few where it wraps
  kTriangle,      // one vertex, at a distance of a few whole samples
  kParabola,      // every row is a vertex, halves of equal length
  kDecay,         // every row is a vertex, halves of very different length
  kUnknown,       // nothing but 0
  kSingle,        // one sample that is not 0
  kSparse,        // long stretches of 0 between few samples
  kAlternating,   // two values in turn: ties everywhere, of which the first counts
  kStairsDown,    // the deepest recursion: each split takes one row off the lower end
  kStairsUp,      // the same at the upper end
  kStairsMiddle,  // both, towards the middle
};
inline constexpr int kColumnKinds = 16;

// The kinds that most tests try.
using Content = ColumnKind;
inline constexpr Content kContents[] = {Content::kNoise, Content::kExtremes, Content::kSmallStep,
                                        Content::kScene};

// Whether the reference needs a time that grows with the square of the height.
inline bool is_deep(ColumnKind kind) { return kind >= ColumnKind::kAlternating; }

const char* name_of(ColumnKind kind);

void fill_column(const MutableDepthView& frame, int column, ColumnKind kind, std::mt19937* random);

// All columns of one kind.
void fill(const MutableDepthView& frame, ColumnKind kind, std::mt19937* random);

// Each column of a kind of its own. Of the deep ones, one at most for each `deep_every` columns;
// none where that is 0.
void fill_mixed(const MutableDepthView& frame, int deep_every, std::mt19937* random);

// One sample of a column of `rows` rows that takes the most splits its kind can take: noise,
// alternating, parabola, decay and the stairs. `random` is a number of the place.
std::uint16_t hard_sample(ColumnKind kind, int row, int rows, int largest, std::uint32_t random);

// Whole frames, a function of their seed.
enum class Scene {
  kStreet,   // with a stereo matcher's noise and holes
  kSteps,    // straight lines with jumps
  kLevels,   // a handful of values, the smallest and the largest known ones among them
  kSparse,   // single known samples
  kUnknown,  // none
  kNoise,    // nearly a segment for each sample
  kSurface,  // a slanted surface with a step, noise and unknown samples: a bit of everything
};
inline constexpr int kScenes = 6;  // that long runs go through: all but kSurface

void draw_scene(const MutableDepthView& frame, Scene scene, std::uint32_t seed);

// depthtestsrc's street as a stereo matcher would see it.
TestPatternOptions matched_street();

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_DEPTH_PATTERNS_H_
