// SPDX-License-Identifier: LGPL-2.1-or-later
// The definition of tracked features: small cases worked out by hand, and invariants.
#include "common/klt/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "tests/klt/klt_frames.h"

namespace rdp::klt {
namespace {

using reference::Result;
using reference::State;
using test::klt_picture;
using test::PictureKind;
using test::TestFrame;

template <typename Sample>
TestFrame picture(int width, int height, const Sample& sample) {
  TestFrame frame(width, height, SampleType::kU8, {3, 1});
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      frame.view().set(row, column, static_cast<std::uint16_t>(sample(row, column)));
    }
  }
  return frame;
}

Input input_of(const TestFrame& frame, std::span<const Point> points = {}) {
  return {frame.view(), {}, points};
}

Parameters without_detector() {
  Parameters parameters;
  parameters.detector = Detector::kNone;
  return parameters;
}

TEST(Pyramid, ShowsItsMirrorImage) {
  const int expected[] = {3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1};
  for (int i = -3; i <= 7; ++i) EXPECT_EQ(mirrored(i, 4), expected[i + 3]) << i;
  for (int i = -32; i <= 32; ++i) {
    EXPECT_EQ(mirrored(i, 1), 0);
    EXPECT_EQ(mirrored(i, 2), std::abs(i) % 2);
  }
}

TEST(Pyramid, OfARampIsTwiceAsSteep) {
  const TestFrame ramp = picture(21, 7, [](int, int column) { return 4 * column; });
  const reference::Pyramid pyramid = reference::pyramid_of(ramp.view());
  ASSERT_EQ(pyramid.size(), 6U);  // 21, 11, 6, 3, 2, 1
  EXPECT_EQ(pyramid[1].width, 11);
  EXPECT_EQ(pyramid[1].height, 4);
  EXPECT_EQ(pyramid[5].width, 1);
  for (int column = 1; column < 10; ++column) EXPECT_EQ(pyramid[1].pixel(2, column), 8 * column);
  EXPECT_EQ(pyramid[1].pixel(2, 0), 3);  // (6 * 0 + 2 * 4 * 4 + 2 * 8) / 16
  for (int column = 1; column < 20; ++column) {
    EXPECT_EQ(pyramid[0].gradient_x(3, column), 32 * 4);
    EXPECT_EQ(pyramid[0].gradient_y(3, column), 0);
  }
  EXPECT_EQ(pyramid[0].gradient_x(3, 0), 0);   // its mirror image falls
  EXPECT_EQ(pyramid[0].gradient_x(3, -1), 0);  // outside
  EXPECT_EQ(pyramid[0].gradient_x(7, 5), 0);
}

TEST(Pyramid, RoundsOnce) {
  const TestFrame dot =
      picture(9, 9, [](int row, int column) { return row == 4 && column == 4 ? 10 : 0; });
  EXPECT_EQ(reference::pyramid_of(dot.view())[1].pixel(2, 2), 1);  // 360 / 256
  const TestFrame faint =
      picture(9, 9, [](int row, int column) { return row == 4 && column == 4 ? 3 : 0; });
  EXPECT_EQ(reference::pyramid_of(faint.view())[1].pixel(2, 2), 0);  // 108 / 256
}

TEST(Pyramid, LevelsEndAtTheWindow) {
  Parameters parameters;
  parameters.window = 8;
  parameters.levels = 6;
  EXPECT_EQ(coarsest_level(64, 64, parameters), 3);
  EXPECT_EQ(coarsest_level(64, 57, parameters), 3);  // 8 rows
  EXPECT_EQ(coarsest_level(64, 56, parameters), 2);  // 7 rows would remain
  EXPECT_EQ(coarsest_level(1, 1, parameters), 0);
  parameters.pyramid_step = 4;
  EXPECT_EQ(coarsest_level(64, 64, parameters), 2);
  EXPECT_EQ(coarsest_level(16384, 16384, parameters), 10);
}

