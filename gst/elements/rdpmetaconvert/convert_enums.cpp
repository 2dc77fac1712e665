// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmetaconvert/convert_enums.h"

namespace {

const GEnumValue kFormat[] = {
    {GST_RDP_CONVERT_JSON, "Lines of JSON, one a frame", "json"},
    {GST_RDP_CONVERT_PLY, "A PLY file a frame, in metres", "ply"},
    {0, nullptr, nullptr},
};

const GEnumValue kPlyContent[] = {
    {GST_RDP_PLY_CLOUD, "A point in each row that a segment covers", "cloud"},
    {GST_RDP_PLY_LINES, "Each segment as an edge between its two ends", "lines"},
    {GST_RDP_PLY_PLANES, "The hull of each plane as a polygon", "planes"},
    {0, nullptr, nullptr},
};

}  // namespace

// Registered once, whichever thread comes first.
#define DEFINE_ENUM(function, name, values)                         \
  GType function(void) {                                            \
    static const GType type = g_enum_register_static(name, values); \
    return type;                                                    \
  }

DEFINE_ENUM(gst_rdp_convert_format_get_type, "GstRdpMetaConvertFormat", kFormat)
DEFINE_ENUM(gst_rdp_ply_content_get_type, "GstRdpMetaConvertPlyContent", kPlyContent)
