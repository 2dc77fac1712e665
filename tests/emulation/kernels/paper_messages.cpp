// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "tests/bench/paper_messages.cuh"

RDP_EMULATED_KERNEL(rdp_bench_paper_messages);
RDP_EMULATED_KERNEL(rdp_bench_paper_labels);
