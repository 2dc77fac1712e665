// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_DEPTH_PATTERNS_H_
#define RDP_TESTS_SUPPORT_DEPTH_PATTERNS_H_

#include <cstdint>
#include <random>

#include "common/image/depth_view.h"
#include "common/scene/test_pattern.h"

// The samples of all frames in tests and benchmarks, independent of their place in memory. They
// depend on size, type and seed alone.
namespace rdp::test {

// Columns that are hard to segment, one kind at a time.
enum class ColumnKind {
  kNoise,         // uniformly distributed values
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
  kAlternating,   // two values in turn: ties everywhere, the first wins
  kStairsDown,    // the deepest recursion: each split takes one row off the lower end
  kStairsUp,      // the same at the upper end
  kStairsMiddle,  // both: steps grow from both ends towards the middle
};
inline constexpr int kColumnKinds = 16;

// The kinds in most tests.
using Content = ColumnKind;
inline constexpr Content kContents[] = {Content::kNoise, Content::kExtremes, Content::kSmallStep,
                                        Content::kScene};

// True if the reference's time grows with the square of the height.
inline bool is_deep(ColumnKind kind) { return kind >= ColumnKind::kAlternating; }

const char* name_of(ColumnKind kind);

void fill_column(const MutableDepthView& frame, int column, ColumnKind kind, std::mt19937* random);

// All columns of one kind.
void fill(const MutableDepthView& frame, ColumnKind kind, std::mt19937* random);

// Gives each column a random kind. At most one column in `deep_every` is of a deep kind; 0: none
// is.
void fill_mixed(const MutableDepthView& frame, int deep_every, std::mt19937* random);

// One sample of a column of `rows` rows that needs the most splits of its kind: noise, alternating,
// parabola, decay or stairs. `random` must depend on the place only.
std::uint16_t hard_sample(ColumnKind kind, int row, int rows, int largest, std::uint32_t random);

// Whole frames, determined by their seed.
enum class Scene {
  kStreet,   // with a stereo matcher's noise and holes
  kSteps,    // straight lines with jumps
  kLevels,   // a few values, with the smallest and the largest known one
  kSparse,   // single known samples
  kUnknown,  // no known samples
  kNoise,    // nearly one segment per sample
  kSurface,  // a slanted surface with a step, noise and unknown samples: a bit of everything
};
inline constexpr int kScenes = 6;  // scenes of long runs: all but kSurface

void draw_scene(const MutableDepthView& frame, Scene scene, std::uint32_t seed);

// depthtestsrc's street as a stereo matcher would see it.
TestPatternOptions matched_street();

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_DEPTH_PATTERNS_H_
