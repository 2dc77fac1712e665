// SPDX-License-Identifier: LGPL-2.1-or-later
// Stand-in for NVIDIA's libnvbufsurface: surfaces of both generations, and counts of calls. See
// README.md.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/standin/egl_image.h"
#include "tests/standin/nvmm_abi.h"

#define NVMM_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace nvmm_abi;

#ifdef STANDIN_NVMM_EXTENDED
constexpr Sizes kSizes = kExtended;
#else
constexpr Sizes kSizes = kClassic;
#endif

[[noreturn]] void misuse(const char* what) {
  std::fprintf(stderr, "stand-in libnvbufsurface: %s\n", what);
  std::abort();
}

template <typename T>
T get(const void* at, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(at) + offset, sizeof value);
  return value;
}
template <typename T>
void put(void* at, std::size_t offset, T value) {
  std::memcpy(static_cast<std::byte*>(at) + offset, &value, sizeof value);
}

// Memory functions of the CUDA driver, stand-in or real.
struct Cuda {
  template <typename Function>
  static Function* find(const char* name) {
    static void* library = dlopen("libcuda.so.1", RTLD_LAZY);
    return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
  }
  // Calls `work` in the primary context of a device.
  template <typename Work>
  static bool in_primary(int device, Work work) {
    auto* init = find<int(unsigned)>("cuInit");
    auto* retain = find<int(void**, int)>("cuDevicePrimaryCtxRetain");
    auto* push = find<int(void*)>("cuCtxPushCurrent_v2");
    auto* pop = find<int(void**)>("cuCtxPopCurrent_v2");
    // Never released, as in the CUDA runtime. Guarded by Entry's mutex.
    static std::map<int, void*> contexts;
    void*& context = contexts[device];
    if (context == nullptr && (init == nullptr || init(0) != 0 || retain(&context, device) != 0)) {
      context = nullptr;
    }
    if (context == nullptr || push(context) != 0) return false;
    const bool done = work() == 0;
    void* ours = nullptr;
    pop(&ours);
    return done;
  }
};

// One surface: its memory and mappings.
struct Storage {
  int type = 0;
  int gpu = 0;
  std::byte* data = nullptr;
  std::size_t size = 0;
  std::vector<std::byte> own;     // of surface arrays and system memory
  std::vector<std::byte> shadow;  // CPU view of a surface array, stale until synchronised
  bool mapped = false;
  EglImage* image = nullptr;
};

struct Batch {
  std::vector<std::uint64_t> header;
  std::vector<std::uint64_t> list;
  std::vector<std::unique_ptr<Storage>> storages;
};

struct State {
  std::mutex mutex;
  std::map<void*, std::unique_ptr<Batch>> batches;
  std::map<std::string, int> counts;
  std::map<std::string, int> failures;  // countdown
  int images = 0;
  int maps = 0;
  std::vector<EglImage*> early;  // destroyed while registered with CUDA, which may still use them
};

State& state() {
  static State* only = new State;
  return *only;
}

bool is_jetson() {
  const char* platform = std::getenv("STANDIN_NVMM_PLATFORM");
  return platform == nullptr || std::strcmp(platform, "jetson") == 0;
}

// Nesting of calls in the calling thread.
int& depth() {
  static thread_local int calls = 0;
  return calls;
}

// One call: holds the mutex.
class Entry {
 public:
  Entry() : lock_(state().mutex) { ++depth(); }
  ~Entry() { --depth(); }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
};

// Counts a call. Returns false if the call is to fail.
bool enter(const char* name) {
  State& s = state();
  ++s.counts[name];
  const auto failure = s.failures.find(name);
  if (failure == s.failures.end() || --failure->second > 0) return true;
  s.failures.erase(failure);
  return false;
}

Storage* find(void* surface, int index) {
  const auto found = state().batches.find(surface);
  if (found == state().batches.end()) misuse("a surface that does not exist any more");
  if (index < 0 || static_cast<std::size_t>(index) >= found->second->storages.size())
    return nullptr;
  return found->second->storages[static_cast<std::size_t>(index)].get();
}

std::byte* params_of(void* surface, int index) {
  return get<std::byte*>(surface, surface::kList) + static_cast<std::size_t>(index) * kSizes.params;
}

