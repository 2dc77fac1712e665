// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_DEPTH_VIEW_H_
#define RDP_COMMON_IMAGE_DEPTH_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace rdp {

// The largest frame side. No integer of the segmentation overflows up to it (see reference.h).
inline constexpr int kMaxSide = 16384;

// The enumerators are the bytes of a sample.
enum class SampleType : std::uint8_t { kU8 = 1, kU16 = 2 };

// A rectangle of unsigned depth or disparity samples in host memory that somebody else owns.
//
// Row 0 is the top. Sample (row, column) starts at data + row * stride + column * bytes; 16-bit
// samples are little endian and need not be aligned. stride is in bytes and at least one row long;
// padding between the rows is never read or written.
template <typename Byte>
struct BasicDepthView {
  Byte* data = nullptr;
  std::ptrdiff_t stride = 0;
  int width = 0;
  int height = 0;
  SampleType type = SampleType::kU16;

  // A writable view can be read.
  operator BasicDepthView<const std::byte>() const requires(!std::is_const_v<Byte>) {
    return {data, stride, width, height, type};
  }

  Byte* row(int r) const { return data + r * stride; }

  std::uint16_t at(int r, int column) const {
    if (type == SampleType::kU8) return std::to_integer<std::uint16_t>(row(r)[column]);
    std::uint16_t value;
    std::memcpy(&value, row(r) + 2 * static_cast<std::ptrdiff_t>(column), sizeof value);
    return value;
  }

  // value must fit the sample type.
  void set(int r, int column, std::uint16_t value) const requires(!std::is_const_v<Byte>) {
    if (type == SampleType::kU8) {
      row(r)[column] = static_cast<std::byte>(value);
    } else {
      std::memcpy(row(r) + 2 * static_cast<std::ptrdiff_t>(column), &value, sizeof value);
    }
  }
};

using DepthView = BasicDepthView<const std::byte>;
using MutableDepthView = BasicDepthView<std::byte>;

inline int bytes_per_sample(SampleType type) { return static_cast<int>(type); }
inline std::uint32_t max_sample(SampleType type) { return type == SampleType::kU8 ? 255 : 65535; }

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_DEPTH_VIEW_H_
