// SPDX-License-Identifier: LGPL-2.1-or-later
// depthtestsrc's frames of any number, size and options: it writes the whole frame and nothing
// else, independently of earlier frames.
#include "common/scene/test_pattern.h"

#include "tests/fuzz/fuzz_frame.h"

namespace {

using namespace rdp;

TestPatternOptions take_options(fuzz::Input* input) {
  TestPatternOptions options;
  options.pattern = input->pick({TestPattern::kStreet, TestPattern::kRamp, TestPattern::kSteps,
                                 TestPattern::kNoise, TestPattern::kUnknown, TestPattern::kRoom,
                                 TestPattern::kTraffic, TestPattern::kParcels});
  options.domain = input->flag() ? TestDomain::kDepth : TestDomain::kDisparity;
  options.seed = input->bits<std::uint32_t>();
  options.noise = std::min(input->real(0.0), kMaxTestNoise);
  options.unknown_ratio = input->flag() ? std::min(input->real(0.0), 1.0) : 0.0;
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const TestPatternOptions options = take_options(&input);
  const auto number = input.flag() ? input.bits<std::uint64_t>() : input.byte();
  const bool tall = input.flag();
  const int longer = 1 + static_cast<int>(input.below(input.below(8) == 0 ? kMaxSide : 300));
  const int shorter = 1 + static_cast<int>(input.below(longer > 300 ? 3 : 80));
  const SampleType type = input.flag() ? SampleType::kU8 : SampleType::kU16;
  const int padding = input.byte();
  const int offset = input.between(0, 3);
  const int width = tall ? shorter : longer;
  const int height = tall ? longer : shorter;

  static TestPatternRenderer used;
  TestPatternRenderer fresh;
  // Filled differently, so that unwritten samples differ.
  test::TestFrame first(width, height, type, {padding, offset}, std::byte{0x5A});
  test::TestFrame second(width, height, type, {padding, offset});
  used.draw(number, options, first.view());
  fresh.draw(number, options, second.view());
  FUZZ_CHECK(first.intact() && second.intact(), "bytes besides the frame were written");
  fuzz::check_same(test::first_difference(second.view(), first.view()),
                   "a renderer that has drawn before");
  if (options.pattern != TestPattern::kUnknown) return 0;
  for (int r = 0; r < height; ++r) {
    for (int c = 0; c < width; ++c) FUZZ_CHECK(first.view().at(r, c) == 0, "row %d", r);
  }
  return 0;
}
