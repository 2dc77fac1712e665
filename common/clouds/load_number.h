// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_LOAD_NUMBER_H_
#define RDP_COMMON_CLOUDS_LOAD_NUMBER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "common/clouds/cloud_header.h"

// Numbers of binary files, which need not be aligned.
namespace rdp::clouds {

// A float keeps its bits. What is beyond the floats is infinite, and so unknown.
template <typename T>
float to_float(T value) {
  if constexpr (std::is_same_v<T, double>) {
    constexpr double kMost = std::numeric_limits<float>::max();
    if (value > kMost) return std::numeric_limits<float>::infinity();
    if (value < -kMost) return -std::numeric_limits<float>::infinity();
  }
  return static_cast<float>(value);
}

template <typename T>
T load_number(const std::byte* at, bool swapped) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

// Calls visit(T{}) with the type of `kind`.
template <typename Visit>
void visit_kind(NumberKind kind, Visit&& visit) {
  switch (kind) {
    case NumberKind::kInt8:
      return visit(std::int8_t{});
    case NumberKind::kUint8:
      return visit(std::uint8_t{});
    case NumberKind::kInt16:
      return visit(std::int16_t{});
    case NumberKind::kUint16:
      return visit(std::uint16_t{});
    case NumberKind::kInt32:
      return visit(std::int32_t{});
    case NumberKind::kUint32:
      return visit(std::uint32_t{});
    case NumberKind::kInt64:
      return visit(std::int64_t{});
    case NumberKind::kUint64:
      return visit(std::uint64_t{});
    case NumberKind::kFloat:
      return visit(float{});
    case NumberKind::kDouble:
      return visit(double{});
  }
}

// One coordinate of `count` points, of which each `step` bytes have one, into each kPointBytes of
// `out`.
inline void gather_coordinate(NumberKind kind, bool swapped, const std::byte* in, std::size_t step,
                              std::size_t count, std::byte* out, std::size_t out_step) {
  visit_kind(kind, [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        // As bits: a signalling NaN would become another one.
        const auto bits = load_number<std::uint32_t>(in + i * step, swapped);
        std::memcpy(out + i * out_step, &bits, sizeof bits);
      } else {
        const float value = to_float(load_number<T>(in + i * step, swapped));
        std::memcpy(out + i * out_step, &value, sizeof value);
      }
    }
  });
}

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_LOAD_NUMBER_H_
