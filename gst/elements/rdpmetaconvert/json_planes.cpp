// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes in lines of JSON.
#include <gst/rdpsegment/rdpplaneskind.h>

#include <array>
#include <cstddef>
#include <cstdint>
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
  return put_list(out, std::array{corner.column, corner.row}, [](char* to, gint32 number) {
    return put_integer(to, static_cast<std::uint64_t>(number));
  });
}

char* put_point(char* out, const GstRdpPlaneCorner& corner) {
  return put_list(out, std::array{corner.x, corner.y, corner.z}, put_float);
}

// A cloud without rows has no size but the number of its points.
char* put_cloud(char* out, const GstRdpPlanesInfo& info) {
  return put_integer(put(out, R"(,"cloud":true,"n-points":)"), info.n_points);
}

// Adds the other findings behind the planes, if there are any.
char* put_findings(char* out, const GstRdpPlanesInfo& info) {
  if (info.ground >= 0) {
    out = put_double(put(out, R"(,"camera-height":)"), info.camera_height);
    out = put_double(put(out, R"(,"pitch":)"), info.pitch);
    out = put_double(put(out, R"(,"roll":)"), info.roll);
  }
  if (info.noise > 0) out = put_double(put(out, R"(,"noise":)"), info.noise);
  return out;
}

void add_plane(JsonWriter& line, const GstRdpPlanesInfo& info, const GstRdpPlane& plane,
               std::span<const GstRdpPlaneCorner> hull) {
  // Each corner twice: as a pixel, and as a point.
  char* out = line.reserve(kMaxPlane + 2 * hull.size() * kMaxPoint);
  out = put(out, R"({"normal":)");
  out = put_list(out, std::array{plane.normal_x, plane.normal_y, plane.normal_z}, put_float);
  out = put_float(put(out, R"(,"distance":)"), plane.distance);
  out = put(out, R"(,"centroid":)");
  out = put_list(out, std::array{plane.centroid_x, plane.centroid_y, plane.centroid_z}, put_float);
  out = put_float(put(out, R"(,"rms":)"), plane.rms);
  out = put_integer(put(out, R"(,"inliers":)"), plane.inliers);
  out = put_float(put(out, R"(,"area":)"), plane.area);
  if (info.width > 0) {
    const std::array box = {plane.box_x, plane.box_y, plane.box_width, plane.box_height};
    out = put_list(put(out, R"(,"box":)"), box, put_u16);
  }
  out = put(out, R"(,"hull":)");
  out = put_list(out, hull, info.cloud != FALSE ? put_point : put_pixel);
  if (info.cloud == FALSE && line.points()) {
    out = put_list(put(out, R"(,"points":)"), hull, put_point);
  }
  *out++ = '}';
  line.set_end(out);
}

void write(JsonWriter& line, const ConvertedFrame&, GstMiniObject* object) {
  auto* of = reinterpret_cast<GstRdpPlanes*>(object);
  const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(of);
  char* out = line.reserve(kMaxFixedPart);
  // Segments that came from a picture of another size have their own.
  if (info.width != line.head().width || info.height != line.head().height) {
    out = put_integer(put(out, R"(,"planes-width":)"), info.width);
    out = put_integer(put(out, R"(,"planes-height":)"), info.height);
  }
  if (info.cloud != FALSE) out = put_cloud(out, info);
  out = put(out, R"(,"unit":"m","calibrated":)");
  out = put(out, info.calibrated != FALSE ? "true" : "false");
  out = put(out, R"(,"ground":)");
  out =
      info.ground >= 0 ? put_integer(out, static_cast<std::uint64_t>(info.ground)) : put(out, "-1");
  line.set_end(put(out, R"(,"planes":[)"));
  gsize n_planes = 0;
  gsize n_corners = 0;
  const GstRdpPlane* planes = gst_rdp_planes_peek_planes(of, &n_planes);
  const GstRdpPlaneCorner* corners = gst_rdp_planes_peek_corners(of, &n_corners);
  for (gsize i = 0; i < n_planes; ++i) {
    if (i > 0) line.set_end(put(line.reserve(kMaxFixedPart), ","));
    add_plane(line, info, planes[i],
              std::span(corners, n_corners).subspan(planes[i].first_corner, planes[i].n_corners));
  }
  line.set_end(put_findings(put(line.reserve(kMaxFixedPart), "]"), info));
}

}  // namespace

// Planes are in metres without a camera. Their labels are not needed.
const ConvertKind kPlanesKind = convert_kind<meta::PlanesKind>({
    .things = "planes",
    .maker = "depthplanes",
    .camera =
        [](GstBuffer* buffer, const GstMeta& meta, ConvertedFrame* frame, GError** error) {
          g_autoptr(GError) reason = nullptr;
          frame->camera.reset(gst_rdp_planes_meta_get_camera(
              buffer, reinterpret_cast<const GstRdpPlanesMeta*>(&meta), &reason));
          if (reason == nullptr) return true;
          g_propagate_error(error, static_cast<GError*>(g_steal_pointer(&reason)));
          return false;
        },
    .write = write,
});

}  // namespace rdp
