// SPDX-License-Identifier: LGPL-2.1-or-later
// Lists that the device copies to page-locked memory, against copies by the driver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "common/rdp/parameters.h"
#include "kernels/rdp/segment_copy.h"
#include "kernels/rdp/segmenter.h"
#include "tests/gpu/gpu_test.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::GpuFrame;

constexpr int kWidth = 333;
constexpr int kHeight = 200;

class GpuSegmentCopy : public test::GpuTest {
 protected:
  // Segments frames with steps every `rows` rows. Later frames have more segments.
  void segment(int frames, int rows = 40) {
    views_.clear();
    frames_.clear();
    for (int i = 0; i < frames; ++i) {
      test::TestFrame frame(kWidth, kHeight, SampleType::kU16);
      for (int row = 0; row < kHeight; ++row) {
        for (int column = 0; column < kWidth; ++column) {
          const bool odd = row / (rows - 8 * i) % 2 != 0;
          frame.view().set(row, column, odd ? 20000 + column : 1000 + row);
        }
      }
      frames_.push_back(std::make_unique<GpuFrame>(frame.view()));
      views_.push_back(frames_.back()->view());
    }
    list_.prepare(kWidth, kHeight, frames);
    segmenter_.segment(cuda::DeviceFrames(views_), {1, 65535}, kEpsilon256, &list_, stream());
  }

  // Fills the memory with guard bytes, then copies the list into it. `expected`: minimum room in
  // segments.
  void copy(std::size_t expected) {
    copy_.prepare(list_.columns(), list_.frames(), expected);
    for (int i = 0; i < list_.frames(); ++i) std::ranges::fill(bytes(i), kGuard);
    copier_.run(list_, copy_, stream());
    synchronize();
  }

  // The whole room of a frame.
  std::span<std::byte> bytes(int frame) const {
    const SegmentArrays all = copy_.frame(frame, copy_.room());
    auto* const from =
        reinterpret_cast<std::byte*>(const_cast<std::uint32_t*>(all.offsets().data()));
    return {from, all.offsets().size_bytes() + all.segments().size_bytes()};
  }
  bool untouched(std::span<const std::byte> part) const {
    return std::ranges::all_of(part, [](std::byte byte) { return byte == kGuard; });
  }

  void check(int frame) {
    SCOPED_TRACE(frame);
    SegmentList expected;
    list_.copy_to(&expected, stream(), frame);
    const SegmentArrays actual = copy_.frame(frame, list_.segment_count(frame));
    ASSERT_TRUE(std::ranges::equal(actual.offsets(), expected.offsets()));
    ASSERT_TRUE(std::ranges::equal(actual.segments(), expected.segments()));
    ASSERT_GT(actual.segment_count(), 0U);
    const std::size_t used = actual.offsets().size_bytes() + actual.segments().size_bytes();
    ASSERT_TRUE(untouched(bytes(frame).subspan(used)));
  }

  static constexpr std::byte kGuard{0xA5};
  static constexpr std::int64_t kEpsilon256 = 256;
  std::vector<std::unique_ptr<GpuFrame>> frames_;
  std::vector<cuda::DeviceDepthView> views_;
  cuda::Segmenter segmenter_;
  cuda::DeviceSegmentList list_;
  cuda::SegmentCopier copier_;
  cuda::SegmentCopy copy_;
};

TEST_F(GpuSegmentCopy, EqualsTheList) {
  for (const int frames : {1, 3}) {
    segment(frames);
    copy(static_cast<std::size_t>(kWidth) * 20);
    for (int i = 0; i < frames; ++i) check(i);
  }
}

// Frame 2 has more segments than the room; the others are copied.
TEST_F(GpuSegmentCopy, LeavesOutWhatHasNoRoom) {
  segment(3);
  synchronize();
  ASSERT_LT(list_.segment_count(1), list_.segment_count(2));
  copy(list_.segment_count(1) / 3 * 2);
  ASSERT_LT(copy_.room(), list_.segment_count(2));
  ASSERT_GE(copy_.room(), list_.segment_count(0));
  check(0);
  EXPECT_TRUE(untouched(bytes(2)));
}

TEST_F(GpuSegmentCopy, LeavesOutATruncatedList) {
  segment(1, 1);
  synchronize();
  ASSERT_GT(list_.segment_count(), list_.view().capacity);
  copy(list_.segment_count());
  EXPECT_TRUE(untouched(bytes(0)));
}

// The same memory serves other numbers of columns and frames.
TEST_F(GpuSegmentCopy, MemoryIsUsedAgain) {
  copy_.prepare(1000, 1, 20000);
  const std::byte* const before =
      reinterpret_cast<const std::byte*>(copy_.frame(0, 0).offsets().data());
  segment(3);
  copy(5000);
  EXPECT_EQ(bytes(0).data(), before);
  for (int i = 0; i < 3; ++i) check(i);
}

}  // namespace
}  // namespace rdp
