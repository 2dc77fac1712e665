// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/cloud_points.cu"

RDP_EMULATED_KERNEL(rdp_cloud_bounds);
RDP_EMULATED_KERNEL(rdp_cloud_mark);
RDP_EMULATED_KERNEL(rdp_cloud_sums);
