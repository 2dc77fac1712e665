// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthobstacles/obstacle_grounds.h"

#include <cmath>
#include <span>

#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp::gst {

using obstacles::Ground;

namespace {

constexpr char kNoSource[] =
    "nothing before depthobstacles finds it: put depthplanes (rooms) or rdpsegment classify=true "
    "(roads) before it, or set camera-height";

// Values of the segmented frame's pixels: offset + per_column * column + per_row * row.
struct ValueLine {
  double per_column, per_row, offset;
};

bool value_line(GstRdpSegmentation* segmentation, ValueLine* line) {
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  constexpr double kStep = 1.0 / 4294967296.0;
  if (info.ground_per_row > 0) {
    *line = {static_cast<double>(info.ground_per_column) * kStep,
             static_cast<double>(info.ground_per_row) * kStep,
             static_cast<double>(info.ground_offset) * kStep};
    return true;
  }
  double slope = 0.0;
  double horizon = 0.0;
  if (gst_rdp_segmentation_get_ground(segmentation, &slope, &horizon) == FALSE) return false;
  const double per_row = slope / info.sample_scale;
  *line = {0.0, per_row, -per_row * horizon};
  return std::isfinite(line->offset);
}

StartGround none(const char* problem) { return {{}, GST_RDP_GROUND_NONE, problem}; }

StartGround from_segments(GstBuffer* buffer, guint input, const Task& task) {
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta_of_batch(buffer, input);
  if (meta == nullptr) {
    return none("the frame carries no segments: put rdpsegment classify=true before it");
  }
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(meta->segmentation);
  if (info.classify == FALSE) {
    return none("its segments have no classes: set classify=true on rdpsegment");
  }
  DepthOfValue rule;
  if (!depth_of_segments(info, task, &rule) || !rule.reciprocal) {
    return none(task.meaning.measures == GST_RDP_MEASURE_DEPTH
                    ? "the ground is no straight line in the depth of its segments: set "
                      "domain=inverse on rdpsegment"
                    : "the ground is no straight line in its segments: set domain=linear on "
                      "rdpsegment");
  }
  ValueLine line;
  if (!value_line(meta->segmentation, &line)) {
    return none("rdpsegment found no ground on it: set camera-height, with ground=auto");
  }
  double scale_x, scale_y, offset_x, offset_y;
  gst_rdp_segment_meta_get_placement(buffer, meta, &scale_x, &scale_y, &offset_x, &offset_y);
  const double a = line.per_column / scale_x;
  const double b = line.per_row / scale_y;
  const double c = (line.offset + line.per_column * ((0.5 - offset_x) / scale_x - 0.5)) +
                   line.per_row * ((0.5 - offset_y) / scale_y - 0.5);
  const auto ground =
      obstacles::ground_of_line(a * rule.factor, b * rule.factor, c * rule.factor + rule.offset,
                                rule.numerator, *task.camera);
  if (!ground) return none("the ground of its segments is not below the camera");
  return {ground, GST_RDP_GROUND_SEGMENTS, nullptr};
}

// True if the ground's distance and normal agree with the user's mounting, or if none is set.
bool fits(const Ground& ground, const std::optional<Ground>& mount) {
  return !mount || (std::abs(ground.distance - mount->distance) <= 0.15 * mount->distance &&
                    obstacles::product_of(ground.normal, mount->normal) >= 0.966);
}

// With `mount` any plane may be the ground (floor, table or belt): the mounting selects it.
StartGround from_planes(GstBuffer* buffer, guint input, const std::optional<Ground>& mount) {
  const GstRdpPlanesMeta* meta = gst_buffer_get_rdp_planes_meta_of_batch(buffer, input);
  if (meta == nullptr) return none("the frame carries no planes: put depthplanes before it");
  const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(meta->planes);
  if (info.calibrated == FALSE) {
    return none(
        "its planes come from a guessed camera: set calibration, or focal-length and baseline or "
        "depth-unit, on depthplanes");
  }
  gsize count = 0;
  const GstRdpPlane* first = gst_rdp_planes_peek_planes(meta->planes, &count);
  const std::span<const GstRdpPlane> planes(first, count);
  for (gsize i = 0; i < count; ++i) {
    if (!mount && static_cast<gint>(i) != info.ground) continue;
    const double normal[3] = {planes[i].normal_x, planes[i].normal_y, planes[i].normal_z};
    const auto ground = obstacles::ground_of_plane(normal, planes[i].distance);
    if (ground && fits(*ground, mount)) return {ground, GST_RDP_GROUND_PLANES, nullptr};
  }
  return none("depthplanes found no ground on it: set camera-height, with ground=auto");
}

StartGround from_pose(const Task& task) {
  const GstRdpCameraInfo* info =
      task.described == nullptr ? nullptr : gst_rdp_camera_get_info(task.described);
  if (info == nullptr || info->has_pose == FALSE) {
    return none(
        "the frame's camera has no pose: set a calibration with one, or ground=given and "
        "camera-height");
  }
  const auto ground = obstacles::ground_of_pose(meta::camera_pose(*info));
  if (ground) return {ground, GST_RDP_GROUND_POSE, nullptr};
  return none(
      "the pose has the camera below the ground z = 0 of its world, whose z is up: set "
      "ground=given and camera-height");
}

// The first available ground. The user's comes last, so that it never hides a seen one.
StartGround from_any(GstBuffer* buffer, guint input, const Task& task,
                     const std::optional<Ground>& mount, const Ground* held) {
  StartGround start = from_segments(buffer, input, task);
  if (start.ground && fits(*start.ground, mount)) return start;
  const char* const of_segments = start.problem;
  start = from_planes(buffer, input, mount);
  if (start.ground) return start;
  if (held != nullptr && fits(*held, mount)) return {*held, GST_RDP_GROUND_HELD, nullptr};
  if (mount) return {mount, GST_RDP_GROUND_GIVEN, nullptr};
  const bool planes = gst_buffer_get_rdp_planes_meta_of_batch(buffer, input) != nullptr;
  const bool segments = gst_buffer_get_rdp_segment_meta_of_batch(buffer, input) != nullptr;
  return none(planes ? start.problem : segments ? of_segments : kNoSource);
}

}  // namespace

bool depth_of_segments(const GstRdpSegmentationInfo& info, const Task& task, DepthOfValue* rule) {
  *rule = task.camera->depth;
  return info.domain != GST_RDP_DOMAIN_INVERSE || meta::invert_domain(info.inverse_scale, rule);
}

StartGround find_start(GstBuffer* buffer, guint input, const Task& task,
                       const GroundSettings& settings, const Ground* held) {
  std::optional<Ground> mount;
  if (settings.height > 0.0) {
    mount = obstacles::ground_of_mount(settings.height, settings.pitch, settings.roll);
  }
  switch (settings.source) {
    case ObstacleGround::kSegments:
      return from_segments(buffer, input, task);
    case ObstacleGround::kPlanes:
      return from_planes(buffer, input, {});
    case ObstacleGround::kPose:
      return from_pose(task);
    case ObstacleGround::kGiven:
      return {mount, GST_RDP_GROUND_GIVEN, nullptr};
    case ObstacleGround::kAuto:
      break;
  }
  return from_any(buffer, input, task, mount, held);
}

}  // namespace rdp::gst
