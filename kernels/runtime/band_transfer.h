// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_BAND_TRANSFER_H_
#define RDP_KERNELS_RUNTIME_BAND_TRANSFER_H_

#include <cuda.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {

// Rows of bytes in host memory: row r is the `row_bytes` bytes from data + r * stride on.
template <typename Byte>
struct BasicHostRows {
  Byte* data = nullptr;
  std::ptrdiff_t stride = 0;
  std::size_t row_bytes = 0;
  int rows = 0;
};
using HostRows = BasicHostRows<const std::byte>;
using MutableHostRows = BasicHostRows<std::byte>;

// The same in device memory. What lies between the rows is undefined after an upload.
struct DeviceRows {
  CUdeviceptr data = 0;
  std::size_t pitch = 0;
};

// Carries frames between the host and the device. The device reads and writes page-locked memory
// alone, so ordinary memory is copied through two small buffers of it, a band of rows at a time:
// the processor copies one band while the other is on its way. Memory that is page-locked already
// needs no copy on the host.
//
// Belongs to the context that was current when it was made. Everything throws CudaError; after an
// error, wait for the stream before you free or reuse the host's memory.
class BandTransfer {
 public:
  // Starts the transfer on `stream`, which may read the host's memory until it has finished.
  void upload(const HostRows& from, const DeviceRows& to, CUstream stream);

  // Returns when the host has all rows, and with them everything that was started on `stream`
  // before.
  void download(const DeviceRows& from, const MutableHostRows& to, CUstream stream);

 private:
  struct Slot {
    PinnedBuffer memory;
    Event event;
  };

  // The slot for a band, once the transfer it was used for last is done.
  Slot& next_slot(std::size_t bytes);

  std::array<Slot, 2> slots_;
  unsigned turn_ = 0;
};

// The distance between rows of `row_bytes` bytes that suits copies and kernels.
inline std::size_t device_pitch(std::size_t row_bytes) { return (row_bytes + 127) / 128 * 128; }

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_BAND_TRANSFER_H_
