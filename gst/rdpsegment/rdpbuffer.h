/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_BUFFER_H__
#define __GST_RDP_BUFFER_H__

#include <gst/rdpsegment/prelude.h>

G_BEGIN_DECLS

GST_RDP_SEGMENT_API
GstBuffer* gst_rdp_buffer_allocate(gsize size, guint64* address);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_buffer_lend(GstBuffer* buffer, guint64* address, GError** error);

G_END_DECLS

#endif /* __GST_RDP_BUFFER_H__ */
