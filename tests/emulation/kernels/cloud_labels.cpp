// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/cloud_labels.cu"

RDP_EMULATED_KERNEL(rdp_cloud_label);
RDP_EMULATED_KERNEL(rdp_cloud_select);
RDP_EMULATED_KERNEL(rdp_cloud_write);
RDP_EMULATED_KERNEL(rdp_cloud_under);
RDP_EMULATED_KERNEL(rdp_cloud_finish);
