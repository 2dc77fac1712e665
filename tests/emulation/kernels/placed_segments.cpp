// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/rdp/placed_segments.cu"

RDP_EMULATED_KERNEL(rdp_placed_rgba);
RDP_EMULATED_KERNEL(rdp_placed_nv12);
