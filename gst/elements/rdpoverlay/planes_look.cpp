// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/planes_look.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "gst/memory/frame_layout.h"

namespace rdp::gst {
namespace {

constexpr const char* kRemedy =
    ": put depthalign before depthplanes, so that depth is seen by the camera of video";

// Reads what pictures show of the planes. `x` and `y`: the place of the frame.
void read_planes(GstRdpPlanes* from, int x, int y, planes::PlaneSet* set) {
  gsize n = 0;
  const GstRdpPlane* planes = gst_rdp_planes_peek_planes(from, &n);
  set->planes.resize(n);
  for (gsize i = 0; i < n; ++i) {
    const GstRdpPlane& plane = planes[i];
    const double normal[] = {plane.normal_x, plane.normal_y, plane.normal_z};
    const double centroid[] = {plane.centroid_x, plane.centroid_y, plane.centroid_z};
    const int box[] = {plane.box_x + x, plane.box_y + y, plane.box_width, plane.box_height};
    std::copy_n(normal, 3, set->planes[i].normal);
    std::copy_n(centroid, 3, set->planes[i].centroid);
    std::copy_n(box, 4, set->planes[i].box);
  }
  set->ground.plane = gst_rdp_planes_get_info(from)->ground;
}

// True if the picture's camera is that of the planes, or is not known.
bool is_same_camera(GstBuffer* frame, const MetricCamera& planes, GstBuffer* picture,
                    std::string* reason) {
  g_autoptr(GstRdpCamera) camera = gst_rdp_buffer_get_camera(picture, nullptr);
  if (camera == nullptr) return true;
  constexpr double kNear = 0.01;  // px, for numbers scaled in different ways
  const GstRdpCameraInfo& of_picture = *gst_rdp_camera_get_info(camera);
  const auto differs = [](double a, double b) { return std::fabs(a - b) > kNear; };
  const bool distorts =
      std::any_of(std::begin(of_picture.distortion), std::end(of_picture.distortion),
                  [](double k) { return k != 0.0; });
  if (distorts || differs(of_picture.focal_length, planes.focal_x) ||
      differs(of_picture.focal_length_y, planes.focal_y) ||
      differs(of_picture.principal_x, planes.principal_x) ||
      differs(of_picture.principal_y, planes.principal_y)) {
    *reason = format_text(
        "the planes are of a camera with focal lengths (%.2f, %.2f) and centre (%.2f, %.2f) px, "
        "but the pictures on video are of one with (%.2f, %.2f) and (%.2f, %.2f)%s%s",
        planes.focal_x, planes.focal_y, planes.principal_x, planes.principal_y,
        of_picture.focal_length, of_picture.focal_length_y, of_picture.principal_x,
        of_picture.principal_y, distorts ? ", whose lens distorts" : "", kRemedy);
    return false;
  }
  g_autoptr(GstRdpCamera) of_frame = gst_rdp_buffer_get_camera(frame, nullptr);
  if (of_frame == nullptr) return true;
  const GstRdpCameraInfo& depth = *gst_rdp_camera_get_info(of_frame);
  constexpr double kStill = 1e-6;  // m and rad
  const bool moved = depth.has_pose != FALSE && of_picture.has_pose != FALSE &&
                     !std::equal(std::begin(depth.pose), std::end(depth.pose), of_picture.pose,
                                 [](double a, double b) { return std::fabs(a - b) <= kStill; });
  if (moved) {
    *reason =
        std::string("the camera of the planes is in another place than that of video") + kRemedy;
  }
  return !moved;
}

}  // namespace

bool look_at_planes(GstBuffer* frame, const GstRdpPlanesMeta* meta, GstBuffer* picture, int width,
                    int height, planes::PlaneSet* set, planes::PlaneMarks* marks,
                    std::string* reason) {
  const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(meta->planes);
  gsize n = 0;
  const guint8* labels = gst_rdp_planes_peek_labels(meta->planes, &n);
  const auto stride = static_cast<int>(info.width);
  if (info.cloud != FALSE || labels == nullptr || n != gsize{info.width} * info.height) {
    *reason =
        "the planes have no label for each pixel of a frame: take those that depthplanes "
        "has attached to frames of depth";
    return false;
  }
  gdouble scale_x = 1.0, scale_y = 1.0, offset_x = 0.0, offset_y = 0.0;
  gst_rdp_planes_meta_get_placement(frame, meta, &scale_x, &scale_y, &offset_x, &offset_y);
  // A crop in place moves the frame up and to the left.
  const int x = static_cast<int>(std::lround(offset_x));
  const int y = static_cast<int>(std::lround(offset_y));
  if (scale_x != 1.0 || scale_y != 1.0 || x > 0 || y > 0 || stride + x < width ||
      static_cast<int>(info.height) + y < height ||
      ((x == 0 && y == 0) && (stride != width || static_cast<int>(info.height) != height))) {
    *reason =
        format_text("the planes are of frames of %ux%u, but the pictures on video are %dx%d%s",
                    info.width, info.height, width, height, kRemedy);
    return false;
  }
  MetricCamera camera;
  camera.focal_x = info.focal_length;
  camera.focal_y = info.focal_length_y;
  camera.principal_x = info.principal_x + x;
  camera.principal_y = info.principal_y + y;
  if (!is_same_camera(frame, camera, picture, reason)) return false;
  read_planes(meta->planes, x, y, set);
  const auto* first = reinterpret_cast<const std::byte*>(labels) - y * std::ptrdiff_t{stride} - x;
  marks->look(*set, camera, {first, stride, width, height, SampleType::kU8});
  return true;
}

}  // namespace rdp::gst
