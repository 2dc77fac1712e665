/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_CONVERT_ENUMS_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_CONVERT_ENUMS_H_

#include "gst/elements/base/enum_type.h"

G_BEGIN_DECLS

/* The output format of rdpmetaconvert. */
typedef enum { GST_RDP_CONVERT_JSON, GST_RDP_CONVERT_PLY, GST_RDP_CONVERT_CSV } GstRdpConvertFormat;

/* The content of a PLY. */
typedef enum { GST_RDP_PLY_CLOUD, GST_RDP_PLY_LINES, GST_RDP_PLY_PLANES } GstRdpPlyContent;

/* The lines of a CSV. */
typedef enum { GST_RDP_CSV_FRAMES, GST_RDP_CSV_OBJECTS } GstRdpCsvContent;

GType gst_rdp_convert_format_get_type(void);
GType gst_rdp_ply_content_get_type(void);
GType gst_rdp_csv_content_get_type(void);

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_RDPMETACONVERT_CONVERT_ENUMS_H_ */