bool allocate(Storage* storage) {
  switch (storage->type) {
    case kDevice:
    case kUnified:
      return Cuda::in_primary(storage->gpu, [&] {
        return Cuda::find<int(void**, std::size_t)>("cuMemAlloc_v2")(
            reinterpret_cast<void**>(&storage->data), storage->size);
      });
    case kPinned:
      if (Cuda::in_primary(storage->gpu, [&] {
            return Cuda::find<int(void**, std::size_t, unsigned)>("cuMemHostAlloc")(
                reinterpret_cast<void**>(&storage->data), storage->size, 3);
          })) {
        return true;
      }
      [[fallthrough]];  // no driver: plain host memory
    default:
      storage->own.assign(storage->size, std::byte{0xCD});
      storage->data = storage->own.data();
      return true;
  }
}

void release(Storage* storage) {
  if (storage->mapped) misuse("NvBufSurfaceDestroy: a surface is still mapped for the CPU");
  if (storage->image != nullptr) misuse("NvBufSurfaceDestroy: a surface still has an EGL image");
  if (!storage->own.empty()) return;
  Cuda::in_primary(storage->gpu, [&] {
    return storage->type == kPinned ? Cuda::find<int(void*)>("cuMemFreeHost")(storage->data)
                                    : Cuda::find<int(void*)>("cuMemFree_v2")(storage->data);
  });
}

}  // namespace

NVMM_EXPORT int NvBufSurfaceCreate(void** surface, std::uint32_t size, void* parameters) {
  const Entry entry;
  if (!enter(__func__)) return -1;
  const auto width = get<std::uint32_t>(parameters, create::kWidth);
  const auto height = get<std::uint32_t>(parameters, create::kHeight);
  const auto format = get<std::int32_t>(parameters, create::kColorFormat);
  int type = get<std::int32_t>(parameters, create::kMemType);
  if (type == kDefault) type = is_jetson() ? kSurfaceArray : kDevice;
  if (type == kSurfaceArray && !is_jetson()) return -1;
  const std::uint32_t sample_bytes = format == kRgba ? 4 : format == kGray16 ? 2 : 1;
  const std::uint32_t pitch = (width * sample_bytes + 255) / 256 * 256;

  auto batch = std::make_unique<Batch>();
  batch->header.resize(kSizes.surface / 8);
  batch->list.resize(kSizes.params / 8 * size);
  void* header = batch->header.data();
  put<std::uint32_t>(header, surface::kGpuId, get<std::uint32_t>(parameters, create::kGpuId));
  put<std::uint32_t>(header, surface::kBatchSize, size);
  put<std::int32_t>(header, surface::kMemType, type);
  put<void*>(header, surface::kList, batch->list.data());
  for (std::uint32_t i = 0; i < size; ++i) {
    auto storage = std::make_unique<Storage>();
    storage->type = type;
    storage->gpu = static_cast<int>(get<std::uint32_t>(parameters, create::kGpuId));
    storage->size = static_cast<std::size_t>(pitch) * height;
    if (!allocate(storage.get())) return -1;
    std::byte* params = params_of(header, static_cast<int>(i));
    put<std::uint32_t>(params, params::kWidth, width);
    put<std::uint32_t>(params, params::kHeight, height);
    put<std::uint32_t>(params, params::kPitch, pitch);
    put<std::int32_t>(params, params::kColorFormat, format);
    put<std::int32_t>(params, params::kLayout, get<std::int32_t>(parameters, create::kLayout));
    put<std::uint64_t>(params, params::kBufferDesc, 1000 + state().batches.size());
    put<std::uint32_t>(params, params::kDataSize, static_cast<std::uint32_t>(storage->size));
    // Documented as meaningless for surface arrays.
    put<void*>(params, params::kData,
               type == kSurfaceArray ? reinterpret_cast<void*>(0x11) : storage->data);
    put<std::uint32_t>(params, params::kNumPlanes, 1);
    put<std::uint32_t>(params, params::kPlaneWidth, width);
    put<std::uint32_t>(params, params::kPlaneHeight, height);
    put<std::uint32_t>(params, params::kPlanePitch, pitch);
    put<std::uint32_t>(params, params::kPlaneSize, static_cast<std::uint32_t>(storage->size));
    put<std::uint32_t>(params, params::kBytesPerPixel, sample_bytes);
    batch->storages.push_back(std::move(storage));
  }
  *surface = header;
  state().batches[header] = std::move(batch);
  return 0;
}

NVMM_EXPORT int NvBufSurfaceDestroy(void* surface) {
  const Entry entry;
  if (!enter(__func__)) return -1;
  const auto found = state().batches.find(surface);
  if (found == state().batches.end()) misuse("NvBufSurfaceDestroy: destroyed twice");
  for (const auto& storage : found->second->storages) release(storage.get());
  state().batches.erase(found);
  return 0;
}

