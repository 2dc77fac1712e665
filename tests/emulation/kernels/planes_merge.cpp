// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/planes_merge.cu"

RDP_EMULATED_KERNEL(rdp_planes_borders);
RDP_EMULATED_KERNEL(rdp_planes_merge);
