// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/stereo/stereo_patterns.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <iterator>

#include "common/scene/hash_random.h"
#include "tests/support/compare.h"

namespace rdp::test {
namespace {

// Indices of the sub-seeds.
enum Part : std::uint64_t { kRightPart, kLeftPart, kLevelPart, kLeftMaskPart, kRightMaskPart };

std::uint64_t bits_at(std::uint64_t key, int row, int column) {
  return sub_key(sub_key(key, static_cast<std::uint64_t>(row)), static_cast<std::uint64_t>(column));
}
std::uint16_t byte_at(std::uint64_t key, int row, int column) {
  return static_cast<std::uint16_t>(bits_at(key, row, column) >> 56);
}

template <typename Sample>
void each_pixel(const MutableDepthView& view, const Sample& sample) {
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) {
      view.set(row, column, static_cast<std::uint16_t>(sample(row, column)));
    }
  }
}

// Draws a random right view, and a left one that is the right one shifted by disparity(row,
// column). Pixels from outside the right view get independent noise.
template <typename Disparity>
void draw_moved(const MutablePair& pair, std::uint64_t seed, const Disparity& disparity) {
  const std::uint64_t right = sub_key(seed, kRightPart);
  const std::uint64_t left = sub_key(seed, kLeftPart);
  each_pixel(pair.right, [&](int row, int column) { return byte_at(right, row, column); });
  each_pixel(pair.left, [&](int row, int column) {
    const int from = column - disparity(row, column);
    return from < 0 || from >= pair.right.width ? byte_at(left, row, column)
                                                : pair.right.at(row, from);
  });
}

void draw_levels(const MutablePair& pair, std::uint64_t seed, const std::uint16_t* levels,
                 std::uint64_t count) {
  for (const auto& [view, part] : {std::pair(pair.left, kLeftPart), {pair.right, kRightPart}}) {
    const std::uint64_t key = sub_key(seed, part);
    each_pixel(view, [&, key = key](int row, int column) {
      return levels[(bits_at(key, row, column) >> 32) % count];
    });
  }
}

int last_disparity(const stereo::Parameters& parameters) {
  return parameters.min_disparity + parameters.disparities - 1;
}

// One of the ends, or any value between them, in steps.
int somewhere(int low, int high, int step, std::mt19937* random) {
  switch ((*random)() % 4) {
    case 0:
      return low;
    case 1:
      return low + (high - low) / step * step;
    default:
      return low +
             static_cast<int>((*random)() % static_cast<unsigned>((high - low) / step + 1)) * step;
  }
}

Layout random_layout(std::mt19937* random) {
  return {static_cast<int>((*random)() % 9), static_cast<int>((*random)() % 3)};
}

bool has_left(MaskKind kind) { return kind != MaskKind::kNone && kind != MaskKind::kRight; }
bool has_right(MaskKind kind) { return kind != MaskKind::kNone && kind != MaskKind::kLeft; }

std::optional<TestFrame> mask_frame(bool wanted, const PairCase& pair_case) {
  if (!wanted) return std::nullopt;
  return std::optional<TestFrame>(std::in_place, pair_case.width, pair_case.height, SampleType::kU8,
                                  pair_case.masks);
}

MutableDepthView view_of(const std::optional<TestFrame>& frame) {
  return frame ? frame->view() : MutableDepthView{};
}

bool same(const std::optional<TestFrame>& a, const std::optional<TestFrame>& b) {
  return a.has_value() == b.has_value() && (!a || *a == *b);
}

}  // namespace

const char* name_of(PairKind kind) {
  constexpr std::array<const char*, kPairKinds> kNames = {"textured",  "noise",     "constant",
                                                          "saturated", "repeated",  "half black",
                                                          "extremes",  "few levels"};
  return kNames[static_cast<std::size_t>(kind)];
}

int true_disparity(int width, int height, const stereo::Parameters& parameters, int row,
                   int column) {
  // Disparities visible in at least half of the width, if the range has any.
  const int low = parameters.min_disparity;
  const int high = std::clamp(width / 2, low, last_disparity(parameters));
  const int range = high - low;
  const bool upper = row >= height / 8 && row < height / 2 && column >= width / 2;
  const bool lower = row >= height * 5 / 8 && row < height * 7 / 8 && column >= width / 4 &&
                     column < width * 3 / 4;
  if (upper) return low + range * 3 / 4;
  if (lower) return high;
  // The plane comes nearer slowly from row to row, because a census spans seven rows.
  return low + range * row / (4 * std::max(height, 1));
}

