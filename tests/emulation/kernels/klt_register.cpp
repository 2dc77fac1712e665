// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/klt/klt_register.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_klt_patches_8);
RDP_EMULATED_KERNEL(rdp_klt_patches_12);
RDP_EMULATED_KERNEL(rdp_klt_patches_16);
RDP_EMULATED_KERNEL(rdp_klt_patches_any);
RDP_EMULATED_KERNEL(rdp_klt_register_8);
RDP_EMULATED_KERNEL(rdp_klt_register_12);
RDP_EMULATED_KERNEL(rdp_klt_register_16);
RDP_EMULATED_KERNEL(rdp_klt_register_any);

}  // namespace rdp::cuda