TEST(Step, RulesByHand) {
  EXPECT_EQ(to_fixed(0.01), 10);
  EXPECT_EQ(to_fixed(0.5), 512);
  EXPECT_EQ(on_level(5, 0), 5);
  EXPECT_EQ(on_level(6, 2), 2);
  EXPECT_EQ(on_level(-6, 2), -1);
  EXPECT_EQ(window_start(0, 16), (-15 * 512 + 4) >> 3);
  EXPECT_EQ(pixel_of(511), 0);
  EXPECT_EQ(pixel_of(512), 1);
  EXPECT_EQ(id_after(1), 2U);
  EXPECT_EQ(id_after(0xFFFFFFFFU), 1U);
  EXPECT_TRUE(is_inside(63 * 1024, 64));
  EXPECT_FALSE(is_inside(63 * 1024 + 1, 64));
  EXPECT_FALSE(is_inside(-1, 64));
  EXPECT_TRUE(is_near(71 * 1024, 64));
  EXPECT_FALSE(is_near(71 * 1024 + 1, 64));

  Move move = move_of({10, -10}, {}, true, 10);
  EXPECT_TRUE(move.last);
  EXPECT_EQ(move.x, 10);
  move = move_of({100, -300}, {-95, 299}, true, 10);
  EXPECT_FALSE(move.last);
  move = move_of({101, -301}, {-95, 299}, false, 10);
  EXPECT_TRUE(move.last);  // to and fro: half of the step
  EXPECT_EQ(move.x, 50);
  EXPECT_EQ(move.y, -150);

  EXPECT_EQ(rounded_within(1.5, 100), 2);
  EXPECT_EQ(rounded_within(-1.5, 100), -1);
  EXPECT_EQ(rounded_within(1e300, 100), 100);
  EXPECT_EQ(rounded_within(-1e300, 100), -100);
  EXPECT_EQ(rounded_within(std::numeric_limits<double>::quiet_NaN(), 100), 100);
}

TEST(Step, SolvesTwoEquations) {
  TemplateSums sums{};
  sums.gxx = 4;
  sums.gyy = 2;
  sums.gxy = 1;
  const Equations equations = equations_of(sums, 1, Light::kNone);
  EXPECT_EQ(equations.det, 7.0);
  EXPECT_DOUBLE_EQ(equations.eigenvalue, (6.0 - std::sqrt(8.0)) / 2.0 / 1024.0);
  // 4x + y = -9, x + 2y = -4 has x = -2, y = -1.
  const Place step = step_of(equations, {9.0, 4.0, 0.0, 0.0}, Light::kNone);
  EXPECT_EQ(step.x, -2 * 1024);
  EXPECT_EQ(step.y, -1 * 1024);
}

// A bias added to all of r, and a gain if the model has one, causes no motion.
TEST(Step, LightIsProjectedOut) {
  std::mt19937 random(1);
  constexpr int kPixels = 144;
  TemplateSums t{};
  std::int64_t bx = 0, by = 0, sum = 0, bi = 0;  // of r = 5 I / 8 + 100
  for (int n = 0; n < kPixels; ++n) {
    const std::int64_t gx = static_cast<int>(random() % 2001) - 1000;
    const std::int64_t gy = static_cast<int>(random() % 2001) - 1000;
    const std::int64_t i = 8 * static_cast<int>(random() % 1000);
    t.gxx += gx * gx;
    t.gxy += gx * gy;
    t.gyy += gy * gy;
    t.gx += gx;
    t.gy += gy;
    t.i += i;
    t.ii += i * i;
    t.gxi += gx * i;
    t.gyi += gy * i;
    const std::int64_t r = 5 * i / 8 + 100;
    bx += gx * r;
    by += gy * r;
    sum += r;
    bi += r * i;
  }
  const ResidualSums gain{static_cast<double>(bx), static_cast<double>(by),
                          static_cast<double>(sum), static_cast<double>(bi)};
  const ResidualSums bias{100.0 * static_cast<double>(t.gx), 100.0 * static_cast<double>(t.gy),
                          100.0 * kPixels, 100.0 * static_cast<double>(t.i)};
  const auto moves = [&](const ResidualSums& s, Light light) {
    const Place step = step_of(equations_of(t, kPixels, light), s, light);
    return step.x != 0 || step.y != 0;
  };
  EXPECT_TRUE(moves(bias, Light::kNone));
  EXPECT_FALSE(moves(bias, Light::kBias));
  EXPECT_FALSE(moves(bias, Light::kGainBias));
  EXPECT_TRUE(moves(gain, Light::kBias));
  EXPECT_FALSE(moves(gain, Light::kGainBias));
  const LightChange change =
      light_change(equations_of(t, kPixels, Light::kGainBias), t, gain, kPixels, Light::kGainBias);
  EXPECT_EQ(change.gain, 4096 * 5 / 8);
  EXPECT_EQ(change.bias, 1600);
  EXPECT_EQ(difference_of(5 * 80 / 8 + 100, 80, change), 0);
}

