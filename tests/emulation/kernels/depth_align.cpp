// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/align/depth_align.cu"

RDP_EMULATED_KERNEL(rdp_align_cover);
RDP_EMULATED_KERNEL(rdp_align_finish);
RDP_EMULATED_KERNEL(rdp_align_colour);
