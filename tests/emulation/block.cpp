// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/block.h"

#include <signal.h>
#include <sys/time.h>

#include <bit>
#include <cfenv>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/emulation/warp.h"

#if RDP_EMULATION_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace emulation {

Index thread_index, block_index, block_size, grid_size;

namespace {

constexpr unsigned kMaxWarps = 32;
constexpr unsigned kMaxThreads = kWarp * kMaxWarps;
constexpr std::size_t kStackBytes = RDP_EMULATION_ASAN ? 256 * 1024 : 64 * 1024;
constexpr unsigned kStaggered = 64;
constexpr unsigned kStagger = 5 * 64;
// Fill byte of shared memory before a block starts; words of it are unlikely numbers.
constexpr unsigned char kPoison = 0xA5;
// Bytes after the dynamic shared memory that must still hold kPoison when a block ends. Under the
// address sanitizer this check is off, because the sanitizer detects every access there.
constexpr unsigned kGuardBytes = 4096;
constexpr unsigned kCheckedBytes = RDP_EMULATION_ASAN ? 0 : kGuardBytes;
// A block counts as hung after this many pauses without progress: no thread passed a barrier,
// ended, or changed a word by an atomic operation. Pauses with progress are unlimited: threads that
// split a tall frame wait for each other's tasks, and each task changes words.
constexpr std::uint64_t kMaxPauses = 20'000'000;

struct Barrier {
  unsigned there = 0;
  Together what{};
  Site site{};
  unsigned first_warp = 0, first_lane = 0;
  bool any = false;
  bool all = true;
  int count = 0;
};

struct Machine {
  Warp warps[kMaxWarps];
  unsigned warp_count = 0;
  unsigned runnable_warps = 0;
  unsigned alive = 0;
  Barrier barrier;
  Fiber creator;
  unsigned warp = 0;  // the current thread's
  unsigned lane = 0;
  unsigned char* stacks = nullptr;
  void (*thread)(const void*) = nullptr;
  const void* arguments = nullptr;
  unsigned char* memory = nullptr;
  unsigned memory_bytes = 0;
  std::uint64_t lot = 0;
  std::uint64_t seed = 0;
  std::uint64_t launches = 0;
  std::uint64_t pauses = 0;
  unsigned switches = 0;
  unsigned patience = 300;
  bool running = false;
};
Machine m;

std::uint64_t mixed(std::uint64_t v) {
  v += 0x9E3779B97F4A7C15U;
  v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9U;
  v = (v ^ v >> 27) * 0x94D049BB133111EBU;
  return v ^ v >> 31;
}

unsigned draw() {
  m.lot ^= m.lot << 13;
  m.lot ^= m.lot >> 7;
  m.lot ^= m.lot << 17;
  return static_cast<unsigned>(m.lot >> 32);
}

// Index of one of the set bits.
unsigned pick(unsigned bits, unsigned lot) {
  const int by = static_cast<int>(lot % 32);
  return (static_cast<unsigned>(std::countr_zero(std::rotr(bits, by))) + lot % 32) % 32;
}

unsigned number_of(unsigned warp, unsigned lane) { return warp * kWarp + lane; }

[[noreturn]] void end_process() {
  std::fflush(stderr);
  std::abort();
}

// Prints where threads wait, or that they run: one line for the like threads of a warp.
void print_waiting() {
  for (unsigned w = 0; w < m.warp_count; ++w) {
    const Warp& warp = m.warps[w];
    unsigned left = ~warp.returned;
    while (left != 0) {
      const auto first = static_cast<unsigned>(std::countr_zero(left));
      const Lane& a = warp.lanes[first];
      unsigned alike = 0;
      for (unsigned l = first; l < kWarp; ++l) {
        const Lane& b = warp.lanes[l];
        const bool waits = a.state == State::kInWarp || a.state == State::kAtBarrier;
        if ((left >> l & 1) != 0 && b.state == a.state &&
            (!waits || (b.what == a.what && same(a.site, b.site)))) {
          alike |= 1U << l;
        }
      }
      left &= ~alike;
      switch (a.state) {
        case State::kInWarp:
          std::fprintf(stderr, "  warp %u, lanes %08x: in %s (mask %08x) at %s:%d\n", w, alike,
                       name_of(a.what), a.mask, a.site.file, a.site.line);
          break;
        case State::kAtBarrier:
          std::fprintf(stderr, "  warp %u, lanes %08x: in %s at %s:%d\n", w, alike, name_of(a.what),
                       a.site.file, a.site.line);
          break;
        default:
          std::fprintf(stderr, "  warp %u, lanes %08x: running\n", w, alike);
          break;
      }
    }
    if (warp.returned != 0) {
      std::fprintf(stderr, "  warp %u, lanes %08x: returned, or not there\n", w, warp.returned);
    }
  }
}

// Switches to another thread. The current one is runnable, waits or has returned.
void go_on_with(unsigned w, unsigned l, bool last) {
  Lane& self = m.warps[m.warp].lanes[m.lane];
  Lane& next = m.warps[w].lanes[l];
  m.warp = w;
  m.lane = l;
  thread_index = next.index;
  if (&next != &self) go_over(&self.fiber, &next.fiber, last);
}

void wake_sleepers() {
  for (unsigned w = 0; w < m.warp_count; ++w) {
    Warp& warp = m.warps[w];
    if (warp.sleeping == 0) continue;
    for (unsigned rest = warp.sleeping; rest != 0; rest &= rest - 1) {
      warp.lanes[std::countr_zero(rest)].state = State::kRunnable;
    }
    warp.runnable |= warp.sleeping;
    warp.sleeping = 0;
    m.runnable_warps |= 1U << w;
  }
}

// Switches to any runnable thread, mostly of the same warp.
void give_way(bool last = false) {
  if (++m.switches % 512 == 0) wake_sleepers();
  if (m.runnable_warps == 0) wake_sleepers();
  if (m.runnable_warps == 0) {
    if (m.alive == 0) {
      Fiber* const self = &m.warps[m.warp].lanes[m.lane].fiber;
      go_over(self, &m.creator, last);
      return;
    }
    std::fprintf(stderr, "emulation: deadlock in block (%u, %u, %u): no thread can go on\n",
                 block_index.x, block_index.y, block_index.z);
    print_waiting();
    end_process();
  }
  const unsigned lot = draw();
  unsigned w = m.warp;
  if (m.warps[w].runnable == 0 || lot >> 26 == 0) w = pick(m.runnable_warps, lot >> 5);
  go_on_with(w, pick(m.warps[w].runnable, lot), last);
}

// Suspends the current thread until another one makes it runnable.
void stop(State state) {
  Warp& warp = m.warps[m.warp];
  warp.lanes[m.lane].state = state;
  warp.runnable &= ~(1U << m.lane);
  if (warp.runnable == 0) m.runnable_warps &= ~(1U << m.warp);
}

void make_runnable(unsigned w, unsigned lanes) {
  Warp& warp = m.warps[w];
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    warp.lanes[std::countr_zero(rest)].state = State::kRunnable;
  }
  warp.runnable |= lanes;
  if (warp.runnable != 0) m.runnable_warps |= 1U << w;
}

