// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/rdp/marks.cu"

RDP_EMULATED_KERNEL(rdp_paint_texts);
RDP_EMULATED_KERNEL(rdp_paint_legend);
