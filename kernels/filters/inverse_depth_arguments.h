// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_INVERSE_DEPTH_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_INVERSE_DEPTH_ARGUMENTS_H_

#include <cstdint>

#include "kernels/filters/filter_arguments.h"

namespace rdp::cuda {

// Arguments of the kernels rdp_inverse_depth_<sample>. `out` has 16-bit samples.
struct InverseDepthArguments : FilterArguments {
  const std::uint16_t* table;  // for each value that a sample of `in` can have
};

// The part of a frame that a block of threads works on.
constexpr int kInverseDepthThreads = 128;
constexpr int kInverseDepthColumns = 32 * 8;
constexpr int kInverseDepthRows = kInverseDepthThreads / 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_INVERSE_DEPTH_ARGUMENTS_H_
