// SPDX-License-Identifier: LGPL-2.1-or-later
// Tests of the emulator: its results, and the kernel defects that it reports.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "tests/emulation/cuda_emulation.h"

#include <cooperative_groups.h>

namespace rdp::cuda {
namespace {

constexpr unsigned kFull = 0xFFFFFFFFU;

template <typename Arguments>
void start(void (*thread)(const void*), const Arguments& arguments, unsigned threads,
           unsigned blocks = 1, unsigned shared_bytes = 0) {
  emulation::run({{blocks, 1, 1}, {threads, 1, 1}, shared_bytes}, thread, &arguments, memory,
                 emulation::kDynamicCapacity);
}

// --- what it computes ---

struct Numbers {
  int* out;
};

void collectives(const void* arguments) {
  int* const out = static_cast<const Numbers*>(arguments)->out + threadIdx.x * 10;
  const int lane = static_cast<int>(threadIdx.x % 32);
  out[0] = __shfl_sync(kFull, lane * 10, 5);
  out[1] = __shfl_up_sync(kFull, lane, 3);
  out[2] = __shfl_down_sync(kFull, lane, 3);
  out[3] = __shfl_xor_sync(kFull, lane, 9);
  out[4] = __shfl_sync(kFull, lane, 1, 8);
  out[5] = static_cast<int>(__ballot_sync(kFull, lane % 3 == 0));
  out[6] = __any_sync(kFull, lane == 31) * 2 + __all_sync(kFull, lane < 31);
  out[7] = static_cast<int>(__match_any_sync(kFull, lane / 16));
  // Halves of the warp for themselves.
  const unsigned half = lane < 16 ? 0xFFFFU : 0xFFFF0000U;
  out[8] = __shfl_sync(half, lane, lane < 16 ? 15 : 16);
  out[9] = static_cast<int>(__shfl_xor_sync(kFull, 1LL << lane, 1) >> 20);
}

TEST(Emulation, WarpFunctions) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    emulation::set_seed(seed);
    std::vector<int> out(64 * 10);
    start(collectives, Numbers{out.data()}, 64);
    for (int thread = 0; thread < 64; ++thread) {
      const int lane = thread % 32;
      const int* const got = &out[static_cast<std::size_t>(thread) * 10];
      EXPECT_EQ(got[0], 50);
      EXPECT_EQ(got[1], lane < 3 ? lane : lane - 3);
      EXPECT_EQ(got[2], lane > 28 ? lane : lane + 3);
      EXPECT_EQ(got[3], lane ^ 9);
      EXPECT_EQ(got[4], lane / 8 * 8 + 1);
      EXPECT_EQ(got[5], 0x49249249);
      EXPECT_EQ(got[6], 2);
      EXPECT_EQ(got[7], static_cast<int>(lane < 16 ? 0xFFFFU : 0xFFFF0000U));
      EXPECT_EQ(got[8], lane < 16 ? 15 : 16);
      EXPECT_EQ(got[9], static_cast<int>((1LL << (lane ^ 1)) >> 20));
    }
  }
}

#if __CUDA_ARCH__ >= 800
void reductions(const void* arguments) {
  int* const out = static_cast<const Numbers*>(arguments)->out + threadIdx.x * 5;
  const int lane = static_cast<int>(threadIdx.x % 32);
  out[0] = __reduce_max_sync(kFull, 5 - lane);
  out[1] = __reduce_min_sync(kFull, 5 - lane);
  out[2] = static_cast<int>(__reduce_max_sync(kFull, static_cast<unsigned>(5 - lane)));
  out[3] = __reduce_add_sync(kFull, lane);
  out[4] = static_cast<int>(__reduce_or_sync(kFull, 1U << lane));
}

