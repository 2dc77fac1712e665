/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The hulls of planes as PLY, for MeshLab, Open3D, CloudCompare and others. */
#include <gst/rdpsegment/rdpplanesprivate.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "common/boundary.h"
#include "common/planes/colours.h"

namespace rdp::meta {
namespace {

/* The number of corners of a face is a byte: wider counts are not read by all programs. A hull is
 * convex, so a longer one is a fan of faces that share its first corner. */
constexpr gsize kMostCorners = 255;
/* A face with fewer corners has no area. */
constexpr gsize kLeastCorners = 3;

constexpr gsize kVertexSize = 6 * sizeof(float) + 3;
constexpr gsize kFaceStart = 1;
constexpr gsize kFaceColour = 3;

/* How many faces a hull becomes. All but the first corner lie in a row that the faces divide, each
 * with the last of the one before it. */
gsize faces_of(gsize corners) {
  if (corners < kLeastCorners) return 0;
  return (corners - 2 + kMostCorners - 3) / (kMostCorners - 2);
}

template <typename T>
guint8* put(guint8* out, T value) {
  std::memcpy(out, &value, sizeof value);
  return out + sizeof value;
}

guint8* put_colour(guint8* out, const Rgb& colour) {
  return put(put(put(out, colour.r), colour.g), colour.b);
}

/* Whether its corners go around the normal against the clock, as the right hand does: by twice the
 * area that they enclose, seen along the normal. */
bool turns_left(std::span<const GstRdpPlaneCorner> hull, const GstRdpPlane& plane) {
  double area = 0.0;
  const GstRdpPlaneCorner& o = hull[0];
  for (gsize i = 2; i < hull.size(); ++i) {
    const double a[3] = {double{hull[i - 1].x} - o.x, double{hull[i - 1].y} - o.y,
                         double{hull[i - 1].z} - o.z};
    const double b[3] = {double{hull[i].x} - o.x, double{hull[i].y} - o.y, double{hull[i].z} - o.z};
    area += plane.normal_x * (a[1] * b[2] - a[2] * b[1]) +
            plane.normal_y * (a[2] * b[0] - a[0] * b[2]) +
            plane.normal_z * (a[0] * b[1] - a[1] * b[0]);
  }
  return area > 0.0;
}

/* Normals point to where the plane was seen from. */
guint8* put_vertices(guint8* out, std::span<const GstRdpPlaneCorner> hull, const GstRdpPlane& plane,
                     const Rgb& colour) {
  for (const GstRdpPlaneCorner& corner : hull) {
    out = put(put(put(out, corner.x), corner.y), corner.z);
    out = put(put(put(out, -plane.normal_x), -plane.normal_y), -plane.normal_z);
    out = put_colour(out, colour);
  }
  return out;
}

guint8* put_faces(guint8* out, std::span<const GstRdpPlaneCorner> hull, const GstRdpPlane& plane,
                  gsize first_vertex, const Rgb& colour) {
  const bool backwards = turns_left(hull, plane);
  const auto vertex = [&](gsize i) {
    const gsize corner = backwards ? (hull.size() - i) % hull.size() : i;
    return static_cast<std::int32_t>(first_vertex + corner);
  };
  for (gsize done = 1; done + 1 < hull.size();) {
    const gsize more = std::min(hull.size() - done, kMostCorners - 1);
    out = put(out, static_cast<std::uint8_t>(1 + more));
    out = put(out, vertex(0));
    for (gsize i = 0; i < more; ++i) out = put(out, vertex(done + i));
    out = put_colour(out, colour);
    done += more - 1;
  }
  return out;
}

std::string header_of(const GstRdpPlanesInfo& info, gsize vertices, gsize faces) {
  std::string header = "ply\nformat binary_little_endian 1.0\ncomment rdpsegment: metres, ";
  header += info.cloud != FALSE ? "axes as in the cloud" : "x to the right, y down, z forward";
  header += "\ncomment frame " + std::to_string(info.frame);
  header += "\nelement vertex " + std::to_string(vertices);
  header +=
      "\nproperty float x\nproperty float y\nproperty float z\n"
      "property float nx\nproperty float ny\nproperty float nz\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  /* Colours once more: some programs show those of the vertices, others those of the faces. */
  header += "element face " + std::to_string(faces);
  header +=
      "\nproperty list uchar int vertex_indices\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n";
  return header;
}

/* Throws std::bad_alloc. */
GBytes* to_ply(GstRdpPlanes* self) {
  const auto planes = planes_of(self);
  const auto corners = corners_of(self);
  gsize vertices = 0;
  gsize faces = 0;
  gsize faces_size = 0;
  for (const GstRdpPlane& plane : planes) {
    const gsize own = faces_of(plane.n_corners);
    if (own == 0) continue;
    vertices += plane.n_corners;
    faces += own;
    /* Each face but the first has two corners more than it takes from the row. */
    faces_size +=
        own * (kFaceStart + kFaceColour) + (plane.n_corners + 2 * (own - 1)) * sizeof(std::int32_t);
  }
  if (vertices > G_MAXINT32) throw std::bad_alloc();
  const std::string header = header_of(self->info, vertices, faces);
  const gsize size = header.size() + vertices * kVertexSize + faces_size;
  auto* data = static_cast<guint8*>(g_try_malloc(size));
  if (data == nullptr) throw std::bad_alloc();
  std::memcpy(data, header.data(), header.size());
  guint8* vertex_out = data + header.size();
  guint8* face_out = vertex_out + vertices * kVertexSize;
  gsize first_vertex = 0;
  for (gsize i = 0; i < planes.size(); ++i) {
    const auto hull = hull_of(corners, planes[i]);
    if (faces_of(hull.size()) == 0) continue;
    const Rgb colour = planes::plane_colour(static_cast<int>(i));
    vertex_out = put_vertices(vertex_out, hull, planes[i], colour);
    face_out = put_faces(face_out, hull, planes[i], first_vertex, colour);
    first_vertex += hull.size();
  }
  return g_bytes_new_take(data, size);
}

}  // namespace
}  // namespace rdp::meta

/**
 * gst_rdp_planes_to_ply:
 * @self: a #GstRdpPlanes
 *
 * Writes the hulls as a PLY file, binary little endian, in metres: a polygon for each plane with a
 * hull, in a colour of its own. Normals point to the origin's side, from which the planes were
 * seen, and corners go around them against the clock. A hull with more than 255 corners is several
 * faces. Planes without a hull are left out. Labels are not needed for it.
 *
 * Returns: (transfer full) (nullable): the file, or %NULL where there is no memory for it
 *
 * Since: 0.1
 */
GBytes* gst_rdp_planes_to_ply(GstRdpPlanes* self) {
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), nullptr);

  return rdp::contain([&] { return rdp::meta::to_ply(self); },
                      [&](const char* reason) -> GBytes* {
                        GST_ERROR("no memory for a PLY of %" G_GSIZE_FORMAT " corners: %s",
                                  rdp::meta::corners_of(self).size(), reason);
                        return nullptr;
                      });
}