void draw_pair(PairKind kind, const MutablePair& pair, const stereo::Parameters& parameters,
               std::uint64_t seed) {
  const int width = pair.left.width;
  const int height = pair.left.height;
  const auto textured = [&](int row, int column) {
    return true_disparity(width, height, parameters, row, column);
  };
  switch (kind) {
    case PairKind::kTextured:
      return draw_moved(pair, seed, textured);
    case PairKind::kNoise:
      // A shift by the width makes independent noise.
      return draw_moved(pair, seed, [&](int, int) { return width; });
    case PairKind::kConstant: {
      const auto level = byte_at(seed, 0, 0);
      each_pixel(pair.left, [&](int, int) { return level; });
      each_pixel(pair.right, [&](int, int) { return level; });
      return;
    }
    case PairKind::kSaturated:
      // The last disparity at the top, increasingly beyond it below.
      return draw_moved(pair, seed, [&](int row, int) {
        return last_disparity(parameters) + row * 4 / std::max(height, 1);
      });
    case PairKind::kRepeated: {
      const int period = 2 + static_cast<int>(seed % 7);
      const std::uint64_t key = sub_key(seed, kRightPart);
      const auto sample = [&](int row, int column) {
        return byte_at(key, row / 4, column % period);
      };
      each_pixel(pair.left, sample);
      each_pixel(pair.right, sample);
      return;
    }
    case PairKind::kHalfBlack:
      draw_moved(pair, seed, textured);
      for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
          if (row * 2 >= height) pair.right.set(row, column, 0);
          if (column * 2 >= width) pair.left.set(row, column, 0);
        }
      }
      return;
    case PairKind::kExtremes: {
      const std::uint16_t levels[] = {0, 1, 254, 255};
      return draw_levels(pair, seed, levels, std::size(levels));
    }
    case PairKind::kFewLevels: {
      const auto level = static_cast<std::uint16_t>(bits_at(seed, 0, kLevelPart) % 255);
      const std::uint16_t levels[] = {level, static_cast<std::uint16_t>(level + 1)};
      return draw_levels(pair, seed, levels, std::size(levels));
    }
  }
}

void draw_masks(MaskKind kind, const MutablePair& pair, std::uint64_t seed) {
  for (const auto& [view, part] :
       {std::pair(pair.left_mask, kLeftMaskPart), {pair.right_mask, kRightMaskPart}}) {
    if (view.data == nullptr) continue;
    const std::uint64_t key = sub_key(seed, part);
    each_pixel(view, [&, rows = view.height](int row, int column) {
      bool seen = true;
      if (kind == MaskKind::kNotSeen) seen = false;
      if (kind == MaskKind::kHoles) seen = bits_at(key, row, column) >> 61 != 0;
      if (kind == MaskKind::kBorders || kind == MaskKind::kLeft || kind == MaskKind::kRight) {
        // A few columns on the left, more of them further down, and the last rows.
        const int columns = 1 + static_cast<int>(key % 5) + row / 8;
        seen = column >= columns && row + 1 + static_cast<int>(key / 8 % 3) < rows;
      }
      return seen ? 255 : 0;
    });
  }
}