TEST(Step, NoVarianceIsNoGain) {
  TemplateSums t{};
  t.gxx = t.gyy = 1000000;
  t.i = 144 * 50;
  t.ii = 144 * 2500;
  const Equations equations = equations_of(t, 144, Light::kGainBias);
  EXPECT_FALSE(equations.solvable);
  EXPECT_FALSE(has_texture(equations, 0.0, true));
  EXPECT_TRUE(has_texture(equations_of(t, 144, Light::kBias), 1.0, true));
}

// Coarser levels need a tenth.
TEST(Step, TextureByLevels) {
  TemplateSums t{};
  t.gxx = t.gyy = 144 * 1024;  // an eigenvalue of 1
  const Equations equations = equations_of(t, 144, Light::kNone);
  EXPECT_EQ(equations.eigenvalue, 1.0);
  EXPECT_TRUE(has_texture(equations, 1.0, true));
  EXPECT_FALSE(has_texture(equations, 1.001, true));
  EXPECT_TRUE(has_texture(equations, 10.0, false));
  EXPECT_FALSE(has_texture(equations, 10.01, false));
}

TEST(Scores, AreNeverNegative) {
  EXPECT_EQ(score_of(49 * 1024, 0, 100 * 1024 * 49), 1.0F);
  std::mt19937 random(2);
  int zeros = 0;
  for (int n = 0; n < 100000; ++n) {
    const int x = static_cast<int>(random() % 20001) - 10000;
    const int y = static_cast<int>(random() % 20001) - 10000;
    const float score = score_of(x * x, x * y, y * y);  // a matrix of rank one
    ASSERT_FALSE(std::signbit(score));
    zeros += score == 0.0F;
  }
  EXPECT_GT(zeros, 10000);  // many would be negative without clamping
}

// Equal scores: in a periodic picture of dots, each cell gets the first dot, and no neighbours.
TEST(Detection, TiesGoToTheFirst) {
  const TestFrame dots = picture(
      48, 48, [](int row, int column) { return row % 8 == 4 && column % 8 == 4 ? 255 : 0; });
  Parameters parameters;
  parameters.window = 8;
  Result result;
  reference::advance({}, input_of(dots), parameters, &result);
  ASSERT_EQ(result.tracks.size(), 9U);
  const std::vector<float> scores = reference::scores(reference::pyramid_of(dots.view())[0]);
  const auto score = [&](int row, int column) {
    return scores[static_cast<std::size_t>(row * 48 + column)];
  };
  // The middle track, away from borders: the first maximum of its cell.
  const Track& middle = result.tracks[4];
  const int row = static_cast<int>(middle.y);
  const int column = static_cast<int>(middle.x);
  for (int y = 16; y < 32; ++y) {
    for (int x = 16; x < 32; ++x) {
      EXPECT_LE(score(y, x), score(row, column));
      if (y < row || (y == row && x < column)) {
        EXPECT_LT(score(y, x), score(row, column));
      }
    }
  }
}