TEST(Emulation, Reductions) {
  std::vector<int> out(32 * 5);
  start(reductions, Numbers{out.data()}, 32);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane * 5], 5);
    EXPECT_EQ(out[lane * 5 + 1], -26);
    EXPECT_EQ(out[lane * 5 + 2], -1);
    EXPECT_EQ(out[lane * 5 + 3], 496);
    EXPECT_EQ(out[lane * 5 + 4], -1);
  }
}
#endif

void block_functions(const void* arguments) {
  __shared__ int sum;
  __shared__ int order[4];
  int* const out = static_cast<const Numbers*>(arguments)->out;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, static_cast<int>(threadIdx.x));
  const int some = __syncthreads_or(threadIdx.x == 77);
  const int count = __syncthreads_count(threadIdx.x % 2);
  // A thread that has returned is not waited for.
  if (threadIdx.x >= 64) return;
  order[threadIdx.x % 4] = static_cast<int>(blockIdx.x);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = sum * 1000 + some * 500 + count + order[0];
}

TEST(Emulation, BlockFunctions) {
  std::vector<int> out(3 * 64);
  start(block_functions, Numbers{out.data()}, 100, 3);
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i], 4950 * 1000 + 500 + 50 + static_cast<int>(i / 64));
  }
}

// One warp waits for another one: by polling, and with a shuffle in between.
void polling(const void* arguments) {
  __shared__ int flag;
  int* const out = static_cast<const Numbers*>(arguments)->out;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x >= 32) {
    if (threadIdx.x == 40) atomicExch(&flag, 7);
    return;
  }
  for (;;) {
    int seen = 0;
    if (threadIdx.x == 0) seen = atomicOr(&flag, 0);
    seen = __shfl_sync(kFull, seen, 0);
    if (seen != 0) {
      out[threadIdx.x] = seen;
      return;
    }
    __nanosleep(20);
  }
}

TEST(Emulation, WaitingForAnotherWarp) {
  std::vector<int> out(32);
  start(polling, Numbers{out.data()}, 64);
  for (const int seen : out) EXPECT_EQ(seen, 7);
}

TEST(Emulation, Tiles) {
  std::vector<int> out(32);
  start(
      [](const void* a) {
        namespace cg = cooperative_groups;
        const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
        static_cast<const Numbers*>(a)->out[threadIdx.x] =
            static_cast<int>(tile.ballot(threadIdx.x % 3 == 0)) * 100 +
            tile.shfl(static_cast<int>(threadIdx.x), 2);
      },
      Numbers{out.data()}, 32);
  for (int i = 0; i < 32; ++i) {
    int bits = 0;
    for (int k = 0; k < 8; ++k) bits |= (i / 8 * 8 + k) % 3 == 0 ? 1 << k : 0;
    EXPECT_EQ(out[static_cast<std::size_t>(i)], bits * 100 + i / 8 * 8 + 2);
  }
}

TEST(Emulation, Arithmetic) {
  EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x7250), 0x77225500U);
  EXPECT_EQ(__byte_perm(0x000000FF, 0, 0x0008), 0xFFFFFFFFU);
  EXPECT_EQ(__byte_perm(0x80, 0, 0x4448), 0x000000FFU);
  EXPECT_EQ(__dp2a_lo(0x00030080U, 0xFFFF02FFU, 5U), 0x80U * 0xFF + 3 * 2 + 5);
  EXPECT_EQ(__funnelshift_lc(0U, kFull, 32), 0U);
  EXPECT_EQ(__funnelshift_lc(0U, kFull, 40), 0U);
  EXPECT_EQ(__funnelshift_lc(0U, kFull, 4), 0xFFFFFFF0U);
  EXPECT_EQ(__funnelshift_l(0x80000000U, 1U, 1), 3U);
  EXPECT_EQ(__funnelshift_r(0x80000000U, 1U, 31), 3U);
  EXPECT_EQ(__vminu2(0x0001FFFF, 0x00020003), 0x00010003U);
  EXPECT_EQ(__vmaxs2(0x0001FFFF, 0x00020003), 0x00020003U);
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(min(-1, 5U), 5U);
  EXPECT_EQ(max(-1, 5), 5);
}

