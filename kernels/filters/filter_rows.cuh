// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_FILTER_ROWS_CUH_
#define RDP_KERNELS_FILTERS_FILTER_ROWS_CUH_

#include "kernels/filters/filter_arguments.h"

namespace rdp::cuda {

// A row of this block's frame. Looks up the frame's address at each use: kept in registers, it
// would cost more of them than the filters have.
template <typename Sample>
__device__ const Sample* in_row(const FilterArguments& a, int y) {
  return reinterpret_cast<const Sample*>(a.in.data[blockIdx.z] + y * a.in.pitch[blockIdx.z]);
}
template <typename Sample>
__device__ Sample* out_row(const FilterArguments& a, int y) {
  return reinterpret_cast<Sample*>(a.out.data[blockIdx.z] + y * a.out.pitch[blockIdx.z]);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_FILTER_ROWS_CUH_
