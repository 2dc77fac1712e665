/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_BACKEND_ENUM_H_
#define RDP_GST_ELEMENTS_BASE_BACKEND_ENUM_H_

#include "gst/elements/base/enum_type.h"

/* The values of the property `backend`, which every analysing element has. */
typedef enum { GST_RDP_BACKEND_AUTO, GST_RDP_BACKEND_CPU, GST_RDP_BACKEND_CUDA } GstRdpBackend;

GType gst_rdp_backend_get_type(void);

#endif /* RDP_GST_ELEMENTS_BASE_BACKEND_ENUM_H_ */
