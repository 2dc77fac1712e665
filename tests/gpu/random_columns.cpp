// SPDX-License-Identifier: LGPL-2.1-or-later
// Random columns of all heights against the scalar reference. Each host processor has a thread,
// stream and segmenter, because the reference takes nearly all of the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "kernels/runtime/context.h"
#include "tests/gpu/gpu_test.h"
#include "tests/gpu/guarded_memory.h"
#include "tests/gpu/segment_tester.h"
#include "tests/gpu/test_scale.h"

namespace rdp::test {
namespace {

constexpr std::int64_t kColumns = 200'000;
constexpr double kSeconds = 600;
// Average samples per frame of tall columns. Small test scales use small frames and few threads:
// compute-sanitizer's racecheck takes minutes for one large frame.
constexpr int kFrameSamples = 500'000;
constexpr int kLeastFrameSamples = 20'000;
constexpr std::int64_t kColumnsOfAThread = 50;

int frame_samples() {
  return std::max(kLeastFrameSamples,
                  static_cast<int>(std::min(1.0, 100 * test_scale()) * kFrameSamples));
}

struct Progress {
  std::atomic<int> next_frame{0};
  std::atomic<std::int64_t> columns{0};
  std::atomic<std::int64_t> samples{0};
  std::atomic<std::int64_t> segments{0};
  std::atomic<int> wrong{0};
  std::atomic<int> highest{0};
};

// Compares one frame; its content depends only on its number.
void compare_frame(int number, SegmentTester* tester, Progress* progress) {
  std::seed_seq seed{number, 1242};
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  // Most heights are log-uniform: many are small. One in eight is uniform.
  int height = 1 + below(kMaxSide);
  if (number % 8 != 0) {
    height = static_cast<int>(std::exp(std::log(16384.0) * below(1 << 20) / (1 << 20)));
  }
  const int most = std::clamp(2 * frame_samples() / height, 2, 200);
  const int width = 1 + below(most);
  const SampleType type = number % 3 == 0 ? SampleType::kU8 : SampleType::kU16;
  const int bytes = bytes_per_sample(type);
  TestFrame frame(width, height, type);
  fill_mixed(frame.view(), height <= 1200 ? 40 : 0, &random);

  SegmentCase question{frame.view()};
  question.eps256 = below(4) == 0 ? below(3) * 128 : below(256 * (1 << below(13)));
  if (below(4) == 0) {
    question.known.first = static_cast<std::uint32_t>(below(300));
    question.known.last = static_cast<std::uint32_t>(below(65536));
  }
  question.layout = {below(3) == 0 ? 0 : bytes * below(20), below(3) == 0 ? 0 : bytes * below(20)};
  question.room = below(10) == 0 ? 1 + below(10) : 0;
  const std::string wrong = tester->compare(question);
  if (!wrong.empty()) {
    ++progress->wrong;
    ADD_FAILURE() << "random frame " << number << ", " << width << "x" << height << " of "
                  << 8 * bytes << " bits, known " << question.known.first << ".."
                  << question.known.last << ", eps256 " << question.eps256 << ", offset "
                  << question.layout.offset << ", padding " << question.layout.padding << ": "
                  << wrong;
  }
  progress->columns += width;
  progress->samples += std::int64_t{width} * height;
  progress->segments += tester->list().segment_count();
  int highest = progress->highest;
  while (height > highest && !progress->highest.compare_exchange_weak(highest, height)) {
  }
}

class GpuSegmentRandom : public GpuTest {};

TEST_F(GpuSegmentRandom, Columns) {
  constexpr int kMaxWrong = 5;
  const auto wanted = static_cast<std::int64_t>(std::ceil(kColumns * test_scale()));
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  Progress progress;
  const auto work = [&] {
    try {
      const cuda::ContextScope scope(gpu_context());
      SegmentTester tester;
      while (progress.columns < wanted && progress.wrong < kMaxWrong && seconds() < kSeconds) {
        compare_frame(progress.next_frame++, &tester, &progress);
      }
    } catch (const std::exception& error) {
      progress.wrong += kMaxWrong;
      ADD_FAILURE() << error.what();
    }
  };
  std::vector<std::thread> threads;
  const unsigned count = std::min(std::clamp(std::thread::hardware_concurrency(), 1u, 32u),
                                  static_cast<unsigned>(1 + wanted / kColumnsOfAThread));
  for (unsigned i = 0; i < count; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  std::printf(
      "compared %lld random columns (%lld samples, %lld segments, heights up to %d) in %d frames "
      "on %u threads, %.1f s\n",
      static_cast<long long>(progress.columns), static_cast<long long>(progress.samples),
      static_cast<long long>(progress.segments), progress.highest.load(),
      progress.next_frame.load(), count, seconds());
  EXPECT_GE(progress.columns, wanted) << "not done within " << kSeconds << " s";
  EXPECT_EQ(guard_damage(), "");
}

}  // namespace
}  // namespace rdp::test
