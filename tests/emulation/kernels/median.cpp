// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/filters/median.cu"

RDP_EMULATED_KERNEL(rdp_median_3_u8);
RDP_EMULATED_KERNEL(rdp_median_3_u16);
RDP_EMULATED_KERNEL(rdp_median_5_u8);
RDP_EMULATED_KERNEL(rdp_median_5_u16);
