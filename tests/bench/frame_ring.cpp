// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/frame_ring.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/gpu/extra_driver.h"

namespace rdp::bench {
namespace {

constexpr std::size_t kAlignment = 512;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

int ring_copies(std::size_t bytes) {
  return static_cast<int>(std::clamp<std::size_t>(kRingBytes / std::max<std::size_t>(bytes, 1) + 1,
                                                  kFewestCopies, kMaxCopies));
}

void Ring::reserve(std::size_t bytes, int copies) {
  step_ = aligned(bytes);
  copies_ = copies;
  memory_.ensure(step_ * static_cast<std::size_t>(copies));
}

void Ring::fill(const void* data, std::size_t bytes, int copies, CUstream stream) {
  reserve(bytes, copies);
  cuda::check(cuda::driver().cuMemcpyHtoDAsync_v2(at(0), data, bytes, stream), "copying a frame");
  for (int i = 1; i < copies; ++i) {
    cuda::check(test::extra_driver()->cuMemcpyDtoDAsync_v2(at(i), at(0), bytes, stream),
                "copying a frame");
  }
  cuda::check(cuda::driver().cuStreamSynchronize(stream), "copying a frame");
}

void Ring::put(int copy, const void* data, std::size_t bytes, CUstream stream) {
  cuda::check(cuda::driver().cuMemcpyHtoDAsync_v2(at(copy), data, bytes, stream),
              "copying a frame");
  cuda::check(cuda::driver().cuStreamSynchronize(stream), "copying a frame");
}

FrameRing::FrameRing(const DepthView& frame, CUstream stream)
    : FrameRing(std::vector<DepthView>{frame}, stream) {
  const std::vector<std::byte> bytes = padded(frame);
  ring_.fill(bytes.data(), bytes.size(), ring_copies(bytes.size()), stream);
}

FrameRing::FrameRing(const std::vector<DepthView>& frames, CUstream stream)
    : pitch_(static_cast<std::int64_t>(
          aligned(static_cast<std::size_t>(frames[0].width) * bytes_per_sample(frames[0].type)))),
      width_(frames[0].width),
      height_(frames[0].height),
      type_(frames[0].type) {
  ring_.reserve(static_cast<std::size_t>(pitch_) * static_cast<std::size_t>(height_),
                static_cast<int>(frames.size()));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::vector<std::byte> bytes = padded(frames[i]);
    ring_.put(static_cast<int>(i), bytes.data(), bytes.size(), stream);
  }
}

std::vector<std::byte> FrameRing::padded(const DepthView& frame) const {
  const auto row_bytes = static_cast<std::size_t>(width_) * bytes_per_sample(type_);
  const auto step = static_cast<std::size_t>(pitch_);
  std::vector<std::byte> bytes(step * static_cast<std::size_t>(height_));
  for (int row = 0; row < height_; ++row) {
    std::memcpy(bytes.data() + step * static_cast<std::size_t>(row), frame.row(row), row_bytes);
  }
  return bytes;
}

}  // namespace rdp::bench
