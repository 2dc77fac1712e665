// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/primitives/frame_list.h"

#include "kernels/runtime/device_view.h"

namespace rdp::cuda {

FrameList frame_list(const DeviceFrames& frames) {
  FrameList list{};
  for (int i = 0; i < frames.count(); ++i) {
    list.data[i] = frames[i].bytes();
    list.pitch[i] = frames[i].pitch;
  }
  return list;
}

}  // namespace rdp::cuda