// Releases the threads at the barrier if all have arrived.
bool open_barrier() {
  Barrier& barrier = m.barrier;
  if (barrier.there == 0 || barrier.there != m.alive) return false;
  int result = 0;
  if (barrier.what == Together::kSyncThreadsOr) result = barrier.any ? 1 : 0;
  if (barrier.what == Together::kSyncThreadsAnd) result = barrier.all ? 1 : 0;
  if (barrier.what == Together::kSyncThreadsCount) result = barrier.count;
  for (unsigned w = 0; w < m.warp_count; ++w) {
    Warp& warp = m.warps[w];
    for (unsigned rest = ~warp.returned; rest != 0; rest &= rest - 1) {
      warp.lanes[std::countr_zero(rest)].result = static_cast<std::uint64_t>(result);
    }
    make_runnable(w, ~warp.returned);
  }
  barrier = Barrier();
  m.pauses = 0;
  return true;
}

void run_thread() {
  Lane& self = m.warps[m.warp].lanes[m.lane];
  arrived(&self.fiber, &m.creator);
  m.thread(m.arguments);
  Warp& warp = m.warps[m.warp];
  stop(State::kReturned);
  warp.returned |= 1U << m.lane;
  for (unsigned g = 0; g < warp.groups; ++g) {
    const Group& group = warp.group[g];
    if ((group.mask >> m.lane & 1) != 0) {
      defect(group.site, "returned, but lanes %08x wait for it in %s with the mask %08x",
             group.there, name_of(group.what), group.mask);
    }
  }
  --m.alive;
  m.pauses = 0;
  open_barrier();
  give_way(true);
}

