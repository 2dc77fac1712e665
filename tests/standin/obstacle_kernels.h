// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_OBSTACLE_KERNELS_H_
#define RDP_TESTS_STANDIN_OBSTACLE_KERNELS_H_

#include <string_view>

#include "tests/standin/host_kernels.h"

// Stand-ins for the kernels that find obstacles; null for any other name.
HostKernel find_obstacle_kernel(std::string_view name);

#endif  // RDP_TESTS_STANDIN_OBSTACLE_KERNELS_H_
