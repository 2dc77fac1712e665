// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/stereo/depth_table.cu"

RDP_EMULATED_KERNEL(rdp_disparity_to_depth);
