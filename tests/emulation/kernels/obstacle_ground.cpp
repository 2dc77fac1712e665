// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/obstacles/obstacle_ground.cu"

RDP_EMULATED_KERNEL(rdp_obstacles_ground);