void run_block(const Launch& launch) {
  const unsigned threads = block_size.x * block_size.y * block_size.z;
  m.warp_count = (threads + kWarp - 1) / kWarp;
  m.alive = threads;
  m.runnable_warps = 0;
  m.pauses = 0;
  m.barrier = Barrier();
  unsigned number = 0;
  for (unsigned w = 0; w < m.warp_count; ++w) {
    Warp& warp = m.warps[w];
    const unsigned lanes = threads - w * kWarp < kWarp ? threads - w * kWarp : kWarp;
    warp.runnable = lanes == kWarp ? ~0U : (1U << lanes) - 1;
    warp.returned = ~warp.runnable;
    warp.sleeping = 0;
    warp.groups = 0;
    m.runnable_warps |= 1U << w;
    for (unsigned l = 0; l < lanes; ++l, ++number) {
      Lane& lane = warp.lanes[l];
      lane.state = State::kRunnable;
      lane.index = {number % block_size.x, number / block_size.x % block_size.y,
                    number / (block_size.x * block_size.y)};
      // Staggered stack tops: at equal distances they would compete for a few cache lines.
      prepare(&lane.fiber, m.stacks + number * kStackBytes,
              kStackBytes - number % kStaggered * kStagger, run_thread);
    }
  }
  if (m.memory != nullptr) std::memset(m.memory, kPoison, m.memory_bytes + kCheckedBytes);
  const unsigned lot = draw();
  m.warp = pick(m.runnable_warps, lot >> 5);
  m.lane = pick(m.warps[m.warp].runnable, lot);
  Lane& first = m.warps[m.warp].lanes[m.lane];
  thread_index = first.index;
  go_over(&m.creator, &first.fiber);
  if (m.memory != nullptr) {
    for (unsigned i = 0; i < kCheckedBytes; ++i) {
      if (m.memory[m.memory_bytes + i] == kPoison) continue;
      std::fprintf(stderr,
                   "emulation: block (%u, %u, %u) wrote byte %u after its %u bytes of dynamic "
                   "shared memory\n",
                   block_index.x, block_index.y, block_index.z, i, launch.shared_bytes);
      end_process();
    }
  }
}

// Sets an alarm after `seconds` of the process's CPU time, which does not depend on the machine's
// load; 0: off.
void set_alarm(unsigned seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

// Handles the alarm of a block that takes too long. The running thread is the one that never
// yields.
void on_alarm(int) {
  std::fprintf(stderr,
               "emulation: a block takes longer than %u s; block (%u, %u, %u), thread (%u, %u, "
               "%u) runs. Where it waits for another one, it must let that go on: __nanosleep()\n",
               m.patience, block_index.x, block_index.y, block_index.z, thread_index.x,
               thread_index.y, thread_index.z);
  print_waiting();
  end_process();
}

}  // namespace

void defect(Site site, const char* format, ...) {
  std::fprintf(stderr,
               "emulation: block (%u, %u, %u), thread (%u, %u, %u), at %s:%d: ", block_index.x,
               block_index.y, block_index.z, thread_index.x, thread_index.y, thread_index.z,
               site.file, site.line);
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  print_waiting();
  end_process();
}

std::uint64_t meet_warp(Together what, unsigned mask, std::uint64_t value, unsigned source,
                        Site site) {
  Warp& warp = m.warps[m.warp];
  Lane& self = warp.lanes[m.lane];
  const unsigned me = 1U << m.lane;
  self.what = what;
  self.site = site;
  self.mask = mask;
  self.value = value;
  self.source = source;
  Group* group = nullptr;
  for (unsigned g = 0; g < warp.groups; ++g) {
    Group& other = warp.group[g];
    if (other.mask == mask && other.what == what && same(other.site, site)) {
      group = &other;
    } else if ((other.mask & me) != 0 && (other.there & mask) != 0) {
      // The groups would wait for each other: a deadlock.
      defect(site, "%s with the mask %08x, but lanes %08x wait in %s with the mask %08x at %s:%d",
             name_of(what), mask, other.there, name_of(other.what), other.mask, other.site.file,
             other.site.line);
    }
  }
  if (group == nullptr) {
    if ((mask & me) == 0) {
      defect(site, "%s with the mask %08x, in which it is not itself", name_of(what), mask);
    }
    if ((mask & warp.returned) != 0) {
      defect(site, "%s with the mask %08x, of which lanes %08x have returned or are not there",
             name_of(what), mask, mask & warp.returned);
    }
    group = &warp.group[warp.groups++];
    *group = {what, site, mask, 0};
  }
  group->there |= me;
  if (group->there != mask) {
    stop(State::kInWarp);
    give_way();
    return self.result;
  }
  const Group done = *group;
  *group = warp.group[--warp.groups];
  finish(&warp, done);
  make_runnable(m.warp, mask);
  // The last thread to arrive gets no priority.
  give_way();
  return self.result;
}

