// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/cloud_rounds.cu"

RDP_EMULATED_KERNEL(rdp_cloud_vote);
RDP_EMULATED_KERNEL(rdp_cloud_filter);
RDP_EMULATED_KERNEL(rdp_cloud_peaks);
RDP_EMULATED_KERNEL(rdp_cloud_order);
RDP_EMULATED_KERNEL(rdp_cloud_nearest);
RDP_EMULATED_KERNEL(rdp_cloud_fit);
RDP_EMULATED_KERNEL(rdp_cloud_assign);
RDP_EMULATED_KERNEL(rdp_cloud_drop);
RDP_EMULATED_KERNEL(rdp_cloud_keep);
