// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/test_pattern.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "common/image/float_environment.h"
#include "common/scene/hash_random.h"
#include "common/scene/pattern_geometry.h"

namespace rdp {
namespace {

constexpr int kPatchWidth = 24;
constexpr int kPatchHeight = 12;
constexpr int kPatchRaggedness = 8;

constexpr std::uint32_t kSmallestKnown = 1U << 16;  // 1/256 px

// The purpose of a random number of a frame.
enum Stream : std::uint64_t { kSamples = 100, kPatches, kPatchRows };

// 2^32 times the probability.
std::uint64_t threshold(double probability) {
  return static_cast<std::uint64_t>(std::floor(probability * 0x1p32));
}

// Defects added to exact disparities: noise and unknown samples.
struct Defects {
  std::int64_t noise_scale;  // from sum_of_bytes() to 2^-24 px, in 2^-16
  std::uint64_t single_threshold;
  std::uint64_t patch_threshold;

  explicit Defects(const TestPatternOptions& options) {
    const double noise = std::clamp(options.noise, 0.0, kMaxTestNoise);
    noise_scale =
        static_cast<std::int64_t>(std::floor(noise * 0x1p40 / kSumOfBytesDeviation + 0.5));
    // Singles and patches are independent, so 1 - ratio = (1 - single) * (1 - patch).
    const double ratio = std::clamp(options.unknown_ratio, 0.0, 1.0);
    const double single = 0.25 * ratio;
    single_threshold = threshold(single);
    patch_threshold = threshold(1.0 - (1.0 - ratio) / (1.0 - single));
  }
};

bool is_single(std::uint64_t bits, const Defects& defects) {
  return (((bits ^ (bits >> 29)) * kGoldenRatio64) >> 32) < defects.single_threshold;
}

// Adds noise and single unknown samples.
void disturb(std::span<const std::uint32_t> perfect, std::uint64_t row_key, const Defects& defects,
             std::uint32_t* row) {
  std::uint64_t counter = row_key;
  for (std::size_t c = 0; c < perfect.size(); ++c) {
    const std::uint64_t bits = mix_bits(counter += kGoldenRatio64);
    const std::int64_t noise = (sum_of_bytes(bits) * defects.noise_scale) >> 16;
    const std::int64_t value =
        std::clamp<std::int64_t>(perfect[c] + noise, kSmallestKnown, std::int64_t{0xFFFFFFFF});
    const bool unknown = perfect[c] == 0 || is_single(bits, defects);
    row[c] = unknown ? 0 : static_cast<std::uint32_t>(value);
  }
}

// Adds unknown patches: a wall of bricks, each missing independently. Courses begin at random
// places and rows are shifted a little, so no straight edges remain.
void punch(std::uint64_t frame_key, int row_number, const Defects& defects, int width,
           std::uint32_t* row) {
  const std::uint64_t course =
      sub_key(sub_key(frame_key, kPatches), static_cast<std::uint64_t>(row_number / kPatchHeight));
  HashSequence wobble(
      sub_key(sub_key(frame_key, kPatchRows), static_cast<std::uint64_t>(row_number)));
  const int shift = static_cast<int>(course % (kPatchWidth - kPatchRaggedness)) +
                    static_cast<int>(wobble.bits() % kPatchRaggedness);
  for (int brick = 0; brick * kPatchWidth - shift < width; ++brick) {
    if ((sub_key(course, static_cast<std::uint64_t>(brick)) >> 32) >= defects.patch_threshold) {
      continue;
    }
    const int first = std::max(brick * kPatchWidth - shift, 0);
    const int end = std::min((brick + 1) * kPatchWidth - shift, width);
    std::fill(row + first, row + std::max(first, end), 0U);
  }
}

template <typename Sample>
void store(Sample sample, std::byte* to) {
  std::memcpy(to, &sample, sizeof sample);
}

// Rounds to the nearest sample. `shift`: bits of 2^-24 px below a sample's last bit.
template <typename Sample, int shift>
void write_disparity(const std::uint32_t* row, int width, std::byte* to) {
  constexpr std::uint64_t kLargest = sizeof(Sample) == 1 ? 255 : 65535;
  for (int c = 0; c < width; ++c) {
    const std::uint64_t rounded = (row[c] + (std::uint64_t{1} << (shift - 1))) >> shift;
    const std::uint64_t known = std::clamp<std::uint64_t>(rounded, 1, kLargest);
    store(static_cast<Sample>(row[c] == 0 ? 0 : known), to + c * sizeof(Sample));
  }
}

// scale is the product of depth and disparity, in samples times 2^-24 px.
template <typename Sample>
void write_depth(const std::uint32_t* row, int width, double scale, std::byte* to) {
  constexpr double kLargest = sizeof(Sample) == 1 ? 255.0 : 65535.0;
  for (int c = 0; c < width; ++c) {
    const double depth = std::floor(scale / std::max(row[c], kSmallestKnown) + 0.5);
    const bool known = row[c] != 0 && depth <= kLargest;
    store(static_cast<Sample>(known ? std::max(depth, 1.0) : 0.0), to + c * sizeof(Sample));
  }
}

void write_row(const std::uint32_t* row, TestDomain domain, const TestCamera& camera,
               const MutableDepthView& frame, int r) {
  const bool bytes = frame.type == SampleType::kU8;
  std::byte* to = frame.row(r);
  if (domain == TestDomain::kDisparity) {
    bytes ? write_disparity<std::uint8_t, 24>(row, frame.width, to)
          : write_disparity<std::uint16_t, 16>(row, frame.width, to);
  } else {
    const double metre = camera.disparity(1.0) * 0x1p24;
    bytes ? write_depth<std::uint8_t>(row, frame.width, metre * 10.0, to)
          : write_depth<std::uint16_t>(row, frame.width, metre * 1000.0, to);
  }
}

void draw_random_samples(std::uint64_t frame_key, const Defects& defects,
                         const MutableDepthView& frame, std::uint32_t* row) {
  for (int r = 0; r < frame.height; ++r) {
    std::uint64_t counter = sub_key(sub_key(frame_key, kSamples), static_cast<std::uint64_t>(r));
    for (int c = 0; c < frame.width; ++c) {
      const std::uint64_t bits = mix_bits(counter += kGoldenRatio64);
      row[c] = is_single(bits, defects) ? 0 : static_cast<std::uint32_t>(bits >> 32);
    }
    punch(frame_key, r, defects, frame.width, row);
    for (int c = 0; c < frame.width; ++c) {
      frame.set(r, c,
                static_cast<std::uint16_t>(row[c] >> (frame.type == SampleType::kU8 ? 24 : 16)));
    }
  }
}

}  // namespace

void TestPatternRenderer::draw(std::uint64_t number, const TestPatternOptions& options,
                               const MutableDepthView& frame) {
  with_standard_floats([&] { draw_nearest(number, options, frame); });
}

void TestPatternRenderer::draw_nearest(std::uint64_t number, const TestPatternOptions& options,
                                       const MutableDepthView& frame) {
  if (options.pattern == TestPattern::kUnknown || options.pattern == TestPattern::kCrowd) {
    const std::size_t bytes = static_cast<std::size_t>(frame.width) * bytes_per_sample(frame.type);
    for (int r = 0; r < frame.height; ++r) std::memset(frame.row(r), 0, bytes);
    return;
  }
  const std::uint64_t frame_key = sub_key(mix_bits(options.seed), number);
  Defects defects(options);
  std::uint32_t* row = row_.ensure(static_cast<std::size_t>(frame.width));
  if (options.pattern == TestPattern::kNoise) {
    draw_random_samples(frame_key, defects, frame, row);
    return;
  }
  const TestCamera camera = camera_of_pattern(options.pattern, frame.width, frame.height);
  const bool room = is_indoors(options.pattern);
  if (room) {
    // A structured light camera has its own noise.
    defects.noise_scale = 0;
    room_.begin(number,
                {.seed = options.seed,
                 .parcels = options.pattern == TestPattern::kParcels,
                 .noise = std::clamp(options.noise, 0.0, kMaxTestNoise),
                 .bend = std::clamp(options.bend, 0.0, kMaxTestNoise)},
                frame.width, frame.height);
  } else {
    canvas_.begin(frame.width, frame.height);
    draw_pattern(number, options, {.camera = camera}, &canvas_);
  }
  const bool disturbs = defects.noise_scale != 0 || defects.single_threshold != 0;
  for (int r = 0; r < frame.height; ++r) {
    const std::span<const std::uint32_t> perfect = room ? room_.next_row() : canvas_.next_row();
    if (!disturbs) {
      write_row(perfect.data(), options.domain, camera, frame, r);
      continue;
    }
    disturb(perfect, sub_key(sub_key(frame_key, kSamples), static_cast<std::uint64_t>(r)), defects,
            row);
    if (defects.patch_threshold != 0) punch(frame_key, r, defects, frame.width, row);
    write_row(row, options.domain, camera, frame, r);
  }
}

}  // namespace rdp
