/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_ROWS_PRIVATE_H__
#define __GST_RDP_ROWS_PRIVATE_H__

#include <tests/third_kind/rdprows.h>

#include "gst/rdpsegment/private/owned_object.h"

/* How many samples of each row are known. */
struct GstRdpRowsArrays {
  const guint32* counts;
  gsize n_counts;
  static bool elsewhere() { return false; }
};

struct _GstRdpRows : rdp::meta::OwnedObject<GstRdpRowsInfo, GstRdpRowsArrays> {};

#endif /* __GST_RDP_ROWS_PRIVATE_H__ */