TEST(Detection, IdsFollowTheCells) {
  Result result;
  const TestFrame frame = klt_picture(PictureKind::kTexture, 100, 70, 3);
  Parameters parameters;
  parameters.cell = 12;
  const State state = reference::advance({}, input_of(frame), parameters, &result);
  ASSERT_GT(result.tracks.size(), 30U);
  int before = -1;
  std::uint32_t id = 1;
  for (const Track& track : result.tracks) {
    const int cell = static_cast<int>(track.y) / 12 * 9 + static_cast<int>(track.x) / 12;
    EXPECT_GT(cell, before);
    before = cell;
    EXPECT_EQ(track.id, id++);
    EXPECT_EQ(track.age, 0U);
    EXPECT_EQ(track.dx, 0.0F);
    EXPECT_GE(track.quality, 1.0F);
  }
  EXPECT_EQ(state.next_id, id);
}

TEST(Detection, KeepsTheBest) {
  const TestFrame frame = klt_picture(PictureKind::kTexture, 100, 70, 3);
  const std::vector<float> scores = reference::scores(reference::pyramid_of(frame.view())[0]);
  Parameters parameters;
  Result all;
  reference::advance({}, input_of(frame), parameters, &all);
  parameters.max_features = 7;
  Result best;
  reference::advance({}, input_of(frame), parameters, &best);
  ASSERT_EQ(best.tracks.size(), 7U);
  std::vector<float> of_all;
  const auto score = [&](const Track& track) {
    return scores[static_cast<std::size_t>(track.y * 100 + track.x)];
  };
  for (const Track& track : all.tracks) of_all.push_back(score(track));
  std::sort(of_all.begin(), of_all.end(), std::greater<>());
  for (const Track& track : best.tracks) EXPECT_GE(score(track), of_all[6]);
}

TEST(Detection, KeepsToTheMaskAndTheWindow) {
  const TestFrame frame = klt_picture(PictureKind::kTexture, 90, 60, 4);
  const TestFrame mask = picture(90, 60, [](int, int column) { return column < 45 ? 0 : 1; });
  Result result;
  reference::advance({}, {frame.view(), mask.view(), {}}, {}, &result);
  ASSERT_FALSE(result.tracks.empty());
  for (const Track& track : result.tracks) EXPECT_GE(track.x, 45.0F);
  for (const auto& [width, height] : {std::pair{11, 60}, {60, 11}, {1, 60}, {60, 1}, {1, 1}}) {
    const TestFrame low = klt_picture(PictureKind::kTexture, width, height, 4);
    reference::advance({}, input_of(low), {}, &result);
    EXPECT_TRUE(result.tracks.empty());
  }
}

// A picture moves by whole pixels: checks all of its features.
TEST(Tracking, FindsATranslation) {
  for (const Light light : {Light::kNone, Light::kBias, Light::kGainBias}) {
    for (const auto& [dx, dy] : {std::pair{0, 0}, {3, -2}, {-11, 7}}) {
      const TestFrame first = klt_picture(PictureKind::kTexture, 160, 120, 5);
      const TestFrame second = klt_picture(PictureKind::kTexture, 160, 120, 5, dx, dy);
      Parameters parameters;
      parameters.light = light;
      Result before;
      Result after;
      const State state = reference::advance({}, input_of(first), parameters, &before);
      reference::advance(state, input_of(second), parameters, &after);
      std::map<std::uint32_t, Track> found;
      for (const Track& track : after.tracks) found[track.id] = track;
      int inner = 0;
      int kept = 0;
      for (const Track& track : before.tracks) {
        if (track.x < 24 || track.x > 136 || track.y < 24 || track.y > 96) continue;
        ++inner;
        if (found.count(track.id) == 0) continue;
        ++kept;
        const Track& now = found[track.id];
        EXPECT_NEAR(now.dx, dx, 0.05F);
        EXPECT_NEAR(now.dy, dy, 0.05F);
        EXPECT_EQ(now.x, track.x + now.dx);
        EXPECT_EQ(now.age, 1U);
        EXPECT_LT(now.residual, 1.0F);
      }
      ASSERT_GT(inner, 20);
      EXPECT_GE(kept, inner * 9 / 10) << dx << ", " << dy;
    }
  }
}

