// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/klt/klt_track.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_klt_track_8);
RDP_EMULATED_KERNEL(rdp_klt_track_12);
RDP_EMULATED_KERNEL(rdp_klt_track_16);
RDP_EMULATED_KERNEL(rdp_klt_track_any);

}  // namespace rdp::cuda
