// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/runtime/device_memory.h"

#include <utility>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::cuda {

// Errors of destructors have nowhere to go, and a context that is lost has freed everything.

DeviceBuffer::~DeviceBuffer() {
  if (pointer_ != 0) driver().cuMemFree_v2(pointer_);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : pointer_(std::exchange(other.pointer_, 0)), size_(std::exchange(other.size_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(pointer_, other.pointer_);
  std::swap(size_, other.size_);
  return *this;
}

CUdeviceptr DeviceBuffer::ensure(std::size_t bytes) {
  if (bytes <= size_) return pointer_;
  CUdeviceptr grown = 0;
  check(driver().cuMemAlloc_v2(&grown, bytes), "allocating GPU memory");
  if (pointer_ != 0) driver().cuMemFree_v2(pointer_);
  pointer_ = grown;
  size_ = bytes;
  return pointer_;
}

CUdeviceptr DeviceBuffer::ensure_anew(std::size_t bytes) {
  if (bytes > size_) *this = DeviceBuffer();
  return ensure(bytes);
}

CUdeviceptr DeviceBuffer::ensure_zeros(std::size_t bytes) {
  if (bytes <= size_) return pointer_;
  // Kept only once it is zero: after an error the next call has to do it again.
  DeviceBuffer grown;
  grown.ensure(bytes);
  check(driver().cuMemsetD8Async(grown.get(), 0, bytes, nullptr), "clearing GPU memory");
  check(driver().cuStreamSynchronize(nullptr), "clearing GPU memory");
  *this = std::move(grown);
  return pointer_;
}

PinnedBuffer::~PinnedBuffer() {
  if (pointer_ != nullptr) driver().cuMemFreeHost(pointer_);
}

PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : pointer_(std::exchange(other.pointer_, nullptr)),
      device_pointer_(std::exchange(other.device_pointer_, 0)),
      size_(std::exchange(other.size_, 0)) {}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  std::swap(pointer_, other.pointer_);
  std::swap(device_pointer_, other.device_pointer_);
  std::swap(size_, other.size_);
  return *this;
}

std::byte* PinnedBuffer::ensure(std::size_t bytes) {
  if (bytes <= size_) return pointer_;
  void* grown = nullptr;
  check(
      driver().cuMemHostAlloc(&grown, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
      "allocating page-locked memory");
  CUdeviceptr device_pointer = 0;
  const CUresult mapped = driver().cuMemHostGetDevicePointer_v2(&device_pointer, grown, 0);
  if (mapped != CUDA_SUCCESS) {
    driver().cuMemFreeHost(grown);
    throw CudaError(mapped, "mapping page-locked memory for the GPU");
  }
  if (pointer_ != nullptr) driver().cuMemFreeHost(pointer_);
  pointer_ = static_cast<std::byte*>(grown);
  device_pointer_ = device_pointer;
  size_ = bytes;
  return pointer_;
}

Stream::Stream(unsigned flags) {
  check(driver().cuStreamCreate(&stream_, flags), "creating a CUDA stream");
}

Stream::~Stream() { driver().cuStreamDestroy_v2(stream_); }

void Stream::synchronize() const {
  check(driver().cuStreamSynchronize(stream_), "waiting for the GPU");
}

Event::Event(unsigned flags) {
  check(driver().cuEventCreate(&event_, flags), "creating a CUDA event");
}

Event::~Event() { driver().cuEventDestroy_v2(event_); }

void Event::record(CUstream stream) const {
  check(driver().cuEventRecord(event_, stream), "recording a CUDA event");
}

void Event::synchronize() const {
  check(driver().cuEventSynchronize(event_), "waiting for the GPU");
}

}  // namespace rdp::cuda
