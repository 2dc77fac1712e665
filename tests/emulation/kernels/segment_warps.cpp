// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/rdp/segment_warps.cu"

namespace rdp::cuda {

RDP_EMULATED_KERNEL(rdp_segment_warps_4_u8);
RDP_EMULATED_KERNEL(rdp_segment_warps_4_u16);
RDP_EMULATED_KERNEL(rdp_segment_warps_8_u8);
RDP_EMULATED_KERNEL(rdp_segment_warps_8_u16);
RDP_EMULATED_KERNEL(rdp_segment_fit_4_u8);
RDP_EMULATED_KERNEL(rdp_segment_fit_4_u16);
RDP_EMULATED_KERNEL(rdp_segment_fit_8_u8);
RDP_EMULATED_KERNEL(rdp_segment_fit_8_u16);
RDP_EMULATED_KERNEL(rdp_segment_absolute_4_u8);
RDP_EMULATED_KERNEL(rdp_segment_absolute_4_u16);

}  // namespace rdp::cuda
