// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/heightmap/height_speckles.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_speckles_label);
RDP_EMULATED_KERNEL(rdp_speckles_unite);
RDP_EMULATED_KERNEL(rdp_speckles_gather);

}  // namespace rdp::cuda
