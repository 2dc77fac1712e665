// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_POINTCLOUD_GSTPOINTCLOUDSRC_H_
#define RDP_GST_ELEMENTS_POINTCLOUD_GSTPOINTCLOUDSRC_H_

#include <gst/base/gstpushsrc.h>

G_BEGIN_DECLS

#define GST_TYPE_POINT_CLOUD_SRC (gst_point_cloud_src_get_type())
G_DECLARE_FINAL_TYPE(GstPointCloudSrc, gst_point_cloud_src, GST, POINT_CLOUD_SRC, GstPushSrc)

GST_ELEMENT_REGISTER_DECLARE(pointcloudsrc)

G_END_DECLS

#endif  // RDP_GST_ELEMENTS_POINTCLOUD_GSTPOINTCLOUDSRC_H_
