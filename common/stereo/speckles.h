// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_SPECKLES_H_
#define RDP_COMMON_STEREO_SPECKLES_H_

#include "common/image/depth_view.h"
#include "common/image/speckles.h"

namespace rdp::stereo {

// See reference::remove_speckles().
void remove_speckles(const MutableDepthView& disparity, int size, int range,
                     SpeckleScratch* scratch);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_SPECKLES_H_
