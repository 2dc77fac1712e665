// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/heightmap/height_heads.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_heads_vote);
RDP_EMULATED_KERNEL(rdp_heads_find);
RDP_EMULATED_KERNEL(rdp_heads_sum);
RDP_EMULATED_KERNEL(rdp_heads_finish);

}  // namespace rdp::cuda
