/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gst/rdpsegment/private/hull_ply.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "common/image/index_colour.h"

namespace rdp::meta {
namespace {

/* The corner count of a face is one byte, since some programs read no wider ones. A larger hull,
 * which is convex, becomes a fan of faces that share its first corner. */
constexpr std::size_t kMaxCorners = 255;
/* A face with fewer corners has no area. */
constexpr std::size_t kLeastCorners = 3;

constexpr std::size_t kVertexSize = 6 * sizeof(float) + 3;
constexpr std::size_t kFaceStart = 1;
constexpr std::size_t kFaceColour = 3;

/* The number of faces of a hull. All begin with the hull's first corner; the second corner of each
 * is the last of the previous face. */
std::size_t faces_of(std::size_t corners) {
  if (corners < kLeastCorners) return 0;
  return (corners - 2 + kMaxCorners - 3) / (kMaxCorners - 2);
}

template <typename T>
char* put(char* out, T value) {
  std::memcpy(out, &value, sizeof value);
  return out + sizeof value;
}

char* put_colour(char* out, const Rgb& colour) {
  return put(put(put(out, colour.r), colour.g), colour.b);
}

/* True if the corners go around the normal counter-clockwise (right-hand rule), by the sign of the
 * area that they enclose, seen along the normal. */
bool turns_left(std::span<const GstRdpPlaneCorner> hull, const GstRdpPlane& plane) {
  double area = 0.0;
  const GstRdpPlaneCorner& o = hull[0];
  for (std::size_t i = 2; i < hull.size(); ++i) {
    const double a[3] = {double{hull[i - 1].x} - o.x, double{hull[i - 1].y} - o.y,
                         double{hull[i - 1].z} - o.z};
    const double b[3] = {double{hull[i].x} - o.x, double{hull[i].y} - o.y, double{hull[i].z} - o.z};
    area += plane.normal_x * (a[1] * b[2] - a[2] * b[1]) +
            plane.normal_y * (a[2] * b[0] - a[0] * b[2]) +
            plane.normal_z * (a[0] * b[1] - a[1] * b[0]);
  }
  return area > 0.0;
}

/* Writes the vertices of a hull. Their normals point to where the plane was seen from. */
char* put_vertices(char* out, std::span<const GstRdpPlaneCorner> hull, const GstRdpPlane& plane,
                   const Rgb& colour) {
  for (const GstRdpPlaneCorner& corner : hull) {
    out = put(put(put(out, corner.x), corner.y), corner.z);
    out = put(put(put(out, 0.0F - plane.normal_x), 0.0F - plane.normal_y), 0.0F - plane.normal_z);
    out = put_colour(out, colour);
  }
  return out;
}

char* put_faces(char* out, std::span<const GstRdpPlaneCorner> hull, const GstRdpPlane& plane,
                std::size_t first_vertex, const Rgb& colour) {
  const bool backwards = turns_left(hull, plane);
  const auto vertex = [&](std::size_t i) {
    const std::size_t corner = backwards ? (hull.size() - i) % hull.size() : i;
    return static_cast<std::int32_t>(first_vertex + corner);
  };
  for (std::size_t done = 1; done + 1 < hull.size();) {
    const std::size_t more = std::min(hull.size() - done, kMaxCorners - 1);
    out = put(out, static_cast<std::uint8_t>(1 + more));
    out = put(out, vertex(0));
    for (std::size_t i = 0; i < more; ++i) out = put(out, vertex(done + i));
    out = put_colour(out, colour);
    done += more - 1;
  }
  return out;
}

/* An optional line of the header: empty if `wanted` is false. */
struct Line {
  std::array<char, 48> text{};

  Line(bool wanted, const char* before, guint64 number) {
    if (wanted) {
      g_snprintf(text.data(), text.size(), "comment %s %" G_GUINT64_FORMAT "\n", before, number);
    }
  }
};

}  // namespace

HullPly::HullPly(const HullSource& source) : source_(source) {
  std::size_t faces = 0;
  std::size_t faces_size = 0;
  for (const GstRdpPlane& plane : source.planes) {
    const std::size_t own = faces_of(plane.n_corners);
    if (own == 0) continue;
    vertices_ += plane.n_corners;
    faces += own;
    /* Each face but the first repeats two corners. */
    faces_size +=
        own * (kFaceStart + kFaceColour) + (plane.n_corners + 2 * (own - 1)) * sizeof(std::int32_t);
  }
  if (vertices_ > G_MAXINT32) return;
  const GstRdpPlanesInfo& info = *source.info;
  /* Colours twice: some programs show those of vertices, others those of faces. */
  header_size_ =
      static_cast<std::size_t>(g_snprintf(
          header_.data(), header_.size(),
          "ply\nformat binary_little_endian 1.0\n"
          "comment rdpsegment: metres, %s\n"
          "comment frame %" G_GUINT64_FORMAT "\n%s%s"
          "element vertex %" G_GSIZE_FORMAT "\n"
          "property float x\nproperty float y\nproperty float z\n"
          "property float nx\nproperty float ny\nproperty float nz\n"
          "property uchar red\nproperty uchar green\nproperty uchar blue\n"
          "element face %" G_GSIZE_FORMAT "\n"
          "property list uchar int vertex_indices\n"
          "property uchar red\nproperty uchar green\nproperty uchar blue\n"
          "end_header\n",
          info.cloud != FALSE ? "axes as in the cloud" : "x to the right, y down, z forward",
          info.frame, Line(GST_CLOCK_TIME_IS_VALID(source.pts), "pts", source.pts).text.data(),
          Line(source.of_batch, "batch-index", source.batch_index).text.data(), vertices_, faces));
  size_ = header_size_ + vertices_ * kVertexSize + faces_size;
}

void HullPly::write(char* out) const {
  std::memcpy(out, header_.data(), header_size_);
  char* vertex = out + header_size_;
  char* face = vertex + vertices_ * kVertexSize;
  std::size_t first_vertex = 0;
  for (std::size_t i = 0; i < source_.planes.size(); ++i) {
    const GstRdpPlane& plane = source_.planes[i];
    const auto hull = source_.corners.subspan(plane.first_corner, plane.n_corners);
    if (faces_of(hull.size()) == 0) continue;
    const Rgb colour = index_colour(static_cast<int>(i));
    vertex = put_vertices(vertex, hull, plane, colour);
    face = put_faces(face, hull, plane, first_vertex, colour);
    first_vertex += hull.size();
  }
}

}  // namespace rdp::meta
