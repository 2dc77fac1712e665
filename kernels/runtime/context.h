// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_CONTEXT_H_
#define RDP_KERNELS_RUNTIME_CONTEXT_H_

#include <cuda.h>

#include <cstdint>
#include <string>

namespace rdp::cuda {

// Makes a context current for the calling thread for the length of a scope. Throws CudaError.
class ContextScope {
 public:
  explicit ContextScope(CUcontext context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
};

// The same for a scope that frees things. If the context cannot be made current, it is lost and has
// freed everything itself, and the scope is false.
class FreeingScope {
 public:
  explicit FreeingScope(CUcontext context) noexcept;
  ~FreeingScope();
  FreeingScope(const FreeingScope&) = delete;
  FreeingScope& operator=(const FreeingScope&) = delete;
  explicit operator bool() const { return pushed_; }

 private:
  bool pushed_;
};

// The primary context of a device, retained for as long as the object lives: the one that the CUDA
// runtime, and with it most libraries, works in.
class PrimaryContext {
 public:
  // Device numbers as CUDA counts them; -1 takes the first. The driver must be loaded. Throws
  // CudaError.
  explicit PrimaryContext(int device);
  ~PrimaryContext();
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;

  CUcontext get() const { return context_; }
  int device() const { return device_; }

 private:
  int device_;
  CUdevice handle_ = 0;
  CUcontext context_ = nullptr;
};

// The number of devices, 0 where the driver is missing or finds none.
int device_count() noexcept;

// An attribute of the current context's device, and its total memory in bytes, whoever uses it.
// Both throw CudaError.
int current_device_attribute(CUdevice_attribute attribute);
std::uint64_t current_device_memory();

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_CONTEXT_H_
