// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine against the scalar reference, bit for bit: every SIMD target of the machine, several
// numbers of threads, over several frames of a camera.
#include "common/klt/engine.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/klt/reference.h"
#include "tests/klt/klt_frames.h"

namespace rdp::klt {
namespace {

using test::klt_picture;
using test::PictureKind;
using test::TestFrame;

// A frame of a camera, and what is to be done with it.
struct Step {
  TestFrame frame;
  Parameters parameters;
  std::vector<Point> points = {};
  std::optional<TestFrame> mask = std::nullopt;
  bool discontinuity = false;

  Input input() const {
    return {frame.view(), mask.has_value() ? DepthView(mask->view()) : DepthView{}, points};
  }
};

std::vector<std::unique_ptr<Engine>>& engines() {
  static std::vector<std::unique_ptr<Engine>> all = [] {
    std::vector<std::unique_ptr<Engine>> made;
    for (const unsigned threads : {1U, 2U, 3U, 5U})
      made.push_back(std::make_unique<Engine>(threads));
    return made;
  }();
  return all;
}

std::string text_of(const Step& step) {
  const Parameters& p = step.parameters;
  return std::to_string(step.frame.view().width) + "x" + std::to_string(step.frame.view().height) +
         ", window " + std::to_string(p.window) + ", light " +
         std::to_string(static_cast<int>(p.light)) + ", levels " + std::to_string(p.levels) +
         ", step " + std::to_string(p.pyramid_step) + ", cell " + std::to_string(p.cell);
}

// Returns how many tracks of the last frame are older than one.
std::size_t expect_reference(const std::vector<Step>& steps) {
  static std::size_t turn = 0;
  std::vector<reference::Result> expected(steps.size());
  reference::State state;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].discontinuity) reference::end_prediction(&state);
    state = reference::advance(state, steps[i].input(), steps[i].parameters, &expected[i]);
  }
  test::on_every_simd_target([&] {
    Engine& engine = *engines()[turn++ % engines().size()];
    State camera;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const TestFrame before = steps[i].frame;
      if (steps[i].discontinuity) camera.end_prediction();
      Result result = engine.track(steps[i].input(), steps[i].parameters, &camera);
      // Asked for again, as after a failure: no id is used, and nothing else has changed.
      if (i % 2 == 1) result = engine.track(steps[i].input(), steps[i].parameters, &camera);
      camera.commit();
      ASSERT_EQ(test::first_difference(expected[i], {result.tracks.begin(), result.tracks.end()},
                                       {result.lost.begin(), result.lost.end()}),
                "")
          << "frame " << i << ", " << text_of(steps[i]) << ", " << engine.threads() << " threads";
      ASSERT_TRUE(before == steps[i].frame) << "the engine wrote to its input";
    }
  });
  std::size_t old = 0;
  for (const Track& track : expected.back().tracks) old += track.age > 0;
  return old;
}

// A picture that moves a little from frame to frame.
std::vector<Step> moving(PictureKind kind, int width, int height, unsigned seed,
                         const Parameters& parameters, int frames = 3) {
  std::vector<Step> steps;
  for (int i = 0; i < frames; ++i) {
    steps.push_back({klt_picture(kind, width, height, seed, 2 * i, -i), parameters});
  }
  return steps;
}

