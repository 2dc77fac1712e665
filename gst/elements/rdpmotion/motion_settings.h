// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMOTION_MOTION_SETTINGS_H_
#define RDP_GST_ELEMENTS_RDPMOTION_MOTION_SETTINGS_H_

#include <gst/gst.h>

#include "common/motion/overlay.h"
#include "common/motion/parameters.h"
#include "gst/elements/base/gstrdpjoiner.h"
#include "gst/elements/base/shared_text.h"

namespace rdp::gst {

// The enumerations of the properties.
GType motion_ego_motion_get_type();
GType motion_filter_get_type();
GType motion_overlay_style_get_type();

// The user's settings of rdpmotion. A frame works on a copy taken when it arrives.
struct MotionSettings : JoinerSettings {
  motion::Parameters parameters;
  SharedText poses;
  double time_origin = 0.0;  // s: the time in `poses` that is time 0 of the frames
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPMOTION_MOTION_SETTINGS_H_
