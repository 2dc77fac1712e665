// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/stereo/stereo_paths.cu"

RDP_EMULATED_KERNEL(rdp_stereo_paths_128);
RDP_EMULATED_KERNEL(rdp_stereo_paths_256);
RDP_EMULATED_KERNEL(rdp_stereo_paths_masked_128);
RDP_EMULATED_KERNEL(rdp_stereo_paths_masked_256);
