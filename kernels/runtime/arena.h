// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RUNTIME_ARENA_H_
#define RDP_KERNELS_RUNTIME_ARENA_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"

// Memory and launches for engines.
namespace rdp::cuda {

inline unsigned blocks_of(std::int64_t things, int of_block) {
  return static_cast<unsigned>(std::max<std::int64_t>(1, (things + of_block - 1) / of_block));
}

// Lays out arrays one after the other. Without a base, they are null, and only bytes are counted.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 256;
  static constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

  explicit Arena(unsigned char* base) : base_(base) {}

  template <typename T>
  void take(T** array, std::int64_t count) {
    *array = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + bytes_);
    bytes_ += aligned(static_cast<std::size_t>(count) * sizeof(T));
  }
  std::size_t bytes() const { return bytes_; }

 private:
  unsigned char* base_;
  std::size_t bytes_ = 0;
};

// Copies kernel tables into one buffer. copy_tables() calls list(&copies) twice, first without a
// base to count bytes, and waits for the copies.
class TableCopies {
 public:
  explicit TableCopies(unsigned char* base) : arena_(base), copies_(base != nullptr) {}

  template <typename T>
  const T* copy(const T* from, std::size_t count) {
    T* to;
    arena_.take(&to, static_cast<std::int64_t>(count));
    if (copies_) {
      check(driver().cuMemcpyHtoDAsync_v2(reinterpret_cast<CUdeviceptr>(to), from,
                                          count * sizeof(T), nullptr),
            "copying tables to the GPU");
    }
    return to;
  }
  std::size_t bytes() const { return arena_.bytes(); }

 private:
  Arena arena_;
  bool copies_;
};

template <typename List>
void copy_tables(DeviceBuffer* buffer, const List& list) {
  TableCopies lengths(nullptr);
  list(&lengths);
  buffer->ensure(lengths.bytes());
  TableCopies copies(buffer->as<unsigned char>());
  list(&copies);
  check(driver().cuStreamSynchronize(nullptr), "copying tables to the GPU");
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RUNTIME_ARENA_H_
