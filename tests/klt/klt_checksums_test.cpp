// SPDX-License-Identifier: LGPL-2.1-or-later
// Checksums of all results with Warp::kAffine, for the reference, the engine on every SIMD target,
// and intermediate numbers of the reference. Three independent programs, written from the
// definition alone, gave the same.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "common/klt/engine.h"
#include "common/klt/reference.h"
#include "common/scene/test_picture.h"
#include "tests/support/test_frame.h"
#ifdef RDP_TEST_HAVE_PNG
#include "tests/bench/motion_pairs.h"
#endif

namespace rdp::klt {
namespace {

// FNV-1a of 64 bits, over the little-endian bytes of numbers.
class Fnv {
 public:
  void add(std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      value_ = (value_ ^ (number >> (8 * i) & 255)) * 1099511628211U;
    }
  }
  void add(float number) { add(std::bit_cast<std::uint32_t>(number), 4); }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number), 8); }
  void add_pixels(float number) { add(static_cast<std::uint32_t>(exact_fixed(number)), 4); }
  void add_warp(float entry) {
    add(static_cast<std::uint32_t>(static_cast<int>(entry * kUnit)), 4);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 1469598103934665603U;
};

void add_frame(const Result& result, Fnv* sum) {
  sum->add(result.tracks.size(), 4);
  sum->add(result.lost.size(), 4);
  for (std::size_t i = 0; i < result.tracks.size(); ++i) {
    const Track& track = result.tracks[i];
    sum->add(track.id, 4);
    sum->add(track.age, 4);
    for (const float pixels : {track.x, track.y, track.dx, track.dy}) sum->add_pixels(pixels);
    sum->add(track.residual);
    sum->add(track.quality);
    if (result.warps.empty()) continue;
    const TrackWarp& warp = result.warps[i];
    for (const float entry : {warp.a, warp.b, warp.c, warp.d}) sum->add_warp(entry);
    sum->add(warp.residual);
    sum->add(warp.age, 4);
  }
  for (const Lost& lost : result.lost) {
    sum->add(lost.id, 4);
    sum->add(static_cast<std::uint64_t>(lost.reason), 4);
    sum->add_pixels(lost.x);
    sum->add_pixels(lost.y);
  }
}

// A sequence of pictures; empty if not recorded.
struct Sequence {
  int width = 0;
  int height = 0;
  std::vector<std::vector<std::uint8_t>> pictures;

  DepthView view(std::size_t i) const {
    return {reinterpret_cast<const std::byte*>(pictures[i].data()), width, width, height,
            SampleType::kU8};
  }
};

Sequence recorded(const std::vector<std::string>& names) {
  Sequence sequence;
#ifdef RDP_TEST_HAVE_PNG
  const auto folder = bench::motion_folder();
  if (!folder.has_value()) return sequence;
  for (const std::string& name : names) {
    bench::GrayPicture picture = bench::read_gray_picture(*folder / name);
    if (picture.width == 0) return {};
    sequence.width = picture.width;
    sequence.height = picture.height;
    sequence.pictures.push_back(std::move(picture.pixels));
  }
#else
  static_cast<void>(names);
#endif
  return sequence;
}

Sequence kitti_06() {
  std::vector<std::string> names;
  for (int i = 0; i < 16; ++i) {
    names.push_back("kitti_odo06/L_0000" + std::string(i < 10 ? "0" : "") + std::to_string(i) +
                    ".png");
  }
  return recorded(names);
}
Sequence pair_27() { return recorded({"kitti2012/000027_10_L.png", "kitti2012/000027_11_L.png"}); }
Sequence pair_174() { return recorded({"kitti2012/000174_10_L.png", "kitti2012/000174_11_L.png"}); }
Sequence rubber_whale() {
  return recorded({"middlebury/RubberWhale_frame10.png", "middlebury/RubberWhale_frame11.png"});
}

Sequence scene(TestPattern pattern) {
  Sequence sequence{1240, 376, {}};
  TestPatternOptions options;
  options.pattern = pattern;
  options.noise = 1.0;
  TestPictureRenderer renderer;
  for (std::uint64_t i = 0; i < 31; ++i) {
    std::vector<std::uint8_t>& picture =
        sequence.pictures.emplace_back(static_cast<std::size_t>(sequence.width * sequence.height));
    renderer.draw(i, options, Eye::kLeft,
                  {reinterpret_cast<std::byte*>(picture.data()), sequence.width, sequence.width,
                   sequence.height, SampleType::kU8});
  }
  return sequence;
}
Sequence street() { return scene(TestPattern::kStreet); }
Sequence traffic() { return scene(TestPattern::kTraffic); }

