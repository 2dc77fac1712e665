// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/planes_votes.cu"

RDP_EMULATED_KERNEL(rdp_planes_vote);
RDP_EMULATED_KERNEL(rdp_planes_filter);
RDP_EMULATED_KERNEL(rdp_planes_peaks);
RDP_EMULATED_KERNEL(rdp_planes_nearest);
