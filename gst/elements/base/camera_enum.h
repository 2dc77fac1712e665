/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_CAMERA_ENUM_H_
#define RDP_GST_ELEMENTS_BASE_CAMERA_ENUM_H_

#include <gst/gst.h>

/* The values of the property `measures`: those of GstRdpMeasure, where the first one is auto. */
GType gst_rdp_camera_measures_get_type(void);

#endif /* RDP_GST_ELEMENTS_BASE_CAMERA_ENUM_H_ */
