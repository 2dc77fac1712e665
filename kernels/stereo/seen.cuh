// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_SEEN_CUH_
#define RDP_KERNELS_STEREO_SEEN_CUH_

#include "kernels/stereo/stereo_arguments.h"

namespace rdp::cuda {

// True if a camera has seen a pixel of its rectified view. Without a mask it has seen all of them.
__device__ __forceinline__ bool was_seen(const StereoRows& mask, int x, int y) {
  return mask.data == nullptr || __ldg(mask.data + y * mask.pitch + x) != 0;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_SEEN_CUH_
