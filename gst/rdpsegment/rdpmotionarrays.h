/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_MOTION_ARRAYS_H__
#define __GST_RDP_MOTION_ARRAYS_H__

#include <gst/rdpsegment/rdpmotion.h>

/* Private: the arrays as gst_rdp_motion_new() describes them. They are always on the host. */
struct GstRdpMotionArrays {
  const GstRdpSegmentMotion* segments;
  gsize n_segments;
  const GstRdpTrackMotion* tracks;
  gsize n_tracks;

  static bool elsewhere() { return false; }
};

#endif /* __GST_RDP_MOTION_ARRAYS_H__ */
