// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_EMULATION_BLOCK_H_
#define RDP_TESTS_EMULATION_BLOCK_H_

#include <cstdint>

// Runs the threads of a kernel on the CPU: what cuda_emulation.h makes of CUDA's functions. Each
// thread is a fiber, a stack of its own, and all fibers take turns on one thread of the operating
// system. A fiber gives way only where it calls one of these functions, and who is next is drawn by
// lot, so that what relies on an order that CUDA does not promise goes wrong for some seed.
//
// One launch at a time in a process. A defect of the kernel ends the process with a message.
namespace emulation {

struct Index {
  unsigned x, y, z;
};
extern Index thread_index, block_index, block_size, grid_size;

// Where a function was called.
struct Site {
  const char* file;
  int line;
};

// What threads of a warp, or of a block, do together.
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

// Waits until all threads of `mask` have come to the same place, and returns this thread's result.
// `source` is the lane whose value a shuffle returns.
std::uint64_t meet_warp(Together what, unsigned mask, std::uint64_t value, unsigned source,
                        Site site);
// The same for all threads of the block that have not returned.
int meet_block(Together what, int value, Site site);

// Lets others go on first.
void pause(Site site);
// Before what other threads may see: lets others go on now and then.
void before_atomic();
// After an atomic operation that changed its word: the block gets on, however long it pauses.
void after_change();

// Ends the process, saying which thread did what is wrong.
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

// What the lots of later launches begin with: RDP_EMULATION_SEED of the environment, else 1.
void set_seed(std::uint64_t seed);

// Seconds of processor time that a block may take, 300 at first: a thread that waits by reading
// alone never gives way.
void set_patience(unsigned seconds);

}  // namespace emulation

#endif  // RDP_TESTS_EMULATION_BLOCK_H_
