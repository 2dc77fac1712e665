// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_EMULATION_BLOCK_H_
#define RDP_TESTS_EMULATION_BLOCK_H_

#include <cstdint>

// Runs the threads of a kernel on the CPU; cuda_emulation.h maps CUDA's functions to these. Each
// thread is a fiber with its own stack, and all fibers share one OS thread. A fiber yields only in
// calls of these functions, and the next fiber is chosen at random. So code that relies on an order
// that CUDA does not guarantee fails for some seed.
//
// A process runs one launch at a time. A defect of the kernel ends the process with a message.
namespace emulation {

struct Index {
  unsigned x, y, z;
};
extern Index thread_index, block_index, block_size, grid_size;

// Call site of a function.
struct Site {
  const char* file;
  int line;
};

// Collective operations of a warp or block.
enum class Together {
  kShuffle,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kBallot,
  kAny,
  kAll,
  kAdd,
  kMinSigned,
  kMinUnsigned,
  kMaxSigned,
  kMaxUnsigned,
  kAnd,
  kOr,
  kXor,
  kMatchAny,
  kSyncWarp,
  kSyncThreads,
  kSyncThreadsOr,
  kSyncThreadsAnd,
  kSyncThreadsCount,
};

// Waits until all threads of `mask` have arrived at the same call site, and returns this thread's
// result. `source` is the lane whose value a shuffle returns.
std::uint64_t meet_warp(Together what, unsigned mask, std::uint64_t value, unsigned source,
                        Site site);
// The block-wide counterpart: waits for all threads of the block that have not returned.
int meet_block(Together what, int value, Site site);

// Yields to other fibers.
void pause(Site site);
// Call before an access that other threads can observe: yields occasionally.
void before_atomic();
// Call after an atomic operation that changed its word: the block makes progress, even if its
// threads pause for long.
void after_change();

// Ends the process with a message that names the faulty thread.
[[noreturn]] void defect(Site site, const char* format, ...) __attribute__((format(printf, 2, 3)));

// The thread's place in its warp.
unsigned lane();

// The block's dynamic shared memory.
unsigned char* dynamic_memory();
unsigned dynamic_bytes();

struct Launch {
  Index grid{1, 1, 1};
  Index block{1, 1, 1};
  unsigned shared_bytes = 0;
};

// Runs all blocks, one after the other in the order of their indices, x first. `thread` is the
// kernel. `memory`, of `memory_size` bytes, is its dynamic shared memory; null where it has none.
void run(const Launch& launch, void (*thread)(const void* arguments), const void* arguments,
         unsigned char* memory, unsigned memory_size);

// Random seed of later launches. Default: environment variable RDP_EMULATION_SEED, else 1.
void set_seed(std::uint64_t seed);

// Limit of a block's processor time in seconds (default 300). It catches a thread that waits by
// reading alone, which never yields.
void set_patience(unsigned seconds);

}  // namespace emulation

#endif  // RDP_TESTS_EMULATION_BLOCK_H_
