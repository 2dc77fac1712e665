// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_DEVICE_MEMORY_H_
#define RDP_KERNELS_RUNTIME_DEVICE_MEMORY_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>

// Objects that belong to one CUDA context: the one that was current when they were made. It must be
// current again whenever an object is used or destroyed. Everything here throws CudaError.
namespace rdp::cuda {

// Device memory that only grows, so that frame-by-frame work stops allocating. Growing loses the
// content.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

  // Returns at least `bytes`, aligned to 256. Growing waits for all work that runs in the context,
  // as cuMemFree does. If it fails, the old memory stays.
  CUdeviceptr ensure(std::size_t bytes);
  // The same if the content is not needed any more. Frees too small memory before it allocates, as
  // both at a time might not fit the device.
  CUdeviceptr ensure_anew(std::size_t bytes);
  // The same as ensure(), but new memory is zero, for any stream. Waits for that.
  CUdeviceptr ensure_zeros(std::size_t bytes);
  CUdeviceptr get() const { return pointer_; }
  std::size_t size() const { return size_; }
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(pointer_);
  }

 private:
  CUdeviceptr pointer_ = 0;
  std::size_t size_ = 0;
};

// Page-locked host memory that the device can read and write in place; grows like DeviceBuffer.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  ~PinnedBuffer();
  PinnedBuffer(PinnedBuffer&& other) noexcept;
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;

  std::byte* ensure(std::size_t bytes);
  std::byte* get() const { return pointer_; }
  std::size_t size() const { return size_; }
  // Device address of the same memory.
  CUdeviceptr device_pointer() const { return device_pointer_; }

 private:
  std::byte* pointer_ = nullptr;
  CUdeviceptr device_pointer_ = 0;
  std::size_t size_ = 0;
};

// A stream. By default, it does not wait for the legacy default stream.
class Stream {
 public:
  explicit Stream(unsigned flags = CU_STREAM_NON_BLOCKING);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  CUstream get() const { return stream_; }
  void synchronize() const;

 private:
  CUstream stream_ = nullptr;
};

// An event, by default without a time stamp.
class Event {
 public:
  explicit Event(unsigned flags = CU_EVENT_DISABLE_TIMING);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  CUevent get() const { return event_; }
  void record(CUstream stream) const;
  void synchronize() const;

 private:
  CUevent event_ = nullptr;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_DEVICE_MEMORY_H_
