// SPDX-License-Identifier: LGPL-2.1-or-later
// The hulls of planes as PLY.
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/hull_file.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/check_test.h"
#include "tests/support/planes_fixture.h"

static HullFile ply_of(const PlanesContent& content) {
  g_autoptr(GstRdpPlanes) self = new_planes(content);
  g_autoptr(GBytes) bytes = gst_rdp_planes_to_ply(self);
  gsize size = 0;
  const auto* data = static_cast<const char*>(g_bytes_get_data(bytes, &size));
  return HullFile(std::string_view(data, size));
}

// Twice the area vector of a face; it points to the side from which the corners run
// counter-clockwise.
static std::vector<double> area_vector(const HullFile& ply, const HullFile::Face& face) {
  std::vector<double> sum(3);
  for (std::size_t i = 0; i < face.vertices.size(); ++i) {
    const HullFile::Vertex& a = ply.vertices[face.vertices[i]];
    const HullFile::Vertex& b = ply.vertices[face.vertices[(i + 1) % face.vertices.size()]];
    sum[0] += double{a.y} * b.z - double{a.z} * b.y;
    sum[1] += double{a.z} * b.x - double{a.x} * b.z;
    sum[2] += double{a.x} * b.y - double{a.y} * b.x;
  }
  return sum;
}

CHECK_TEST(test_frame) {
  const PlanesContent content = wall_and_floor();
  const HullFile ply = ply_of(content);
  fail_unless_equals_int(ply.comments.size(), 2);
  fail_unless(ply.comments[0] == "rdpsegment: metres, x to the right, y down, z forward");
  fail_unless(ply.comments[1] == "frame 7");
  // The floor has no hull.
  fail_unless_equals_int(ply.vertices.size(), 4);
  fail_unless_equals_int(ply.faces.size(), 1);
  for (std::size_t i = 0; i < 4; ++i) {
    const HullFile::Vertex& v = ply.vertices[i];
    const GstRdpPlaneCorner& c = content.corners[i];
    fail_unless(v.x == c.x && v.y == c.y && v.z == c.z);
    fail_unless(v.nx == 0 && v.ny == 0 && v.nz == -1, "the normal does not point to the camera");
    fail_unless(std::memcmp(v.colour, ply.faces[0].colour, 3) == 0);
  }
  // Seen from the camera, corners run counter-clockwise.
  const std::vector<double> area = area_vector(ply, ply.faces[0]);
  fail_unless_equals_float(area[2], -2 * 3.5 * 1.5);
}

// Corners of a point cloud may have either orientation: a face follows its normal.
CHECK_TEST(test_cloud) {
  PlanesContent content = triangle_in_cloud();
  for (const bool turned : {false, true}) {
    if (turned) std::swap(content.corners[1], content.corners[2]);
    const HullFile ply = ply_of(content);
    fail_unless(ply.comments[0] == "rdpsegment: metres, axes as in the cloud");
    fail_unless_equals_int(ply.faces.size(), 1);
    fail_unless_equals_float(ply.vertices[0].nx, 1);
    fail_unless_equals_float(area_vector(ply, ply.faces[0])[0], 0.25);
  }
}

CHECK_TEST(test_nothing) {
  PlanesContent content = wall_and_floor();
  content.planes[0].n_corners = 2;  // a line is no face
  const HullFile ply = ply_of(content);
  fail_unless(ply.vertices.empty() && ply.faces.empty());
}

// The number of a face's corners is one byte: longer hulls become several faces of the same total
// area.
CHECK_TEST(test_many_corners) {
  for (const int corners : {3, 254, 255, 256, 508, 509, 1000}) {
    PlanesContent content = triangle_in_cloud();
    content.corners.clear();
    for (int i = 0; i < corners; ++i) {
      const double turn = 2 * G_PI * i / corners;
      content.corners.push_back(
          {-1, -1, -0.5F, static_cast<float>(std::cos(turn)), static_cast<float>(std::sin(turn))});
    }
    content.planes[0].n_corners = static_cast<guint32>(corners);
    const HullFile ply = ply_of(content);
    fail_unless_equals_int(ply.vertices.size(), corners);
    fail_unless_equals_int(ply.faces.size(), (corners - 2 + 252) / 253);
    double area = 0;
    std::size_t triangles = 0;
    std::set<std::int32_t> used;
    for (const HullFile::Face& face : ply.faces) {
      const double own = area_vector(ply, face)[0] / 2;
      fail_unless(own > 0);
      area += own;
      triangles += face.vertices.size() - 2;
      used.insert(face.vertices.begin(), face.vertices.end());
    }
    fail_unless_equals_int(triangles, corners - 2);
    fail_unless_equals_int(used.size(), corners);
    const double expected = 0.5 * corners * std::sin(2 * G_PI / corners);
    fail_unless(std::fabs(area - expected) < 1e-5, "%d corners: area %g", corners, area);
  }
}

// Each plane has a colour of its own.
CHECK_TEST(test_colours) {
  PlanesContent content = triangle_in_cloud();
  for (guint32 i = 1; i < 255; ++i) {
    GstRdpPlane plane = content.planes[0];
    plane.first_corner = 3 * i;
    content.planes.push_back(plane);
    for (int c = 0; c < 3; ++c) content.corners.push_back(content.corners[c]);
  }
  std::set<std::string> colours;
  for (const HullFile::Face& face : ply_of(content).faces) {
    colours.emplace(reinterpret_cast<const char*>(face.colour), 3);
  }
  fail_unless_equals_int(colours.size(), 255);
}

CHECK_CASE(planes_ply)
