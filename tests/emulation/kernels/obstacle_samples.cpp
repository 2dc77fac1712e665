// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/obstacles/obstacle_samples.cu"

RDP_EMULATED_KERNEL(rdp_obstacles_place);
RDP_EMULATED_KERNEL(rdp_obstacles_objects);
