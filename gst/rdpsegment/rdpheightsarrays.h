/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_HEIGHTS_ARRAYS_H__
#define __GST_RDP_HEIGHTS_ARRAYS_H__

#include <gst/rdpsegment/rdpheights.h>

/* Private: the arrays as gst_rdp_heights_new_with_tracks() describes them, always on the host. */
struct GstRdpHeightsArrays {
  const GstRdpHead* heads;
  gsize n_heads;
  const GstRdpHeadTrack* head_tracks;
  gsize n_head_tracks; /* n_heads, or 0 */
  const guint32* lost_heads;
  gsize n_lost_heads;

  static bool elsewhere() { return false; }
};

#endif /* __GST_RDP_HEIGHTS_ARRAYS_H__ */
