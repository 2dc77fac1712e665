/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHUPLOAD_H_
#define RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHUPLOAD_H_

#include "gst/elements/depthtransfer/gstdepthtransfer.h"

G_BEGIN_DECLS

#define GST_TYPE_DEPTH_UPLOAD (gst_depth_upload_get_type())
G_DECLARE_FINAL_TYPE(GstDepthUpload, gst_depth_upload, GST, DEPTH_UPLOAD, GstDepthTransfer)

GST_ELEMENT_REGISTER_DECLARE(depthupload)

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHUPLOAD_H_ */
