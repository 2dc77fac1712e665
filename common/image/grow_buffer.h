// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_GROW_BUFFER_H_
#define RDP_COMMON_IMAGE_GROW_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace rdp {

// Scratch memory that only grows: unlike std::vector it neither initialises nor keeps its contents
// when asked for more, so asking for what it already has costs nothing. Aligned for any SIMD
// vector.
template <typename T>
class GrowBuffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  static constexpr std::size_t kAlignment = 64;

  GrowBuffer() = default;
  // The moved-from buffer is empty, and can be used again.
  GrowBuffer(GrowBuffer&& other) noexcept
      : data_(std::move(other.data_)), capacity_(std::exchange(other.capacity_, 0)) {}
  GrowBuffer& operator=(GrowBuffer&& other) noexcept {
    data_ = std::move(other.data_);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  // Returns room for `count` elements; what was there before is lost when it has to grow. Grows by
  // half at least, so that slowly rising demands settle after a few frames.
  T* ensure(std::size_t count) {
    if (count > capacity_) {
      const std::size_t grown = std::max(count, capacity_ + capacity_ / 2);
      data_.reset();
      capacity_ = 0;
      data_.reset(
          static_cast<T*>(::operator new (grown * sizeof(T), std::align_val_t{kAlignment})));
      capacity_ = grown;
    }
    return data_.get();
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t capacity() const { return capacity_; }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete (p, std::align_val_t{kAlignment}); }
  };

  std::unique_ptr<T, Free> data_;
  std::size_t capacity_ = 0;
};

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_GROW_BUFFER_H_
