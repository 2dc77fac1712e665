/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_HEIGHTS_ARRAYS_H__
#define __GST_RDP_HEIGHTS_ARRAYS_H__

#include <gst/rdpsegment/rdpheights.h>

/* Private: the array as gst_rdp_heights_new() describes it. It is always on the host. */
struct GstRdpHeightsArrays {
  const GstRdpHead* heads;
  gsize n_heads;

  static bool elsewhere() { return false; }
};

#endif /* __GST_RDP_HEIGHTS_ARRAYS_H__ */
