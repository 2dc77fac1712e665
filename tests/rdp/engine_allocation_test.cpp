// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine allocates nothing once it has seen its largest frame. A program of its own, because it
// replaces the allocation functions.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>

#include "common/rdp/engine.h"
#include "tests/support/test_frame.h"

namespace {

std::atomic<long> allocations{0};

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded))
    return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
// Out of line: inlined into a container, free() meets what came from operator new, and GCC warns.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace rdp {
namespace {

TEST(EngineAllocation, NoneInSteadyState) {
  std::mt19937 random(1);
  test::TestFrame frame(640, 240, SampleType::kU16);
  test::fill(frame.view(), test::Content::kScene, &random);
  const test::TestFrame target = frame;
  std::vector<std::byte> picture(640 * 240 * 4);
  for (const Domain domain : {Domain::kLinear, Domain::kInverse}) {
    for (const int column_width : {1, 5}) {
      Parameters parameters;
      parameters.domain = domain;
      parameters.inverse_scale = 1e7;
      parameters.column_width = column_width;
      parameters.median = domain == Domain::kInverse ? Median::k5x5 : Median::kNone;
      // Once the split alone, once everything that comes after it.
      parameters.merge = domain == Domain::kInverse;
      parameters.classify = parameters.merge;
      OverlayOptions options;
      if (parameters.classify) options.style = OverlayStyle::kClasses;
      options.legend = true;
      const MetricCamera camera{{600, 600, 320, 120, {}}, {true, 1e5, 1.0, 0.0}};
      OverlayOptions from_above = options;
      from_above.style = OverlayStyle::kBirdsEye;
      from_above.camera = &camera;
      for (const unsigned threads : {1U, 2U, 4U}) {
        Engine engine(threads);
        SegmentList segments;
        long before = 0;
        for (int i = 0; i < 60; ++i) {
          if (i == 1) before = allocations;
          engine.segment(frame.view(), parameters, &segments);
          engine.paint(frame.view(), segments, parameters, options,
                       {picture.data(), 640 * 4, 640, 240});
          engine.paint(frame.view(), segments, parameters, from_above,
                       {picture.data(), 640 * 4, 640, 240});
          std::memcpy(target.view().data, frame.view().data, 640 * 240 * 2);
          engine.reconstruct(target.view(), parameters, segments);
        }
        EXPECT_GT(segments.segment_count(), 0U);
        EXPECT_EQ(allocations - before, 0) << threads << " threads, column width " << column_width;
      }
    }
  }
}

TEST(EngineAllocation, SmallerFramesNeedNoMore) {
  std::mt19937 random(2);
  test::TestFrame large(320, 200, SampleType::kU16);
  test::TestFrame small(100, 90, SampleType::kU8);
  test::fill(large.view(), test::Content::kNoise, &random);
  test::fill(small.view(), test::Content::kNoise, &random);
  Engine engine(3);
  SegmentList segments;
  Parameters parameters;
  parameters.epsilon = 0;
  engine.segment(large.view(), parameters, &segments);
  const long before = allocations;
  for (int i = 0; i < 10; ++i) {
    engine.segment(small.view(), parameters, &segments);
    engine.segment(large.view(), parameters, &segments);
  }
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace rdp
