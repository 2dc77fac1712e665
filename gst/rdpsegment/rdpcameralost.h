/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_CAMERA_LOST_H__
#define __GST_RDP_CAMERA_LOST_H__

#include <gst/rdpsegment/rdpcamerabytes.h>

/* Private. Messages about a lost camera, and the unit that its samples have now. The plugin uses
 * it, too, so all of it is in this header. */
namespace rdp::meta {

/* The unit to set for samples whose camera or unit is no longer valid. */
struct UnitRemedy {
  GstRdpMeasure measures = GST_RDP_MEASURE_UNKNOWN; /* meaning of the samples before */
  gchar text[160] = "disparity-unit or depth-unit";
};

inline void write_unit(const char* property, double unit, const char* more, UnitRemedy* remedy) {
  gchar number[G_ASCII_DTOSTR_BUF_SIZE]; /* as in a launch line, whatever the locale */
  g_ascii_formatd(number, sizeof number, "%.9g", unit);
  g_snprintf(remedy->text, sizeof remedy->text, "%s=%s%s", property, number, more);
}

/* The factor by which the width of the picture was scaled; 0: unknown. Borders at the sides and
 * crops look like scaling. */
inline double width_factor(LostCamera how, const guint (&sizes)[4]) {
  const double x = sizes[0] > 0 ? static_cast<double>(sizes[2]) / sizes[0] : 0.0;
  const double y = sizes[1] > 0 ? static_cast<double>(sizes[3]) / sizes[1] : 0.0;
  switch (how) {
    case LostCamera::kNot:
      return 1.0;
    case LostCamera::kAspectRatio:
      return x <= y ? x : 0.0;
    case LostCamera::kTurned: {
      const bool turned = sizes[0] == sizes[3] && sizes[1] == sizes[2];
      return turned || (x == 1.0 && y == 1.0) ? 1.0 : 0.0;
    }
    case LostCamera::kSize:
    case LostCamera::kMixed:
    default:
      return 0.0;
  }
}

/* `before`: the camera before it was lost; null: not known. */
inline UnitRemedy unit_remedy(const GstRdpCameraInfo* before, LostCamera how,
                              const guint (&sizes)[4]) {
  UnitRemedy remedy;
  if (before == nullptr || how == LostCamera::kMixed) return remedy;
  if (before->measures == GST_RDP_MEASURE_DEPTH && before->depth_unit > 0.0) {
    remedy.measures = GST_RDP_MEASURE_DEPTH;
    write_unit("depth-unit", before->depth_unit, "", &remedy);
  }
  if (before->measures == GST_RDP_MEASURE_DISPARITY && before->disparity_unit > 0.0) {
    remedy.measures = GST_RDP_MEASURE_DISPARITY;
    const double factor = width_factor(how, sizes);
    if (factor > 0.0) {
      write_unit("disparity-unit", before->disparity_unit * factor, "", &remedy);
    } else {
      write_unit("disparity-unit", before->disparity_unit,
                 " (where it was scaled: times the factor of its width; a crop changes nothing)",
                 &remedy);
    }
  }
  return remedy;
}

/* The same for samples that were converted to 8 bits, most likely from 16 by videoconvert.
 * `before`: the camera with the outdated unit. */
inline UnitRemedy unit_remedy_of_bytes(const GstRdpCameraInfo& before) {
  constexpr double kFactor = 256.0;
  constexpr const char* kIf = " where 16 bits became 8";
  UnitRemedy remedy;
  if (before.measures == GST_RDP_MEASURE_DEPTH && before.depth_unit > 0.0) {
    remedy.measures = GST_RDP_MEASURE_DEPTH;
    write_unit("depth-unit", before.depth_unit * kFactor, kIf, &remedy);
  }
  if (before.measures == GST_RDP_MEASURE_DISPARITY && before.disparity_unit > 0.0) {
    remedy.measures = GST_RDP_MEASURE_DISPARITY;
    write_unit("disparity-unit", before.disparity_unit * kFactor, kIf, &remedy);
  }
  return remedy;
}

/* A message about the loss of the camera, with the remedy. `sizes`: as in GstRdpCameraMeta; `here`:
 * the last two are the size of the present frame. (transfer full): free with g_free(). */
inline gchar* lost_camera_text(LostCamera how, const guint (&sizes)[4], bool here,
                               const UnitRemedy& unit) {
  g_autofree gchar* remedy = g_strdup_printf(
      "set calibration, or focal-length and the related properties, and %s, on the next element "
      "downstream, for the picture as it is there",
      unit.text);
  switch (how) {
    case LostCamera::kSize:
      return g_strdup_printf(
          "the frame's camera is lost: it is for a picture of %ux%u, but the %s %ux%u: an element "
          "cropped or scaled it without updating the camera; %s",
          sizes[0], sizes[1], here ? "frame is" : "picture was", sizes[2], sizes[3], remedy);
    case LostCamera::kAspectRatio:
      return g_strdup_printf(
          "the frame's camera is lost: the picture was scaled from %ux%u to %ux%u, which is not "
          "the same shape on a display, so it may have borders now; scale to the same aspect "
          "ratio, or %s",
          sizes[0], sizes[1], sizes[2], sizes[3], remedy);
    case LostCamera::kMixed:
      return g_strdup_printf(
          "the frame's camera is lost: pictures of several cameras were mixed into one, this one "
          "of %ux%u into %ux%u; measure before they are mixed",
          sizes[0], sizes[1], sizes[2], sizes[3]);
    case LostCamera::kTurned:
    case LostCamera::kNot:
    default:
      return g_strdup_printf(
          "the frame's camera is lost: the picture of %ux%u was mirrored or rotated, to %ux%u; do "
          "that downstream of the elements that measure, or %s",
          sizes[0], sizes[1], sizes[2], sizes[3], remedy);
  }
}

}  // namespace rdp::meta

#endif /* __GST_RDP_CAMERA_LOST_H__ */
