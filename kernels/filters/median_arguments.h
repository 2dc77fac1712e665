// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_MEDIAN_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_MEDIAN_ARGUMENTS_H_

#include "kernels/filters/filter_arguments.h"

namespace rdp::cuda {

// Arguments of the kernels rdp_median_<side>_<sample>.
struct MedianArguments : FilterArguments {};

// The part of a frame that a block of threads works on.
constexpr int kMedianThreads = 128;
constexpr int kMedianColumns = 32 * 8;
constexpr int kMedianRowsOfThread = 4;
constexpr int kMedianRows = kMedianRowsOfThread * kMedianThreads / 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_MEDIAN_ARGUMENTS_H_
