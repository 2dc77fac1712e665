// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_views.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp::gst {
namespace {

// Rounding error of exact zeros and ones in a rotation that was worked out from two others.
constexpr double kTurned = 1e-9;
// Pixels between a projection and the camera's matrix that rounding in files explains.
constexpr double kSamePixel = 1e-6;

constexpr const char* kOneView =
    "has one view that needs rectification, expected two: name the files of both cameras, "
    "calibrated as a pair, or set rectify=off if the views are rectified already";

stereo::Matrix3 rotation_of(const Pose& pose) {
  return {pose.m[0], pose.m[1], pose.m[2], pose.m[4], pose.m[5],
          pose.m[6], pose.m[8], pose.m[9], pose.m[10]};
}

// From one view's axes to another's.
Pose between(const GstRdpCameraInfo& from, const GstRdpCameraInfo& to) {
  return pose_between(meta::camera_pose(from), meta::camera_pose(to));
}

bool is_turned(const stereo::Matrix3& rotation) {
  const stereo::Matrix3 none{1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (std::size_t i = 0; i < 9; ++i) {
    if (std::fabs(rotation[i] - none[i]) > kTurned) return true;
  }
  return false;
}

// True if rectification moves any pixel.
bool moves_pixels(const stereo::ViewRectification& view) {
  const CameraLens& a = view.camera;
  const CameraLens& b = view.rectified;
  const auto differ = [](double x, double y) { return std::fabs(x - y) > kSamePixel; };
  return !a.distortion.none || is_turned(view.rotation) || differ(a.focal_x, b.focal_x) ||
         differ(a.focal_y, b.focal_y) || differ(a.principal_x, b.principal_x) ||
         differ(a.principal_y, b.principal_y);
}

bool distorts(const GstRdpCameraInfo& info) { return !meta::camera_lens(info).distortion.none; }

// Exchanges the views if `right` is to the left of `left`.
void put_in_order(const GstRdpCameraInfo** left, const GstRdpCameraInfo** right) {
  if (*left == nullptr || *right == nullptr) return;
  if ((*left)->has_pose == FALSE || (*right)->has_pose == FALSE) return;
  if (between(**right, **left).m[3] < 0.0) std::swap(*left, *right);
}

stereo::ViewRectification by_file(const GstRdpCameraInfo& raw, const GstRdpCameraInfo& rectified) {
  stereo::ViewRectification view;
  view.camera = meta::camera_lens(raw);
  view.rotation = rotation_of(between(raw, rectified));
  view.rectified = meta::camera_lens(rectified);
  return view;
}

// The rectified left view's camera, with the pair's projection and baseline; its axes are the raw
// one's turned.
GstRdpCameraInfo made_camera(const GstRdpCameraInfo& raw, const stereo::PairRectification& pair) {
  GstRdpCameraInfo info = raw;
  info.focal_length = pair.left.rectified.focal_x;
  info.focal_length_y = pair.left.rectified.focal_y;
  info.principal_x = pair.left.rectified.principal_x;
  info.principal_y = pair.left.rectified.principal_y;
  std::fill(std::begin(info.distortion), std::end(info.distortion), 0.0);
  info.rectified = TRUE;
  info.baseline = pair.baseline;
  info.disparity_offset = 0.0;
  info.has_projection = FALSE;
  std::fill(std::begin(info.projection), std::end(info.projection), 0.0);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      double sum = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        sum += raw.pose[4 * row + i] * pair.left.rotation[3 * column + i];
      }
      info.pose[4 * row + column] = sum;
    }
  }
  return info;
}

// Plans the rectification of raw views.
std::string plan_of_raw(const StereoViews& views, int width, int height,
                        PlannedRectification* plan) {
  if (views.raw_right == nullptr) return kOneView;
  const GstRdpCameraInfo& left = *views.raw_left;
  const GstRdpCameraInfo& right = *views.raw_right;
  if (left.has_pose == FALSE || right.has_pose == FALSE) {
    return "does not give the relative pose of the two cameras, and so no baseline: expected R and "
           "T of a stereo calibration; add the file with the extrinsics, or set rectify=off if the "
           "views are rectified already";
  }
  const Pose pose = between(left, right);
  if (pose.m[3] == 0.0 && pose.m[7] == 0.0 && pose.m[11] == 0.0) {
    return "has both cameras in one place, and so no baseline: expected those of a stereo pair; "
           "name the calibration of both cameras";
  }
  stereo::PairRectification pair;
  if (!stereo::rectify_cameras(meta::camera_lens(left), meta::camera_lens(right), rotation_of(pose),
                               {pose.m[3], pose.m[7], pose.m[11]}, width, height, &pair)) {
    return "has cameras above each other or one behind the other, expected a pair side by side: "
           "turn the pictures of both by 90 degrees (videoflip), and calibrate them as they are "
           "then";
  }
  plan->rectify = true;
  plan->left = pair.left;
  plan->right = pair.right;
  plan->camera = made_camera(left, pair);
  return {};
}

// True if both views are one camera, without a baseline: it was named twice, or the projection of
// the right one lacks its shift.
bool is_one_camera(const GstRdpCameraInfo& left, const GstRdpCameraInfo& right) {
  const Pose pose = between(left, right);
  return !(left.baseline > 0.0) && left.focal_length == right.focal_length &&
         left.focal_length_y == right.focal_length_y && left.principal_x == right.principal_x &&
         left.principal_y == right.principal_y && pose.m[3] == 0.0 && pose.m[7] == 0.0 &&
         pose.m[11] == 0.0;
}

