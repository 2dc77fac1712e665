// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/filters/filter_arguments.h"

#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

FilterArguments filter_arguments(const DeviceFrames& in, const DeviceFrames& out) {
  return {frame_list(in), frame_list(out), in.count(), in.width(), in.height()};
}

}  // namespace rdp::cuda
