/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_DROP_ENUM_H_
#define RDP_GST_ELEMENTS_BASE_DROP_ENUM_H_

#include "gst/elements/base/enum_type.h"

/* The values of the property `drop`, which every pad with pictures has. */
typedef enum { GST_RDP_DROP_AUTO, GST_RDP_DROP_NEVER, GST_RDP_DROP_LATE } GstRdpDrop;

GType gst_rdp_drop_get_type(void);

#endif /* RDP_GST_ELEMENTS_BASE_DROP_ENUM_H_ */
