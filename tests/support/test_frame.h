// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_TEST_FRAME_H_
#define RDP_TESTS_SUPPORT_TEST_FRAME_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/image/depth_view.h"
#include "common/rdp/engine.h"
#include "common/rdp/reference.h"

#if defined(__SANITIZE_ADDRESS__)
#define RDP_TEST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RDP_TEST_ASAN 1
#endif
#endif
#ifdef RDP_TEST_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace rdp::test {

// How the rows of a frame lie in memory.
struct Layout {
  int padding = 0;  // bytes between the rows
  int offset = 0;   // bytes before the first row: odd ones leave 16-bit samples unaligned
};

// A frame that owns its memory. The memory ends with the last row and the padding is filled with a
// pattern, so that a write outside the rows is seen; under AddressSanitizer the padding must not be
// read either.
class TestFrame {
 public:
  TestFrame(int width, int height, SampleType type, Layout layout = {})
      : layout_(layout),
        bytes_(static_cast<std::size_t>(layout.offset) +
                   static_cast<std::size_t>(height) * row_bytes(width, type) +
                   static_cast<std::size_t>(height - 1) * layout.padding,
               std::byte{0xA5}) {
    view_ = {bytes_.data() + layout.offset,
             static_cast<std::ptrdiff_t>(row_bytes(width, type)) + layout.padding, width, height,
             type};
    set_readable(false);
  }
  TestFrame(const TestFrame& other) : TestFrame(other.view_, other.layout_) {}
  TestFrame(const DepthView& samples, Layout layout)
      : TestFrame(samples.width, samples.height, samples.type, layout) {
    for (int row = 0; row < samples.height; ++row) {
      for (int column = 0; column < samples.width; ++column) {
        view_.set(row, column, samples.at(row, column));
      }
    }
  }
  TestFrame& operator=(const TestFrame&) = delete;
  ~TestFrame() { set_readable(true); }

  const MutableDepthView& view() const { return view_; }

  // The same samples, and nothing written outside of the rows of either.
  bool operator==(const TestFrame& other) const {
    set_readable(true);
    other.set_readable(true);
    const bool same = bytes_ == other.bytes_;
    set_readable(false);
    other.set_readable(false);
    return same;
  }

 private:
  static std::size_t row_bytes(int width, SampleType type) {
    return static_cast<std::size_t>(width) * bytes_per_sample(type);
  }

  void set_readable([[maybe_unused]] bool readable) const {
#ifdef RDP_TEST_ASAN
    for (int row = 0; row + 1 < view_.height; ++row) {
      const std::byte* end = view_.row(row) + row_bytes(view_.width, view_.type);
      if (readable) {
        __asan_unpoison_memory_region(end, static_cast<std::size_t>(layout_.padding));
      } else {
        __asan_poison_memory_region(end, static_cast<std::size_t>(layout_.padding));
      }
    }
#endif
  }

  Layout layout_;
  std::vector<std::byte> bytes_;
  MutableDepthView view_;
};

// What kinds of samples the tests try.
enum class Content {
  kNoise,      // every value alike
  kExtremes,   // 0, 1, the largest and the one before it
  kSmallStep,  // few values, many ties
  kScene,      // slanted planes, steps, noise and holes of 0
};
inline constexpr Content kContents[] = {Content::kNoise, Content::kExtremes, Content::kSmallStep,
                                        Content::kScene};

inline void fill(const MutableDepthView& frame, Content content, std::mt19937* random) {
  const std::uint32_t largest = max_sample(frame.type);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>((*random)() % n); };
  for (int column = 0; column < frame.width; ++column) {
    double value = 0;
    double slope = 0;
    for (int row = 0; row < frame.height; ++row) {
      std::uint32_t sample = 0;
      switch (content) {
        case Content::kNoise:
          sample = below(largest + 1);
          break;
        case Content::kExtremes: {
          const std::uint32_t values[] = {0, 1, largest - 1, largest};
          sample = values[below(4)];
          break;
        }
        case Content::kSmallStep:
          sample = below(4);
          break;
        case Content::kScene:
          if (row == 0 || below(24) == 0) {
            value = below(largest + 1);
            slope = (static_cast<double>(below(2001)) - 1000) * largest / 60000;
          }
          value = std::clamp(value + slope, 0.0, static_cast<double>(largest));
          sample =
              below(6) == 0 ? 0 : std::min(static_cast<std::uint32_t>(value) + below(3), largest);
          break;
      }
      frame.set(row, column, static_cast<std::uint16_t>(sample));
    }
  }
}

// The first sample in which two frames of one size differ, in words; empty where there is none.
inline std::string first_difference(const DepthView& expected, const DepthView& actual) {
  for (int row = 0; row < expected.height; ++row) {
    for (int column = 0; column < expected.width; ++column) {
      const int want = expected.at(row, column);
      const int got = actual.at(row, column);
      if (want == got) continue;
      return "row " + std::to_string(row) + ", column " + std::to_string(column) + ": expected " +
             std::to_string(want) + ", got " + std::to_string(got);
    }
  }
  return {};
}

// Runs `check` once for every SIMD target that the machine can run.
template <typename Check>
void on_every_simd_target(const Check& check) {
  for (const std::string& target : simd_targets()) {
    ASSERT_TRUE(use_simd_target(target));
    SCOPED_TRACE("SIMD target " + target);
    check();
    if (::testing::Test::HasFatalFailure()) break;
  }
  use_simd_target("");
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_TEST_FRAME_H_
