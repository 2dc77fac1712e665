// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/planes_split.cu"

RDP_EMULATED_KERNEL(rdp_planes_pieces);
RDP_EMULATED_KERNEL(rdp_planes_split);
