// SPDX-License-Identifier: LGPL-2.1-or-later
// Cases of Warp::kAffine that recorded frames do not reach, worked out by hand.
#include "common/klt/registration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "common/klt/engine.h"
#include "common/klt/patch.h"
#include "common/klt/picture_rows.h"
#include "common/klt/reference_registration.h"
#include "tests/klt/klt_frames.h"

namespace rdp::klt {
namespace {

using test::TestFrame;

constexpr int kSide = 12;
// The place of a window whose samples are pixels.
constexpr Place kMiddle{20 * kPixel + kPixel / 2, 20 * kPixel + kPixel / 2};

StepRules rules_of(Light light) {
  Parameters parameters;
  parameters.light = light;
  parameters.warp = Warp::kAffine;
  return step_rules(parameters);
}

// The outcome of registering a track that stayed where it was, by the reference.
Registered by_reference(const TestFrame& frame, const StepRules& rules, bool may_take) {
  const reference::Pyramid pyramid = reference::pyramid_of(frame.view());
  reference::Shape shape;
  return reference::register_track(pyramid[0], pyramid[0], kMiddle, kMiddle, may_take, rules,
                                   &shape, nullptr);
}

// The same by the engine's function.
Registered by_engine(const TestFrame& frame, const StepRules& rules, bool may_take) {
  Picture picture;
  picture.prepare(frame.view().width, frame.view().height);
  const LevelView& level = picture.level(0);
  std::vector<std::int16_t> rows(row_scratch(level.width));
  frame_rows(frame.view(), 0, level.height, level);
  complete_level(level);
  gradient_rows(level, -kExtension, level.height + kExtension, rows.data());
  const auto grid = std::make_unique<PatchGrid>();
  grid->prepare(rules.window);
  PatchStore store;
  store.reserve(1, rules.window);
  TrackShape shape;
  return register_track({&level, &level, grid.get(), rules}, kMiddle, kMiddle, may_take, &shape,
                        store.patch(0));
}

TestFrame picture(const std::function<int(int, int)>& sample) {
  TestFrame frame(41, 41, SampleType::kU8, {3, 1});
  for (int row = 0; row < 41; ++row) {
    for (int column = 0; column < 41; ++column) {
      frame.view().set(row, column, static_cast<std::uint16_t>(sample(row, column)));
    }
  }
  return frame;
}

// A flat window, whose rim has slopes: light cannot be projected out of it.
TEST(KltRegistration, AFlatPatchIsNotTakenWithLight) {
  const TestFrame frame = picture([](int row, int column) {
    const bool inside = row >= 15 && row < 27 && column >= 15 && column < 27;
    return inside ? 100 : 200;
  });
  for (const Light light : {Light::kNone, Light::kBias, Light::kGainBias}) {
    for (const auto& by : {by_reference, by_engine}) {
      const Registered outcome = by(frame, rules_of(light), true);
      EXPECT_EQ(outcome.took, light == Light::kNone);
      EXPECT_EQ(outcome.age, light == Light::kNone ? 1U : 0U);
      EXPECT_EQ(outcome.reason, Reason::kTracked);
      EXPECT_EQ(outcome.place.x, kMiddle.x);
    }
  }
}

// A patch without slopes across has no solution: d0 is 0.
TEST(KltRegistration, AnUnsolvablePatchLosesTheTrack) {
  const TestFrame frame = picture([](int row, int) { return 5 * row; });
  for (const auto& by : {by_reference, by_engine}) {
    const Registered outcome = by(frame, rules_of(Light::kNone), true);
    EXPECT_TRUE(outcome.took);
    EXPECT_EQ(outcome.reason, Reason::kTemplate);
    EXPECT_FALSE(by(frame, rules_of(Light::kNone), false).took);
  }
  PatchSums sums{};
  EXPECT_FALSE(equations_of(sums, kSide, Light::kNone).solvable);
  sums.jj[of_triangle(0, 0)] = sums.jj[of_triangle(1, 1)] = 1000;
  EXPECT_TRUE(equations_of(sums, kSide, Light::kNone).solvable);  // the others are damped
  sums.jj[of_triangle(1, 0)] = 1000;
  EXPECT_FALSE(equations_of(sums, kSide, Light::kNone).solvable);
}

TEST(KltRegistration, WholeWarpsAreClamped) {
  TrackShape shape;
  shape.warp = {kMaxWarp, 3, -kMaxWarp, kUnit};
  shape.before = {kMaxWhole, -1, 0, kMaxWhole};
  const Affine whole = whole_warp(shape);
  EXPECT_EQ(whole.a00, kMaxWhole);
  EXPECT_EQ(whole.a01, (-kMaxWarp + 3 * kMaxWhole + 8192) >> 14);
  EXPECT_EQ(whole.a10, -kMaxWhole);
  EXPECT_EQ(whole.a11, kMaxWhole);
  EXPECT_EQ(track_warp(whole, 0.0, 0).a, 1024.0F - 1.0F / kUnit);
  const TrackShape dropped = without_patch(shape);
  EXPECT_EQ(dropped.before.a10, -kMaxWhole);
  EXPECT_EQ(dropped.warp.a00, kUnit);
  EXPECT_FALSE(dropped.has_patch);
}

TEST(KltRegistration, WindowsLieInTheFrame) {
  const int reach = 512 * (kSide - 1);
  EXPECT_EQ(reach_of(kUnit, 0, kSide), reach);
  EXPECT_TRUE(holds_window({reach, reach}, {}, kSide, 41, 41));
  EXPECT_FALSE(holds_window({reach - 1, reach}, {}, kSide, 41, 41));
  EXPECT_TRUE(holds_window({39 * kPixel - reach, reach}, {}, kSide, 41, 41));
  EXPECT_FALSE(holds_window({39 * kPixel - reach + 1, reach}, {}, kSide, 41, 41));
  EXPECT_FALSE(holds_window({reach, reach}, {kUnit, 0, 1000, kUnit}, kSide, 41, 41));
  EXPECT_FALSE(holds_window({6 * kPixel, 6 * kPixel}, {}, kSide, kSide, kSide));
}

TEST(KltRegistration, StepsThatGoTooFarAreMisfits) {
  const StepRules rules = rules_of(Light::kBias);
  const auto move = [&](const PatchStep& step) {
    Registration window{{}, kMiddle};
    return move_window(step, kMiddle, rules, 41, 41, &window);
  };
  EXPECT_EQ(move({{0, 0, 0, 0, 0, 0}}), Fit::kFits);
  EXPECT_EQ(move({{0, 0, 0.5, 0, 0, 0.5}}), Fit::kMisfit);  // a scale of 2 each
  EXPECT_EQ(move({{0, 0, 0.4, 0, 0, 0.5}}), Fit::kFits);
  EXPECT_EQ(move({{0, 0, -0.5, 0, 0, 0}}), Fit::kMisfit);
  // A step of 1536 / 1024 px is the last one that max-correction allows.
  EXPECT_EQ(move({{1.5, 0, 0, 0, 0, 0}}), Fit::kFits);
  EXPECT_EQ(move({{1.501, 0, 0, 0, 0, 0}}), Fit::kMisfit);
  EXPECT_EQ(move({{15.1, 0, 0, 0, 0, 0}}), Fit::kSkipped);
}

TEST(KltRegistration, PatchesWear) {
  EXPECT_FALSE(is_worn({}, 8.0, 8.0));
  EXPECT_TRUE(is_worn({}, 8.1, 8.0));
  EXPECT_FALSE(is_worn({}, 99.0, 0.0));
  EXPECT_FALSE(is_worn({24576, 0, 0, kUnit}, 0.0, 0.0));  // 3 * 2^27
  EXPECT_TRUE(is_worn({24577, 0, 0, kUnit}, 0.0, 0.0));
  EXPECT_TRUE(is_worn({10922, 0, 0, kUnit}, 0.0, 0.0));  // 3 times it is below 2^29
  EXPECT_FALSE(is_worn({10923, 0, 0, kUnit}, 0.0, 0.0));
  EXPECT_TRUE(is_worn({kUnit, -16385, 0, kUnit}, 0.0, 0.0));
}

// More tracks than may have a patch: the first ones take one, those at the border excepted.
TEST(KltRegistration, PatchesAreBounded) {
  EXPECT_EQ(most_patches(640, 480, 16), 2 * 1200 + 8192);
  const TestFrame frame = test::klt_picture(test::PictureKind::kNoise, 400, 400, 3);
  std::vector<Point> points;
  for (int row = 0; row < 100; ++row) {
    for (int column = 0; column < 100; ++column) {
      points.push_back({4.0F * static_cast<float>(column) + 1.0F,
                        4.0F * static_cast<float>(row) + 1.0F, 0.0F, 0.0F});
    }
  }
  Parameters parameters;
  parameters.warp = Warp::kAffine;
  parameters.detector = Detector::kNone;
  parameters.window = 8;
  parameters.levels = 1;
  parameters.check = parameters.min_eigenvalue = 0.0;
  parameters.cell = 400;
  const auto taken = static_cast<std::size_t>(most_patches(400, 400, 400));
  Engine engine(2);
  State state;
  ASSERT_GT(engine.track({frame.view(), {}, points}, parameters, &state).tracks.size(), taken);
  state.commit();
  const Result result = engine.track({frame.view(), {}, {}}, parameters, &state);
  std::size_t fitted = 0;
  for (std::size_t i = 0; i < result.warps.size(); ++i) {
    fitted += result.warps[i].age;
    EXPECT_LE(result.warps[i].age, i < taken ? 1U : 0U) << i;
  }
  EXPECT_EQ(result.templates, fitted);
  EXPECT_GT(fitted, taken * 9 / 10);
  reference::Result expected;
  const reference::State before =
      reference::advance({}, {frame.view(), {}, points}, parameters, &expected);
  reference::advance(before, {frame.view(), {}, {}}, parameters, &expected);
  EXPECT_EQ(expected.templates, fitted);
  EXPECT_EQ(expected.warps[taken].age, 0U);
}

}  // namespace
}  // namespace rdp::klt
