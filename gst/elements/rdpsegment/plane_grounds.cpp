// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/plane_grounds.h"

#include <gst/rdpsegment/rdpplanesmeta.h>

namespace rdp::gst {
namespace {

// Finds the conversion from values to depths. Without a camera, depthplanes takes samples for
// millimetres; such grounds are used only if values are inverse depths.
bool depth_rule(const Task& task, const Parameters& parameters, bool calibrated,
                DepthOfValue* depth) {
  if (calibrated) {
    if (task.camera != nullptr) *depth = task.camera->depth;
    return task.camera != nullptr;
  }
  if (parameters.domain != Domain::kInverse) return false;
  *depth = {true, parameters.inverse_scale * 0.001, 1.0, 0.0};
  return true;
}

}  // namespace

void PlaneGrounds::find(const Task& task, const Parameters& parameters) {
  grounds_.assign(task.inputs.size(), {});
  problem_ = nullptr;
  if (!wanted()) return;
  for (std::size_t i = 0; i < grounds_.size(); ++i) {
    grounds_[i] = find_one(static_cast<guint>(i), task, parameters);
  }
}

GroundPlane PlaneGrounds::find_one(guint input, const Task& task, const Parameters& parameters) {
  const GstRdpPlanesMeta* meta = gst_buffer_get_rdp_planes_meta_of_batch(buffer_, input);
  if (meta == nullptr) {
    problem_ = "there are no planes on it: put depthplanes before rdpsegment";
    return {};
  }
  const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(meta->planes);
  DepthOfValue depth;
  if (!depth_rule(task, parameters, info.calibrated != FALSE, &depth)) {
    problem_ = info.calibrated != FALSE
                   ? "rdpsegment does not have the camera of its planes: set calibration, or "
                     "focal-length and baseline or depth-unit, as on depthplanes"
                   : "its planes come from a guessed camera: set calibration, or focal-length and "
                     "baseline or depth-unit, on depthplanes and rdpsegment";
    return {};
  }
  if (!depth.reciprocal) {
    problem_ = "the ground is not a straight line in depth: set domain=inverse";
    return {};
  }
  gsize count = 0;
  const GstRdpPlane* planes = gst_rdp_planes_peek_planes(meta->planes, &count);
  if (info.cloud != FALSE || info.ground < 0 || static_cast<gsize>(info.ground) >= count) return {};
  const GstRdpPlane& plane = planes[info.ground];
  const double normal[] = {plane.normal_x, plane.normal_y, plane.normal_z};
  CameraLens lens;
  lens.focal_x = info.focal_length;
  lens.focal_y = info.focal_length_y;
  lens.principal_x = info.principal_x;
  lens.principal_y = info.principal_y;
  PlanePlacement placement;
  gst_rdp_planes_meta_get_placement(buffer_, meta, &placement.scale_x, &placement.scale_y,
                                    &placement.offset_x, &placement.offset_y);
  return ground_plane_of(normal, plane.distance, lens, placement, depth);
}

}  // namespace rdp::gst
