// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_SAMPLE_PLANE_H_
#define RDP_COMMON_FILTER_SAMPLE_PLANE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"

namespace rdp::filter {

// Rows of kernels: columns are worked on in blocks of kBlock, and kBlock columns of zeros lie on
// either side.
constexpr int kBlock = 32;

inline std::size_t in_blocks(int width) {
  return static_cast<std::size_t>((width + kBlock - 1) / kBlock * kBlock);
}
inline std::size_t with_borders(int width) { return in_blocks(width) + 2 * kBlock; }

// Rows with zeros on either side. Kernels write nothing but zeros between the last column and the
// end of its block.
template <typename T>
class BorderedRows {
 public:
  // Keeps the contents if the size stays; else all is 0. Throws std::bad_alloc.
  void resize(int width, int rows) {
    if (width == width_ && rows == rows_) return;
    width_ = 0;
    const std::size_t count = with_borders(width) * static_cast<std::size_t>(rows);
    std::fill_n(memory_.ensure(count), count, T{0});
    width_ = width;
    rows_ = rows;
  }
  void clear() {
    std::fill_n(memory_.data(), with_borders(width_) * static_cast<std::size_t>(rows_), T{0});
  }
  T* row(int number) {
    return memory_.data() + with_borders(width_) * static_cast<std::size_t>(number) + kBlock;
  }

 private:
  GrowBuffer<T> memory_;
  int width_ = 0;
  int rows_ = 0;
};

// A frame of 16-bit samples, with rows of zeros above and below.
class SamplePlane {
 public:
  void resize(int width, int height) {
    rows_.resize(width, height + 2 * kRowsAround);
    width_ = width;
    height_ = height;
  }
  int width() const { return width_; }
  int height() const { return height_; }
  // From kRowsAround above the first one to as many below the last one.
  std::uint16_t* row(int number) { return rows_.row(number + kRowsAround); }
  MutableDepthView view() {
    return {reinterpret_cast<std::byte*>(row(0)),
            static_cast<std::ptrdiff_t>(2 * with_borders(width_)), width_, height_,
            SampleType::kU16};
  }

 private:
  static constexpr int kRowsAround = 8;

  BorderedRows<std::uint16_t> rows_;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace rdp::filter

#endif  // RDP_COMMON_FILTER_SAMPLE_PLANE_H_
