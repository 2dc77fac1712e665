// SPDX-License-Identifier: LGPL-2.1-or-later
// Speckles by hand: components of similar pixels, and the sizes and ranges of removal.
#include "common/image/speckles.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/image/reference.h"
#include "tests/support/guarded_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

std::vector<int> samples_of(const TestFrame& frame) {
  std::vector<int> samples;
  for (int row = 0; row < frame.view().height; ++row) {
    for (int column = 0; column < frame.view().width; ++column) {
      samples.push_back(frame.view().at(row, column));
    }
  }
  return samples;
}

// A 16-bit frame from rows of digits; each digit is a disparity in pixels.
TestFrame digits(const std::vector<std::string>& rows) {
  TestFrame frame(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()), SampleType::kU16,
                  {4, 1});
  for (int row = 0; row < frame.view().height; ++row) {
    for (int column = 0; column < frame.view().width; ++column) {
      const char digit = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      frame.view().set(row, column, static_cast<std::uint16_t>((digit - '0') * 256));
    }
  }
  return frame;
}

void expect_speckles(const std::vector<std::string>& rows, int size, int range,
                     const std::vector<std::string>& expected) {
  const TestFrame frame = digits(rows);
  rdp::reference::remove_speckles(frame.view(), size, WithinRange{range});
  EXPECT_EQ(samples_of(frame), samples_of(digits(expected)))
      << "size " << size << ", range " << range;
  EXPECT_TRUE(frame.intact());
}

// A spiral (31 pixels) and a comb (15): parts that join late in any scan order.
TEST(Speckles, ComponentsThatNoScanJoinsAtOnce) {
  const std::vector<std::string> spiral = {"11111110", "00000010", "11111010", "10001010",
                                           "10111010", "10000010", "11111110"};
  const std::vector<std::string> nothing(7, "00000000");
  expect_speckles(spiral, 31, 256, spiral);
  expect_speckles(spiral, 32, 256, nothing);
  const std::vector<std::string> comb = {"1010101", "1010101", "1111111"};
  expect_speckles(comb, 15, 256, comb);
  expect_speckles(comb, 16, 256, {"0000000", "0000000", "0000000"});
  const std::vector<std::string> upturned = {"1111111", "1010101", "1010101"};
  expect_speckles(upturned, 15, 256, upturned);
  expect_speckles(upturned, 16, 256, {"0000000", "0000000", "0000000"});
}

TEST(Speckles, NeighboursAreBesideOrBelow) {
  expect_speckles({"110", "001", "001"}, 2, 256, {"110", "001", "001"});
  expect_speckles({"110", "001", "001"}, 3, 256, {"000", "000", "000"});
  expect_speckles({"110", "001", "111"}, 3, 256, {"000", "001", "111"});
}

TEST(Speckles, RangeIsBetweenNeighbours) {
  // A ramp is one component, a step is two.
  expect_speckles({"12345"}, 5, 256, {"12345"});
  expect_speckles({"12345"}, 2, 255, {"00000"});
  expect_speckles({"11133"}, 3, 511, {"11100"});
  expect_speckles({"11133"}, 5, 512, {"11133"});
  // Unknown pixels connect nothing, however large the range.
  expect_speckles({"11011"}, 3, 4096, {"00000"});
}

TEST(Speckles, NoSizeRemovesNothing) {
  expect_speckles({"10203"}, 0, 0, {"10203"});
  expect_speckles({"10203"}, 1, 0, {"10203"});
  expect_speckles({"10203"}, 2, 0, {"00000"});
}

}  // namespace
}  // namespace rdp
