// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulation/emulated_kernels.h"

#include "kernels/rdp/overlay.cu"

RDP_EMULATED_KERNEL(rdp_palette_range);
RDP_EMULATED_KERNEL(rdp_find_ground);
RDP_EMULATED_KERNEL(rdp_paint_segments);
RDP_EMULATED_KERNEL(rdp_paint_classes);
RDP_EMULATED_KERNEL(rdp_paint_classes_on_plane);
RDP_EMULATED_KERNEL(rdp_paint_depth);
RDP_EMULATED_KERNEL(rdp_paint_edges);
RDP_EMULATED_KERNEL(rdp_birdseye_scale);
RDP_EMULATED_KERNEL(rdp_birdseye_columns);
RDP_EMULATED_KERNEL(rdp_birdseye_picture);
