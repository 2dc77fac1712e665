// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/depthfilter/depth_changes.cu"

RDP_EMULATED_KERNEL(rdp_depth_changes);