TEST(Tracking, EverythingMayBeLost) {
  const TestFrame first = klt_picture(PictureKind::kTexture, 100, 80, 6);
  const TestFrame flat = klt_picture(PictureKind::kFlat, 100, 80, 6);
  Result before;
  Result after;
  State state = reference::advance({}, input_of(first), {}, &before);
  ASSERT_FALSE(before.tracks.empty());
  const State copy = state;
  state = reference::advance(state, input_of(flat), {}, &after);
  EXPECT_TRUE(after.tracks.empty());
  ASSERT_EQ(after.lost.size(), before.tracks.size());
  for (std::size_t i = 0; i < after.lost.size(); ++i) {
    EXPECT_EQ(after.lost[i].id, before.tracks[i].id);
    EXPECT_EQ(after.lost[i].x, before.tracks[i].x);
    EXPECT_NE(after.lost[i].reason, Reason::kTracked);
  }
  // A failure changes no state: retry from the previous state.
  Result again;
  reference::advance(copy, input_of(flat), {}, &again);
  EXPECT_EQ(test::first_difference(after, again.tracks, again.lost), "");
  EXPECT_EQ(copy.next_id, before.tracks.size() + 1);
  // Ids continue.
  reference::advance(state, input_of(first), {}, &after);
  EXPECT_EQ(after.tracks[0].id, before.tracks.size() + 1);
}

TEST(Tracking, AnotherSizeEndsAllTracks) {
  Result result;
  const TestFrame first = klt_picture(PictureKind::kTexture, 100, 80, 6);
  const TestFrame second = klt_picture(PictureKind::kTexture, 101, 80, 6);
  const State state = reference::advance({}, input_of(first), {}, &result);
  const std::size_t count = result.tracks.size();
  reference::advance(state, input_of(second), {}, &result);
  EXPECT_TRUE(result.lost.empty());
  ASSERT_FALSE(result.tracks.empty());
  EXPECT_EQ(result.tracks[0].id, count + 1);
  EXPECT_EQ(result.tracks[0].age, 0U);
}

TEST(OwnPoints, EachTakesAnIdAndSaysWhatBecameOfIt) {
  const TestFrame frame = picture(64, 64, [](int row, int column) {
    return column < 32 ? (row / 5 + column / 5) % 2 * 200 : 80;
  });
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const std::vector<Point> points{{15.0F, 15.0F, 0.0F, 0.0F},      {kNan, 3.0F, 0.0F, 0.0F},
                                  {14.0F, 14.0F, 0.0F, 0.0F},      {50.0F, 50.0F, 0.0F, 0.0F},
                                  {63.5F, 3.0F, 0.0F, 0.0F},       {20.0F, -0.25F, 0.0F, 0.0F},
                                  {10.0F, 20.0F, kInfinite, 0.0F}, {20.0004F, 20.25F, 2.0F, 0.0F}};
  Result result;
  State state = reference::advance({}, input_of(frame, points), without_detector(), &result);
  ASSERT_EQ(result.tracks.size(), 2U);
  EXPECT_EQ(result.tracks[0].id, 1U);
  EXPECT_EQ(result.tracks[1].id, 8U);
  EXPECT_EQ(result.tracks[1].x, 20.0F);  // to the next multiple of 1/1024
  EXPECT_EQ(result.tracks[1].y, 20.25F);
  EXPECT_EQ(result.tracks[1].dx, 0.0F);
  EXPECT_EQ(state.starts[1].x, 2048);
  const std::vector<Lost> expected{
      {2, Reason::kOutside, 0.0F, 3.0F},    {3, Reason::kCrowded, 14.0F, 14.0F},
      {4, Reason::kTexture, 50.0F, 50.0F},  {5, Reason::kOutside, 63.5F, 3.0F},
      {6, Reason::kOutside, 20.0F, -0.25F}, {7, Reason::kOutside, 10.0F, 20.0F}};
  EXPECT_EQ(test::first_difference({result.tracks, expected}, result.tracks, result.lost), "");
  reference::end_prediction(&state);
  EXPECT_EQ(state.starts[1].x, 0);
}

