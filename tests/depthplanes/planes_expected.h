// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHPLANES_PLANES_EXPECTED_H_
#define RDP_TESTS_DEPTHPLANES_PLANES_EXPECTED_H_

#include <cstring>
#include <string>
#include <vector>

#include "common/planes/frames/reference.h"
#include "tests/planes/plane_patterns.h"
#include "tests/support/gst_frames.h"

// Frames for depthplanes and the expected results. Needs no test framework.
namespace planes_rig {

using frames::Shape;
using rdp::test::PlaneKind;

// A frame and the camera that converts its samples to metres.
struct Drawn {
  frames::Content content;
  rdp::MetricCamera camera;

  explicit Drawn(const Shape& shape, PlaneKind kind = PlaneKind::kRoom, unsigned seed = 1,
                 bool disparity = false)
      : content(shape),
        camera(rdp::test::plane_camera(shape.width, shape.height, frames::sample_type(shape),
                                       disparity)) {
    rdp::test::draw_planes(content.view(), kind, seed);
  }
  GstBuffer* buffer(unsigned number = 0) const {
    GstBuffer* made = frames::new_buffer(content);
    GST_BUFFER_PTS(made) = number * GST_SECOND / 30;
    GST_BUFFER_DURATION(made) = GST_SECOND / 30;
    return made;
  }
};

// The planes and labels that the definition demands.
struct Expected {
  rdp::planes::PlaneSet set;
  std::vector<std::uint8_t> labels;
};

inline Expected expect(const rdp::DepthView& frame, const rdp::MetricCamera& camera,
                       const rdp::planes::Parameters& parameters = {}) {
  Expected expected;
  expected.labels.resize(static_cast<std::size_t>(frame.width) *
                         static_cast<std::size_t>(frame.height));
  expected.set =
      rdp::planes::reference::find(frame, camera, parameters,
                                   {reinterpret_cast<std::byte*>(expected.labels.data()),
                                    frame.width, frame.width, frame.height, rdp::SampleType::kU8});
  return expected;
}
inline Expected expect(const Drawn& drawn, const rdp::planes::Parameters& parameters = {}) {
  return expect(drawn.content.view(), drawn.camera, parameters);
}

// Sets the properties of the camera.
inline void set_camera(GstElement* element, const rdp::MetricCamera& camera) {
  g_object_set(element, "focal-length", camera.focal_x, "focal-length-y", camera.focal_y,
               "principal-x", camera.principal_x, "principal-y", camera.principal_y, nullptr);
  if (camera.depth.reciprocal) {
    g_object_set(element, "baseline", camera.depth.numerator / camera.focal_x, "disparity-unit",
                 camera.depth.factor, "disparity-offset", camera.depth.offset, nullptr);
  } else {
    g_object_set(element, "depth-unit", camera.depth.factor, nullptr);
  }
}

inline bool same(float got, double expected) { return got == static_cast<float>(expected); }

// The first difference between the metadata and the expected planes; empty if equal.
inline std::string difference(GstRdpPlanes* got, const Expected& expected) {
  if (got == nullptr) return "there are no planes";
  gsize n_planes = 0;
  gsize n_corners = 0;
  gsize n_labels = 0;
  const GstRdpPlane* planes = gst_rdp_planes_peek_planes(got, &n_planes);
  const GstRdpPlaneCorner* corners = gst_rdp_planes_peek_corners(got, &n_corners);
  const guint8* labels = gst_rdp_planes_peek_labels(got, &n_labels);
  const rdp::planes::PlaneSet& set = expected.set;
  if (n_planes != set.planes.size()) {
    return std::to_string(n_planes) + " planes, not " + std::to_string(set.planes.size());
  }
  for (gsize i = 0; i < n_planes; ++i) {
    const GstRdpPlane& a = planes[i];
    const rdp::planes::Plane& b = set.planes[i];
    const bool well = same(a.normal_x, b.normal[0]) && same(a.normal_y, b.normal[1]) &&
                      same(a.normal_z, b.normal[2]) && same(a.distance, b.distance) &&
                      same(a.centroid_x, b.centroid[0]) && same(a.centroid_y, b.centroid[1]) &&
                      same(a.centroid_z, b.centroid[2]) && same(a.rms, b.rms) &&
                      same(a.area, b.area) && a.inliers == b.inliers && a.votes == b.votes &&
                      a.box_x == b.box[0] && a.box_y == b.box[1] && a.box_width == b.box[2] &&
                      a.box_height == b.box[3] && a.first_corner == b.first_corner &&
                      a.n_corners == b.corners;
    if (!well) return "plane " + std::to_string(i) + " is another";
  }
  if (n_corners != set.corners.size()) return "the number of corners";
  for (gsize i = 0; i < n_corners; ++i) {
    const GstRdpPlaneCorner& a = corners[i];
    const rdp::planes::Corner& b = set.corners[i];
    if (a.column != b.column || a.row != b.row || !same(a.x, b.point[0]) ||
        !same(a.y, b.point[1]) || !same(a.z, b.point[2])) {
      return "corner " + std::to_string(i) + " is another";
    }
  }
  if (n_labels != expected.labels.size()) return "the number of labels";
  if (n_labels > 0 && std::memcmp(labels, expected.labels.data(), n_labels) != 0) return "labels";
  const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(got);
  const rdp::planes::Ground& ground = set.ground;
  if (info.ground != ground.plane || info.camera_height != ground.height ||
      info.pitch != ground.pitch || info.roll != ground.roll) {
    return "the ground";
  }
  return {};
}

}  // namespace planes_rig

#endif  // RDP_TESTS_DEPTHPLANES_PLANES_EXPECTED_H_
