// SPDX-License-Identifier: LGPL-2.1-or-later
// Objects that return to their pool: the number alive, the order of reuse, and a pool destroyed
// before them.
#include "gst/metadata/recycling_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

std::atomic<int> alive = 0;
std::atomic<int> recycled = 0;

struct Thing : rdp::RecyclingPool<Thing>::Item {
  Thing() { ++alive; }
  ~Thing() { --alive; }
  void recycled() noexcept { ++::recycled; }

  std::vector<int> memory;
};

using Pool = rdp::RecyclingPool<Thing>;
using Handle = Pool::Handle;

class RecyclingPool : public testing::Test {
 protected:
  void SetUp() override { recycled = 0; }
  void TearDown() override { EXPECT_EQ(alive, 0); }
};

TEST_F(RecyclingPool, GivesOutWhatCameBackLast) {
  Pool pool;
  Handle one = pool.acquire();
  Handle other = pool.acquire();
  one->memory.assign(1000, 7);
  const int* memory = one->memory.data();
  const Thing* first = one.get();
  other.reset();
  one.reset();
  EXPECT_EQ(recycled, 2);
  EXPECT_EQ(alive, 2);
  one = pool.acquire();
  EXPECT_EQ(one.get(), first);
  EXPECT_EQ(one->memory.data(), memory);
  EXPECT_EQ(alive, 2);
}

TEST_F(RecyclingPool, KeepsSoMany) {
  Pool pool;
  std::vector<Handle> out;
  for (std::size_t i = 0; i < Pool::kMaxKept + 4; ++i) out.push_back(pool.acquire());
  std::set<const Thing*> different;
  for (const Handle& one : out) different.insert(one.get());
  EXPECT_EQ(different.size(), Pool::kMaxKept + 4);
  out.clear();
  EXPECT_EQ(alive, static_cast<int>(Pool::kMaxKept));
}

TEST_F(RecyclingPool, GoesBeforeItsItems) {
  auto pool = std::make_unique<Pool>();
  Handle out = pool->acquire();
  pool->acquire().reset();
  EXPECT_EQ(alive, 2);
  { const Handle waits = pool->acquire(); }
  pool.reset();
  EXPECT_EQ(alive, 1);
  // Freed at once: its pool is gone.
  out.reset();
  EXPECT_EQ(alive, 0);
}

TEST_F(RecyclingPool, ItemsOfC) {
  Pool pool;
  Thing* raw = pool.acquire().release();
  Pool::give_back(raw);
  EXPECT_EQ(pool.acquire().get(), raw);
}

TEST_F(RecyclingPool, MovedPoolsTakeTheirItemsAlong) {
  Pool pool;
  Handle out = pool.acquire();
  const Thing* thing = out.get();
  Pool other = std::move(pool);
  out.reset();
  out = other.acquire();
  EXPECT_EQ(out.get(), thing);
  other = Pool();
  EXPECT_EQ(alive, 1);
  EXPECT_NE(other.acquire().get(), thing);
  out.reset();
  EXPECT_EQ(alive, 1);
}

TEST_F(RecyclingPool, NothingIsLostWhereNothingIsMade) {
  Pool pool;
  const auto fails = []() -> std::unique_ptr<Thing> { throw std::runtime_error("none"); };
  EXPECT_THROW(pool.acquire(fails), std::runtime_error);
  pool.acquire().reset();
  // A returned object is available, so none is created.
  EXPECT_NE(pool.acquire(fails), nullptr);
}

TEST_F(RecyclingPool, ManyThreads) {
  auto pool = std::make_unique<Pool>();
  std::vector<std::thread> threads;
  std::vector<Handle> last(4);
  for (Handle& mine : last) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10000; ++i) {
        Handle next = pool->acquire();
        next->memory.assign(3, i);
        mine = std::move(next);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  pool.reset();
  for (Handle& mine : last) EXPECT_EQ(mine->memory, std::vector<int>(3, 9999));
  EXPECT_EQ(alive, 4);
}

}  // namespace
