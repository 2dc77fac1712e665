// SPDX-License-Identifier: LGPL-2.1-or-later
// At the limits: columns of 16384 rows with the content that makes every number largest, each
// parameter at either end of its range, frames whose addresses go far beyond 2^31, and the sizes
// that the GPU's code works out. The engine has the reference's bits; that neither overflows is
// what the undefined behaviour sanitizer says of this test (tests/sanitize.sh address).
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>
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

constexpr int kColumns = 8;

enum class Depth { kShallow, kDeepest };

// What makes slopes, distances, sums and, where it is to be the deepest, recursion largest, in a
// column each. The deepest takes the reference a time that grows with the square of the rows.
TestFrame extreme_columns(SampleType type, Depth depth) {
  TestFrame frame(kColumns, kMaxSide, type);
  const auto largest = static_cast<int>(max_sample(type));
  std::mt19937 random(1);
  for (int row = 0; row < kMaxSide; ++row) {
    const bool last = row == kMaxSide - 1;
    const int ramp = static_cast<int>(std::int64_t{row} * largest / (kMaxSide - 1));
    const int sawtooth = row % 1000 * largest / 999;
    const bool deepest = depth == Depth::kDeepest;
    const int samples[kColumns] = {
        deepest ? (row % 2 == 0 ? 0 : largest) : sawtooth,  // every row a vertex
        ramp,                                               // one line, the steepest in sum
        largest - ramp,                                     // the same downwards
        largest,                                            // the largest sums
        last ? largest : 0,                                 // the longest rise at the very end
        row == kMaxSide - 2 ? largest : 0,                  // c = 65535 * 16382
        row == 0 || last ? largest : 1,                     // the longest dip
        random() % 3 == 0 && deepest ? 0 : largest          // holes
    };
    for (int column = 0; column < kColumns; ++column) {
      frame.view().set(row, column, static_cast<std::uint16_t>(samples[column]));
    }
  }
  return frame;
}

// What the reference makes of a frame.
struct Expected {
  Expected(const TestFrame& frame, const Parameters& parameters) : drawn(frame) {
    reference::segment_filtered(frame.view(), parameters, &segments);
    reference::reconstruct(reference::filter(frame.view(), parameters), segments, parameters,
                           drawn.view());
  }
  SegmentList segments;
  TestFrame drawn;
};

// Compares all that the engine makes of a frame with it.
void expect_equal(const Expected& expected, const TestFrame& frame, const Parameters& parameters) {
  Engine engine(1);
  SegmentList actual;
  engine.segment(frame.view(), parameters, &actual);
  ASSERT_TRUE(std::ranges::equal(expected.segments.offsets(), actual.offsets()));
  ASSERT_TRUE(std::ranges::equal(expected.segments.segments(), actual.segments()));

  // Painted into memory of its own size: the address sanitizer sees what goes beyond.
  const int width = frame.view().width;
  const int height = frame.view().height;
  std::vector<std::byte> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                                4);
  const RgbaView picture{pixels.data(), static_cast<std::ptrdiff_t>(width) * 4, width, height};
  for (const OverlayStyle style :
       {OverlayStyle::kSegments, OverlayStyle::kDepth, OverlayStyle::kEdges}) {
    engine.paint(frame.view(), actual, parameters, {style, 0.0, 0.0}, picture);
  }

  const TestFrame drawn = frame;
  engine.reconstruct(drawn.view(), parameters, actual);
  ASSERT_EQ(test::first_difference(expected.drawn.view(), drawn.view()), "");
  ASSERT_TRUE(expected.drawn == drawn) << "bytes outside of the frame were written";
}

void expect_reference(const TestFrame& frame, const Parameters& parameters) {
  expect_equal(Expected(frame, parameters), frame, parameters);
}

Parameters everything_known() {
  Parameters parameters;
  parameters.min_value = 0;
  return parameters;
}

constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr double kHuge = std::numeric_limits<double>::max();

}  // namespace

TEST(Limits, TallestColumnsOnEveryTarget) {
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    const TestFrame frame = extreme_columns(type, Depth::kDeepest);
    Parameters parameters = everything_known();
    parameters.epsilon = 0.0;
    const Expected expected(frame, parameters);
    test::on_every_simd_target([&] { expect_equal(expected, frame, parameters); });
  }
}

