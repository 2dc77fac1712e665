// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/heightmap/height_overlay.cu"

RDP_EMULATED_KERNEL(rdp_height_lines);
RDP_EMULATED_KERNEL(rdp_height_picture);
RDP_EMULATED_KERNEL(rdp_height_map);