NVMM_EXPORT int NvBufSurfaceMap(void* surface, int index, int plane, int) {
  const Entry entry;
  if (!enter(__func__)) return -1;
  Storage* storage = find(surface, index);
  if (storage == nullptr || plane > 0 || storage->type != kSurfaceArray || storage->mapped) {
    return -1;
  }
  storage->mapped = true;
  ++state().maps;
  storage->shadow.assign(storage->size, std::byte{0xEE});
  put<void*>(params_of(surface, index), params::kMapped, storage->shadow.data());
  return 0;
}

NVMM_EXPORT int NvBufSurfaceUnMap(void* surface, int index, int) {
  const Entry entry;
  if (!enter(__func__)) return -1;
  Storage* storage = find(surface, index);
  if (storage == nullptr || !storage->mapped) return -1;
  storage->mapped = false;
  --state().maps;
  storage->shadow.clear();
  put<void*>(params_of(surface, index), params::kMapped, nullptr);
  return 0;
}

NVMM_EXPORT int NvBufSurfaceSyncForCpu(void* surface, int index, int) {
  const Entry entry;
  if (!enter(__func__)) return -1;
  Storage* storage = find(surface, index);
  if (storage == nullptr || !storage->mapped) return -1;
  std::memcpy(storage->shadow.data(), storage->data, storage->size);
  return 0;
}

NVMM_EXPORT int NvBufSurfaceSyncForDevice(void* surface, int index, int) {
  const Entry entry;
  if (!enter(__func__)) return -1;
  Storage* storage = find(surface, index);
  if (storage == nullptr || !storage->mapped) return -1;
  std::memcpy(storage->data, storage->shadow.data(), storage->size);
  return 0;
}

NVMM_EXPORT int NvBufSurfaceMapEglImage(void* surface, int index) {
  const Entry entry;
  if (!enter(__func__)) return -1;
  Storage* storage = find(surface, index);
  if (storage == nullptr || storage->type != kSurfaceArray) return -1;
  if (storage->image != nullptr) return 0;
  const std::byte* params = params_of(surface, index);
  auto* image = new EglImage;
  image->data = storage->data;
  image->width = get<std::uint32_t>(params, params::kWidth);
  image->height = get<std::uint32_t>(params, params::kHeight);
  image->pitch = get<std::uint32_t>(params, params::kPlanePitch);
  image->sample_bytes = get<std::uint32_t>(params, params::kBytesPerPixel);
  image->block_linear = get<std::int32_t>(params, params::kLayout) == 1;
  storage->image = image;
  ++state().images;
  put<void*>(params_of(surface, index), params::kEglImage, image);
  return 0;
}

NVMM_EXPORT int NvBufSurfaceUnMapEglImage(void* surface, int index) {
  const Entry entry;
  if (!enter(__func__)) return -1;
  Storage* storage = find(surface, index);
  if (storage == nullptr || storage->image == nullptr) return -1;
  put<void*>(params_of(surface, index), params::kEglImage, nullptr);
  --state().images;
  if (storage->image->registrations > 0) {
    state().early.push_back(storage->image);
  } else {
    storage->image->magic = 0;
    delete storage->image;
  }
  storage->image = nullptr;
  return 0;
}

#ifdef STANDIN_NVMM_EXTENDED
NVMM_EXPORT int NvBufSurfaceMapCudaBuffer(void*, int) { return -1; }
#endif

// Non-zero while the calling thread is in this stand-in, whose own allocations do not count.
NVMM_EXPORT int standin_nvmm_inside() { return depth() > 0; }

// Control functions for tests: see nvbufsurface.h.
NVMM_EXPORT int standin_nvmm_count(const char* function) {
  const Entry entry;
  const auto found = state().counts.find(function);
  return found == state().counts.end() ? 0 : found->second;
}

NVMM_EXPORT void standin_nvmm_fail(const char* function, int nth) {
  const Entry entry;
  if (nth <= 0) {
    state().failures.erase(function);
  } else {
    state().failures[function] = nth;
  }
}

NVMM_EXPORT int standin_nvmm_live(const char* kind) {
  const Entry entry;
  if (std::strcmp(kind, "surfaces") == 0) return static_cast<int>(state().batches.size());
  if (std::strcmp(kind, "images") == 0) return state().images;
  if (std::strcmp(kind, "maps") == 0) return state().maps;
  if (std::strcmp(kind, "early") == 0) return static_cast<int>(state().early.size());
  misuse("standin_nvmm_live: no such kind");
}

NVMM_EXPORT void* standin_nvmm_data(void* surface, int index) {
  const Entry entry;
  return find(surface, index)->data;
}

NVMM_EXPORT std::size_t standin_nvmm_size(int params) {
  return params != 0 ? kSizes.params : kSizes.surface;
}
