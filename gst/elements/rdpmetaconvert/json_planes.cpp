// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes in lines of JSON.
#include <gst/rdpsegment/rdpplaneskind.h>

#include <span>

#include "gst/elements/rdpmetaconvert/json_writer.h"

namespace rdp {

using namespace json;

namespace {

using Corner = GstRdpPlaneCorner;
using Info = GstRdpPlanesInfo;
using Plane = GstRdpPlane;

constexpr Row<Plane> kPlane[] = {
    {"normal", print_members<&Plane::normal_x, &Plane::normal_y, &Plane::normal_z>},
    {"distance", print_member<&Plane::distance>},
    {"centroid", print_members<&Plane::centroid_x, &Plane::centroid_y, &Plane::centroid_z>},
    {"rms", print_member<&Plane::rms>},
    {"inliers", print_member<&Plane::inliers>},
    {"area", print_member<&Plane::area>},
    {"box", print_members<&Plane::box_x, &Plane::box_y, &Plane::box_width, &Plane::box_height>},
};
constexpr Row<Info> kGround[] = {
    {"camera-height", print_member<&Info::camera_height>},
    {"pitch", print_member<&Info::pitch>},
    {"roll", print_member<&Info::roll>},
};

char* print_pixel(char* out, const Corner& corner) {
  return print_members<&Corner::column, &Corner::row>(out, corner);
}

char* print_point(char* out, const Corner& corner) {
  return print_members<&Corner::x, &Corner::y, &Corner::z>(out, corner);
}

void add_plane(JsonWriter& line, const Info& info, const Plane& plane,
               std::span<const Corner> hull) {
  line.add('{');
  line.add_keys(plane, std::span(kPlane).first(info.width > 0 ? 7 : 6));  // a box is one of pixels
  line.add_list("hull", hull, info.cloud != FALSE ? print_point : print_pixel);
  if (info.cloud == FALSE && line.points()) line.add_list("points", hull, print_point);
  line.add('}');
}

void write(JsonWriter& line, const ConvertedFrame&, GstMiniObject* object) {
  auto* of = reinterpret_cast<GstRdpPlanes*>(object);
  const Info& info = *gst_rdp_planes_get_info(of);
  line.add_size("planes", info.width, info.height);
  // A cloud without rows has no size but the number of its points.
  if (info.cloud != FALSE) {
    line.add_key("cloud", "true");
    line.add_key("n-points", info.n_points);
  }
  line.add_key("unit", "\"m\"");
  line.add_key("calibrated", info.calibrated != FALSE ? "true" : "false");
  line.add_key("ground", info.ground);
  gsize n_planes = 0;
  gsize n_corners = 0;
  const Plane* planes = gst_rdp_planes_peek_planes(of, &n_planes);
  const Corner* corners = gst_rdp_planes_peek_corners(of, &n_corners);
  line.add_key("planes");
  line.add('[');
  for (gsize i = 0; i < n_planes; ++i) {
    if (i > 0) line.add(',');
    add_plane(line, info, planes[i],
              std::span(corners, n_corners).subspan(planes[i].first_corner, planes[i].n_corners));
  }
  line.add(']');
  if (info.ground >= 0) line.add_keys(info, kGround);
  if (info.noise > 0) line.add_key("noise", info.noise);
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
