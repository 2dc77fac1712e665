/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_BASE_ENUMS_H_
#define RDP_GST_ELEMENTS_BASE_BASE_ENUMS_H_

#include "gst/elements/base/enum_type.h"

/* The values of properties that several elements have. */

/* `backend`, which every analysing element has. */
typedef enum { GST_RDP_BACKEND_AUTO, GST_RDP_BACKEND_CPU, GST_RDP_BACKEND_CUDA } GstRdpBackend;
GType gst_rdp_backend_get_type(void);

/* `measures`: the values of GstRdpMeasure, with the first one named auto. */
GType gst_rdp_camera_measures_get_type(void);

/* `drop`, which every pad with pictures has. */
typedef enum { GST_RDP_DROP_AUTO, GST_RDP_DROP_NEVER, GST_RDP_DROP_LATE } GstRdpDrop;
GType gst_rdp_drop_get_type(void);

/* `median` of elements that filter samples: the values of rdp::Median, the window's side. */
GType gst_rdp_median_get_type(void);

#endif /* RDP_GST_ELEMENTS_BASE_BASE_ENUMS_H_ */
