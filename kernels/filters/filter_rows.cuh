// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_FILTER_ROWS_CUH_
#define RDP_KERNELS_FILTERS_FILTER_ROWS_CUH_

#include "kernels/filters/filter_arguments.h"

namespace rdp::cuda {

// A row of the frame of this block. Where frames lie is asked for where it is needed: kept from the
// beginning on, it would take registers that the filters have not.
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
