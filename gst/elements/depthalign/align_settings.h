// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHALIGN_ALIGN_SETTINGS_H_
#define RDP_GST_ELEMENTS_DEPTHALIGN_ALIGN_SETTINGS_H_

#include <gst/gst.h>

#include "common/image/camera.h"
#include "gst/elements/base/gstrdpjoiner.h"
#include "gst/elements/base/shared_text.h"

namespace rdp::gst {

// The user's extrinsics from depth to target axes: three rows of [R | t], t in metres.
struct Extrinsics {
  bool is_set = false;
  Pose rows;

  // Takes a GstValueArray: twelve numbers with a rotation, or none. Anything else is refused with a
  // warning.
  void set(const GValue* value);
  void get(GValue* value) const;
};

// The user's settings of depthalign. A frame works on a copy taken when it arrives.
struct AlignSettings : JoinerSettings {
  SharedText target_calibration;
  guint target_calibration_view = 0;
  Extrinsics extrinsics;
  bool fill_cracks = true;
  double tolerance = 6.0;  // 1/km
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHALIGN_ALIGN_SETTINGS_H_
