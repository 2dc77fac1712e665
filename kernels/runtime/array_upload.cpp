// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/runtime/array_upload.h"

#include <cstring>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::cuda {

void ArrayUpload::clear() {
  pieces_.clear();
  size_ = 0;
}

std::size_t ArrayUpload::add_bytes(std::span<const std::byte> array) {
  constexpr std::size_t kAlignment = 16;
  const std::size_t place = size_;
  pieces_.push_back({array, place});
  size_ += (array.size() + kAlignment - 1) / kAlignment * kAlignment;
  return place;
}

void ArrayUpload::run(const char* what, CUstream stream) {
  if (size_ == 0) return;
  // What was copied last may still be read.
  staging_read_.synchronize();
  std::byte* const host = staging_.ensure(size_);
  const CUdeviceptr device = device_.ensure(size_);
  for (const Piece& piece : pieces_) {
    if (!piece.array.empty()) {
      std::memcpy(host + piece.place, piece.array.data(), piece.array.size());
    }
  }
  check(driver().cuMemcpyHtoDAsync_v2(device, host, size_, stream), what);
  staging_read_.record(stream);
}

}  // namespace rdp::cuda
