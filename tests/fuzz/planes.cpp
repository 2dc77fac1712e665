// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes from untrusted bytes: refused with a reason, or consistent. Planes from arrays: accepted
// if and only if they are valid, and unchanged after serialisation. Their JSON has the same
// numbers, and their PLY is a valid file.
#include <gst/rdpsegment/rdpplaneskind.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <string_view>
#include <vector>

#include "tests/fuzz/kind_check.h"
#include "tests/support/hull_file.h"
#include "tests/support/planes_fixture.h"

namespace {

using namespace rdp::fuzz;
using Kind = rdp::meta::PlanesKind;

void check_text(GstRdpPlanes* planes) {
  check_json(planes);
  g_autoptr(GBytes) bytes = gst_rdp_planes_to_ply(planes);
  gsize size = 0;
  const auto* data = static_cast<const char*>(g_bytes_get_data(bytes, &size));
  try {
    const HullFile ply(std::string_view(data, size));
    gsize n_corners = 0;
    gst_rdp_planes_peek_corners(planes, &n_corners);
    FUZZ_CHECK(ply.vertices.size() <= n_corners, "%zu vertices", ply.vertices.size());
  } catch (const std::exception& error) {
    FUZZ_CHECK(false, "no PLY: %s", error.what());
  }
}

// True if `info` is valid for a frame or cloud by docs/metadata-planes.md.
bool info_in_order(const GstRdpPlanesInfo& info, std::size_t n_planes) {
  const auto not_negative = [](double v) { return std::isfinite(v) && v >= 0; };
  const bool frame = info.cloud == FALSE;
  if (frame && (info.width < 1 || info.width > 16384 || info.height < 1 || info.height > 16384)) {
    return false;
  }
  if ((frame || info.width > 0 || info.height > 0) &&
      info.n_points != guint64{info.width} * info.height) {
    return false;
  }
  return not_negative(info.focal_length) && not_negative(info.focal_length_y) &&
         std::isfinite(info.principal_x) && std::isfinite(info.principal_y) &&
         not_negative(info.noise) && not_negative(info.tolerance) &&
         std::isfinite(info.camera_height) && std::isfinite(info.pitch) &&
         std::isfinite(info.roll) && info.ground >= -1 &&
         (info.ground == -1 || static_cast<std::size_t>(info.ground) < n_planes);
}

bool plane_in_order(const GstRdpPlanesInfo& info, const GstRdpPlane& plane, std::size_t n_corners) {
  const auto not_negative = [](double v) { return std::isfinite(v) && v >= 0; };
  const double length = double{plane.normal_x} * plane.normal_x +
                        double{plane.normal_y} * plane.normal_y +
                        double{plane.normal_z} * plane.normal_z;
  return length > 1 - 1e-4 && length < 1 + 1e-4 && not_negative(plane.distance) &&
         std::isfinite(plane.centroid_x) && std::isfinite(plane.centroid_y) &&
         std::isfinite(plane.centroid_z) && not_negative(plane.rms) && not_negative(plane.area) &&
         plane.inliers <= info.n_points && guint{plane.box_x} + plane.box_width <= info.width &&
         guint{plane.box_y} + plane.box_height <= info.height &&
         guint64{plane.first_corner} + plane.n_corners <= n_corners;
}

bool in_order(const PlanesContent& content) {
  const GstRdpPlanesInfo& info = content.info;
  if (content.planes.size() > 255 || !info_in_order(info, content.planes.size())) return false;
  guint64 end = 0;
  for (const GstRdpPlane& plane : content.planes) {
    if (!plane_in_order(info, plane, content.corners.size())) return false;
    if (plane.n_corners > 0 && plane.first_corner < end) return false;
    if (plane.n_corners > 0) end = guint64{plane.first_corner} + plane.n_corners;
  }
  for (const GstRdpPlaneCorner& c : content.corners) {
    if (!std::isfinite(c.x) || !std::isfinite(c.y) || !std::isfinite(c.z)) return false;
    const bool pixel =
        c.column >= 0 && c.row >= 0 && guint(c.column) < info.width && guint(c.row) < info.height;
    if (info.cloud != FALSE ? c.column != -1 || c.row != -1 : !pixel) return false;
  }
  if (content.labels.size() != info.n_points) return false;
  return std::all_of(content.labels.begin(), content.labels.end(),
                     [&](guint8 label) { return label <= content.planes.size(); });
}

// The getters' results.
PlanesContent content_of(GstRdpPlanes* self) {
  PlanesContent content{*gst_rdp_planes_get_info(self), {}, {}, {}};
  gsize n = 0;
  const GstRdpPlane* planes = gst_rdp_planes_peek_planes(self, &n);
  FUZZ_CHECK(gst_rdp_planes_get_n_planes(self) == n, "%zu planes", n);
  if (n > 0) content.planes.assign(planes, planes + n);
  const GstRdpPlaneCorner* corners = gst_rdp_planes_peek_corners(self, &n);
  FUZZ_CHECK(gst_rdp_planes_get_n_corners(self) == n, "%zu corners", n);
  if (n > 0) content.corners.assign(corners, corners + n);
  const guint8* labels = gst_rdp_planes_peek_labels(self, &n);
  if (n > 0) content.labels.assign(labels, labels + n);
  return content;
}

template <typename T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void check(GstRdpPlanes* self) {
  FUZZ_CHECK(in_order(content_of(self)), "planes that are not in order were accepted");
  check_text(self);
}

GstRdpPlane take_plane(Input* input, const GstRdpPlanesInfo& info) {
  GstRdpPlane plane = {};
  const float side = input->flag() ? 1.0F : -1.0F;
  (input->flag() ? plane.normal_x : plane.normal_z) = side;
  plane.distance = static_cast<gfloat>(input->real(0.0));
  plane.centroid_y = static_cast<gfloat>(input->real(0.0));
  plane.rms = input->byte() / 64.0F;
  plane.area = input->byte() / 4.0F;
  plane.inliers = input->below(static_cast<guint32>(info.n_points + 1));
  plane.votes = input->byte();
  plane.box_width = static_cast<guint16>(info.width);
  plane.box_height = static_cast<guint16>(info.height);
  // Sometimes an arbitrary value.
  switch (input->below(24)) {
    case 0:
      plane.normal_y = input->bits<gfloat>();
      break;
    case 1:
      plane.distance = input->bits<gfloat>();
      break;
    case 2:
      plane.centroid_z = input->bits<gfloat>();
      break;
    case 3:
      (input->flag() ? plane.rms : plane.area) = input->bits<gfloat>();
      break;
    case 4:
      plane.inliers = input->bits<guint32>();
      break;
    case 5:
      (input->flag() ? plane.box_x : plane.box_height) = input->bits<guint16>();
      break;
    default:
      break;
  }
  return plane;
}

// Planes that are mostly valid.
PlanesContent take_content(Input* input) {
  PlanesContent content;
  GstRdpPlanesInfo& info = content.info;
  gst_rdp_planes_info_init(&info);
  info.cloud = input->flag();
  info.calibrated = input->flag();
  info.frame = input->bits<guint64>();
  if (info.cloud == FALSE || input->flag()) {
    info.width = 1 + input->below(12);
    info.height = 1 + input->below(9);
    info.n_points = info.width * info.height;
  } else {
    info.n_points = input->below(40);
  }
  info.noise = input->real(0.0);
  info.tolerance = input->real(0.0);
  info.focal_length = input->real(0.0);
  info.principal_y = -input->real(0.0);
  info.camera_height = input->real(0.0);
  info.pitch = -input->real(0.0);
  for (int n = input->between(0, 5); n > 0; --n) {
    GstRdpPlane plane = take_plane(input, info);
    plane.first_corner = static_cast<guint32>(content.corners.size());
    plane.n_corners = input->below(8);
    if (input->below(32) == 31) plane.n_corners = 300;
    for (guint i = 0; i < plane.n_corners; ++i) {
      GstRdpPlaneCorner corner = {-1, -1, input->byte() / 8.0F, -1.5F, i / 3.0F};
      if (info.cloud == FALSE) {
        corner.column = static_cast<gint32>(input->below(info.width));
        corner.row = static_cast<gint32>(input->below(info.height));
      }
      content.corners.push_back(corner);
    }
    content.planes.push_back(plane);
  }
  if (!content.planes.empty() && input->flag()) {
    info.ground = static_cast<gint>(input->below(static_cast<guint32>(content.planes.size())));
  }
  for (guint64 i = 0; i < info.n_points; ++i) {
    content.labels.push_back(static_cast<guint8>(i % (content.planes.size() + 1)));
  }
  switch (input->below(24)) {
    case 0:
      (input->flag() ? info.width : info.height) = input->bits<guint32>();
      break;
    case 1:
      (input->flag() ? info.roll : info.tolerance) = input->bits<double>();
      break;
    case 2:
      info.ground = input->bits<gint32>();
      break;
    case 3:
      if (!content.labels.empty()) content.labels.back() = input->byte();
      break;
    case 4:
      content.labels.resize(input->byte());
      break;
    case 5:
      if (!content.planes.empty()) content.planes.back().first_corner = input->bits<guint32>();
      break;
    case 6:
      if (!content.corners.empty()) content.corners.back().row = input->bits<gint32>();
      break;
    case 7:
      if (!content.corners.empty()) content.corners.back().z = input->bits<gfloat>();
      break;
    default:
      break;
  }
  return content;
}

// Returns null if they are invalid.
Ref<Kind> check_arrays(const PlanesContent& content) {
  const bool good = in_order(content);
  rdp::fuzz::expect_criticals(!good);
  Ref<Kind> self(new_planes(content));
  rdp::fuzz::expect_criticals(false);
  FUZZ_CHECK((self != nullptr) == good, "arrays that are %s order were %s", good ? "in" : "not in",
             self != nullptr ? "accepted" : "refused");
  if (self == nullptr) return nullptr;
  const Bytes bytes = bytes_of<Kind>(self.get());
  const Ref<Kind> other = read<Kind>(bytes);
  FUZZ_CHECK(other != nullptr, "what was written is refused");
  const PlanesContent found = content_of(other.get());
  FUZZ_CHECK(std::memcmp(&found.info, &content.info, sizeof found.info) == 0, "another info");
  FUZZ_CHECK(same_bytes(found.planes, content.planes), "other planes");
  FUZZ_CHECK(same_bytes(found.corners, content.corners), "other corners");
  FUZZ_CHECK(found.labels == content.labels, "other labels");
  FUZZ_CHECK(bytes_of<Kind>(other.get()) == bytes, "written twice, other bytes");
  check_text(other.get());
  return self;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) { return rdp::fuzz::start(); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_kind<Kind>(
      {data, size}, [](Input* input) { return check_arrays(take_content(input)); }, check);
  return 0;
}
