// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/heightmap/height_labels.cu"

RDP_EMULATED_KERNEL(rdp_height_labels);
RDP_EMULATED_KERNEL(rdp_height_energy);
