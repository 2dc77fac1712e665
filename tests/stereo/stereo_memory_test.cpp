// SPDX-License-Identifier: LGPL-2.1-or-later
// The matcher's memory requirement, and its error if memory is short. tests/bits compares its
// results with the reference.
#include <gtest/gtest.h>

#include <cstddef>
#include <new>
#include <vector>

#include "common/stereo/engine.h"
#include "common/stereo/reference.h"
#include "tests/stereo/stereo_patterns.h"

namespace rdp::stereo {
namespace {

// One pair's memory is far more than any machine has.
TEST(Engine, SaysSoWhereThereIsNoMemory) {
  Parameters parameters;
  parameters.disparities = kMaxDisparities;
  parameters.paths = 8;
  parameters.p2 = kMaxPenalty;
  const std::size_t needed = Engine::memory_for(kMaxSide, kMaxSide, parameters);
  EXPECT_GT(needed, std::size_t{4} * kMaxSide * kMaxSide * kMaxDisparities);
  EXPECT_LT(needed, std::size_t{5} * kMaxSide * kMaxSide * kMaxDisparities);
  // Sanitizers end the program if an allocation fails.
#if !defined(RDP_TEST_ASAN) && !defined(__SANITIZE_THREAD__)
  // The views are never read, so all rows can be one and the same.
  std::vector<std::byte> row(2 * kMaxSide);
  const MutableDepthView bytes{row.data(), 0, kMaxSide, kMaxSide, SampleType::kU8};
  const MutableDepthView words{row.data(), 0, kMaxSide, kMaxSide, SampleType::kU16};
  const test::PairCase small;
  const test::StereoPair pair(small);
  const test::StereoResult expected(small);
  reference::match(pair.pair(), small.parameters, expected.result());
  for (const unsigned threads : {1U, 2U, 5U}) {
    Engine matcher(threads);
    EXPECT_THROW(matcher.match({bytes, bytes, {}, {}}, parameters, {words, {}}), std::bad_alloc);
    const test::StereoResult actual(small);
    matcher.match(pair.pair(), small.parameters, actual.result());
    EXPECT_EQ(test::first_difference(expected, actual), "") << "afterwards";
  }
#endif
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

}  // namespace
}  // namespace rdp::stereo
