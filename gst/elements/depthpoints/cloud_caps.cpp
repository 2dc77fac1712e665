// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthpoints/cloud_caps.h"

#include "common/points/parameters.h"
#include "gst/elements/base/depth_caps.h"

namespace rdp::gst {
namespace {

void copy_fields(const GstStructure* from, GstStructure* to) {
  for (const char* field : {"width", "height", "framerate"}) {
    const GValue* value = gst_structure_get_value(from, field);
    if (value != nullptr) gst_structure_set_value(to, field, value);
  }
}

}  // namespace

const CapsWords kColourWords = {
    "format RGBA, BGRA, RGB, BGR or GRAY8 in system memory, up to 16384x16384",
    "Put videoconvert ! video/x-raw,format=RGBA before the pad video. Other memory: put the "
    "element that downloads it before that.",
    nullptr,
    "video/x-raw,format=RGBA,width=640,height=480",
};

GstCaps* cloud_caps() {
  return gst_caps_from_string(
      "application/x-points, format = (string) XYZ32F, point-step = (int) { 12, 16 }, "
      "offset = (int) 0, unit = (double) 1.0, axes = (string) { camera, forward-left-up "
      "}, " RDP_SIDES ", framerate = (fraction) [ 0/1, 2147483647/1 ]");
}

GstCaps* colour_caps() {
  return gst_caps_from_string(
      "video/x-raw, format = (string) { RGBA, BGRA, RGB, BGR, GRAY8 }, " RDP_SIDES);
}

GstCaps* cloud_caps_of(const GstCaps* depth, const char* axes, bool coloured) {
  GstCaps* result = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(depth); ++i) {
    GstCaps* to = cloud_caps();
    copy_fields(gst_caps_get_structure(depth, i), gst_caps_get_structure(to, 0));
    result = gst_caps_merge(result, to);
  }
  gst_caps_set_simple(result, "axes", G_TYPE_STRING, axes, "point-step", G_TYPE_INT,
                      static_cast<gint>(points::kPointBytes), nullptr);
  if (coloured) {
    gst_caps_set_simple(result, "point-step", G_TYPE_INT,
                        static_cast<gint>(points::kColouredPointBytes), "color-offset", G_TYPE_INT,
                        static_cast<gint>(points::kPointBytes), "color-format", G_TYPE_STRING,
                        "RGBA", nullptr);
  }
  return result;
}

GstCaps* depth_caps_for(const GstCaps* clouds, const char* axes, GstCaps* own) {
  GstCaps* result = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(clouds); ++i) {
    const GstStructure* from = gst_caps_get_structure(clouds, i);
    const gchar* wanted = gst_structure_get_string(from, "axes");
    if (wanted != nullptr && g_strcmp0(wanted, axes) != 0) continue;
    GstCaps* to = gst_caps_copy(own);
    for (guint j = 0; j < gst_caps_get_size(to); ++j) {
      copy_fields(from, gst_caps_get_structure(to, j));
    }
    result = gst_caps_merge(result, to);
  }
  GstCaps* both = gst_caps_intersect_full(result, own, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(result);
  gst_caps_unref(own);
  return both;
}

points::PixelLayout pixel_layout(GstVideoFormat format) {
  switch (format) {
    case GST_VIDEO_FORMAT_RGBA:
      return {4, 0, 1, 2, 3};
    case GST_VIDEO_FORMAT_BGRA:
      return {4, 2, 1, 0, 3};
    case GST_VIDEO_FORMAT_RGB:
      return {3, 0, 1, 2, -1};
    case GST_VIDEO_FORMAT_BGR:
      return {3, 2, 1, 0, -1};
    default:
      return {1, 0, 0, 0, -1};
  }
}

}  // namespace rdp::gst