TEST(KltEngine, EveryWindowAndLight) {
  for (int window = kMinWindow; window <= kMaxWindow; ++window) {
    for (const Light light : {Light::kNone, Light::kBias, Light::kGainBias}) {
      Parameters parameters;
      parameters.window = window;
      parameters.light = light;
      const auto seed = static_cast<unsigned>(window);
      EXPECT_GT(expect_reference(moving(PictureKind::kTexture, 97, 83, seed, parameters, 2)), 5U);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

// Each kind with each window, and with each light.
TEST(KltEngine, EveryKindOfPicture) {
  for (int kind = 0; kind < static_cast<int>(PictureKind::kCount); ++kind) {
    int light = kind;
    for (const int window : {8, 12, 16, 21, 31}) {
      Parameters parameters;
      parameters.window = window;
      parameters.light = static_cast<Light>(light++ % 3);
      parameters.cell = 8;
      parameters.levels = 3;
      parameters.max_residual = 0.0;
      parameters.min_eigenvalue = 0.01;
      expect_reference(moving(static_cast<PictureKind>(kind), 70, 61,
                              static_cast<unsigned>(window + kind), parameters));
      ASSERT_FALSE(HasFatalFailure()) << "kind " << kind;
    }
  }
}

// Squares of black and white whose edges lie anywhere in windows: sums are as large as they get.
TEST(KltEngine, LargestSums) {
  for (unsigned side = 0; side < 9; side += 2) {
    for (const int window : {8, 12, 16, 17, 24, 31}) {
      for (const Light light : {Light::kNone, Light::kGainBias}) {
        Parameters parameters;
        parameters.window = window;
        parameters.light = light;
        parameters.levels = 1;
        parameters.max_residual = 0.0;
        parameters.check = 0.0;
        parameters.min_eigenvalue = 0.0;
        std::vector<Step> steps;
        steps.push_back({klt_picture(PictureKind::kChecks, 80, 66, side), parameters});
        // The opposite: r is as large as it gets.
        const int shift = static_cast<int>(side) + 1;
        steps.push_back({klt_picture(PictureKind::kChecks, 80, 66, side, shift), parameters});
        steps.push_back({klt_picture(PictureKind::kWhite, 80, 66, side), parameters});
        expect_reference(steps);
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

TEST(KltEngine, EverySize) {
  std::mt19937 random(1);
  const std::pair<int, int> sizes[] = {{1, 1},  {1, 40},  {40, 1},  {7, 7},    {8, 8},
                                       {9, 8},  {15, 17}, {16, 16}, {31, 33},  {33, 31},
                                       {64, 8}, {8, 64},  {200, 9}, {127, 65}, {256, 20}};
  for (const auto& [width, height] : sizes) {
    for (const int window : {8, 12, 16}) {
      Parameters parameters;
      parameters.window = window;
      parameters.levels = 6;
      parameters.cell = 4 * (1 + static_cast<int>(random() % 5));
      for (const auto kind : {PictureKind::kTexture, PictureKind::kNoise}) {
        expect_reference(
            moving(kind, width, height, static_cast<unsigned>(random() % 100), parameters));
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

TEST(KltEngine, VeryWideAndVeryHigh) {
  for (const auto& [width, height] : {std::pair{16384, 12}, {12, 16384}, {16384, 1}}) {
    Parameters parameters;
    parameters.cell = 32;
    expect_reference(moving(PictureKind::kTexture, width, height, 5, parameters, 2));
    ASSERT_FALSE(HasFatalFailure());
  }
}

// Points of the caller's, masks, limits, changes of settings and size between frames.
TEST(KltEngine, AnythingAtRandom) {
  std::mt19937 random(3);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  for (int n = 0; n < 50; ++n) {
    int width = 20 + below(120);
    int height = 20 + below(80);
    const auto seed = static_cast<unsigned>(random() % 1000);
    const auto kind = static_cast<PictureKind>(
        below(3) == 0 ? random() % static_cast<unsigned>(PictureKind::kCount) : 0);
    std::vector<Step> steps;
    Parameters parameters;
    for (int i = 0; i < 5; ++i) {
      if (i == 0 || below(4) == 0) {
        const int windows[] = {8, 12, 16, 8 + below(24)};
        parameters.window = windows[below(4)];
        parameters.levels = 1 + below(6);
        parameters.pyramid_step = below(4) == 0 ? 4 : 2;
        parameters.max_iterations = 5 + below(26);
        parameters.epsilon = below(3) == 0 ? 0.001 * below(300) : 0.01;
        parameters.light = static_cast<Light>(below(3));
        parameters.min_eigenvalue = below(3) == 0 ? 0.1 * below(100) : 1.0;
        parameters.max_residual = below(3) == 0 ? below(8) : 12.0;
        parameters.check = below(3) == 0 ? 0.25 * below(4) : 0.5;
        parameters.predict = below(3) != 0;
        parameters.detector = below(4) == 0 ? Detector::kNone : Detector::kShiTomasi;
        parameters.cell = 4 * (1 + below(6));
        parameters.quality = below(2) == 0 ? 0.001 * below(200) : 0.001;
        parameters.max_features = below(2) == 0 ? below(60) : 0;
      }
      if (below(12) == 0) width += 1 + below(9);
      if (below(12) == 0) height = 20 + below(80);
      Step step{klt_picture(kind, width, height, seed, i * (below(7) - 3), i * (below(5) - 2)),
                parameters};
      for (int j = below(2) * below(12); j > 0; --j) {
        const auto anywhere = [&](int size) {
          return static_cast<float>(below(static_cast<unsigned>(size) * 4000)) / 3700.0F - 2.0F;
        };
        step.points.push_back({anywhere(width), anywhere(height),
                               static_cast<float>(below(200) - 100) / 10.0F,
                               below(20) == 0 ? 1e30F : 0.0F});
      }
      if (below(4) == 0) {
        step.mask.emplace(klt_picture(PictureKind::kFewLevels, width, height, seed + 1));
      }
      step.discontinuity = below(6) == 0;
      steps.push_back(std::move(step));
    }
    expect_reference(steps);
    ASSERT_FALSE(HasFatalFailure()) << "case " << n;
  }
}

TEST(KltEngine, ManyFramesOfATexture) {
  Parameters parameters;
  parameters.cell = 8;
  EXPECT_GT(expect_reference(moving(PictureKind::kTexture, 160, 120, 4, parameters, 6)), 50U);
}

TEST(KltEngine, FlushAndRestart) {
  const TestFrame frame = klt_picture(PictureKind::kTexture, 80, 60, 6);
  Engine engine(1);
  State camera;
  const auto next = [&] {
    const Result result = engine.track({frame.view(), {}, {}}, {}, &camera);
    camera.commit();
    return result;
  };
  const std::size_t count = next().tracks.size();
  ASSERT_GT(count, 4U);
  EXPECT_EQ(next().tracks[0].age, 1U);
  camera.end_tracks();
  Result result = next();
  EXPECT_TRUE(result.lost.empty());
  EXPECT_EQ(result.tracks[0].age, 0U);
  EXPECT_EQ(result.tracks[0].id, count + 1);
  camera.restart();
  result = next();
  EXPECT_EQ(result.tracks[0].id, 1U);
  // What was not committed is forgotten.
  engine.track({frame.view(), {}, {}}, {}, &camera);
  camera.end_tracks();
  camera.commit();
  EXPECT_EQ(next().tracks[0].id, count + 1);
}

TEST(KltEngine, ChangesItsNumberOfThreads) {
  const TestFrame frame = klt_picture(PictureKind::kTexture, 200, 150, 7);
  reference::Result expected;
  reference::advance({}, {frame.view(), {}, {}}, {}, &expected);
  Engine engine(1);
  for (const unsigned threads : {1U, 4U, 2U, 1U}) {
    engine.set_threads(threads);
    EXPECT_EQ(engine.threads(), threads);
    State camera;
    const Result result = engine.track({frame.view(), {}, {}}, {}, &camera);
    EXPECT_EQ(test::first_difference(expected, {result.tracks.begin(), result.tracks.end()}, {}),
              "");
  }
  EXPECT_GE(Engine().threads(), 1U);
}

}  // namespace
}  // namespace rdp::klt
