// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/points/points.cu"

RDP_EMULATED_KERNEL(rdp_point_tables);
RDP_EMULATED_KERNEL(rdp_points_u8);
RDP_EMULATED_KERNEL(rdp_points_u16);
RDP_EMULATED_KERNEL(rdp_no_points);
