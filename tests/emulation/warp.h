// SPDX-License-Identifier: LGPL-2.1-or-later
// Threads of a warp, and the results of their collective operations: shuffles, votes, sums.
#ifndef RDP_TESTS_EMULATION_WARP_H_
#define RDP_TESTS_EMULATION_WARP_H_

#include <cstdint>

#include "tests/emulation/block.h"
#include "tests/emulation/fiber.h"

namespace emulation {

inline constexpr unsigned kWarp = 32;

enum class State : unsigned char { kRunnable, kSleeping, kInWarp, kAtBarrier, kReturned };

struct Lane {
  Fiber fiber;
  Index index{};
  State state = State::kReturned;
  // The operation that it waits for.
  Together what{};
  Site site{};
  unsigned mask = 0;
  std::uint64_t value = 0;
  unsigned source = 0;
  std::uint64_t result = 0;
};

// Threads of a warp that wait for each other.
struct Group {
  Together what;
  Site site;
  unsigned mask;
  unsigned there;
};

struct Warp {
  unsigned runnable = 0;
  unsigned sleeping = 0;
  unsigned returned = 0;
  unsigned groups = 0;
  Group group[kWarp];
  Lane lanes[kWarp];
};

// CUDA's name of a collective operation.
const char* name_of(Together what);
bool same(Site a, Site b);

// Stores the results of all threads of a group.
void finish(Warp* warp, const Group& group);

}  // namespace emulation

#endif  // RDP_TESTS_EMULATION_WARP_H_
