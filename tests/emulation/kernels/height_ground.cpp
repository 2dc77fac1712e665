// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/heightmap/height_ground.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_ground_heights);
RDP_EMULATED_KERNEL(rdp_ground_depths);
RDP_EMULATED_KERNEL(rdp_ground_clear);
RDP_EMULATED_KERNEL(rdp_ground_draw);

}  // namespace rdp::cuda
