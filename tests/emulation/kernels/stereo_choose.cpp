// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/stereo/stereo_choose.cu"

RDP_EMULATED_KERNEL(rdp_stereo_choose_128_4);
RDP_EMULATED_KERNEL(rdp_stereo_choose_128_8);
RDP_EMULATED_KERNEL(rdp_stereo_choose_256_4);
RDP_EMULATED_KERNEL(rdp_stereo_choose_256_8);
