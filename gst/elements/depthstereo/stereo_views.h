// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_VIEWS_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_VIEWS_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <optional>
#include <string>
#include <vector>

#include "common/stereo/rectification.h"

// Rules that turn the views of a calibration into a rectification and a camera. Pure functions:
// stereo_calibration.h keeps their results and posts the messages.
namespace rdp::gst {

// The views of one pair; null if the calibration lacks them.
struct StereoViews {
  const GstRdpCameraInfo* rectified_left = nullptr;
  const GstRdpCameraInfo* rectified_right = nullptr;
  const GstRdpCameraInfo* raw_left = nullptr;
  const GstRdpCameraInfo* raw_right = nullptr;
};

// Finds the pair of views[first] and the next view of its kind, and the raw pair after a rectified
// one. If `first` is 0 and that view has no baseline, takes the first pair with one. Poses decide
// which view is the left one, as the files of a ROS pair come in either order.
StereoViews find_stereo_views(const std::vector<const GstRdpCameraInfo*>& views, guint first);

// A difference between two rectified views, with both values. Without one (`what` is null), rows
// correspond and a disparity means one distance.
struct ViewDifference {
  const char* what = nullptr;
  double of_left = 0.0;
  double of_right = 0.0;
};
ViewDifference compare_rectified(const GstRdpCameraInfo& left, const GstRdpCameraInfo& right);

struct PlannedRectification {
  bool rectify = false;
  stereo::ViewRectification left;
  stereo::ViewRectification right;
  // The camera of the rectified left view; none: the calibration does not say it.
  std::optional<GstRdpCameraInfo> camera;
};

// Decides if and how to rectify: with the rotations and projections that the calibration has, or
// with those of stereo::rectify_cameras(). Unless the user has decided, views are rectified in
// three cases: a lens distorts, one of them would be turned, or its projection differs from its
// camera's. `has_baseline`: the user has set one. Returns the fault, as it follows on the file's
// name; empty: none.
std::string plan_rectification(const StereoViews& views, int width, int height, bool on, bool off,
                               bool has_baseline, PlannedRectification* plan);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_VIEWS_H_
