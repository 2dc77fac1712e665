/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_ENUMS_H_
#define RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_ENUMS_H_

#include <gst/gst.h>

/* The values of the property `axes`, with the names that caps of clouds have. */
typedef enum {
  GST_RDP_POINT_AXES_CAMERA,
  GST_RDP_POINT_AXES_FORWARD_LEFT_UP,
} GstRdpPointAxes;

GType gst_rdp_point_axes_get_type(void);

namespace rdp::gst {

constexpr const char* axes_name(GstRdpPointAxes axes) {
  return axes == GST_RDP_POINT_AXES_CAMERA ? "camera" : "forward-left-up";
}

}  // namespace rdp::gst

#endif /* RDP_GST_ELEMENTS_DEPTHPOINTS_POINTS_ENUMS_H_ */
