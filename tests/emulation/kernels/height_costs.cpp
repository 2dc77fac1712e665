// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/heightmap/height_costs.cu"

RDP_EMULATED_KERNEL(rdp_height_differences);
RDP_EMULATED_KERNEL(rdp_height_costs_1);
RDP_EMULATED_KERNEL(rdp_height_costs_3);
RDP_EMULATED_KERNEL(rdp_height_costs_5);
RDP_EMULATED_KERNEL(rdp_height_costs_7);
RDP_EMULATED_KERNEL(rdp_height_costs_9);
RDP_EMULATED_KERNEL(rdp_height_costs_11);