TEST(Limits, ToleranceAndScale) {
  const TestFrame frame = extreme_columns(SampleType::kU16, Depth::kShallow);
  const std::pair<double, double> pairs[] = {
      {0.0, 1.0},   {kTiny, 1.0},   {65535.0, 1.0}, {kHuge, 1.0}, {4.0, kTiny},
      {4.0, kHuge}, {kHuge, kTiny}, {kTiny, kHuge}, {0.0, kTiny}, {0.001953124, 1.0},
  };
  for (const auto& [epsilon, scale] : pairs) {
    SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << ", sample scale " << scale);
    Parameters parameters = everything_known();
    parameters.epsilon = epsilon;
    parameters.sample_scale = scale;
    ASSERT_NO_FATAL_FAILURE(expect_reference(frame, parameters));
  }
}

// What a property cannot be set to does not overflow either: a program may use the engine alone.
TEST(Limits, NoNumbers) {
  TestFrame frame(3, 50, SampleType::kU16);
  std::mt19937 random(2);
  test::fill(frame.view(), test::Content::kExtremes, &random);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double values[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, -1.0};
  for (const double value : values) {
    for (double Parameters::*const member :
         {&Parameters::epsilon, &Parameters::sample_scale, &Parameters::merge_cost}) {
      Parameters parameters = everything_known();
      parameters.merge = true;
      parameters.*member = value;
      ASSERT_NO_FATAL_FAILURE(expect_reference(frame, parameters));
    }
  }
}

TEST(Limits, Merge) {
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    const TestFrame frame = extreme_columns(type, Depth::kShallow);
    for (const double epsilon : {0.0, 300.0, kHuge}) {
      for (const double cost : {0.0, kTiny, 65535.0, kHuge}) {
        SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << ", merge cost " << cost);
        Parameters parameters = everything_known();
        parameters.epsilon = epsilon;
        parameters.merge = true;
        parameters.merge_cost = cost;
        ASSERT_NO_FATAL_FAILURE(expect_reference(frame, parameters));
      }
    }
    Parameters parameters = everything_known();
    parameters.refine = true;
    ASSERT_NO_FATAL_FAILURE(expect_reference(frame, parameters));
    // Every row a piece.
    parameters.merge = true;
    parameters.epsilon = 0.0;
    ASSERT_NO_FATAL_FAILURE(expect_reference(extreme_columns(type, Depth::kDeepest), parameters));
  }
}

TEST(Limits, GapsGroupsRangesAndFilters) {
  const TestFrame frame = extreme_columns(SampleType::kU16, Depth::kShallow);
  Parameters plain;
  plain.epsilon = 1000.0;
  std::vector<Parameters> all(10, plain);
  all[0].max_gap = 1;
  all[1].max_gap = kMaxSide;
  all[2].max_gap = kMaxSide;
  all[2].merge = true;
  all[3].column_width = kMaxColumnWidth;
  all[4].column_width = kMaxColumnWidth;
  all[4].min_value = 0;
  all[4].median = Median::k5x5;
  all[5].min_value = all[5].max_value = 65535;
  all[6].min_value = 65535;
  all[6].max_value = 0;  // nothing is known
  all[7].min_value = 0;
  all[7].max_value = UINT32_MAX;
  all[8].min_value = UINT32_MAX;
  all[8].max_value = UINT32_MAX;
  all[9].median = Median::k3x3;
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "parameters " << i);
    ASSERT_NO_FATAL_FAILURE(expect_reference(frame, all[i]));
  }
}

TEST(Limits, InverseDepth) {
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    const TestFrame frame = extreme_columns(type, Depth::kShallow);
    for (const double scale : {DBL_MIN, 1.0, 65535.0 * 65535.0, kHuge}) {
      for (const std::uint32_t least : {0U, 1U}) {
        SCOPED_TRACE(testing::Message() << "inverse scale " << scale << ", from " << least);
        Parameters parameters;
        parameters.domain = Domain::kInverse;
        parameters.inverse_scale = scale;
        parameters.min_value = least;
        parameters.epsilon = 10.0;
        ASSERT_NO_FATAL_FAILURE(expect_reference(frame, parameters));
        parameters.merge = true;
        ASSERT_NO_FATAL_FAILURE(expect_reference(frame, parameters));
      }
    }
  }
}

namespace {

// Memory that is there only where it is touched; reads as zeros.
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

// 16384x16384 samples, of which few are known: the first, the last, and some where sizes pass 2^31
// and 2^32 bytes. RDPSEGMENT_LARGE=1 runs what touches all of such a frame, too (4 GiB).
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
    // The same columns without those in between, of which nothing is known.
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

// In a constant expression an overflow is an error of the compiler: that these compile for every
// height shows that there is none.
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

// What a block of the smallest architecture in the build (7.5) may ask for.
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
