// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/planes_pixels.cu"

RDP_EMULATED_KERNEL(rdp_planes_label);
RDP_EMULATED_KERNEL(rdp_planes_smooth);
RDP_EMULATED_KERNEL(rdp_planes_unite);
RDP_EMULATED_KERNEL(rdp_planes_gather);
RDP_EMULATED_KERNEL(rdp_planes_sum);
