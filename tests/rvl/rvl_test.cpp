// SPDX-License-Identifier: LGPL-2.1-or-later
// RVL, the lossless depth code: known codes, recorded frames, errors. tests/bits compares it with
// its reference, tests/rvl/oracle_test.py with an independent decoder.
#include "common/rvl/rvl.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "common/rvl/reference.h"
#include "tests/support/crc32.h"
#ifdef RDP_TEST_HAVE_PNG
#include "tests/bench/gray_png.h"
#endif

namespace rdp::rvl {
namespace {

using Samples = std::vector<std::uint16_t>;
using Code = std::vector<std::byte>;

DepthView view_of(const Samples& samples, int width) {
  return {reinterpret_cast<const std::byte*>(samples.data()), 2 * width, width,
          static_cast<int>(samples.size()) / width, SampleType::kU16};
}

Code encoded(const DepthView& frame) {
  Code code(max_bytes(frame.width, frame.height));
  code.resize(encode(frame, code));
  return code;
}

Samples decoded(const Code& code, int width, int height) {
  Samples samples(static_cast<std::size_t>(width * height), 0xA5A5);
  decode(code, {reinterpret_cast<std::byte*>(samples.data()), 2 * width, width, height,
                SampleType::kU16});
  return samples;
}

void expect_code(const DepthView& frame, std::size_t size, std::uint32_t crc) {
  const Code code = encoded(frame);
  EXPECT_EQ(code.size(), size);
  EXPECT_EQ(test::crc_of(code), crc);
  const Samples back = decoded(code, frame.width, frame.height);
  for (int row = 0; row < frame.height; ++row) {
    ASSERT_EQ(std::memcmp(&back[static_cast<std::size_t>(row * frame.width)], frame.row(row),
                          2 * static_cast<std::size_t>(frame.width)),
              0)
        << "row " << row;
  }
}

TEST(Rvl, KnownCodes) {
  expect_code(view_of({0, 0, 1, 0, 65535, 65535, 7}, 7), 12, 0x93e1aea7);
  expect_code(view_of(Samples(640), 640), 4, 0x753b59a6);
}

// The longest possible code, and the slack of max_bytes().
TEST(Rvl, WorstCase) {
  Samples samples(300 * 200);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = i % 2 == 0 ? 65535 : 1;
  for (const std::size_t zero : {std::size_t{0}, samples.size() / 2}) {
    samples[zero] = 0;
    const Code code = encoded(view_of(samples, 300));
    EXPECT_LE(code.size(), max_bytes(300, 200));
    EXPECT_GT(code.size() + 12, max_bytes(300, 200));
    EXPECT_EQ(decoded(code, 300, 200), samples);
  }
  EXPECT_EQ(max_bytes(kMaxSide, kMaxSide), ((std::size_t{6} << 28) + 8192 + 6 + 7) / 8 * 4);
}

#ifdef RDP_TEST_HAVE_PNG
TEST(Rvl, RecordedFrames) {
  const char* data = std::getenv("RDPSEGMENT_TEST_DATA");
  if (data == nullptr) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA names no recorded frames";
  const struct {
    const char* file;
    std::size_t size;
    std::uint32_t crc;
  } frames[] = {{"rgbd/sequence/000000.png", 209928, 0x762114f0},
                {"kitti/sequence/000000.png", 322920, 0xb195a579},
                {"planes/rooms/room01_n045_depth.png", 216884, 0x18a26ec6}};
  for (const auto& frame : frames) {
    SCOPED_TRACE(frame.file);
    expect_code(bench::read_gray_png(std::string(data) + "/" + frame.file).view(), frame.size,
                frame.crc);
  }
}
#endif

// A code from its nibbles; the first is the highest of the first word.
Code code_of(std::initializer_list<unsigned> nibbles) {
  Code code((nibbles.size() + 7) / 8 * 4);
  std::size_t at = 0;
  for (const unsigned nibble : nibbles) {
    const std::size_t byte = at / 8 * 4 + 3 - at % 8 / 2;
    code[byte] |= static_cast<std::byte>(nibble << (at % 2 == 0 ? 4 : 0));
    ++at;
  }
  return code;
}

// Expects an error with this offset and text, also by the reference, and no write beyond the frame.
void expect_fault(const Code& code, std::size_t offset, const char* words) {
  for (const auto how : {decode, reference::decode_rvl}) {
    Samples samples(12, 0xA5A5);
    try {
      how(code, {reinterpret_cast<std::byte*>(&samples[1]), 2 * 5, 5, 2, SampleType::kU16});
      FAIL() << "taken, expected: " << words;
    } catch (const RvlError& error) {
      EXPECT_EQ(error.offset(), offset);
      EXPECT_NE(std::strstr(error.what(), words), nullptr) << error.what();
    }
    EXPECT_EQ(samples.front(), 0xA5A5);
    EXPECT_EQ(samples.back(), 0xA5A5);
  }
}

TEST(Rvl, Faults) {
  expect_fault({}, 0, "found the end of the code, expected it after 10 samples more");
  // Three bytes are not a word.
  expect_fault(Code(3), 0, "found the end of the code");
  // 0 zeros and 3 others; the third continues beyond the end.
  expect_fault(code_of({0, 3, 2, 2, 8, 8, 8, 8}), 4, "expected it after 8 samples more");
  // 11 zeros, then 0 zeros and 11 others, then 4 zeros and 7 others.
  expect_fault(code_of({11, 1}), 0, "found a run of 11 samples, expected at most 10");
  expect_fault(code_of({0, 11, 1}), 0, "found a run of 11 samples");
  expect_fault(code_of({4, 7}), 0, "found a run of 7 samples, expected at most 6");
  // A count of 2^29 with ten nibbles, and one with eleven.
  expect_fault(code_of({0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 4}), 0, "found a run of 536870912");
  expect_fault(code_of({0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 1}), 0, "a number of more than 10");
  // Counts of 0 run to the end of the code.
  expect_fault(Code(8), 8, "found the end of the code");
  // All zero: 10 and 0 take three nibbles. One more word is accepted, five bytes are not.
  Code zeros = code_of({10, 1, 0});
  zeros.resize(8);
  EXPECT_EQ(decoded(zeros, 5, 2), Samples(10));
  zeros.resize(9);
  expect_fault(zeros, 4, "found 5 bytes behind the last sample, expected at most 4");
}

// Samples wrap modulo 2^16, as in codes of encoders with signed samples.
TEST(Rvl, Wraps) { EXPECT_EQ(decoded(code_of({0, 1, 1}), 1, 1), Samples{65535}); }

TEST(Rvl, RosHeader) {
  std::vector<std::byte> data(kRosHeaderBytes);
  const std::span<std::byte, kRosHeaderBytes> all(data.data(), kRosHeaderBytes);
  write_ros_header({10100.0F, -1009.0F, 640, 480}, all);
  const std::uint32_t expected[] = {0, 0x461dd000, 0xc47c4000, 640, 480};
  EXPECT_EQ(std::memcmp(data.data(), expected, sizeof expected), 0);
  const RosHeader header = read_ros_header(data);
  EXPECT_EQ(header.a, 10100.0F);
  EXPECT_EQ(header.b, -1009.0F);
  EXPECT_EQ(header.width, 640);
  EXPECT_EQ(header.height, 480);
  const auto fault_of = [](std::span<const std::byte> bytes) -> std::string {
    try {
      read_ros_header(bytes);
    } catch (const RvlError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(fault_of(std::span(data).first(19)),
            "offset 19: found the end of the data, expected 20 bytes before the code");
  write_ros_header({0, 0, 0, 480}, all);
  EXPECT_EQ(fault_of(data), "offset 12: found 0 columns, expected 1 to 16384");
  write_ros_header({0, 0, 640, 16385}, all);
  EXPECT_EQ(fault_of(data), "offset 16: found 16385 rows, expected 1 to 16384");
}

}  // namespace
}  // namespace rdp::rvl
