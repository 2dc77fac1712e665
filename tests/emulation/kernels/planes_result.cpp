// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/planes_result.cu"

RDP_EMULATED_KERNEL(rdp_planes_select);
RDP_EMULATED_KERNEL(rdp_planes_write);
RDP_EMULATED_KERNEL(rdp_planes_corners);
