// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace rdp {
namespace {

TEST(ThreadPool, CallsEachItemOnceAndEachWorkerAlone) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    ThreadPool pool;
    pool.resize(threads);
    ASSERT_EQ(pool.size(), threads);
    for (const unsigned items : {0U, 1U, 2U, 7U, 100U, 1000U}) {
      std::vector<std::atomic<int>> calls(items);
      std::vector<std::atomic<int>> busy(threads);
      pool.run(items, threads, [&](unsigned item, unsigned next, unsigned worker) {
        ASSERT_LT(item, items);
        ASSERT_LT(worker, threads);
        EXPECT_GT(next, item);
        EXPECT_EQ(busy[worker].fetch_add(1), 0);
        calls[item].fetch_add(1);
        busy[worker].fetch_sub(1);
      });
      for (const std::atomic<int>& count : calls) EXPECT_EQ(count, 1);
    }
  }
}

TEST(ThreadPool, AnnouncesTheItemThatAWorkerDoesNext) {
  ThreadPool pool;
  pool.resize(4);
  std::atomic<unsigned> kept{0};
  std::vector<unsigned> announced(4, 500);
  pool.run(500, 4, [&](unsigned item, unsigned next, unsigned worker) {
    if (announced[worker] < 500) {
      EXPECT_EQ(item, announced[worker]);
      ++kept;
    }
    announced[worker] = next;
  });
  EXPECT_GE(kept, 480U) << "only the last few items are not announced";
}

TEST(ThreadPool, UsesNoMoreThreadsThanAsked) {
  ThreadPool pool;
  pool.resize(6);
  std::atomic<unsigned> now{0};
  std::atomic<unsigned> most{0};
  pool.run(60, 2, [&](unsigned, unsigned, unsigned) {
    const unsigned working = ++now;
    if (working > most) most = working;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    --now;
  });
  EXPECT_LE(most, 2U);
}

TEST(ThreadPool, OtherThreadsHelp) {
  ThreadPool pool;
  pool.resize(3);
  std::atomic<unsigned> arrived{0};
  // Each item waits for the others: returns only if three threads run at the same time.
  pool.run(3, 3, [&](unsigned, unsigned, unsigned) {
    ++arrived;
    while (arrived < 3) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 3U);
}

TEST(ThreadPool, ShortLoopsInARowAndAfterPauses) {
  ThreadPool pool;
  pool.resize(4);
  std::atomic<unsigned> sum{0};
  for (int loop = 0; loop < 5000; ++loop) {
    pool.run(5, 4, [&](unsigned item, unsigned, unsigned) { sum += item; });
    if (loop % 100 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  EXPECT_EQ(sum, 5000U * 10U);
}

TEST(ThreadPool, ThrowsInTheCallingThreadAndGoesOn) {
  ThreadPool pool;
  pool.resize(3);
  for (const unsigned culprit : {0U, 17U, 49U}) {
    EXPECT_THROW(pool.run(50, 3,
                          [&](unsigned item, unsigned, unsigned) {
                            if (item == culprit) throw std::runtime_error("no");
                          }),
                 std::runtime_error);
    std::atomic<int> calls{0};
    pool.run(50, 3, [&](unsigned, unsigned, unsigned) { ++calls; });
    EXPECT_EQ(calls, 50);
  }
}

TEST(ThreadPool, GrowsAndShrinks) {
  ThreadPool pool;
  for (const unsigned threads : {4U, 2U, 7U, 1U, 3U, 0U}) {
    pool.resize(threads);
    EXPECT_EQ(pool.size(), threads == 0 ? 1U : threads);
    std::atomic<int> calls{0};
    pool.run(20, pool.size(), [&](unsigned, unsigned, unsigned) { ++calls; });
    EXPECT_EQ(calls, 20);
  }
}

TEST(ThreadPool, ThereIsAProcessorToRunOn) { EXPECT_GE(usable_processors(), 1U); }

}  // namespace
}  // namespace rdp
