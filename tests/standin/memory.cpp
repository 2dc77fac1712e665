// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory of the device and of the host, copies and fills.
#include <algorithm>
#include <cstring>

#include "tests/standin/state.h"

using standin::Call;
using standin::Context;
using standin::state;
using standin::Stream;

namespace {

constexpr std::size_t kPitchAlignment = 512;

// Source or destination of a copy: rows of bytes in device or host memory.
struct Rows {
  std::byte* data;
  std::size_t pitch;
  bool device;
  bool pageable;  // host memory not allocated by CUDA
};

// Checks that rows lie within one allocation that the current context may use.
void check_range(const Call& call, const Rows& rows, std::size_t width, std::size_t height) {
  const auto start = reinterpret_cast<std::uintptr_t>(rows.data);
  const auto allocation = standin::find_allocation(start);
  if (allocation == state().allocations.end()) {
    if (rows.device) standin::misuse("%s: %p is no device memory", call.name(), rows.data);
    return;
  }
  if (rows.device && !allocation->second.device) {
    standin::misuse("%s: %p is memory of the host", call.name(), rows.data);
  }
  if (rows.device && allocation->second.owner != call.context()) {
    standin::misuse("%s: %p is memory of another context", call.name(), rows.data);
  }
  const std::uintptr_t end = start + rows.pitch * (height - 1) + width;
  if (end > allocation->first + allocation->second.size) {
    standin::misuse("%s: %zu rows of %zu bytes at pitch %zu end %zu bytes after the allocation",
                    call.name(), height, width, rows.pitch,
                    static_cast<std::size_t>(end - allocation->first - allocation->second.size));
  }
}

const char* direction(const Rows& from, const Rows& to) {
  if (from.device) return to.device ? "DtoD" : "DtoH";
  return to.device ? "HtoD" : "HtoH";
}

CUresult copy(const Call& call, const Rows& from, const Rows& to, std::size_t width,
              std::size_t height, bool asynchronous, Stream* stream) {
  if (width == 0 || height == 0) return CUDA_SUCCESS;
  if (from.data == nullptr || to.data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (height > 1 && (from.pitch < width || to.pitch < width)) return CUDA_ERROR_INVALID_VALUE;
  check_range(call, from, width, height);
  check_range(call, to, width, height);
  const auto work = [=] {
    state().bytes[direction(from, to)] += width * height;
    for (std::size_t row = 0; row < height; ++row) {
      std::memmove(to.data + row * to.pitch, from.data + row * from.pitch, width);
    }
  };
  if (stream == nullptr && from.device && to.device) {
    standin::flush_for_default_stream(call.context());
    standin::submit(call, &call.context()->late, work);
    return CUDA_SUCCESS;
  }
  const bool later = asynchronous && !from.pageable && !to.pageable;
  if (later) {
    standin::submit(call, stream, work);
    return CUDA_SUCCESS;
  }
  if (stream != nullptr) {
    standin::flush(stream);
  } else {
    standin::flush_for_default_stream(call.context());
  }
  work();
  return CUDA_SUCCESS;
}

bool is_pageable(const void* host) {
  return standin::find_allocation(reinterpret_cast<std::uintptr_t>(host)) ==
         state().allocations.end();
}

Rows device_rows(CUdeviceptr data, std::size_t pitch = 0) {
  return {reinterpret_cast<std::byte*>(data), pitch, true, false};
}

Rows host_rows(const void* data, std::size_t pitch = 0) {
  return {const_cast<std::byte*>(static_cast<const std::byte*>(data)), pitch, false,
          is_pageable(data)};
}

// One side of a CUDA_MEMCPY2D, or an error for arrays.
CUresult find_rows(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t pitch,
                   std::size_t x, std::size_t y, std::size_t width, Rows* rows) {
  if (pitch == 0) pitch = width;
  const std::size_t offset = y * pitch + x;
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      *rows = host_rows(static_cast<const std::byte*>(host) + offset, pitch);
      return CUDA_SUCCESS;
    case CU_MEMORYTYPE_DEVICE:
      *rows = device_rows(device + offset, pitch);
      return CUDA_SUCCESS;
    case CU_MEMORYTYPE_UNIFIED: {
      const auto found = standin::find_allocation(device + offset);
      const bool is_device = found != state().allocations.end() && found->second.device;
      *rows = is_device ? device_rows(device + offset, pitch)
                        : host_rows(reinterpret_cast<const void*>(device + offset), pitch);
      return CUDA_SUCCESS;
    }
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

CUresult copy_2d(const Call& call, const CUDA_MEMCPY2D* what, bool asynchronous, Stream* stream) {
  Rows from, to;
  CUresult result = find_rows(what->srcMemoryType, what->srcHost, what->srcDevice, what->srcPitch,
                              what->srcXInBytes, what->srcY, what->WidthInBytes, &from);
  if (result != CUDA_SUCCESS) return result;
  result = find_rows(what->dstMemoryType, what->dstHost, what->dstDevice, what->dstPitch,
                     what->dstXInBytes, what->dstY, what->WidthInBytes, &to);
  if (result != CUDA_SUCCESS) return result;
  return copy(call, from, to, what->WidthInBytes, what->Height, asynchronous, stream);
}

template <typename Value>
CUresult fill(const Call& call, CUdeviceptr to, std::size_t pitch, Value value, std::size_t width,
              std::size_t height, Stream* stream) {
  if (width == 0 || height == 0) return CUDA_SUCCESS;
  const Rows rows = device_rows(to, pitch);
  check_range(call, rows, width * sizeof(Value), height);
  if (to % sizeof(Value) != 0 || (height > 1 && pitch % sizeof(Value) != 0)) {
    standin::misuse("%s: rows are not aligned to %zu bytes", call.name(), sizeof(Value));
    return CUDA_ERROR_INVALID_VALUE;
  }
  standin::submit(call, stream, [=] {
    for (std::size_t row = 0; row < height; ++row) {
      std::fill_n(reinterpret_cast<Value*>(rows.data + row * pitch), width, value);
    }
  });
  return CUDA_SUCCESS;
}

CUresult free_memory(const Call& call, std::uintptr_t address, bool device) {
  const auto allocation = state().allocations.find(address);
  if (allocation == state().allocations.end() || allocation->second.device != device) {
    standin::misuse("%s: %p was never allocated, or is freed twice", call.name(),
                    reinterpret_cast<void*>(address));
  }
  if (device && allocation->second.owner != call.context()) {
    standin::misuse("%s: the memory is of another context", call.name());
  }
  // Freeing waits for all work that may still use the memory.
  for (const auto& [context, owned] : state().contexts) standin::flush_context(context);
  standin::release(allocation);
  return CUDA_SUCCESS;
}

}  // namespace

STANDIN_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
  STANDIN_ENTER(kContext);
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* memory = standin::allocate(bytes, call.context(), true);
  if (memory == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *pointer = reinterpret_cast<CUdeviceptr>(memory);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch, size_t width,
                                           size_t height, unsigned element) {
  STANDIN_ENTER(kContext);
  if (width == 0 || height == 0 || (element != 4 && element != 8 && element != 16)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  void* memory = standin::allocate(*pitch * height, call.context(), true);
  if (memory == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *pointer = reinterpret_cast<CUdeviceptr>(memory);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuMemFree_v2(CUdeviceptr pointer) {
  STANDIN_ENTER(kContext);
  if (pointer == 0) return CUDA_SUCCESS;
  return free_memory(call, pointer, true);
}

STANDIN_EXPORT CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned) {
  STANDIN_ENTER(kContext);
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  *pointer = standin::allocate(bytes, call.context(), false);
  return *pointer == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuMemAllocHost_v2(void** pointer, size_t bytes) {
  STANDIN_ENTER(kContext);
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  *pointer = standin::allocate(bytes, call.context(), false);
  return *pointer == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuMemFreeHost(void* pointer) {
  STANDIN_ENTER(kContext);
  return free_memory(call, reinterpret_cast<std::uintptr_t>(pointer), false);
}

STANDIN_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host, unsigned) {
  STANDIN_ENTER(kContext);
  if (is_pageable(host)) return CUDA_ERROR_INVALID_VALUE;
  *device = reinterpret_cast<CUdeviceptr>(host);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  STANDIN_ENTER(kContext);
  *total = std::size_t{8} << 30;
  std::size_t used = 0;
  for (const auto& [address, allocation] : state().allocations) used += allocation.size;
  *free = *total - std::min(used, *total);
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute,
                                              CUdeviceptr pointer) {
  STANDIN_ENTER(kContext);
  const auto found = standin::find_allocation(pointer);
  if (found == state().allocations.end()) return CUDA_ERROR_INVALID_VALUE;
  const standin::Allocation& allocation = found->second;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<CUmemorytype*>(value) =
          allocation.device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *static_cast<CUcontext*>(value) = reinterpret_cast<CUcontext>(allocation.owner);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = allocation.owner->device;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(value) = pointer;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned*>(value) = 0;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

STANDIN_EXPORT CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes,
                                               void** values, CUdeviceptr pointer) {
  STANDIN_ENTER(kContext);
  const auto found = standin::find_allocation(pointer);
  for (unsigned i = 0; i < count; ++i) {
    // Supports only the attribute that the plugin queries.
    if (attributes[i] != CU_POINTER_ATTRIBUTE_MEMORY_TYPE) return CUDA_ERROR_NOT_SUPPORTED;
    // Memory that the driver did not allocate has no type; that is no error.
    CUmemorytype type{};
    if (found != state().allocations.end()) {
      type = found->second.device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    }
    *static_cast<CUmemorytype*>(values[i]) = type;
  }
  return CUDA_SUCCESS;
}

STANDIN_EXPORT CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* what) {
  STANDIN_ENTER(kContext);
  return copy_2d(call, what, false, nullptr);
}

STANDIN_EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* what, CUstream stream) {
  STANDIN_ENTER(kContext);
  return copy_2d(call, what, true, standin::find_stream(call, stream));
}

STANDIN_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes,
                                             CUstream stream) {
  STANDIN_ENTER(kContext);
  return copy(call, host_rows(from), device_rows(to), bytes, 1, true,
              standin::find_stream(call, stream));
}

STANDIN_EXPORT CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes,
                                             CUstream stream) {
  STANDIN_ENTER(kContext);
  return copy(call, device_rows(from), host_rows(to), bytes, 1, true,
              standin::find_stream(call, stream));
}

STANDIN_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                             CUstream stream) {
  STANDIN_ENTER(kContext);
  return copy(call, device_rows(from), device_rows(to), bytes, 1, true,
              standin::find_stream(call, stream));
}

