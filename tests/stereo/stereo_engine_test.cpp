// SPDX-License-Identifier: LGPL-2.1-or-later
// The matcher against the scalar reference, bit for bit: every SIMD target of the machine, several
// numbers of threads, and the pairs that are known to be hard.
#include "common/stereo/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "common/stereo/reference.h"
#include "common/stereo/speckles.h"
#include "tests/stereo/stereo_patterns.h"
#include "tests/support/test_frame.h"

namespace rdp::stereo {
namespace {

using test::PairCase;
using test::StereoPair;
using test::StereoResult;

// One matcher for each number of threads, used by all tests one after the other: each pair meets
// the memory that pairs of other sizes left.
std::vector<std::unique_ptr<Engine>>& matchers() {
  static std::vector<std::unique_ptr<Engine>> all = [] {
    std::vector<std::unique_ptr<Engine>> made;
    for (unsigned threads = 1; threads <= 5; ++threads) {
      made.push_back(std::make_unique<Engine>(threads));
    }
    return made;
  }();
  return all;
}

// `all_threads`: else one number of threads for each target, another one for the next case.
void expect_reference(const PairCase& pair_case, const StereoPair& pair, bool all_threads = false) {
  static std::size_t turn = 0;
  const StereoPair before = pair;
  const StereoResult expected(pair_case);
  const Counts counts = reference::match(pair.pair(), pair_case.parameters, expected.result());
  test::on_every_simd_target([&] {
    for (std::size_t i = 0; i < matchers().size(); ++i) {
      if (!all_threads && i != turn % matchers().size()) continue;
      Engine& matcher = *matchers()[i];
      const StereoResult actual(pair_case);
      const Counts found = matcher.match(pair.pair(), pair_case.parameters, actual.result());
      ASSERT_EQ(test::first_difference(expected, actual), "")
          << text_of(pair_case) << ", " << matcher.threads() << " threads";
      ASSERT_EQ(found.known, counts.known) << text_of(pair_case);
      ASSERT_EQ(found.saturated, counts.saturated) << text_of(pair_case);
    }
    ++turn;
  });
  ASSERT_TRUE(pair == before) << "the matcher wrote to its input: " << text_of(pair_case);
}

void expect_reference(const PairCase& pair_case, bool all_threads = false) {
  expect_reference(pair_case, StereoPair(pair_case), all_threads);
}

TEST(Engine, HardPairs) {
  for (const PairCase& pair_case : test::hard_pair_cases()) {
    expect_reference(pair_case);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(Engine, EveryEndOfEveryParameter) {
  std::uint64_t seed = 0;
  for (const Parameters& parameters : test::stereo_parameter_sets()) {
    for (const auto kind : {test::PairKind::kTextured, test::PairKind::kExtremes}) {
      PairCase pair_case;
      pair_case.width = 49;
      pair_case.height = 13;
      pair_case.kind = kind;
      pair_case.parameters = parameters;
      pair_case.seed = ++seed;
      expect_reference(pair_case);
      ASSERT_FALSE(HasFatalFailure()) << text_of(pair_case);
    }
  }
}

TEST(Engine, AnythingAtRandom) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    expect_reference(test::random_pair_case(&random, 100000));
    ASSERT_FALSE(HasFatalFailure());
  }
}

// Every number of disparities and both numbers of paths, with sums that fit a byte and that do not:
// each combination has code of its own.
TEST(Engine, EveryNumberOfDisparities) {
  std::uint64_t seed = 100;
  for (int disparities = kDisparityStep; disparities <= kMostDisparities;
       disparities += kDisparityStep) {
    for (const int paths : {4, 8}) {
      for (const int p2 : {114, 115, 116, kMostPenalty}) {
        PairCase pair_case;
        pair_case.width = 70;
        pair_case.height = 9;
        pair_case.parameters.disparities = disparities;
        pair_case.parameters.paths = paths;
        pair_case.parameters.p2 = p2;
        pair_case.seed = ++seed;
        expect_reference(pair_case);
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

// Noise that is nearly the same in both views, so that paths keep to one disparity, and a step
// costs as much as any other. So nearly all other sums are the largest that there are, of which
// those of two paths fit a byte up to a penalty of 115. Confidence shows if the second sum is too
// small.
TEST(Engine, LargestSums) {
  for (const int paths : {4, 8}) {
    for (const int p2 : {114, 115, 116, 117, 118, kMostPenalty}) {
      PairCase pair_case;
      pair_case.width = 120;
      pair_case.height = 80;
      pair_case.kind = test::PairKind::kNoise;
      pair_case.parameters.disparities = 16;
      pair_case.parameters.paths = paths;
      pair_case.parameters.p1 = std::min(p2, 127);
      pair_case.parameters.p2 = p2;
      pair_case.parameters.uniqueness = 0;
      pair_case.parameters.max_left_right = -1;
      pair_case.parameters.median = 0;
      pair_case.parameters.speckle_size = 0;
      pair_case.want_confidence = true;
      const StereoPair pair(pair_case);
      const MutableDepthView left = pair.writable().left;
      for (int row = 0; row < left.height; ++row) {
        for (int column = 0; column < left.width; ++column) {
          if ((row * 5 + column * 3) % 8 == 0) continue;
          left.set(row, column, pair.writable().right.at(row, column));
        }
      }
      expect_reference(pair_case, pair);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

// Nearly all pixels are known, so that the median fills single holes of the masks.
TEST(Engine, MasksWithAndWithoutAMedian) {
  for (const auto mask : {test::MaskKind::kHoles, test::MaskKind::kBorders, test::MaskKind::kLeft,
                          test::MaskKind::kRight}) {
    for (const int median : {0, 3, 5}) {
      PairCase pair_case;
      pair_case.width = 150;
      pair_case.height = 40;
      pair_case.mask = mask;
      pair_case.parameters.disparities = 16;
      pair_case.parameters.uniqueness = 0;
      pair_case.parameters.max_left_right = -1;
      pair_case.parameters.median = median;
      pair_case.parameters.speckle_size = median == 3 ? 100 : 0;
      expect_reference(pair_case);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

// Large enough for all threads to take part, with rows that follow each other closely.
TEST(Engine, ThreadsFollowEachOther) {
  for (const int paths : {4, 8}) {
    for (const int width : {40, 300}) {
      PairCase pair_case;
      pair_case.width = width;
      pair_case.height = width == 40 ? 300 : 60;
      pair_case.parameters.disparities = 112;
      pair_case.parameters.paths = paths;
      pair_case.mask = test::MaskKind::kBorders;
      expect_reference(pair_case, true);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

TEST(Engine, SmallPairsInEveryWay) {
  for (const int width : {1, 2, 15, 16, 17, 31, 32, 33, 34, 65}) {
    for (const int height : {1, 2, 5}) {
      PairCase pair_case;
      pair_case.width = width;
      pair_case.height = height;
      pair_case.kind = test::PairKind::kFewLevels;
      pair_case.parameters.disparities = 16;
      pair_case.parameters.paths = 8;
      expect_reference(pair_case, true);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

TEST(Engine, ChangesItsNumberOfThreads) {
  PairCase pair_case;
  pair_case.width = 200;
  pair_case.height = 40;
  const StereoPair pair(pair_case);
  const StereoResult expected(pair_case);
  reference::match(pair.pair(), pair_case.parameters, expected.result());
  Engine matcher(1);
  for (const unsigned threads : {1U, 4U, 2U, 3U, 1U}) {
    matcher.set_threads(threads);
    EXPECT_EQ(matcher.threads(), threads);
    const StereoResult actual(pair_case);
    matcher.match(pair.pair(), pair_case.parameters, actual.result());
    ASSERT_EQ(test::first_difference(expected, actual), "") << threads << " threads";
  }
  EXPECT_GE(Engine().threads(), 1U);
}

// One pair's memory is far more than any machine has.
TEST(Engine, SaysSoWhereThereIsNoMemory) {
  Parameters parameters;
  parameters.disparities = kMostDisparities;
  parameters.paths = 8;
  parameters.p2 = kMostPenalty;
  const std::size_t needed = Engine::memory_for(kMaxSide, kMaxSide, parameters);
  EXPECT_GT(needed, std::size_t{4} * kMaxSide * kMaxSide * kMostDisparities);
  EXPECT_LT(needed, std::size_t{5} * kMaxSide * kMaxSide * kMostDisparities);
  // Sanitizers end the program where there is no memory.
#if !defined(RDP_TEST_ASAN) && !defined(__SANITIZE_THREAD__)
  // The views are never looked at: their rows may all be the same one.
  std::vector<std::byte> row(2 * kMaxSide);
  const MutableDepthView bytes{row.data(), 0, kMaxSide, kMaxSide, SampleType::kU8};
  const MutableDepthView words{row.data(), 0, kMaxSide, kMaxSide, SampleType::kU16};
  for (const auto& matcher : matchers()) {
    EXPECT_THROW(matcher->match({bytes, bytes, {}, {}}, parameters, {words, {}}), std::bad_alloc);
  }
#endif
  expect_reference(PairCase(), true);
}

TEST(Engine, MemoryGrowsWithWhatIsAskedFor) {
  const Parameters parameters;
  const std::size_t memory = Engine::memory_for(1242, 375, parameters);
  EXPECT_GT(memory, std::size_t{1242} * 375 * 128);
  EXPECT_LT(memory, std::size_t{1242} * 375 * 128 * 2);
  Parameters more = parameters;
  more.paths = 8;
  EXPECT_GT(Engine::memory_for(1242, 375, more), memory);
  EXPECT_GT(Engine::memory_for(1243, 375, parameters), memory);
}

TEST(Speckles, AreThoseOfTheReference) {
  std::mt19937 random(3);
  SpeckleScratch scratch;
  for (int i = 0; i < 400; ++i) {
    const int width = 1 + static_cast<int>(random() % 60);
    const int height = 1 + static_cast<int>(random() % 30);
    const test::Layout layout{static_cast<int>(random() % 4), static_cast<int>(random() % 2)};
    const test::TestFrame expected(width, height, SampleType::kU16, layout);
    // Few values make large components of any shape, spirals and combs among them.
    const unsigned levels = 2 + random() % 4;
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        expected.view().set(row, column, static_cast<std::uint16_t>(random() % levels * 300));
      }
    }
    const test::TestFrame actual = expected;
    const int size = static_cast<int>(random() % 40);
    const int range = static_cast<int>(random() % 3) * 300;
    reference::remove_speckles(expected.view(), size, range);
    remove_speckles(actual.view(), size, range, &scratch);
    ASSERT_TRUE(expected == actual)
        << width << "x" << height << ", size " << size << ", range " << range;
  }
}

}  // namespace
}  // namespace rdp::stereo
