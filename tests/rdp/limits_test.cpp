// SPDX-License-Identifier: LGPL-2.1-or-later
// Limits: frames with addresses far beyond 2^31, and sizes computed by the GPU code. The tallest
// columns and parameter limits are cases of tests/bits. The undefined-behaviour sanitizer checks
// both for overflow (tests/sanitize.sh address).
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <climits>
#include <cstdlib>
#include <vector>

#include "common/rdp/engine.h"
#include "common/rdp/overlay.h"
#include "common/rdp/reference.h"
#include "kernels/rdp/fit_layout.h"
#include "kernels/rdp/queue_layout.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

// Sparse memory: pages exist only once touched; reads as zeros.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t size)
      : size_(size),
        data_(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~SparseMemory() {
    if (*this) munmap(data_, size_);
  }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;

  explicit operator bool() const { return data_ != MAP_FAILED; }
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  std::size_t size_;
  void* data_;
};

}  // namespace

// Rows that are almost 2 GiB apart, and pictures of such rows.
TEST(Limits, WidestStride) {
  constexpr int kRows = 5;
  constexpr int kWidth = 9;
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (const std::ptrdiff_t stride : {std::ptrdiff_t{INT_MAX}, std::ptrdiff_t{INT_MAX} - 3}) {
      const SparseMemory memory(static_cast<std::size_t>(stride) * kRows);
      const SparseMemory pixels(static_cast<std::size_t>(stride) * kRows);
      if (!memory || !pixels) GTEST_SKIP() << "no 20 GiB of addresses";
      const MutableDepthView wide{memory.data(), stride, kWidth, kRows, type};
      TestFrame narrow(kWidth, kRows, type);
      std::mt19937 random(3);
      test::fill(narrow.view(), test::Content::kScene, &random);
      for (int row = 0; row < kRows; ++row) {
        for (int c = 0; c < kWidth; ++c) wide.set(row, c, narrow.view().at(row, c));
      }
      for (const bool filtered : {false, true}) {
        Parameters parameters;
        parameters.median = filtered ? Median::k3x3 : Median::kNone;
        parameters.column_width = filtered ? 2 : 1;
        parameters.domain = filtered ? Domain::kInverse : Domain::kLinear;
        Engine engine(2);
        SegmentList expected;
        SegmentList actual;
        reference::segment_filtered(narrow.view(), parameters, &expected);
        engine.segment(wide, parameters, &actual);
        ASSERT_TRUE(std::ranges::equal(expected.offsets(), actual.offsets()));
        ASSERT_TRUE(std::ranges::equal(expected.segments(), actual.segments()));

        std::vector<std::byte> tight(kWidth * kRows * 4);
        engine.paint(narrow.view(), expected, parameters, {},
                     {tight.data(), kWidth * 4, kWidth, kRows});
        engine.paint(wide, actual, parameters, {}, {pixels.data(), stride, kWidth, kRows});
        for (int row = 0; row < kRows; ++row) {
          ASSERT_EQ(std::memcmp(tight.data() + row * kWidth * 4, pixels.data() + row * stride,
                                kWidth * 4),
                    0)
              << "row " << row;
        }
        engine.segment(wide, parameters, &actual);
        engine.reconstruct(wide, parameters, actual);
        reference::reconstruct(reference::filter(narrow.view(), parameters), expected, parameters,
                               narrow.view());
        ASSERT_EQ(test::first_difference(narrow.view(), wide), "");
      }
    }
  }
}

