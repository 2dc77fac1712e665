// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/cloud_nodes.cu"

RDP_EMULATED_KERNEL(rdp_cloud_count);
RDP_EMULATED_KERNEL(rdp_cloud_number);
RDP_EMULATED_KERNEL(rdp_cloud_chunks);
RDP_EMULATED_KERNEL(rdp_cloud_before);
RDP_EMULATED_KERNEL(rdp_cloud_nodes);
RDP_EMULATED_KERNEL(rdp_cloud_planar);
