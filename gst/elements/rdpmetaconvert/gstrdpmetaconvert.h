/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_GSTRDPMETACONVERT_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_GSTRDPMETACONVERT_H_

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_RDP_META_CONVERT (gst_rdp_meta_convert_get_type())
G_DECLARE_FINAL_TYPE(GstRdpMetaConvert, gst_rdp_meta_convert, GST, RDP_META_CONVERT,
                     GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE(rdpmetaconvert)

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_RDPMETACONVERT_GSTRDPMETACONVERT_H_ */
