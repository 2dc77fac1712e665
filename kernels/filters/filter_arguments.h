// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_FILTER_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_FILTER_ARGUMENTS_H_

#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

// What the arguments of all filters have: two frames, of which the first one's size counts. The
// rest is zero.
template <typename Arguments>
Arguments filter_arguments(const DeviceDepthView& in, const DeviceDepthView& out) {
  Arguments arguments{};
  arguments.in = in.bytes();
  arguments.in_pitch = in.pitch;
  arguments.out = out.bytes();
  arguments.out_pitch = out.pitch;
  arguments.width = in.width;
  arguments.height = in.height;
  return arguments;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_FILTER_ARGUMENTS_H_
