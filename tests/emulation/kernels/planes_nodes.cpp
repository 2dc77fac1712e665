// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/planes_nodes.cu"

RDP_EMULATED_KERNEL(rdp_planes_cells);
RDP_EMULATED_KERNEL(rdp_planes_rest);
RDP_EMULATED_KERNEL(rdp_planes_fits);
RDP_EMULATED_KERNEL(rdp_planes_nodes);