int meet_block(Together what, int value, Site site) {
  Barrier& barrier = m.barrier;
  Lane& self = m.warps[m.warp].lanes[m.lane];
  self.what = what;
  self.site = site;
  if (barrier.there == 0) {
    barrier.what = what;
    barrier.site = site;
    barrier.first_warp = m.warp;
    barrier.first_lane = m.lane;
  } else if (barrier.what != what || !same(barrier.site, site)) {
    defect(site, "%s, but thread %u of the block waits in %s at %s:%d", name_of(what),
           number_of(barrier.first_warp, barrier.first_lane), name_of(barrier.what),
           barrier.site.file, barrier.site.line);
  }
  ++barrier.there;
  barrier.any |= value != 0;
  barrier.all &= value != 0;
  barrier.count += value != 0 ? 1 : 0;
  stop(State::kAtBarrier);
  open_barrier();
  give_way();
  return static_cast<int>(self.result);
}

void pause(Site site) {
  if (++m.pauses > kMaxPauses) {
    defect(site, "waits for something that does not come");
  }
  stop(State::kSleeping);
  m.warps[m.warp].sleeping |= 1U << m.lane;
  give_way();
}

void after_change() { m.pauses = 0; }

void before_atomic() {
  if (draw() % 32 != 0) return;
  if (++m.pauses > kMaxPauses) {
    defect(m.warps[m.warp].lanes[m.lane].site,
           "waits for something that does not come; this is "
           "the last place where it met others");
  }
  give_way();
}

unsigned lane() { return m.lane; }
unsigned char* dynamic_memory() { return m.memory; }
unsigned dynamic_bytes() { return m.memory_bytes; }

void set_seed(std::uint64_t seed) {
  m.seed = seed;
  m.launches = 0;
}

void set_patience(unsigned seconds) { m.patience = seconds; }

void run(const Launch& launch, void (*thread)(const void*), const void* arguments,
         unsigned char* memory, unsigned memory_size) {
  const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  if (threads == 0 || threads > kMaxThreads) {
    std::fprintf(stderr, "emulation: %u threads a block; 1 to %u are possible\n", threads,
                 kMaxThreads);
    end_process();
  }
  if (launch.shared_bytes > 0 &&
      (memory == nullptr || launch.shared_bytes + kGuardBytes > memory_size)) {
    std::fprintf(stderr, "emulation: %u bytes of dynamic shared memory; the kernel has %u\n",
                 launch.shared_bytes, memory == nullptr ? 0 : memory_size - kGuardBytes);
    end_process();
  }
  if (m.running) {
    std::fprintf(stderr, "emulation: a launch while another one runs\n");
    end_process();
  }
  m.running = true;
  if (m.stacks == nullptr) m.stacks = make_stacks(kMaxThreads, kStackBytes);
  if (m.seed == 0) {
    const char* const wish = std::getenv("RDP_EMULATION_SEED");
    m.seed =
        wish != nullptr && std::atoll(wish) != 0 ? static_cast<std::uint64_t>(std::atoll(wish)) : 1;
  }
  m.lot = mixed(m.seed ^ mixed(++m.launches)) | 1;
  m.creator = Fiber();
  m.thread = thread;
  m.arguments = arguments;
  m.memory = memory;
  m.memory_bytes = launch.shared_bytes;
#if RDP_EMULATION_ASAN
  __asan_poison_memory_region(memory + launch.shared_bytes, memory_size - launch.shared_bytes);
#endif
  // A device does not depend on the caller's rounding mode.
  std::fenv_t environment;
  std::fegetenv(&environment);
  std::fesetenv(FE_DFL_ENV);
  struct sigaction action {};
  struct sigaction previous {};
  action.sa_handler = on_alarm;
  sigaction(SIGPROF, &action, &previous);
  block_size = launch.block;
  grid_size = launch.grid;
  for (unsigned z = 0; z < launch.grid.z; ++z) {
    for (unsigned y = 0; y < launch.grid.y; ++y) {
      for (unsigned x = 0; x < launch.grid.x; ++x) {
        block_index = {x, y, z};
        set_alarm(m.patience);
        run_block(launch);
      }
    }
  }
  set_alarm(0);
  sigaction(SIGPROF, &previous, nullptr);
  std::fesetenv(&environment);
#if RDP_EMULATION_ASAN
  __asan_unpoison_memory_region(memory, memory_size);
#endif
  m.running = false;
}

}  // namespace emulation
