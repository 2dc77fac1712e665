// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_GPU_ROUNDING_ARGUMENTS_H_
#define RDP_TESTS_GPU_ROUNDING_ARGUMENTS_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/planes/device_rounding.h"

// Arguments of all functions in common/planes/device_rounding.h, for the host and for a kernel.
namespace rdp::test {

struct RoundingCase {
  double dividend;
  std::int64_t sum;
  std::int64_t points;
  double cotangent;
};

struct Rounded {
  double quotient;
  std::int64_t middle;
  double tangent;
  double cosine;
};

RDP_HOST_DEVICE inline Rounded round_case(const RoundingCase& c) {
  Rounded r;
  r.quotient = planes::divide_by_count(c.dividend, static_cast<double>(c.points));
  r.middle = planes::truncating_mean(c.sum, c.points);
  planes::jacobi_rotation_of(c.cotangent, &r.tangent, &r.cosine);
  return r;
}

// Pointers are device pointers.
struct RoundingArguments {
  const RoundingCase* cases;
  Rounded* results;
  std::int32_t count;
};
inline constexpr int kRoundingThreads = 256;

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_ROUNDING_ARGUMENTS_H_
