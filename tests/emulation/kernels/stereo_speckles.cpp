// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/stereo/stereo_speckles.cu"

RDP_EMULATED_KERNEL(rdp_stereo_label);
RDP_EMULATED_KERNEL(rdp_stereo_unite);
RDP_EMULATED_KERNEL(rdp_stereo_gather);
RDP_EMULATED_KERNEL(rdp_stereo_finish);
