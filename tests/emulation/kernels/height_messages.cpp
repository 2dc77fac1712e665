// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/heightmap/height_messages.cu"

RDP_EMULATED_KERNEL(rdp_height_send_16);
RDP_EMULATED_KERNEL(rdp_height_send_24);
RDP_EMULATED_KERNEL(rdp_height_send_32);
RDP_EMULATED_KERNEL(rdp_height_send_64);
RDP_EMULATED_KERNEL(rdp_height_exchange_16);
RDP_EMULATED_KERNEL(rdp_height_exchange_24);
RDP_EMULATED_KERNEL(rdp_height_exchange_32);
RDP_EMULATED_KERNEL(rdp_height_exchange_64);
