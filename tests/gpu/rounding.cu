// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gpu/rounding_arguments.h"

extern "C" __global__ void __launch_bounds__(rdp::test::kRoundingThreads)
    rdp_test_rounding(const rdp::test::RoundingArguments a) {
  const int i =
      static_cast<int>(blockIdx.x) * rdp::test::kRoundingThreads + static_cast<int>(threadIdx.x);
  if (i < a.count) a.results[i] = rdp::test::round_case(a.cases[i]);
}
