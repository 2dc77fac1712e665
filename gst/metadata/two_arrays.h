// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_TWO_ARRAYS_H_
#define RDP_GST_METADATA_TWO_ARRAYS_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "common/image/grow_buffer.h"

namespace rdp::gst {

// The content of a result (result_pool.h) with two arrays on the host.
template <typename First, typename Second>
class TwoArrays {
 public:
  // Copies them. Throws std::bad_alloc.
  void set(std::span<const First> first, std::span<const Second> second) {
    clear();
    std::copy(first.begin(), first.end(), first_.ensure(first.size() + 1));
    std::copy(second.begin(), second.end(), second_.ensure(second.size() + 1));
    n_first_ = first.size();
    n_second_ = second.size();
  }

  bool fetch(std::string*) noexcept { return true; }
  void clear() {
    n_first_ = n_second_ = 0;
    first_.ensure(1);  // null would mean remote arrays
  }
  void recycled() noexcept {}

 protected:
  std::span<const First> first() const { return {first_.data(), n_first_}; }
  std::span<const Second> second() const { return {second_.data(), n_second_}; }

 private:
  GrowBuffer<First> first_;
  GrowBuffer<Second> second_;
  std::size_t n_first_ = 0;
  std::size_t n_second_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_TWO_ARRAYS_H_
