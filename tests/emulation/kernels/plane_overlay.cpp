// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/planes/plane_overlay.cu"

RDP_EMULATED_KERNEL(rdp_plane_picture);
RDP_EMULATED_KERNEL(rdp_plane_squares);
