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

std::size_t ArrayUpload::add_size(std::size_t bytes) {
  constexpr std::size_t kAlignment = 16;
  const std::size_t place = size_;
  size_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  return place;
}

std::size_t ArrayUpload::add_bytes(std::span<const std::byte> array) {
  const std::size_t place = add_size(array.size());
  pieces_.push_back({array, place});
  return place;
}

void ArrayUpload::prepare() {
  // The last copy may still be read.
  staging_read_.synchronize();
  if (size_ > 0) staging_.ensure(size_);
}

void ArrayUpload::run(const char* what, CUstream stream) {
  if (size_ == 0) return;
  if (!pieces_.empty()) prepare();
  std::byte* const host = staging_.get();
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
