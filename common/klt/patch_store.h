// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_PATCH_STORE_H_
#define RDP_COMMON_KLT_PATCH_STORE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/image/grow_buffer.h"
#include "common/klt/patch.h"

namespace rdp::klt {

// The patches of a camera's tracks. A patch never changes once it is taken, so that a frame that
// fails leaves it as it was.
class PatchStore {
 public:
  // Makes room for `patches` patches. Keeps existing ones if their windows have this side. Throws
  // std::bad_alloc; the patches are then unchanged.
  void reserve(std::size_t patches, int window) {
    const std::size_t size = patch_numbers(window);
    const std::size_t kept = size == size_ ? patches_ : 0;
    patches = std::max(patches, kept);
    grow(&samples_, kept * size, patches * size);
    grow(&equations_, kept, patches);
    patches_ = patches;
    size_ = size;
  }

  std::size_t patches() const { return patches_; }
  PatchMemory patch(std::uint32_t i) {
    return {samples_.data() + i * size_, equations_.data() + i};
  }

 private:
  template <typename T>
  static void grow(GrowBuffer<T>* buffer, std::size_t kept, std::size_t count) {
    if (count <= buffer->capacity()) return;
    GrowBuffer<T> larger;
    std::copy_n(buffer->data(), kept, larger.ensure(count));
    *buffer = std::move(larger);
  }

  std::size_t patches_ = 0;
  std::size_t size_ = 0;  // numbers of a patch
  GrowBuffer<std::int16_t> samples_;
  GrowBuffer<PatchEquations> equations_;
};

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_PATCH_STORE_H_