// In a periodic picture, the start decides between equal matches.
TEST(OwnPoints, StartWhereTheCallerSays) {
  const TestFrame frame = picture(96, 96, [](int row, int column) {
    return 120 + 50 * ((column / 4) % 2) + 40 * ((row / 5) % 2);
  });
  Parameters parameters = without_detector();
  parameters.levels = 1;
  parameters.predict = false;
  for (const float start : {-8.0F, 0.0F, 8.0F}) {
    const std::vector<Point> points{{48.0F, 48.0F, start, 0.0F}};
    Result result;
    const State state = reference::advance({}, input_of(frame, points), parameters, &result);
    ASSERT_EQ(result.tracks.size(), 1U);
    reference::advance(state, input_of(frame), parameters, &result);
    ASSERT_EQ(result.tracks.size(), 1U);
    EXPECT_EQ(result.tracks[0].dx, start);
  }
}

// Two tracks enter one square: the earlier one survives.
TEST(Squares, HoldOneTrack) {
  const TestFrame first = klt_picture(PictureKind::kTexture, 96, 96, 8);
  const TestFrame second = klt_picture(PictureKind::kTexture, 96, 96, 8, 2, 0);
  // At 41 and 44 in squares 10 and 11; both move by 2, into 43 and 46, so nothing happens.
  // At 42 and 43.4 one square already: the second one is not born.
  const std::vector<Point> points{{41.0F, 40.0F, 0.0F, 0.0F}, {44.0F, 40.0F, 0.0F, 0.0F}};
  Result result;
  Parameters parameters = without_detector();
  State state = reference::advance({}, input_of(first, points), parameters, &result);
  ASSERT_EQ(result.tracks.size(), 2U);
  state.starts[0] = {};
  // Moves the first track by hand to the second one's place, as if it had drifted there.
  State moved = state;
  moved.tracks[0].x = 45.0F;
  reference::advance(moved, input_of(second), parameters, &result);
  ASSERT_EQ(result.tracks.size(), 1U);
  EXPECT_EQ(result.tracks[0].id, 1U);
  ASSERT_EQ(result.lost.size(), 1U);
  EXPECT_EQ(result.lost[0].id, 2U);
  EXPECT_EQ(result.lost[0].reason, Reason::kCrowded);
  EXPECT_EQ(result.lost[0].x, 44.0F);
}

TEST(Ids, AfterTheLastComesTheFirst) {
  const TestFrame frame = klt_picture(PictureKind::kTexture, 60, 60, 9);
  State state;
  state.next_id = 0xFFFFFFFEU;
  Result result;
  reference::advance(state, input_of(frame), {}, &result);
  ASSERT_GT(result.tracks.size(), 4U);
  EXPECT_EQ(result.tracks[1].id, 0xFFFFFFFFU);
  EXPECT_EQ(result.tracks[2].id, 1U);
}

// Bright and dark squares give the largest possible sums.
TEST(Tracking, TheLargestContrast) {
  int born = 0;
  int right = 0;
  for (unsigned side = 3; side < 9; ++side) {
    const TestFrame first = klt_picture(PictureKind::kChecks, 120, 120, side);
    const TestFrame second = klt_picture(PictureKind::kChecks, 120, 120, side, 1, 1);
    Parameters parameters;
    parameters.window = kMaxWindow;
    parameters.light = Light::kNone;
    parameters.levels = 1;
    Result before;
    Result after;
    const State state = reference::advance({}, input_of(first), parameters, &before);
    reference::advance(state, input_of(second), parameters, &after);
    born += static_cast<int>(before.tracks.size());
    for (const Track& track : after.tracks) {
      right +=
          track.age == 1 && std::abs(track.dx - 1.0F) < 0.1F && std::abs(track.dy - 1.0F) < 0.1F;
    }
  }
  EXPECT_GT(born, 100);
  EXPECT_GT(right, born / 2);
}

}  // namespace
}  // namespace rdp::klt