struct Run {
  const char* name;
  Sequence (*pictures)();
  Parameters parameters;
  std::uint64_t expected;
  std::uint64_t numbers;  // 0: not known
};

Parameters affine(int window = 12, Light light = Light::kBias, int levels = 4, int cell = 16) {
  Parameters parameters;
  parameters.warp = Warp::kAffine;
  parameters.window = window;
  parameters.light = light;
  parameters.levels = levels;
  parameters.cell = cell;
  return parameters;
}

const Run kRuns[] = {
    {"Kitti06Translation", kitti_06, {}, 0x9c0be89b16c62750U, 0},
    {"Kitti06", kitti_06, affine(), 0x31d990d657669af2U, 0x29181d641e879852U},
    {"Kitti06None", kitti_06, affine(12, Light::kNone), 0x46290635689b62a8U, 0x53b9857ce075b78cU},
    {"Kitti06GainBias", kitti_06, affine(12, Light::kGainBias), 0xb6341b1612bd44cbU,
     0xe135f8be66840f86U},
    {"Kitti06Window16", kitti_06, affine(16), 0x85456a4f19da1114U, 0},
    {"Kitti06Window31", kitti_06, affine(31), 0x7afdabe9276eec12U, 0},
    {"Kitti27", pair_27, affine(12, Light::kBias, 5, 8), 0xb8c8d3d02121edb0U, 0},
    {"Kitti174", pair_174, affine(12, Light::kBias, 5, 8), 0xcec037fd71cc1f19U, 0},
    {"RubberWhale", rubber_whale, affine(12, Light::kBias, 4, 8), 0x77c6bc88d31e9cb7U, 0},
    {"Street", street, affine(), 0x16eac241aa238dd7U, 0},
    {"Traffic", traffic, affine(), 0x4cc7443dc20c642aU, 0},
};

// Runs whose scalar reference takes seconds. Elsewhere tests/bits compares it with the engine.
std::vector<Run> short_runs() {
  std::vector<Run> runs;
  for (const Run& run : kRuns) {
    if (run.numbers != 0 || run.parameters.cell == 8) runs.push_back(run);
  }
  return runs;
}

struct KltEngineChecksums : testing::TestWithParam<Run> {};
struct KltReferenceChecksums : testing::TestWithParam<Run> {};

TEST_P(KltEngineChecksums, AreTheDefinitions) {
  const Sequence sequence = GetParam().pictures();
  if (sequence.pictures.empty()) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA has no pictures of motion";
  const auto check = [&] {
    Engine engine(2);
    State state;
    Fnv sum;
    for (std::size_t i = 0; i < sequence.pictures.size(); ++i) {
      add_frame(engine.track({sequence.view(i), {}, {}}, GetParam().parameters, &state), &sum);
      state.commit();
    }
    EXPECT_EQ(sum.value(), GetParam().expected);
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr bool kSlow = true;  // the code is not optimized: see common/meson.build
#else
  constexpr bool kSlow = false;
#endif
  if (kSlow || GetParam().parameters.window > 16 || sequence.pictures.size() > 16) {
    check();
  } else {
    test::on_every_simd_target(check);
  }
}

TEST_P(KltReferenceChecksums, AreTheDefinitions) {
  const Sequence sequence = GetParam().pictures();
  if (sequence.pictures.empty()) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA has no pictures of motion";
  Fnv sum, numbers;
  reference::State state;
  for (std::size_t i = 0; i < sequence.pictures.size(); ++i) {
    reference::Result result;
    std::vector<double> trace;
    state = reference::advance(state, {sequence.view(i), {}, {}}, GetParam().parameters, &result,
                               &trace);
    add_frame({result.tracks, result.lost, result.warps}, &sum);
    for (const double number : trace) numbers.add(number);
  }
  EXPECT_EQ(sum.value(), GetParam().expected);
  if (GetParam().numbers != 0) {
    EXPECT_EQ(numbers.value(), GetParam().numbers);
  }
}

std::string name_of(const testing::TestParamInfo<Run>& run) { return run.param.name; }
INSTANTIATE_TEST_SUITE_P(All, KltEngineChecksums, testing::ValuesIn(kRuns), name_of);
INSTANTIATE_TEST_SUITE_P(Short, KltReferenceChecksums, testing::ValuesIn(short_runs()), name_of);

}  // namespace
}  // namespace rdp::klt
