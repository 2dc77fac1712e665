// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BITS_CASE_H_
#define RDP_TESTS_BITS_CASE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "common/image/depth_view.h"
#include "common/rdp/overlay.h"
#include "common/rdp/segment_list.h"
#include "tests/support/depth_patterns.h"

// The parts of test cases for operations. operation.h describes how operations enter the harness.
namespace rdp::bits {

// A seeded generator of random choices.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  int below(int n) { return n <= 1 ? 0 : static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <typename T>
  T of(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<int>(list.size()))];
  }
  std::mt19937* engine() { return &engine_; }

 private:
  std::mt19937 engine_;
};

// Rows of elements for engines: their contents before, and as the reference leaves them.
struct Image {
  int width = 0;                       // elements of a row
  int height = 0;                      // rows
  int unit = 1;                        // bytes of an element: samples of 1 or 2, pixels of 4
  bool fixed = false;                  // aligned and without gaps, for arrays that are no pictures
  std::vector<std::byte> before = {};  // empty: engines only write it
  std::vector<std::byte> after = {};   // empty: engines only read it

  int row_bytes() const { return width * unit; }
  std::size_t size() const {
    return static_cast<std::size_t>(row_bytes()) * static_cast<std::size_t>(height);
  }
  // The contents that an engine must leave.
  const std::byte* expected() const { return after.empty() ? before.data() : after.data(); }
  SampleType type() const { return unit == 1 ? SampleType::kU8 : SampleType::kU16; }

  // Views for drawing the input, and for the reference's output.
  MutableDepthView draw() {
    before.resize(size());
    return {before.data(), row_bytes(), width, height, type()};
  }
  MutableDepthView expect() {
    start_expecting();
    return {after.data(), row_bytes(), width, height, type()};
  }
  RgbaView expect_rgba() {
    start_expecting();
    return {after.data(), row_bytes(), width, height};
  }
  DepthView samples() const { return {before.data(), row_bytes(), width, height, type()}; }

 private:
  void start_expecting() {
    after = before;
    after.resize(size());
  }
};

inline Image samples(int width, int height, SampleType type) {
  return {width, height, bytes_per_sample(type)};
}
inline Image pixels(int width, int height) { return {width, height, 4}; }
// An array without rows.
inline Image array(std::size_t count, int unit) { return {static_cast<int>(count), 1, unit, true}; }
inline void copy(const DepthView& from, const MutableDepthView& to) {
  for (int row = 0; row < from.height; ++row) {
    for (int column = 0; column < from.width; ++column) {
      to.set(row, column, from.at(row, column));
    }
  }
}
inline void fill_any(std::vector<std::byte>* bytes, Random* random) {
  for (std::byte& byte : *bytes) byte = static_cast<std::byte>((*random->engine())() >> 8);
}

// The input and the expected output of an operation. Operations with other results than images
// derive their own type.
struct Case {
  std::vector<Image> images;
  // Input segments, one list per frame. `room`: capacity of each list in device memory; -1: all
  // segments.
  std::vector<SegmentList> lists = {};
  std::int64_t room = -1;
  // The room is too small: the device must write nothing.
  bool truncated = false;
};

// The frames that an operation processes together.
struct FrameSpec {
  int width = 1;
  int height = 1;
  SampleType type = SampleType::kU16;
  test::Content content = test::Content::kScene;
  int count = 1;
};

inline std::string text_of(const FrameSpec& spec) {
  return std::to_string(spec.count) + " of " + std::to_string(spec.width) + " x " +
         std::to_string(spec.height) + ", " + std::to_string(bytes_per_sample(spec.type)) +
         " bytes, " + test::name_of(spec.content);
}

// Draws `count` frames, each with other content.
inline void draw_frames(const FrameSpec& spec, Random* random, std::vector<Image>* images) {
  for (int i = 0; i < spec.count; ++i) {
    images->push_back(samples(spec.width, spec.height, spec.type));
    const test::Content content =
        spec.count == 1 ? spec.content : test::kContents[(static_cast<int>(spec.content) + i) % 4];
    test::fill(images->back().draw(), content, random->engine());
  }
}

// Difficult sizes: one pixel, single lines, sizes near those of vectors, words and thread blocks.
// With `all`, the largest ones, too.
inline std::vector<FrameSpec> hard_frames(bool all, Random* random) {
  std::vector<FrameSpec> specs;
  const auto add = [&](int width, int height) {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
      specs.push_back({width, height, type, test::kContents[random->below(4)]});
    }
  };
  for (const int width : {1, 2, 3, 5, 7, 8, 9, 15, 16, 17}) {
    for (const int height : {1, 2, 3, 4, 7}) add(width, height);
  }
  for (const int width :
       {31, 32, 33, 63, 64, 65, 97, 127, 128, 129, 255, 256, 257, 264, 511, 641}) {
    add(width, 1 + random->below(9));
    add(1 + random->below(9), width);
  }
  for (const int count : {2, 3, 31, 32}) {
    for (const int width : {1, 75, 257}) {
      add(width, width == 257 && !all ? 3 : 1 + random->below(33));
      specs.back().count = count;
      specs[specs.size() - 2].count = count;
    }
  }
  if (!all) return specs;
  for (const int side : {kMaxSide - 1, kMaxSide}) {
    for (const int other : {1, 3}) {
      add(side, other);
      add(other, side);
    }
  }
  return specs;
}

inline FrameSpec random_frame(Random* random, bool all) {
  const int most = all ? random->of({30, 60, 150}) : 60;
  return {1 + random->below(most), 1 + random->below(most),
          random->of({SampleType::kU8, SampleType::kU16}), test::kContents[random->below(4)],
          most < 100 && random->one_in(8) ? 1 + random->below(32) : 1};
}

// The frame of --bench: 640x480.
inline FrameSpec usual_frame() { return {640, 480, SampleType::kU16, test::Content::kScene}; }

}  // namespace rdp::bits

#endif  // RDP_TESTS_BITS_CASE_H_