// Most file readers have checked this; views in our own file format have no such check.
std::string explain_difference(const GstRdpCameraInfo& left, const GstRdpCameraInfo& right) {
  const ViewDifference differ = compare_rectified(left, right);
  if (differ.what == nullptr) return {};
  g_autofree gchar* text = g_strdup_printf(
      "has two rectified views whose %s differ, %.6g px and %.6g px: expected one rectified pair; "
      "take both views from one stereo calibration, or the raw cameras with R and T",
      differ.what, differ.of_left, differ.of_right);
  return text;
}

}  // namespace

ViewDifference compare_rectified(const GstRdpCameraInfo& left, const GstRdpCameraInfo& right) {
  const ViewDifference alike[] = {
      {"focal lengths", left.focal_length, right.focal_length},
      {"focal lengths along the columns", left.focal_length_y, right.focal_length_y},
      {"rows of the principal point", left.principal_y, right.principal_y}};
  for (const ViewDifference& each : alike) {
    if (!(std::fabs(each.of_left - each.of_right) <= 1e-4 * left.focal_length)) return each;
  }
  return {};
}

StereoViews find_stereo_views(const std::vector<const GstRdpCameraInfo*>& views, guint first) {
  const auto at = [&](std::size_t i) { return i < views.size() ? views[i] : nullptr; };
  const auto is_pair = [&](std::size_t i) {
    return at(i) != nullptr && at(i + 1) != nullptr && at(i)->rectified == at(i + 1)->rectified;
  };
  std::size_t i = first;
  if (i == 0 && at(0) != nullptr && !(at(0)->baseline > 0.0)) {
    for (std::size_t k = 1; k < views.size(); ++k) {
      if (is_pair(k) && at(k)->baseline > 0.0 && at(k + 1)->baseline > 0.0) {
        i = k;
        break;
      }
    }
  }
  StereoViews found;
  if (at(i) == nullptr) return found;
  if (at(i)->rectified == FALSE) {
    found.raw_left = at(i);
    if (is_pair(i)) found.raw_right = at(i + 1);
    put_in_order(&found.raw_left, &found.raw_right);
    return found;
  }
  found.rectified_left = at(i);
  if (!is_pair(i)) {
    // The raw view of the same camera follows in a file of one camera. A camera whose samples
    // measure something is another one.
    if (at(i + 1) != nullptr && at(i + 1)->measures == GST_RDP_MEASURE_UNKNOWN) {
      found.raw_left = at(i + 1);
    }
    return found;
  }
  found.rectified_right = at(i + 1);
  // The raw views of the same cameras are in the same order.
  if (is_pair(i + 2) && at(i + 2)->rectified == FALSE) {
    found.raw_left = at(i + 2);
    found.raw_right = at(i + 3);
  }
  const GstRdpCameraInfo* as_first = found.rectified_left;
  put_in_order(&found.rectified_left, &found.rectified_right);
  if (as_first != found.rectified_left) std::swap(found.raw_left, found.raw_right);
  return found;
}

std::string plan_rectification(const StereoViews& views, int width, int height, bool on, bool off,
                               bool has_baseline, PlannedRectification* plan) {
  *plan = {};
  if (views.rectified_left == nullptr) {
    if (off || views.raw_left == nullptr) return {};
    return plan_of_raw(views, width, height, plan);
  }
  plan->camera = *views.rectified_left;
  if (views.rectified_right != nullptr) {
    std::string wrong = explain_difference(*views.rectified_left, *views.rectified_right);
    if (!wrong.empty()) return wrong;
    if (!has_baseline && is_one_camera(*views.rectified_left, *views.rectified_right)) {
      return "has the same projection for both views, so no baseline: expected those of a stereo "
             "pair (the fourth number of the right one is minus focal length times baseline); name "
             "the calibration of the right camera, too, or set baseline";
    }
  }
  if (off) return {};
  if (views.rectified_right == nullptr) {
    return views.raw_left == nullptr && !on ? std::string() : kOneView;
  }
  if (views.raw_left == nullptr) {
    if (!on) return {};
    return "has only rectified views, but rectification needs the raw cameras (K, D, R, T): add "
           "their file, or set rectify=off as the views are rectified already";
  }
  const bool posed = views.raw_left->has_pose != FALSE && views.raw_right->has_pose != FALSE &&
                     views.rectified_left->has_pose != FALSE &&
                     views.rectified_right->has_pose != FALSE;
  if (!posed) {
    if (!on && !distorts(*views.raw_left) && !distorts(*views.raw_right)) return {};
    return "does not give the relative pose of the two cameras: expected R and T, or R1 and R2, "
           "beside P1 and P2 (of ROS, a P of the right camera whose fourth number is minus focal "
           "length times baseline); add them, or set rectify=off if the views are rectified "
           "already";
  }
  plan->left = by_file(*views.raw_left, *views.rectified_left);
  plan->right = by_file(*views.raw_right, *views.rectified_right);
  plan->rectify = on || moves_pixels(plan->left) || moves_pixels(plan->right);
  return {};
}

}  // namespace rdp::gst
