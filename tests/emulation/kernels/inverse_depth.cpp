// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/filters/inverse_depth.cu"

RDP_EMULATED_KERNEL(rdp_inverse_depth_u8);
RDP_EMULATED_KERNEL(rdp_inverse_depth_u16);
