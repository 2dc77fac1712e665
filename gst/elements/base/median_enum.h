/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_MEDIAN_ENUM_H_
#define RDP_GST_ELEMENTS_BASE_MEDIAN_ENUM_H_

#include "gst/elements/base/enum_type.h"

/* The values of the property `median` of elements that filter samples: rdp::Median, which is the
 * side of the window. */
GType gst_rdp_median_get_type(void);

#endif /* RDP_GST_ELEMENTS_BASE_MEDIAN_ENUM_H_ */
