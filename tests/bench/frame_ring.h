// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_FRAME_RING_H_
#define RDP_TESTS_BENCH_FRAME_RING_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/depth_view.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"

namespace rdp::bench {

// More than twice the L2 cache of present devices: data that is reused after so many bytes comes
// from memory.
inline constexpr std::size_t kRingBytes = 128 << 20;
inline constexpr int kFewestCopies = 24;
inline constexpr int kMaxCopies = 256;

// The number of copies that fill the ring.
int ring_copies(std::size_t bytes);

// Copies of the same bytes in device memory, each aligned to 512 bytes.
class Ring {
 public:
  // Copies `bytes` bytes of host memory; waits.
  void fill(const void* data, std::size_t bytes, int copies, CUstream stream);
  // Allocates copies without content.
  void reserve(std::size_t bytes, int copies);
  // Overwrites one copy; waits.
  void put(int copy, const void* data, std::size_t bytes, CUstream stream);

  int copies() const { return copies_; }
  // The address of a copy, modulo their number.
  CUdeviceptr at(int copy) const {
    return memory_.get() + static_cast<CUdeviceptr>(copy % copies_) * step_;
  }

 private:
  cuda::DeviceBuffer memory_;
  std::size_t step_ = 0;
  int copies_ = 0;
};

// Copies of a frame with rows at multiples of 512 bytes, like those of cuMemAllocPitch().
class FrameRing {
 public:
  FrameRing(const DepthView& frame, CUstream stream);
  // Several frames of one size and type instead, once each.
  FrameRing(const std::vector<DepthView>& frames, CUstream stream);

  int copies() const { return ring_.copies(); }
  cuda::DeviceDepthView at(int copy) const {
    return {ring_.at(copy), pitch_, width_, height_, type_};
  }

 private:
  // The frame's bytes in the layout of the ring.
  std::vector<std::byte> padded(const DepthView& frame) const;

  Ring ring_;
  std::int64_t pitch_;
  int width_;
  int height_;
  SampleType type_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_FRAME_RING_H_
