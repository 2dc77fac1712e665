// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes in lines of JSON.
#include <cstddef>
#include <span>

#include "gst/elements/rdpmetaconvert/json_numbers.h"
#include "gst/elements/rdpmetaconvert/json_writer.h"

namespace rdp {

using namespace json;

namespace {

// The longest texts of what is written.
constexpr std::size_t kMaxPlane = 160 + 20 * (kMaxFloat + 1);
constexpr std::size_t kMaxPoint = 3 + 3 * (kMaxFloat + 1);  // "[…,…,…],"

char* put_pixel(char* out, const GstRdpPlaneCorner& corner) {
  *out++ = '[';
  out = put_integer(out, static_cast<std::uint64_t>(corner.column));
  *out++ = ',';
  out = put_integer(out, static_cast<std::uint64_t>(corner.row));
  *out++ = ']';
  return out;
}

char* put_point(char* out, float x, float y, float z) {
  *out++ = '[';
  out = put_float(out, x);
  *out++ = ',';
  out = put_float(out, y);
  *out++ = ',';
  out = put_float(out, z);
  *out++ = ']';
  return out;
}

char* put_point(char* out, const GstRdpPlaneCorner& corner) {
  return put_point(out, corner.x, corner.y, corner.z);
}

// A list of what `put_entry` writes of each corner.
template <typename Put>
char* put_list(char* out, std::span<const GstRdpPlaneCorner> corners, Put&& put_entry) {
  *out++ = '[';
  for (const GstRdpPlaneCorner& corner : corners) {
    out = put_entry(out, corner);
    *out++ = ',';
  }
  if (!corners.empty()) --out;
  *out++ = ']';
  return out;
}

char* put_size(char* out, const GstRdpPlanesInfo& info, bool own) {
  out = put_integer(put(out, own ? R"(,"width":)" : R"(,"planes-width":)"), info.width);
  return put_integer(put(out, own ? R"(,"height":)" : R"(,"planes-height":)"), info.height);
}

// A cloud without rows has no size but the number of its points.
char* put_cloud(char* out, const GstRdpPlanesInfo& info) {
  return put_integer(put(out, R"(,"cloud":true,"n-points":)"), info.n_points);
}

// What follows the planes: what else was found out, where it was.
char* put_findings(char* out, const GstRdpPlanesInfo& info) {
  if (info.ground >= 0) {
    out = put_double(put(out, R"(,"camera-height":)"), info.camera_height);
    out = put_double(put(out, R"(,"pitch":)"), info.pitch);
    out = put_double(put(out, R"(,"roll":)"), info.roll);
  }
  if (info.noise > 0) out = put_double(put(out, R"(,"noise":)"), info.noise);
  return out;
}

}  // namespace

void JsonWriter::add_head_of_planes(const ConvertedFrame& frame, GstClockTime pts) {
  const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(frame.planes);
  char* out = put_integer(put(reserve(kMaxFixedPart), R"({"frame":)"), info.frame);
  out = put(out, R"(,"pts":)");
  out = GST_CLOCK_TIME_IS_VALID(pts) ? put_integer(out, pts) : put(out, "null");
  if (info.width > 0) out = put_size(out, info, true);
  set_end(out);
}

void JsonWriter::add_plane(const GstRdpPlanesInfo& info, const GstRdpPlane& plane,
                           std::span<const GstRdpPlaneCorner> hull) {
  // Each corner twice: as a pixel, and as a point.
  char* out = reserve(kMaxPlane + 2 * hull.size() * kMaxPoint);
  out = put(out, R"({"normal":)");
  out = put_point(out, plane.normal_x, plane.normal_y, plane.normal_z);
  out = put_float(put(out, R"(,"distance":)"), plane.distance);
  out = put(out, R"(,"centroid":)");
  out = put_point(out, plane.centroid_x, plane.centroid_y, plane.centroid_z);
  out = put_float(put(out, R"(,"rms":)"), plane.rms);
  out = put_integer(put(out, R"(,"inliers":)"), plane.inliers);
  out = put_float(put(out, R"(,"area":)"), plane.area);
  if (info.width > 0) {
    out = put_u16(put(out, R"(,"box":[)"), plane.box_x);
    for (const guint16 number : {plane.box_y, plane.box_width, plane.box_height}) {
      *out++ = ',';
      out = put_u16(out, number);
    }
    *out++ = ']';
  }
  out = put(out, R"(,"hull":)");
  const auto as_point = [](char* to, const GstRdpPlaneCorner& c) { return put_point(to, c); };
  const auto as_pixel = [](char* to, const GstRdpPlaneCorner& c) { return put_pixel(to, c); };
  if (info.cloud != FALSE) {
    out = put_list(out, hull, as_point);
  } else {
    out = put_list(out, hull, as_pixel);
    if (points_) out = put_list(put(out, R"(,"points":)"), hull, as_point);
  }
  *out++ = '}';
  set_end(out);
}

void JsonWriter::add_planes(const ConvertedFrame& frame) {
  const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(frame.planes);
  char* out = reserve(kMaxFixedPart);
  const bool alone = frame.segmentation == nullptr;
  // Segments that came from a picture of another size have their own.
  if (!alone && (info.width != frame.info().width || info.height != frame.info().height)) {
    out = put_size(out, info, false);
  }
  if (info.cloud != FALSE) out = put_cloud(out, info);
  out = put(out, R"(,"unit":"m","calibrated":)");
  out = put(out, info.calibrated != FALSE ? "true" : "false");
  out = put(out, R"(,"ground":)");
  out =
      info.ground >= 0 ? put_integer(out, static_cast<std::uint64_t>(info.ground)) : put(out, "-1");
  set_end(put(out, R"(,"planes":[)"));
  gsize n_planes = 0;
  gsize n_corners = 0;
  const GstRdpPlane* planes = gst_rdp_planes_peek_planes(frame.planes, &n_planes);
  const GstRdpPlaneCorner* corners = gst_rdp_planes_peek_corners(frame.planes, &n_corners);
  for (gsize i = 0; i < n_planes; ++i) {
    if (i > 0) set_end(put(reserve(kMaxFixedPart), ","));
    add_plane(info, planes[i],
              std::span(corners, n_corners).subspan(planes[i].first_corner, planes[i].n_corners));
  }
  out = put_findings(put(reserve(kMaxFixedPart), "]"), info);
  if (alone && frame.of_batch) {
    out = put_integer(put(out, R"(,"batch-index":)"), frame.batch_index);
  }
  set_end(out);
  if (alone && frame.camera != nullptr) add_camera(frame);
}

}  // namespace rdp
