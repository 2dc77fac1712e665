// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_CLOUDS_LOAD_NUMBER_H_
#define RDP_COMMON_CLOUDS_LOAD_NUMBER_H_

#include <algorithm>
#include <array>
#include <bit>
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

// The nearest whole number, clamped to the type's range; 0 for NaN.
template <typename To, typename T>
To to_whole(T value) {
  constexpr auto kMost = static_cast<double>(std::numeric_limits<To>::max());
  const double rounded = static_cast<double>(value) + 0.5;
  return rounded >= kMost ? std::numeric_limits<To>::max()
         : rounded > 0.0  ? static_cast<To>(rounded)
                          : To{0};
}

// A colour channel as 0 to 255. Whole numbers have that range, unsigned 16-bit ones up to 65535,
// floating-point numbers up to 1.
template <typename T>
std::uint8_t to_channel(T value, NumberKind kind) {
  const double number = static_cast<double>(value);
  return to_whole<std::uint8_t>(kind >= NumberKind::kFloat    ? number * 255.0
                                : kind == NumberKind::kUint16 ? number * 255.0 / 65535.0
                                                              : number);
}

// The 32 bits of a packed colour; texts have them as a number.
template <typename T>
std::uint32_t to_bits(T value) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(value);
  const auto number = static_cast<double>(value);
  return number < 0.0 ? 0U - to_whole<std::uint32_t>(-number) : to_whole<std::uint32_t>(number);
}

// Writes a number of a file to its place in the point `to`.
template <typename T>
void store_number(const FieldSource& source, T value, std::byte* to) {
  const auto put = [at = to + source.to](auto number) { std::memcpy(at, &number, sizeof number); };
  switch (source.store) {
    case Store::kFloat:
      return put(to_float(value));
    case Store::kChannel:
      return put(to_channel(value, source.kind));
    case Store::kPacked:
      return put(to_bits(value));
    case Store::kPackedRgb: {
      const std::uint32_t bits = to_bits(value);
      return put(std::array{static_cast<std::uint8_t>(bits >> 16),
                            static_cast<std::uint8_t>(bits >> 8), static_cast<std::uint8_t>(bits)});
    }
    case Store::kU32:
      return put(to_whole<std::uint32_t>(value));
    case Store::kU16:
      return put(to_whole<std::uint16_t>(value));
    case Store::kU8:
      return put(to_whole<std::uint8_t>(value));
  }
}

// Copies one number of each of `count` points, `step` bytes apart in `in`, to points `out_step`
// bytes apart in `out`.
inline void gather_numbers(const FieldSource& source, bool swapped, const std::byte* in,
                           std::size_t step, std::size_t count, std::byte* out,
                           std::size_t out_step) {
  visit_kind(source.kind, [&](auto zero) {
    using T = decltype(zero);
    if (std::is_same_v<T, float> && source.store == Store::kFloat) {
      // Copied as bits, because a float copy may change a signalling NaN.
      for (std::size_t i = 0; i < count; ++i) {
        const auto bits = load_number<std::uint32_t>(in + i * step, swapped);
        std::memcpy(out + i * out_step + source.to, &bits, sizeof bits);
      }
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      store_number(source, load_number<T>(in + i * step, swapped), out + i * out_step);
    }
  });
}

}  // namespace rdp::clouds

#endif  // RDP_COMMON_CLOUDS_LOAD_NUMBER_H_
