// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/runtime/band_transfer.h"

#include <algorithm>
#include <cstring>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::cuda {
namespace {

// Long enough to hide the start of a copy. Short enough that a frame has several bands, and that a
// band stays in the processor's second-level cache between its two copies.
constexpr std::size_t kBandBytes = 256 * 1024;

int rows_per_band(std::size_t pitch, int rows) {
  const std::size_t fit = std::max<std::size_t>(kBandBytes / pitch, 1);
  return static_cast<int>(std::min<std::size_t>(fit, static_cast<std::size_t>(rows)));
}

bool is_page_locked(const void* address) {
  // cuPointerGetAttributes() succeeds for memory that the driver does not know;
  // cuPointerGetAttribute() fails.
  unsigned type = 0;
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void* data = &type;
  return driver().cuPointerGetAttributes(1, &attribute, &data,
                                         reinterpret_cast<CUdeviceptr>(address)) == CUDA_SUCCESS &&
         type == CU_MEMORYTYPE_HOST;
}

// Both ends: a frame may start in page-locked memory that something else follows.
template <typename Byte>
bool is_page_locked(const BasicHostRows<Byte>& rows) {
  const Byte* last_row = rows.data + (rows.rows - 1) * rows.stride;
  return is_page_locked(rows.data) && is_page_locked(last_row + rows.row_bytes - 1);
}

template <typename Byte>
CUDA_MEMCPY2D describe(const BasicHostRows<Byte>& host) {
  CUDA_MEMCPY2D copy{};
  copy.WidthInBytes = host.row_bytes;
  copy.Height = static_cast<std::size_t>(host.rows);
  return copy;
}

}  // namespace

BandTransfer::Slot& BandTransfer::next_slot(std::size_t bytes) {
  Slot& slot = slots_[turn_++ % slots_.size()];
  slot.event.synchronize();
  slot.memory.ensure(bytes);
  return slot;
}

void BandTransfer::upload(const HostRows& from, const DeviceRows& to, CUstream stream) {
  constexpr const char* kDoing = "copying a frame to the GPU";
  if (is_page_locked(from)) {
    CUDA_MEMCPY2D copy = describe(from);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = from.data;
    copy.srcPitch = static_cast<std::size_t>(from.stride);
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = to.data;
    copy.dstPitch = to.pitch;
    check(driver().cuMemcpy2DAsync_v2(&copy, stream), kDoing);
    return;
  }
  const int band = rows_per_band(to.pitch, from.rows);
  for (int first = 0; first < from.rows; first += band) {
    const int count = std::min(band, from.rows - first);
    // The last row ends with its samples: nothing is said about memory behind it.
    const std::size_t bytes = static_cast<std::size_t>(count - 1) * to.pitch + from.row_bytes;
    Slot& slot = next_slot(static_cast<std::size_t>(band) * to.pitch);
    const std::byte* const start = from.data + first * from.stride;
    if (from.stride == static_cast<std::ptrdiff_t>(to.pitch)) {
      std::memcpy(slot.memory.get(), start, bytes);
    } else {
      for (int row = 0; row < count; ++row) {
        std::memcpy(slot.memory.get() + static_cast<std::size_t>(row) * to.pitch,
                    start + row * from.stride, from.row_bytes);
      }
    }
    check(driver().cuMemcpyHtoDAsync_v2(to.data + static_cast<std::size_t>(first) * to.pitch,
                                        slot.memory.get(), bytes, stream),
          kDoing);
    slot.event.record(stream);
  }
}

void BandTransfer::download(const DeviceRows& from, const MutableHostRows& to, CUstream stream) {
  constexpr const char* kDoing = "copying a frame from the GPU";
  if (is_page_locked(to)) {
    CUDA_MEMCPY2D copy = describe(to);
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = from.data;
    copy.srcPitch = from.pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = to.data;
    copy.dstPitch = static_cast<std::size_t>(to.stride);
    check(driver().cuMemcpy2DAsync_v2(&copy, stream), kDoing);
    check(driver().cuStreamSynchronize(stream), kDoing);
    return;
  }
  const int band = rows_per_band(from.pitch, to.rows);
  const auto start = [&](int first) -> Slot* {
    if (first >= to.rows) return nullptr;
    const int count = std::min(band, to.rows - first);
    const std::size_t bytes = static_cast<std::size_t>(count - 1) * from.pitch + to.row_bytes;
    Slot& slot = next_slot(static_cast<std::size_t>(band) * from.pitch);
    check(driver().cuMemcpyDtoHAsync_v2(slot.memory.get(),
                                        from.data + static_cast<std::size_t>(first) * from.pitch,
                                        bytes, stream),
          kDoing);
    slot.event.record(stream);
    return &slot;
  };
  Slot* arriving = start(0);
  for (int first = 0; first < to.rows; first += band) {
    Slot* next = start(first + band);
    arriving->event.synchronize();
    const int count = std::min(band, to.rows - first);
    for (int row = 0; row < count; ++row) {
      std::memcpy(to.data + (first + row) * to.stride,
                  arriving->memory.get() + static_cast<std::size_t>(row) * from.pitch,
                  to.row_bytes);
    }
    arriving = next;
  }
}

}  // namespace rdp::cuda