// --- defects ---

// Reads shared memory that another thread writes; without a barrier, it may read too early.
struct Reversed {
  int* out;
  bool barrier;
};

void reverse(const void* arguments) {
  __shared__ int values[64];
  const auto& a = *static_cast<const Reversed*>(arguments);
  values[threadIdx.x] = -1;
  __syncthreads();
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (a.barrier) __syncthreads();
  a.out[threadIdx.x] = values[63 - threadIdx.x];
}

bool reverses(std::uint64_t seed, bool barrier) {
  emulation::set_seed(seed);
  std::array<int, 64> out{};
  start(reverse, Reversed{out.data(), barrier}, 64);
  for (int i = 0; i < 64; ++i) {
    if (out[static_cast<std::size_t>(i)] != 63 - i) return false;
  }
  return true;
}

TEST(Emulation, MissingBarrierOfABlockIsSeen) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_TRUE(reverses(seed, true));
    wrong += reverses(seed, false) ? 0 : 1;
  }
  EXPECT_GT(wrong, 0);
}

// Reads a neighbour's value within a warp, whose threads only seem to run in lockstep.
void neighbours(const void* arguments) {
  __shared__ int values[32];
  const auto& a = *static_cast<const Reversed*>(arguments);
  values[threadIdx.x] = -1;
  __syncwarp();
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (a.barrier) __syncwarp();
  a.out[threadIdx.x] = values[threadIdx.x ^ 1];
}

TEST(Emulation, MissingBarrierOfAWarpIsSeen) {
  for (const bool barrier : {false, true}) {
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      emulation::set_seed(seed);
      std::array<int, 32> out{};
      start(neighbours, Reversed{out.data(), barrier}, 32);
      for (int i = 0; i < 32; ++i) wrong += out[static_cast<std::size_t>(i)] == (i ^ 1) ? 0 : 1;
    }
    EXPECT_EQ(wrong == 0, barrier);
  }
}

// Equal seeds give equal orders, different seeds give different ones.
TEST(Emulation, SeedsRepeat) {
  std::set<std::array<int, 64>> orders;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::array<std::array<int, 64>, 2> out{};
    for (auto& some : out) {
      emulation::set_seed(seed);
      start(reverse, Reversed{some.data(), false}, 64);
    }
    EXPECT_EQ(out[0], out[1]);
    orders.insert(out[0]);
  }
  EXPECT_GT(orders.size(), 1U);
}

// Separate functions, so that each call has its own line.
void different_calls(const void*) {
  if (threadIdx.x < 16) {
    __ballot_sync(kFull, true);
  } else {
    __any_sync(kFull, true);
  }
}
void different_places(const void*) {
  if (threadIdx.x == 7) {
    __syncwarp();
  } else {
    __syncwarp();
  }
}
void returns_early(const void*) {
  if (threadIdx.x == 7) return;
  __syncwarp();
}
void not_in_its_mask(const void*) {
  if (threadIdx.x > 3) __syncwarp(0xF);
}
void shuffle_from_outside(const void*) {
  if (threadIdx.x < 16) __shfl_sync(0xFFFF, 1, 20);
}
void different_barriers(const void*) {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}
void deadlock(const void*) {
  if (threadIdx.x == 0) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}
void reads_for_ever(const void*) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (*static_cast<volatile int*>(&flag) == 0) {
    }
  }
  __syncthreads();
}
void pauses_for_ever(const void*) {
  for (;;) __nanosleep(20);
}
void polls_for_ever(const void*) {
  static int flag = 0;
  while (atomicOr(&flag, 0) == 0) __nanosleep(20);
}
void after_the_end(const void*) { memory[100 + threadIdx.x] = 1; }
alignas(16) unsigned words[8] = {};
void unaligned_load(const void*) { __ldg(reinterpret_cast<const uint4*>(words + 1)); }

