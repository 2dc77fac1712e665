/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_ROWS_H__
#define __GST_RDP_ROWS_H__

#include <tests/third_kind/rdprowsobject.h>

G_BEGIN_DECLS

/* Which frame of its stream it was, from 0, and its size. */
struct _GstRdpRowsInfo {
  guint64 frame;
  guint width;
  guint height;
};

GST_RDP_SEGMENT_API
const guint32* gst_rdp_rows_peek_counts(GstRdpRows* self, gsize* n_counts);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_rows_get_counts(GstRdpRows* self);

G_END_DECLS

#endif /* __GST_RDP_ROWS_H__ */
