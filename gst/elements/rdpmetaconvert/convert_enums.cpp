// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmetaconvert/convert_enums.h"

GType gst_rdp_convert_format_get_type(void) {
  return rdp::gst::enum_type<GstRdpConvertFormat>(
      "GstRdpMetaConvertFormat",
      {{GST_RDP_CONVERT_JSON, "JSON Lines, one line per frame", "json"},
       {GST_RDP_CONVERT_PLY, "One PLY file per frame, in metres", "ply"},
       {GST_RDP_CONVERT_CSV, "CSV of obstacles, with a header, in metres", "csv"}});
}

GType gst_rdp_ply_content_get_type(void) {
  return rdp::gst::enum_type<GstRdpPlyContent>(
      "GstRdpMetaConvertPlyContent",
      {{GST_RDP_PLY_CLOUD, "One point in each row that a segment covers", "cloud"},
       {GST_RDP_PLY_LINES, "Each segment as an edge between its two ends", "lines"},
       {GST_RDP_PLY_PLANES, "The hull of each plane as a polygon", "planes"}});
}

GType gst_rdp_csv_content_get_type(void) {
  return rdp::gst::enum_type<GstRdpCsvContent>(
      "GstRdpMetaConvertCsvContent",
      {{GST_RDP_CSV_FRAMES, "The nearest obstacle of each frame", "frames"},
       {GST_RDP_CSV_OBJECTS, "Each object of each frame", "objects"}});
}