std::vector<stereo::Parameters> stereo_parameter_sets() {
  std::vector<stereo::Parameters> sets(1);
  const auto add = [&sets](const auto& change) { change(sets.emplace_back()); };
  for (const int disparities : {16, 32, 48, 64, 112, 144, 240, 256}) {
    add([&](auto& p) { p.disparities = disparities; });
  }
  for (const int smallest : {1, 15, 64, 128, -1, -5, -16, -23, -128, -240}) {
    add([&](auto& p) { p.min_disparity = smallest; });
  }
  for (const int smallest : {240, -3, -8, -15, -16, -40, -240}) {
    add([&](auto& p) { p.disparities = 16, p.min_disparity = smallest; });
  }
  add([](auto& p) { p.disparities = 256, p.min_disparity = -30, p.paths = 8; });
  add([](auto& p) { p.paths = 8; });
  for (const auto& [p1, p2] : {std::pair(0, 1), {0, 0}, {1, 1}, {127, 127}, {127, 224}, {7, 224}}) {
    for (const int paths : {4, 8}) {
      add([&, small = p1, large = p2](auto& p) {
        p.p1 = small;
        p.p2 = large;
        p.paths = paths;
      });
    }
  }
  for (const int percent : {0, 1, 33, 50}) add([&](auto& p) { p.uniqueness = percent; });
  for (const int most : {-1, 0, 2, 255}) add([&](auto& p) { p.max_left_right = most; });
  for (const int least : {1, 20, 255}) add([&](auto& p) { p.min_confidence = least; });
  for (const int side : {0, 5}) add([&](auto& p) { p.median = side; });
  for (const int size : {0, 1, 2, 65535}) add([&](auto& p) { p.speckle_size = size; });
  for (const int range : {0, 1, 16 * stereo::kDisparityOne}) {
    add([&](auto& p) { p.speckle_range = range; });
  }
  // All checks off: every pixel is valid, so every winner is visible.
  add([](auto& p) {
    p.uniqueness = 0;
    p.max_left_right = -1;
    p.median = 0;
    p.speckle_size = 0;
  });
  return sets;
}

stereo::Parameters random_stereo_parameters(std::mt19937* random) {
  stereo::Parameters p;
  const auto one_of_four = [&] { return (*random)() % 4 == 0; };
  p.disparities = somewhere(16, 256, stereo::kDisparityStep, random);
  // From the smallest side as often as from the largest.
  if (one_of_four()) p.disparities = 16 * (1 + static_cast<int>((*random)() % 4));
  // Among negative values, prefer those that fit a small picture.
  constexpr int kMost = stereo::kMaxMinDisparity;
  if (one_of_four()) {
    p.min_disparity = somewhere(-kMost, std::min(kMost, 256 - p.disparities), 1, random);
  } else if (one_of_four()) {
    p.min_disparity = somewhere(-40, -1, 1, random);
  }
  p.paths = (*random)() % 2 == 0 ? 4 : 8;
  p.p1 = one_of_four() ? somewhere(0, 127, 1, random) : static_cast<int>((*random)() % 12);
  p.p2 = somewhere(p.p1, stereo::kMaxPenalty, 1, random);
  p.uniqueness = one_of_four() ? somewhere(0, 50, 1, random) : static_cast<int>((*random)() % 8);
  p.max_left_right =
      one_of_four() ? somewhere(-1, 255, 1, random) : static_cast<int>((*random)() % 4) - 1;
  p.min_confidence = one_of_four() ? somewhere(0, 255, 1, random) : 0;
  p.median = std::array{0, 3, 5}[(*random)() % 3];
  // Typical sizes of components in a small frame.
  p.speckle_size =
      one_of_four() ? somewhere(0, 65535, 1, random) : static_cast<int>((*random)() % 60);
  p.speckle_range = one_of_four() ? somewhere(0, 16 * stereo::kDisparityOne, 1, random)
                                  : static_cast<int>((*random)() % 512);
  return p;
}

std::string text_of(const PairCase& c) {
  const stereo::Parameters& p = c.parameters;
  char text[320];
  std::snprintf(text, sizeof text,
                "%dx%d, %s, masks %d, seed %llu: disparities %d from %d, %d paths, p1 %d, p2 %d, "
                "uniqueness %d, max-left-right %d, min-confidence %d, median %d, speckles %d, %d",
                c.width, c.height, name_of(c.kind), static_cast<int>(c.mask),
                static_cast<unsigned long long>(c.seed), p.disparities, p.min_disparity, p.paths,
                p.p1, p.p2, p.uniqueness, p.max_left_right, p.min_confidence, p.median,
                p.speckle_size, p.speckle_range);
  return text;
}

