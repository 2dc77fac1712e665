// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/backend_trial.h"

#include <gtest/gtest.h>

using rdp::gst::BackendTrial;
using Engine = BackendTrial::Engine;
using std::chrono::microseconds;

namespace {

constexpr std::size_t kFrames = BackendTrial::kWarmUp + BackendTrial::kCounted;

// Runs a trial in which the n-th frame of an engine takes `time(engine, n)`.
template <typename Time>
BackendTrial play(Time time) {
  BackendTrial trial;
  std::size_t frames[2] = {0, 0};
  while (!trial.decided()) {
    const Engine engine = trial.next();
    std::size_t& n = frames[engine == Engine::kGpu];
    trial.record(time(engine, n++));
  }
  EXPECT_EQ(frames[0], kFrames);
  EXPECT_EQ(frames[1], kFrames);
  return trial;
}

TEST(BackendTrial, EnginesTakeTurns) {
  BackendTrial trial;
  for (std::size_t i = 0; i < kFrames; ++i) {
    EXPECT_EQ(trial.next(), Engine::kCpu);
    trial.record(microseconds(1));
    EXPECT_FALSE(trial.decided());
    EXPECT_EQ(trial.next(), Engine::kGpu);
    trial.record(microseconds(1));
  }
  EXPECT_TRUE(trial.decided());
}

TEST(BackendTrial, TheFasterEngineStays) {
  for (const Engine faster : {Engine::kCpu, Engine::kGpu}) {
    BackendTrial trial = play([&](Engine engine, std::size_t) {
      return engine == faster ? microseconds(99) : microseconds(100);
    });
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(trial.next(), faster);
      trial.record(microseconds(100000));  // too late to count
    }
  }
}

TEST(BackendTrial, EqualIsForTheCpu) {
  const BackendTrial trial = play([](Engine, std::size_t) { return microseconds(5); });
  EXPECT_EQ(trial.next(), Engine::kCpu);
}

// The first frames of the GPU take long, but do not count.
TEST(BackendTrial, WarmUpDoesNotCount) {
  const BackendTrial trial = play([](Engine engine, std::size_t n) {
    if (engine == Engine::kCpu) return microseconds(100);
    return n < BackendTrial::kWarmUp ? microseconds(1000000) : microseconds(50);
  });
  EXPECT_EQ(trial.next(), Engine::kGpu);
  EXPECT_EQ(trial.median(Engine::kGpu), microseconds(50));
  EXPECT_EQ(trial.median(Engine::kCpu), microseconds(100));
}

// Less than half of the frames were disturbed: the median does not see them.
TEST(BackendTrial, OutliersDoNotDecide) {
  const BackendTrial trial = play([](Engine engine, std::size_t n) {
    if (engine == Engine::kCpu) return microseconds(100);
    return n % 2 == 1 && n >= BackendTrial::kWarmUp + 1 ? microseconds(9000) : microseconds(60);
  });
  EXPECT_EQ(trial.next(), Engine::kGpu);
}

TEST(BackendTrial, GivesUp) {
  BackendTrial trial;
  trial.record(microseconds(100));
  EXPECT_EQ(trial.next(), Engine::kGpu);
  trial.give_up_gpu();
  EXPECT_TRUE(trial.decided());
  EXPECT_EQ(trial.next(), Engine::kCpu);
  EXPECT_EQ(trial.median(Engine::kGpu), microseconds(0));
}

}  // namespace
