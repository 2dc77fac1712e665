// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/cloud_merge.cu"

RDP_EMULATED_KERNEL(rdp_cloud_own);
RDP_EMULATED_KERNEL(rdp_cloud_borders);
RDP_EMULATED_KERNEL(rdp_cloud_merge);
RDP_EMULATED_KERNEL(rdp_cloud_near);
