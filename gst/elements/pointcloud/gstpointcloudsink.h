// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_POINTCLOUD_GSTPOINTCLOUDSINK_H_
#define RDP_GST_ELEMENTS_POINTCLOUD_GSTPOINTCLOUDSINK_H_

#include <gst/base/gstbasesink.h>

G_BEGIN_DECLS

#define GST_TYPE_POINT_CLOUD_SINK (gst_point_cloud_sink_get_type())
G_DECLARE_FINAL_TYPE(GstPointCloudSink, gst_point_cloud_sink, GST, POINT_CLOUD_SINK, GstBaseSink)

GST_ELEMENT_REGISTER_DECLARE(pointcloudsink)

G_END_DECLS

#endif  // RDP_GST_ELEMENTS_POINTCLOUD_GSTPOINTCLOUDSINK_H_
