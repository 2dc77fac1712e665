// SPDX-License-Identifier: LGPL-2.1-or-later
// Modules, functions and launches.
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "tests/standin/state.h"

using standin::Call;
using standin::Context;
using standin::Function;
using standin::Module;

namespace {

constexpr unsigned kMaxThreads = 1024;
constexpr unsigned kMaxShared = 227 * 1024;

// Maximum size of kernel arguments, and the smallest page size.
constexpr std::size_t kArgumentBytes = 4096;
struct alignas(16) Arguments {
  std::array<std::byte, kArgumentBytes> bytes;
};

// Result of current_launch(). Launches run one at a time.
KernelLaunch running_launch{};

// Number of readable bytes from an address on, up to a page. Writing to a pipe tests the next page
// without a fault.
std::size_t readable_bytes(const void* from) {
  const std::size_t first =
      kArgumentBytes - reinterpret_cast<std::uintptr_t>(from) % kArgumentBytes;
  int ends[2];
  if (first == kArgumentBytes || pipe(ends) != 0) return kArgumentBytes;
  // A raw system call, because sanitizers intercept write().
  const long written = syscall(SYS_write, ends[1], static_cast<const std::byte*>(from) + first,
                               kArgumentBytes - first);
  for (const int end : ends) close(end);
  return written < 0 ? first : kArgumentBytes;
}

// Copies a kernel's arguments, because the launch runs later. Their size is unknown, so this also
// reads the bytes after them, as far as these are readable; hence no sanitizers.
__attribute__((no_sanitize("address", "thread", "undefined"), noinline)) void keep(const void* from,
                                                                                   Arguments* to) {
  const volatile auto* bytes = static_cast<const volatile std::byte*>(from);
  const std::size_t there = readable_bytes(from);
  for (std::size_t i = 0; i < there; ++i) to->bytes[i] = bytes[i];
}

Function* find_function(const Call& call, CUfunction handle) {
  const auto found = call.context()->functions.find(reinterpret_cast<Function*>(handle));
  if (found == call.context()->functions.end()) {
    standin::misuse("%s: the function is none of the current context", call.name());
  }
  return found->first;
}

}  // namespace

const KernelLaunch& current_launch() { return running_launch; }

void count_copied_to_host(std::size_t bytes) { standin::state().bytes["DtoH"] += bytes; }

STANDIN_EXPORT CUresult cuModuleLoadData(CUmodule* handle, const void* image) {
  STANDIN_ENTER(kContext);
  if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto owned = std::make_unique<Module>();
  owned->context = call.context();
  Module* module = owned.get();
  call.context()->modules[module] = std::move(owned);
  *handle = reinterpret_cast<CUmodule>(module);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuModuleUnload(CUmodule handle) {
  STANDIN_ENTER(kContext);
  auto* module = reinterpret_cast<Module*>(handle);
  if (call.context()->modules.erase(module) == 0) {
    standin::misuse("%s: the module is none of the current context", call.name());
  }
  std::erase_if(call.context()->functions,
                [module](const auto& entry) { return entry.first->module == module; });
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuModuleGetFunction(CUfunction* handle, CUmodule module_handle,
                                            const char* name) {
  STANDIN_ENTER(kContext);
  auto* module = reinterpret_cast<Module*>(module_handle);
  if (!call.context()->modules.contains(module)) {
    standin::misuse("%s: the module is none of the current context", call.name());
  }
  const HostKernel kernel = find_host_kernel(name);
  if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
  auto owned = std::make_unique<Function>();
  owned->module = module;
  owned->name = name;
  owned->kernel = kernel;
  Function* function = owned.get();
  call.context()->functions[function] = std::move(owned);
  *handle = reinterpret_cast<CUfunction>(function);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute,
                                           int value) {
  STANDIN_ENTER(kContext);
  Function* function = find_function(call, handle);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_SUCCESS;
  if (value < 0 || static_cast<unsigned>(value) > kMaxShared) return CUDA_ERROR_INVALID_VALUE;
  function->shared_limit = static_cast<unsigned>(value);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute,
                                           CUfunction handle) {
  STANDIN_ENTER(kContext);
  const Function* function = find_function(call, handle);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = static_cast<int>(kMaxThreads);
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = static_cast<int>(function->shared_limit);
      break;
    default:
      *value = 0;
      break;
  }
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction handle,
                                                                    int, size_t) {
  STANDIN_ENTER(kContext);
  find_function(call, handle);
  *blocks = 2;
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuLaunchKernel(CUfunction handle, unsigned grid_x, unsigned grid_y,
                                       unsigned grid_z, unsigned block_x, unsigned block_y,
                                       unsigned block_z, unsigned shared, CUstream stream,
                                       void** parameters, void**) {
  STANDIN_ENTER(kContext);
  const Function* function = find_function(call, handle);
  const unsigned threads = block_x * block_y * block_z;
  if (grid_x == 0 || grid_y == 0 || grid_z == 0 || grid_y > 65535 || grid_z > 65535 ||
      threads == 0 || threads > kMaxThreads || shared > function->shared_limit ||
      parameters == nullptr || parameters[0] == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const auto arguments = std::make_shared<Arguments>();
  keep(parameters[0], arguments.get());
  const KernelLaunch launch{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
  standin::submit(call, standin::find_stream(call, stream),
                  [kernel = function->kernel, launch, arguments] {
                    running_launch = launch;
                    kernel(arguments->bytes.data());
                    std::this_thread::sleep_for(
                        std::chrono::milliseconds(standin::state().kernel_milliseconds));
                  });
  return CUDA_SUCCESS;
}
