// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/planes_rounds.cu"

RDP_EMULATED_KERNEL(rdp_planes_fit);
RDP_EMULATED_KERNEL(rdp_planes_take);
RDP_EMULATED_KERNEL(rdp_planes_parts);
RDP_EMULATED_KERNEL(rdp_planes_grow);
RDP_EMULATED_KERNEL(rdp_planes_settle);
