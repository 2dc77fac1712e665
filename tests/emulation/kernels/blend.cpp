// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/filters/blend.cu"

RDP_EMULATED_KERNEL(rdp_blend_rgba);
RDP_EMULATED_KERNEL(rdp_blend_nv12);
