// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STEREO_STEREO_PATTERNS_H_
#define RDP_TESTS_STEREO_STEREO_PATTERNS_H_

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/stereo/parameters.h"
#include "common/stereo/views.h"
#include "tests/support/guarded_frame.h"

// Test pairs and parameters of all stereo matching tests. A pair depends only on the size, the
// kind, the parameters and the seed.
namespace rdp::test {

enum class PairKind : std::uint8_t {
  kTextured,   // noise on a plane with two boxes before it, at true_disparity()
  kNoise,      // views that have nothing to do with each other
  kConstant,   // textureless
  kSaturated,  // nearer than the largest disparity reaches, at the edge of the range
  kRepeated,   // a pattern of a few columns, so that many disparities cost the same
  kHalfBlack,  // textured, with black where one of the cameras saw nothing
  kExtremes,   // 0, 1, 254 and 255: where signed bytes would go wrong
  kFewLevels,  // two neighbouring values: ties in every census
};
inline constexpr int kPairKinds = 8;
const char* name_of(PairKind kind);

enum class MaskKind : std::uint8_t {
  kNone,     // no masks at all
  kLeft,     // the left one alone
  kRight,    // the right one alone
  kAllSeen,  // masks in which all pixels are valid
  kBorders,  // slanted borders, as rectification makes them
  kHoles,    // one pixel in eight
  kNotSeen,  // all pixels are invalid
};
inline constexpr int kMaskKinds = 7;

using MutablePair = stereo::BasicPair<MutableDepthView>;

// True disparity of a left pixel in kTextured, in whole px: within the search range as far as the
// width allows. A pixel nearer to the left border than its disparity has no match.
int true_disparity(int width, int height, const stereo::Parameters& parameters, int row,
                   int column);

// Draws both views; leaves the masks unchanged.
void draw_pair(PairKind kind, const MutablePair& pair, const stereo::Parameters& parameters,
               std::uint64_t seed);
// Draws the masks of the pair that have data.
void draw_masks(MaskKind kind, const MutablePair& pair, std::uint64_t seed);

// Sets that cover both ends of each parameter's range; the defaults come first.
std::vector<stereo::Parameters> stereo_parameter_sets();
// All parameters anywhere within their ranges, the ends more often than other values.
stereo::Parameters random_stereo_parameters(std::mt19937* random);

// A pair and how it is matched.
struct PairCase {
  int width = 64;
  int height = 24;
  PairKind kind = PairKind::kTextured;
  MaskKind mask = MaskKind::kNone;
  stereo::Parameters parameters;
  std::uint64_t seed = 1;
  Layout left;
  Layout right;
  Layout masks;
  Layout disparity;
  Layout confidence;
  bool want_confidence = true;
};
std::string text_of(const PairCase& pair_case);

// A case of random size, kind, layout and parameters. Its cost volume has at most `most_cells`
// cells: 400000 take the reference a few milliseconds.
PairCase random_pair_case(std::mt19937* random, int most_cells);
// Over a hundred small cases: every kind at every critical size. These are one pixel, row or
// column, a census wider than the picture, sizes around SIMD vector widths, a range beyond the
// width.
std::vector<PairCase> hard_pair_cases();

// A case's pair in memory of exactly its size, with guard bytes between and around the rows.
class StereoPair {
 public:
  explicit StereoPair(const PairCase& pair_case);

  stereo::Pair pair() const;
  MutablePair writable() const;
  // True if the samples are equal and the guard bytes of both are intact.
  bool operator==(const StereoPair& other) const;

 private:
  TestFrame left_;
  TestFrame right_;
  std::optional<TestFrame> left_mask_;
  std::optional<TestFrame> right_mask_;
};

// Memory of a result in the case's layouts. Filled with 0xA5 to detect samples that are not
// written.
class StereoResult {
 public:
  explicit StereoResult(const PairCase& pair_case);

  stereo::Result result() const;
  const MutableDepthView& disparity() const { return disparity_.view(); }
  const MutableDepthView& confidence() const { return confidence_->view(); }
  // True if the guard bytes are intact.
  bool intact() const;

 private:
  TestFrame disparity_;
  std::optional<TestFrame> confidence_;
};

// Text about the first sample in which two results of a case differ, or about overwritten guard
// bytes; empty: no difference.
std::string first_difference(const StereoResult& expected, const StereoResult& actual);

}  // namespace rdp::test

#endif  // RDP_TESTS_STEREO_STEREO_PATTERNS_H_
