// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gpu/guarded_memory.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "kernels/runtime/driver.h"
#include "tests/gpu/extra_driver.h"

namespace rdp::test {
namespace {

using cuda::Driver;

constexpr std::size_t kGuard = 4096;  // keeps the alignment of what lies between
constexpr unsigned char kPattern = 0xA5;

struct State {
  std::mutex mutex;
  bool installed = false;
  bool guards = true;
  Driver real;
  std::map<CUdeviceptr, std::size_t> sizes;
  std::string damage;
  std::uint64_t allocations = 0;
};

State& state() {
  static State theirs;
  return theirs;
}

// The first changed guard byte of an allocation, in words; empty if there is none.
std::string look_at(const Driver& real, CUdeviceptr pointer, std::size_t size) {
  std::vector<unsigned char> guard(kGuard);
  std::string found;
  for (const bool after : {false, true}) {
    const CUdeviceptr from = after ? pointer + size : pointer - kGuard;
    if (real.cuMemcpyDtoHAsync_v2(guard.data(), from, kGuard, nullptr) != CUDA_SUCCESS ||
        real.cuStreamSynchronize(nullptr) != CUDA_SUCCESS) {
      return "the guard bytes cannot be read any more; ";
    }
    for (std::size_t i = 0; i < kGuard; ++i) {
      if (guard[i] == kPattern) continue;
      found += after ? "byte " + std::to_string(i) + " after"
                     : "byte " + std::to_string(kGuard - i) + " before";
      found += " an allocation of " + std::to_string(size) + " bytes was written; ";
      break;
    }
  }
  return found;
}

CUresult allocate(CUdeviceptr* pointer, std::size_t size) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  ++s.allocations;
  if (!s.guards) return s.real.cuMemAlloc_v2(pointer, size);
  CUdeviceptr outer = 0;
  const CUresult result = s.real.cuMemAlloc_v2(&outer, size + 2 * kGuard);
  if (result != CUDA_SUCCESS) return result;
  s.real.cuMemsetD8Async(outer, kPattern, size + 2 * kGuard, nullptr);
  s.real.cuStreamSynchronize(nullptr);
  *pointer = outer + kGuard;
  s.sizes[*pointer] = size;
  return CUDA_SUCCESS;
}

CUresult release(CUdeviceptr pointer) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto found = s.sizes.find(pointer);
  if (found == s.sizes.end()) return s.real.cuMemFree_v2(pointer);
  // cuMemFree waits for the device. Wait here too, so that pending writes arrive before the check.
  if (extra_driver() != nullptr) extra_driver()->cuCtxSynchronize();
  s.damage += look_at(s.real, pointer, found->second);
  s.sizes.erase(found);
  return s.real.cuMemFree_v2(pointer - kGuard);
}

}  // namespace

void guard_device_memory() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.installed) return;
  s.installed = true;
  const char* wish = std::getenv("RDP_GPU_TEST_GUARDS");
  s.guards = wish == nullptr || std::strcmp(wish, "0") != 0;
  s.real = cuda::driver();
  // The table is an ordinary object behind a constant reference.
  auto& table = const_cast<Driver&>(cuda::driver());
  table.cuMemAlloc_v2 = allocate;
  table.cuMemFree_v2 = release;
}

std::string guard_damage() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  std::string all = s.damage;
  for (const auto& [pointer, size] : s.sizes) all += look_at(s.real, pointer, size);
  return all;
}

std::uint64_t device_allocations() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  return s.allocations;
}

}  // namespace rdp::test
