// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/filters/join_columns.cu"

RDP_EMULATED_KERNEL(rdp_join_columns_u8);
RDP_EMULATED_KERNEL(rdp_join_columns_u16);
