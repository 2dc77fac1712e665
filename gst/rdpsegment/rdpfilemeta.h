/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_FILE_META_H__
#define __GST_RDP_FILE_META_H__

#include <gst/rdpsegment/prelude.h>

G_BEGIN_DECLS

typedef struct _GstRdpFileMeta GstRdpFileMeta;

#define GST_RDP_FILE_META_API_TYPE (gst_rdp_file_meta_api_get_type())
#define GST_RDP_FILE_META_INFO (gst_rdp_file_meta_get_info())

/**
 * GstRdpFileMeta:
 * @meta: parent
 * @name: (type filename): the file's name, without the folder that the source was given. Bytes as
 *   the file system has them, which need not be UTF-8
 *
 * The file that a frame was read from, on the frame's buffer: pngfoldersrc adds it. It survives
 * copies, and passes to frames made from this one.
 *
 * Since: 0.2
 */
struct _GstRdpFileMeta {
  GstMeta meta;

  gchar* name;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
};

GST_RDP_SEGMENT_API
GType gst_rdp_file_meta_api_get_type(void);

GST_RDP_SEGMENT_API
const GstMetaInfo* gst_rdp_file_meta_get_info(void);

GST_RDP_SEGMENT_API
GstRdpFileMeta* gst_buffer_add_rdp_file_meta(GstBuffer* buffer, const gchar* name);

GST_RDP_SEGMENT_API
GstRdpFileMeta* gst_buffer_get_rdp_file_meta(GstBuffer* buffer);

G_END_DECLS

#endif /* __GST_RDP_FILE_META_H__ */
