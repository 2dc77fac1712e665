// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_STEREO_KERNELS_H_
#define RDP_TESTS_STANDIN_STEREO_KERNELS_H_

#include <string_view>

#include "tests/standin/host_kernels.h"

// Replacement of a stereo matching kernel (nullable: other name).
HostKernel find_stereo_kernel(std::string_view name);

#endif  // RDP_TESTS_STANDIN_STEREO_KERNELS_H_
