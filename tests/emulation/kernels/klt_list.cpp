// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/klt/klt_list.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_klt_births_16);
RDP_EMULATED_KERNEL(rdp_klt_births_any);
RDP_EMULATED_KERNEL(rdp_klt_select);
RDP_EMULATED_KERNEL(rdp_klt_list);

}  // namespace rdp::cuda
