// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_FIXED_DIVISOR_H_
#define RDP_KERNELS_PRIMITIVES_FIXED_DIVISOR_H_

#include <cstdint>

#include "common/host_device.h"

namespace rdp::cuda {

// Division by a number that is the same for a whole launch, of numbers of up to 2^30. With
// 2^bits <= by < 2^(bits + 1) and k = 31 + bits the factor is 2^k / by, rounded up; it is too large
// by less than 1, and so the product of a number n is too large by less than n by / 2^k of the
// quotient's last place, which is less than 1 / by.
struct FixedDivisor {
  std::uint32_t factor;
  std::uint32_t shift;

  RDP_HOST_DEVICE std::uint32_t operator()(std::uint32_t n) const {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(n) * factor >> 32) >> shift;
  }
};

// by: 2 to 2^30.
inline FixedDivisor fixed_divisor(std::uint32_t by) {
  std::uint32_t bits = 1;
  while (by >> (bits + 1) != 0) ++bits;
  const std::uint64_t power = std::uint64_t{1} << (31 + bits);
  return {static_cast<std::uint32_t>((power + by - 1) / by), bits - 1};
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_FIXED_DIVISOR_H_
