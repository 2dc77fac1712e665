// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_VIEWS_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_VIEWS_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <optional>
#include <string>
#include <vector>

#include "common/stereo/rectification.h"

// The rules by which the views of a calibration become a rectification and a camera. Functions of
// their arguments alone: stereo_calibration.h keeps what they give, and talks to the user.
namespace rdp::gst {

// The views of one pair, as far as the calibration has them; null where not.
struct StereoViews {
  const GstRdpCameraInfo* rectified_left = nullptr;
  const GstRdpCameraInfo* rectified_right = nullptr;
  const GstRdpCameraInfo* raw_left = nullptr;
  const GstRdpCameraInfo* raw_right = nullptr;
};

// The pair of views[first] and the next view of its kind; of a rectified pair the raw one behind
// it, too. Where first is 0 and has no baseline, the first pair that has one. Poses say which of
// two is the left one: the files of a ROS pair come in either order.
StereoViews find_stereo_views(const std::vector<const GstRdpCameraInfo*>& views, guint first);

// What two rectified views must have alike, so that rows belong together and a disparity is one
// distance; null: they do. Otherwise what differs, with both numbers.
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
  // Of the rectified left view; none: the calibration does not say it.
  std::optional<GstRdpCameraInfo> camera;
};

// Whether to rectify, and how: with the rotations and projections that the calibration has, or with
// those of stereo::rectify_cameras(). Unless the user has decided, views are rectified where a lens
// distorts, where one of them would be turned, or where its projection is another than its
// camera's. `has_baseline`: the user has set one. Gives what is wrong, as it follows on the file's
// name; empty: nothing.
std::string plan_rectification(const StereoViews& views, int width, int height, bool on, bool off,
                               bool has_baseline, PlannedRectification* plan);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_STEREO_VIEWS_H_
