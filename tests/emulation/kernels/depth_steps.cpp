// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/depthfilter/depth_steps.cu"

RDP_EMULATED_KERNEL(rdp_depth_copy);
RDP_EMULATED_KERNEL(rdp_depth_decimate);
RDP_EMULATED_KERNEL(rdp_depth_fill);
RDP_EMULATED_KERNEL(rdp_depth_label);
RDP_EMULATED_KERNEL(rdp_depth_unite);
RDP_EMULATED_KERNEL(rdp_depth_gather);
RDP_EMULATED_KERNEL(rdp_depth_speckles);
