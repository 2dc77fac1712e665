// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_ARRAY_UPLOAD_H_
#define RDP_KERNELS_RUNTIME_ARRAY_UPLOAD_H_

#include <cuda.h>

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {

// Brings several arrays of the host to the device, in one copy. Belongs to the context that was
// current when it was made, and to one stream at a time. Allocates only where there is more to
// bring than ever before. Throws CudaError and std::bad_alloc.
class ArrayUpload {
 public:
  void clear();
  // Adds an array to the next copy; returns its place. The array must not change until run()
  // returns.
  template <typename T>
  std::size_t add(std::span<const T> array) {
    return add_bytes(std::as_bytes(array));
  }
  // Adds room that the caller writes between prepare() and run(); returns its place.
  template <typename T>
  std::size_t add_room(std::size_t count) {
    return add_size(count * sizeof(T));
  }
  // Waits until the previous copy has been read.
  void prepare();
  template <typename T>
  T* room(std::size_t place) {
    return reinterpret_cast<T*>(staging_.get() + place);
  }
  // Starts the copy, in the order of the stream. `what` names the copied data in errors.
  void run(const char* what, CUstream stream);
  // The device address of an array, from run() to the next one.
  template <typename T>
  const T* at(std::size_t place) const {
    return reinterpret_cast<const T*>(device_.get() + place);
  }

 private:
  std::size_t add_bytes(std::span<const std::byte> array);
  std::size_t add_size(std::size_t bytes);

  struct Piece {
    std::span<const std::byte> array;
    std::size_t place;
  };
  std::vector<Piece> pieces_;
  std::size_t size_ = 0;
  PinnedBuffer staging_;
  Event staging_read_;
  DeviceBuffer device_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_ARRAY_UPLOAD_H_
