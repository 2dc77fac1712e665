/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_CAMERA_METRIC_H__
#define __GST_RDP_CAMERA_METRIC_H__

#include <gst/rdpsegment/rdpcamera.h>
#include <gst/rdpsegment/rdpsegmentation.h>

#include <algorithm>

#include "common/image/lens_reach.h"

/* Private. The camera in the form that engines, painters and kernels use. The plugin uses it, too,
 * so all of it is in this header. */
namespace rdp::meta {

/* Plausible baselines of stereo pairs, in metres. Others suggest a wrong unit. */
inline constexpr double kShortestBaseline = 0.001;
inline constexpr double kLongestBaseline = 10.0;

inline bool is_likely_baseline(double metres) {
  return metres >= kShortestBaseline && metres <= kLongestBaseline;
}

/* The lens, which maps pixels to rays. */
inline CameraLens camera_lens(const GstRdpCameraInfo& info) {
  CameraLens lens;
  lens.focal_x = info.focal_length;
  lens.focal_y = info.focal_length_y;
  lens.principal_x = info.principal_x;
  lens.principal_y = info.principal_y;
  Distortion& d = lens.distortion;
  d.k1 = info.distortion[0];
  d.k2 = info.distortion[1];
  d.p1 = info.distortion[2];
  d.p2 = info.distortion[3];
  d.k3 = info.distortion[4];
  d.k4 = info.distortion[5];
  d.k5 = info.distortion[6];
  d.k6 = info.distortion[7];
  d.none = std::all_of(info.distortion, info.distortion + 8, [](double k) { return k == 0.0; });
  if (!d.none) find_reach(&d);
  return lens;
}

/* The pose, world from camera; the identity if the camera has none. */
inline Pose camera_pose(const GstRdpCameraInfo& info) {
  Pose pose;
  if (info.has_pose != FALSE) std::copy(info.pose, info.pose + 12, pose.m);
  return pose;
}

/* The conversion from samples to depth. `info` must measure metres. */
inline DepthOfValue depth_of_sample(const GstRdpCameraInfo& info) {
  DepthOfValue rule;
  if (info.measures == GST_RDP_MEASURE_DISPARITY) {
    rule.reciprocal = true;
    rule.numerator = info.focal_length * info.baseline;
    rule.factor = info.disparity_unit;
    rule.offset = info.disparity_offset;
  } else {
    rule.factor = info.depth_unit;
  }
  return rule;
}

/* Changes the rule to values u = inverse_scale / sample of the inverse domain. False for disparity
 * with an offset, which the rule cannot express. */
inline bool invert_domain(double inverse_scale, DepthOfValue* rule) {
  if (!rule->reciprocal) {
    *rule = {true, inverse_scale * rule->factor, 1.0, 0.0};
    return true;
  }
  if (rule->offset != 0.0) return false;
  *rule = {false, 0.0, rule->numerator / (inverse_scale * rule->factor), 0.0};
  return true;
}

/* The camera of a frame for the values of its segments, or for its samples if `segmented` is null.
 * False, with GST_LIBRARY_ERROR_SETTINGS, if they cannot be converted to metres. */
inline bool metric_camera(GstRdpCamera* camera, const GstRdpSegmentationInfo* segmented,
                          MetricCamera* metric, GError** error) {
  if (gst_rdp_camera_measures_metres(camera, error) == FALSE) return false;
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera);
  static_cast<CameraLens&>(*metric) = camera_lens(info);
  metric->depth = depth_of_sample(info);
  if (segmented == nullptr) return true;

  if (info.width != 0 && (info.width != segmented->width || info.height != segmented->height)) {
    g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                "the camera is of a picture of %ux%u, and the segments are of a frame of %ux%u; "
                "gst_rdp_segment_meta_get_camera() gives the camera of the segmented frame",
                info.width, info.height, segmented->width, segmented->height);
    return false;
  }
  if (segmented->domain == GST_RDP_DOMAIN_INVERSE &&
      !invert_domain(segmented->inverse_scale, &metric->depth)) {
    g_set_error(
        error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
        "domain=inverse on disparities whose offset is %g px, expected metric depth: planes "
        "are straight lines in disparity already; set domain=linear",
        info.disparity_offset);
    return false;
  }
  return true;
}

}  // namespace rdp::meta

#endif /* __GST_RDP_CAMERA_METRIC_H__ */
