// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_CARVER_H_
#define RDP_COMMON_IMAGE_CARVER_H_

#include <cstddef>

#include "common/image/grow_buffer.h"

namespace rdp {

// Cuts arrays out of one piece of memory, each at the start of a cache line. Without memory it only
// counts.
class Carver {
 public:
  explicit Carver(std::byte* memory) : memory_(memory) {}

  template <typename T>
  T* take(std::size_t count) {
    std::byte* const start = memory_ == nullptr ? nullptr : memory_ + used_;
    constexpr std::size_t kLine = GrowBuffer<std::byte>::kAlignment;
    used_ += (count * sizeof(T) + kLine - 1) / kLine * kLine;
    return reinterpret_cast<T*>(start);
  }
  std::size_t used() const { return used_; }

 private:
  std::byte* memory_;
  std::size_t used_ = 0;
};

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_CARVER_H_