using EmulationDeathTest = ::testing::Test;

TEST(EmulationDeathTest, DifferentCallsOfAWarp) {
  EXPECT_DEATH(start(different_calls, 0, 32),
               "block \\(0, 0, 0\\), thread .*emulation_test.cpp:.*_sync with the mask ffffffff, "
               "but lanes .* wait in __");
}

TEST(EmulationDeathTest, OneCallAtDifferentPlaces) {
  EXPECT_DEATH(start(different_places, 0, 32),
               "__syncwarp with the mask ffffffff, but lanes .* wait in __syncwarp");
}

TEST(EmulationDeathTest, ThreadThatReturned) {
  EXPECT_DEATH(start(returns_early, 0, 32), "lanes 00000080 have returned|returned, but lanes");
}

TEST(EmulationDeathTest, MaskWithoutTheThread) {
  EXPECT_DEATH(start(not_in_its_mask, 0, 32), "in which it is not itself");
}

TEST(EmulationDeathTest, ShuffleFromOutsideTheMask) {
  EXPECT_DEATH(start(shuffle_from_outside, 0, 32),
               "reads lane 20, which is not in the mask 0000ffff");
}

TEST(EmulationDeathTest, DifferentBarriers) {
  EXPECT_DEATH(start(different_barriers, 0, 64),
               "__syncthreads, but thread .* of the block waits in __syncthreads");
}

TEST(EmulationDeathTest, Deadlock) {
  EXPECT_DEATH(start(deadlock, 0, 32),
               "deadlock in block \\(0, 0, 0\\)(.|\n)*lanes 00000001: in __syncthreads at "
               "(.|\n)*lanes fffffffe: in __syncwarp");
}

TEST(EmulationDeathTest, WaitingForNobody) {
  emulation::set_patience(1);
  EXPECT_DEATH(start(reads_for_ever, 0, 64),
               "takes longer than 1 s; block \\(0, 0, 0\\), thread \\(0, 0, 0\\) runs");
  emulation::set_patience(300);
  EXPECT_DEATH(start(pauses_for_ever, 0, 1), "waits for something that does not come");
  EXPECT_DEATH(start(polls_for_ever, 0, 40), "waits for something that does not come");
}

// Many pauses are no hang while one thread makes progress.
TEST(Emulation, WaitingForLong) {
  std::vector<int> out(1);
  start(
      [](const void* a) {
        constexpr int kTurns = 12'000'000;
        int* const turn = static_cast<const Numbers*>(a)->out;
        if (threadIdx.x == 0) {
          for (int i = 0; i < kTurns; ++i) {
            __nanosleep(20);
            atomicAdd(turn, 1);
          }
        }
        while (atomicOr(turn, 0) < kTurns) __nanosleep(20);
      },
      Numbers{out.data()}, 2);
  EXPECT_EQ(out[0], 12'000'000);
}

TEST(EmulationDeathTest, WriteAfterDynamicSharedMemory) {
  EXPECT_DEATH(start(after_the_end, 0, 32, 1, 128),
               "wrote byte 0 after its 128 bytes of dynamic shared memory|use-after-poison");
}

TEST(EmulationDeathTest, UnalignedLoad) {
  EXPECT_DEATH(start(unaligned_load, 0, 1), "which is not aligned to 16");
}

// Dynamic shared memory does not begin as zeros.
TEST(Emulation, SharedMemoryIsPoisoned) {
  std::vector<int> out(1);
  start(
      [](const void* a) {
        extern __shared__ __align__(16) unsigned char memory[];
        static_cast<const Numbers*>(a)->out[0] = memory[5];
      },
      Numbers{out.data()}, 1, 1, 64);
  EXPECT_EQ(out[0], 0xA5);
}

}  // namespace
}  // namespace rdp::cuda
