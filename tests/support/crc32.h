// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_CRC32_H_
#define RDP_TESTS_SUPPORT_CRC32_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rdp::test {

// zlib's CRC-32 of numbers in little-endian byte order.
template <typename Number>
std::uint32_t crc_of(const std::vector<Number>& values) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const Number value : values) {
    for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
      crc ^= static_cast<std::uint32_t>(value) >> (8 * byte) & 0xFFU;
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc % 2 != 0 ? 0xEDB88320U : 0U);
    }
  }
  return ~crc;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_CRC32_H_
