// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/rdp/fit.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_fit_4_u8);
RDP_EMULATED_KERNEL(rdp_fit_4_u16);
RDP_EMULATED_KERNEL(rdp_fit_1_u8);
RDP_EMULATED_KERNEL(rdp_fit_1_u16);

}  // namespace rdp::cuda
