// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_FRAME_PLANE_KERNELS_H_
#define RDP_TESTS_STANDIN_FRAME_PLANE_KERNELS_H_

#include <string_view>

#include "tests/standin/host_kernels.h"

// Replacement of a kernel that finds planes in frames (nullable: other name).
HostKernel find_frame_plane_kernel(std::string_view name);

#endif  // RDP_TESTS_STANDIN_FRAME_PLANE_KERNELS_H_
