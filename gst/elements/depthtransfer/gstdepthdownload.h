/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHDOWNLOAD_H_
#define RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHDOWNLOAD_H_

#include "gst/elements/depthtransfer/gstdepthtransfer.h"

G_BEGIN_DECLS

#define GST_TYPE_DEPTH_DOWNLOAD (gst_depth_download_get_type())
G_DECLARE_FINAL_TYPE(GstDepthDownload, gst_depth_download, GST, DEPTH_DOWNLOAD, GstDepthTransfer)

GST_ELEMENT_REGISTER_DECLARE(depthdownload)

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHDOWNLOAD_H_ */
