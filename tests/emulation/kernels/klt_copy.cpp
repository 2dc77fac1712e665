// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/klt/klt_copy.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_klt_copy);

}  // namespace rdp::cuda