STANDIN_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  STANDIN_ENTER(kContext);
  return copy(call, host_rows(from), device_rows(to), bytes, 1, false, nullptr);
}

STANDIN_EXPORT CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  STANDIN_ENTER(kContext);
  return copy(call, device_rows(from), host_rows(to), bytes, 1, false, nullptr);
}

STANDIN_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  STANDIN_ENTER(kContext);
  return copy(call, device_rows(from), device_rows(to), bytes, 1, false, nullptr);
}

STANDIN_EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                                        CUstream stream) {
  STANDIN_ENTER(kContext);
  return fill(call, to, count, value, count, 1, standin::find_stream(call, stream));
}

STANDIN_EXPORT CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                                         CUstream stream) {
  STANDIN_ENTER(kContext);
  return fill(call, to, count * 4, value, count, 1, standin::find_stream(call, stream));
}

STANDIN_EXPORT CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
                                          size_t width, size_t height, CUstream stream) {
  STANDIN_ENTER(kContext);
  return fill(call, to, pitch, value, width, height, standin::find_stream(call, stream));
}

STANDIN_EXPORT CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value,
                                           size_t width, size_t height, CUstream stream) {
  STANDIN_ENTER(kContext);
  return fill(call, to, pitch, value, width, height, standin::find_stream(call, stream));
}

STANDIN_EXPORT CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value,
                                           size_t width, size_t height, CUstream stream) {
  STANDIN_ENTER(kContext);
  return fill(call, to, pitch, value, width, height, standin::find_stream(call, stream));
}

STANDIN_EXPORT CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value,
                                        size_t width, size_t height) {
  STANDIN_ENTER(kContext);
  return fill(call, to, pitch, value, width, height, nullptr);
}

STANDIN_EXPORT CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value,
                                         size_t width, size_t height) {
  STANDIN_ENTER(kContext);
  return fill(call, to, pitch, value, width, height, nullptr);
}

STANDIN_EXPORT CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                                         size_t height) {
  STANDIN_ENTER(kContext);
  return fill(call, to, pitch, value, width, height, nullptr);
}
