// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_FINDER_MEMORY_H_
#define RDP_KERNELS_PLANES_FINDER_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/planes/ball.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"

// What the finders of planes, of frames and of clouds, take for their memory and launches.
namespace rdp::cuda {

inline unsigned blocks_of(std::int64_t things, int of_block) {
  return static_cast<unsigned>(std::max<std::int64_t>(1, (things + of_block - 1) / of_block));
}

// Lays arrays out one after the other; with a base also says where they are.
class Arena {
 public:
  explicit Arena(unsigned char* base) : base_(base) {}

  template <typename T>
  void take(T** array, std::int64_t count) {
    *array = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + bytes_);
    bytes_ += (static_cast<std::size_t>(count) * sizeof(T) + 255) / 256 * 256;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  unsigned char* base_;
  std::size_t bytes_ = 0;
};

// Copies tables that kernels read into one buffer, in two passes: list (tables) calls copy() for
// each of them. Waits for the copies.
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
            "copying the tables of planes to the GPU");
    }
    return to;
  }
  planes::BallView copy(const planes::BallView& ball) {
    const auto directions = static_cast<std::size_t>(ball.directions);
    const int* const starts = copy(ball.starts, static_cast<std::size_t>(ball.rows) + 1);
    const int* const row_of = copy(ball.row_of, directions);
    return {ball.rows, ball.directions, starts, copy(ball.centres, 3 * directions), row_of};
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
  check(driver().cuStreamSynchronize(nullptr), "copying the tables of planes to the GPU");
}

// How many peaks there can be. Two in a row of the ball are three directions or three distances
// apart, so a row has at most one in each 3x3 of them.
inline std::int64_t most_peaks(const planes::BallView& ball, std::int64_t distances) {
  std::int64_t directions = 0;
  for (int row = 0; row < ball.rows; ++row) directions += (ball.count(row) + 2) / 3;
  return directions * ((distances + 2) / 3);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_FINDER_MEMORY_H_