PairCase random_pair_case(std::mt19937* random, int most_cells) {
  PairCase result;
  result.parameters = random_stereo_parameters(random);
  const int most_pixels = std::max(most_cells / result.parameters.disparities, 1);
  // Wide ones more often than tall ones; sides of 1 now and then.
  const int most_width = std::min(most_pixels, (*random)() % 8 == 0 ? 2000 : 300);
  result.width = somewhere(1, most_width, 1, random);
  result.height = somewhere(1, std::clamp(most_pixels / result.width, 1, 200), 1, random);
  result.kind = static_cast<PairKind>((*random)() % kPairKinds);
  // The matchable kind as often as all kinds together.
  if ((*random)() % 2 == 0) result.kind = PairKind::kTextured;
  if ((*random)() % 3 == 0) result.mask = static_cast<MaskKind>((*random)() % kMaskKinds);
  result.seed = (*random)();
  result.left = random_layout(random);
  result.right = random_layout(random);
  result.masks = random_layout(random);
  result.disparity = random_layout(random);
  result.confidence = random_layout(random);
  result.want_confidence = (*random)() % 4 != 0;
  return result;
}

std::vector<PairCase> hard_pair_cases() {
  constexpr int kSizes[][2] = {{1, 1},   {1, 9},   {9, 1},   {2, 2},   {4, 3},  {5, 4},
                               {16, 16}, {17, 5},  {31, 33}, {63, 2},  {64, 8}, {65, 7},
                               {129, 3}, {3, 129}, {300, 1}, {1, 300}, {97, 21}};
  std::vector<PairCase> cases;
  std::mt19937 random(1);
  for (const auto& [width, height] : kSizes) {
    for (int kind = 0; kind < kPairKinds; ++kind) {
      PairCase c = random_pair_case(&random, 1);
      c.width = width;
      c.height = height;
      c.kind = static_cast<PairKind>(kind);
      cases.push_back(c);
    }
  }
  // The whole search range lies outside the picture.
  for (const int width : {1, 16, 40}) {
    PairCase c = random_pair_case(&random, 1);
    c.width = width;
    c.height = 12;
    c.kind = PairKind::kTextured;
    c.parameters.disparities = 64;
    c.parameters.min_disparity = width + 3;
    cases.push_back(c);
    c.parameters.min_disparity = -(width + 3 + 64);
    cases.push_back(c);
  }
  return cases;
}

StereoPair::StereoPair(const PairCase& c)
    : left_(c.width, c.height, SampleType::kU8, c.left),
      right_(c.width, c.height, SampleType::kU8, c.right),
      left_mask_(mask_frame(has_left(c.mask), c)),
      right_mask_(mask_frame(has_right(c.mask), c)) {
  draw_pair(c.kind, writable(), c.parameters, c.seed);
  draw_masks(c.mask, writable(), c.seed);
}

stereo::Pair StereoPair::pair() const {
  const MutablePair views = writable();
  return {views.left, views.right, views.left_mask, views.right_mask};
}

MutablePair StereoPair::writable() const {
  return {left_.view(), right_.view(), view_of(left_mask_), view_of(right_mask_)};
}

bool StereoPair::operator==(const StereoPair& other) const {
  return left_ == other.left_ && right_ == other.right_ && same(left_mask_, other.left_mask_) &&
         same(right_mask_, other.right_mask_);
}

StereoResult::StereoResult(const PairCase& c)
    : disparity_(c.width, c.height, SampleType::kU16, c.disparity) {
  if (c.want_confidence) {
    confidence_.emplace(c.width, c.height, SampleType::kU8, c.confidence);
  }
}

stereo::Result StereoResult::result() const { return {disparity_.view(), view_of(confidence_)}; }

bool StereoResult::intact() const {
  return disparity_.intact() && (!confidence_ || confidence_->intact());
}

std::string first_difference(const StereoResult& expected, const StereoResult& actual) {
  if (!actual.intact()) return "bytes outside of the rows were written";
  std::string text = first_difference(expected.disparity(), actual.disparity());
  if (!text.empty()) return "disparity, " + text;
  const MutableDepthView wanted = expected.result().confidence;
  const MutableDepthView got = actual.result().confidence;
  if (wanted.data == nullptr || got.data == nullptr) return {};
  text = first_difference(wanted, got);
  return text.empty() ? text : "confidence, " + text;
}

}  // namespace rdp::test
