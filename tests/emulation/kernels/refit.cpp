// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/rdp/refit.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_refit_u8);
RDP_EMULATED_KERNEL(rdp_refit_u16);

}  // namespace rdp::cuda
