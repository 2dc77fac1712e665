// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_LEGEND_LAYOUT_H_
#define RDP_KERNELS_RDP_LEGEND_LAYOUT_H_

namespace rdp::cuda {

// The part of a legend that a block of threads paints.
constexpr int kLegendThreads = 256;
constexpr int kLegendColumns = 32;
constexpr int kLegendRows = 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_LEGEND_LAYOUT_H_