// 16384x16384 samples, few of them valid: the first, the last, and some where sizes pass 2^31 and
// 2^32 bytes. RDPSEGMENT_LARGE=1 also runs steps that touch the whole frame (4 GiB).
TEST(Limits, LargestFrame) {
  constexpr auto kSide = static_cast<std::size_t>(kMaxSide);
  const bool large = std::getenv("RDPSEGMENT_LARGE") != nullptr;
#ifdef RDP_TEST_ASAN
  if (!large) GTEST_SKIP() << "takes minutes with the address sanitizer: set RDPSEGMENT_LARGE=1";
#endif
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    const std::size_t bytes = kSide * kSide * static_cast<std::size_t>(bytes_per_sample(type));
    const SparseMemory memory(bytes);
    if (!memory) GTEST_SKIP() << "no " << bytes << " bytes of addresses";
    const MutableDepthView frame{memory.data(),
                                 static_cast<std::ptrdiff_t>(kSide) * bytes_per_sample(type),
                                 kMaxSide, kMaxSide, type};
    constexpr int kLast = kMaxSide - 1;
    // The same columns without the invalid ones between them.
    constexpr int kPlaces[] = {0, 8191, kLast - 1, kLast};
    TestFrame narrow(4, kMaxSide, type);
    for (int row = 0; row < kMaxSide; ++row) {
      for (int i = 0; i < 4; ++i) narrow.view().set(row, i, 0);
    }
    const auto put = [&](int row, int place, std::uint16_t sample) {
      frame.set(row, kPlaces[place], sample);
      narrow.view().set(row, place, sample);
    };
    put(0, 0, 7);
    put(kLast, 0, 9);
    put(5, 1, 100);
    put(kLast, 2, 255);
    put(0, 3, 1);
    put(8191, 3, 255);
    put(kLast, 3, 1);
    Engine engine(0);
    std::vector<Parameters> all(large ? 4 : 1);
    if (large) {
      all[1].merge = true;
      all[2].domain = Domain::kInverse;
      all[2].inverse_scale = 255.0;
      all[3].column_width = kMaxColumnWidth;
      all[3].max_gap = kMaxSide;
    }
    for (const Parameters& parameters : all) {
      SegmentList segments;
      engine.segment(frame, parameters, &segments);
      ASSERT_EQ(segments.columns(), kMaxSide / parameters.column_width);
      if (parameters.column_width == 1) {
        SegmentList expected;
        reference::segment_filtered(narrow.view(), parameters, &expected);
        for (int i = 0; i < 4; ++i) {
          EXPECT_TRUE(std::ranges::equal(segments.column(kPlaces[i]), expected.column(i)))
              << "column " << kPlaces[i];
        }
        EXPECT_EQ(segments.segment_count(), expected.segment_count());
      } else {
        EXPECT_EQ(segments.segment_count(), 0U);  // one of 16 is known
      }
      if (!large || parameters.merge) continue;
      const std::uint16_t before = frame.at(8191, kLast);
      engine.reconstruct(frame, parameters, segments);
      EXPECT_EQ(frame.at(8191, kLast), before);
      EXPECT_EQ(frame.at(kLast - 1, kLast), 0);
    }
    if (!large) continue;
    const SparseMemory pixels(kSide * kSide * 4);
    SegmentList segments;
    engine.segment(frame, all[0], &segments);
    engine.paint(frame, segments, all[0], {},
                 {pixels.data(), static_cast<std::ptrdiff_t>(kSide) * 4, kMaxSide, kMaxSide});
    std::uint32_t last_pixel = 0;
    std::memcpy(&last_pixel, pixels.data() + kSide * kSide * 4 - 4, 4);
    EXPECT_NE(last_pixel & 0xFFFFFF, 0U);
  }
}

// --- what the GPU's code works out on the host ------------------------------------------------

namespace {

// Overflow in a constant expression is a compile error: compiling these for every height proves
// that none occurs.
template <typename Layout>
constexpr int largest_layout(int columns) {
  int largest = 0;
  for (int height = 1; height <= kMaxSide; ++height) {
    const int bytes = Layout(height, columns).bytes;
    largest = bytes > largest ? bytes : largest;
  }
  return largest;
}

constexpr std::int64_t piece_bytes() { return cuda::PiecesLayout(kMaxSide).bytes; }

// Shared memory available to a block on the smallest architecture of the build (7.5).
constexpr int kLeastShared = 64 * 1024 - 1024;

static_assert(largest_layout<cuda::QueueLayout>(4) > 0);
static_assert(largest_layout<cuda::FitLayout>(4) > 0);
static_assert(largest_layout<cuda::QueueLayout>(1) <= kLeastShared,
              "the tallest column does not fit into the shared memory of every device");
static_assert(largest_layout<cuda::FitLayout>(1) <= kLeastShared,
              "the tallest column does not fit into the shared memory of every device");

}  // namespace

// The same formulas in wider integers: nothing wraps around, whatever the types of the terms.
TEST(Limits, GpuLayouts) {
  for (const int columns : {1, cuda::kFitColumns}) {
    const cuda::QueueLayout split(kMaxSide, columns);
    EXPECT_EQ(split.words, kMaxSide / 32);
    EXPECT_EQ(split.bytes, columns * (2LL * kMaxSide + 16) + 3LL * columns * (kMaxSide / 32) * 4 +
                               4LL * columns * (kMaxSide / 9 + 1) +
                               4LL * columns * (kMaxSide / 8 / 8 + 1));
    const cuda::FitLayout fit(kMaxSide, columns);
    const long long words = kMaxSide / 32;
    const long long groups = words / 16;
    const long long parts = columns > 1 ? words * 2 : words;
    EXPECT_EQ(fit.bytes, (columns > 1 ? columns * cuda::PiecesLayout(cuda::kFewPieces).bytes : 0) +
                             columns * (parts * 36 + groups * 36 + 2LL * kMaxSide + 3 * words * 4));
  }
  EXPECT_GE(piece_bytes(), 104LL * (kMaxSide + 1));
  EXPECT_EQ(piece_bytes() % 8, 0);
}

}  // namespace rdp
