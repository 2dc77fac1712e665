/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpplanesprivate.h>

#include <utility>

#include "common/boundary.h"
#include "common/image/float_environment.h"
#include "gst/rdpsegment/private/hull_ply.h"

/**
 * SECTION:rdpplanes
 * @title: GstRdpPlanes
 * @short_description: The planes of a depth frame or a cloud
 *
 * A #GstRdpPlanes holds three arrays. The planes come largest first. The corners of a plane's
 * hull are next to each other. The labels have one byte for each pixel, row after row, or for each
 * point of a cloud: 0 where there is no plane, else 1 + the plane's index. All lengths are metres.
 * The method follows F. A. Limberger and M. M. Oliveira, "Real-time detection of planar regions in
 * unorganized point clouds", Pattern Recognition 2015.
 *
 * Planes found on a GPU leave the labels there until the first read, by any function, copies them
 * to the host. Everything else is on the host. If the GPU fails before that, the labels are lost:
 * gst_rdp_planes_fetch_labels() reports why.
 *
 * Since: 0.2
 */

namespace rdp::meta {

std::span<const GstRdpPlane> planes_of(const GstRdpPlanes* self) {
  return known_array(*self, &GstRdpPlanesArrays::planes, &GstRdpPlanesArrays::n_planes);
}

std::span<const GstRdpPlaneCorner> corners_of(const GstRdpPlanes* self) {
  return known_array(*self, &GstRdpPlanesArrays::corners, &GstRdpPlanesArrays::n_corners);
}

std::span<const guint8> host_labels(GstRdpPlanes* self) noexcept {
  const auto without_labels = [](GstRdpPlanesArrays announced) {
    announced.labels = nullptr;
    announced.n_labels = 0;
    return announced;
  };
  const GstRdpPlanesArrays& arrays = host_arrays(self, "the labels", without_labels);
  return {arrays.labels, arrays.n_labels};
}

}  // namespace rdp::meta

using rdp::meta::bytes_of;
using rdp::meta::corners_of;
using rdp::meta::host_labels;
using rdp::meta::planes_of;

/**
 * gst_rdp_planes_new:
 * @info: the frame or cloud that planes were found in, and the parameters
 * @planes: (array length=n_planes) (nullable): the planes
 * @n_planes: number of @planes, at most 255
 * @corners: (array length=n_corners) (nullable): the corners of all planes
 * @n_corners: number of @corners; each plane's corners are among them
 * @labels: (array length=n_labels) (nullable): the plane of each pixel or point: 0 for none, else
 *   1 + the plane's index
 * @n_labels: number of @labels, the same as the info's n_points
 *
 * Makes planes from copies of the arrays. depthplanes makes those on buffers itself; this is for
 * tests, and for planes from elsewhere.
 *
 * Returns: (transfer full) (nullable): new planes. %NULL after a critical warning if the arguments
 *   do not describe the planes of one frame, and %NULL if there is no memory
 *
 * Since: 0.2
 */
GstRdpPlanes* gst_rdp_planes_new(const GstRdpPlanesInfo* info, const GstRdpPlane* planes,
                                 gsize n_planes, const GstRdpPlaneCorner* corners, gsize n_corners,
                                 const guint8* labels, gsize n_labels) {
  g_return_val_if_fail(info != nullptr, nullptr);
  g_return_val_if_fail(planes != nullptr || n_planes == 0, nullptr);
  g_return_val_if_fail(corners != nullptr || n_corners == 0, nullptr);
  g_return_val_if_fail(labels != nullptr || n_labels == 0, nullptr);

  const GstRdpPlanesArrays arrays = {planes, n_planes, corners, n_corners, labels, n_labels};
  const char* error =
      rdp::with_standard_floats([&] { return rdp::meta::planes_error(*info, arrays); });
  if (error != nullptr) {
    g_critical("%s: %s", G_STRFUNC, error);
    return nullptr;
  }
  return rdp::contain(
      [&] {
        return rdp::meta::new_copy<rdp::meta::PlanesKind, rdp::meta::PlanesRows>(*info, arrays);
      },
      [&](const char* reason) -> GstRdpPlanes* {
        GST_ERROR("no planes of %" G_GSIZE_FORMAT " points: %s", n_labels, reason);
        return nullptr;
      });
}

/**
 * gst_rdp_planes_get_n_planes:
 * @self: a #GstRdpPlanes
 *
 * The size of the array that gst_rdp_planes_peek_planes() gives.
 *
 * Returns: the number of planes
 *
 * Since: 0.2
 */
gsize gst_rdp_planes_get_n_planes(GstRdpPlanes* self) {
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), 0);

  return planes_of(self).size();
}

/**
 * gst_rdp_planes_get_n_corners:
 * @self: a #GstRdpPlanes
 *
 * The size of the array that gst_rdp_planes_peek_corners() gives.
 *
 * Returns: the number of corners of all hulls together
 *
 * Since: 0.2
 */
gsize gst_rdp_planes_get_n_corners(GstRdpPlanes* self) {
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), 0);

  return corners_of(self).size();
}

/**
 * gst_rdp_planes_fetch_labels:
 * @self: a #GstRdpPlanes
 * @error: return location for a #GError
 *
 * Copies the labels to the host, as their first read would, and reports if they are lost. They are
 * lost if the GPU fails first. It may be called at any time, any number of times, with the same
 * result.
 *
 * Returns: %TRUE if the labels are there, and for labels that were never on a GPU; %FALSE, with
 *   #GST_RESOURCE_ERROR_READ, if they are lost
 *
 * Since: 0.2
 */
gboolean gst_rdp_planes_fetch_labels(GstRdpPlanes* self, GError** error) {
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), FALSE);
  g_return_val_if_fail(error == nullptr || *error == nullptr, FALSE);

  host_labels(self);
  return rdp::meta::tell_lost(self, "labels", error);
}

/**
 * gst_rdp_planes_peek_labels:
 * @self: a #GstRdpPlanes
 * @n_labels: (out): number of labels: the info's n_points, or 0 where they are lost
 *
 * The plane of each pixel or point: 0 for none, else 1 + the plane's index.
 *
 * Returns: (array length=n_labels) (transfer none) (nullable): a byte for each pixel, row after
 *   row, or for each point; they live as long as @self. %NULL where gst_rdp_planes_fetch_labels()
 *   says that they are lost
 *
 * Since: 0.2
 */
const guint8* gst_rdp_planes_peek_labels(GstRdpPlanes* self, gsize* n_labels) {
  g_return_val_if_fail(n_labels != nullptr, nullptr);
  *n_labels = 0;
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), nullptr);

  const std::span<const guint8> labels = host_labels(self);
  *n_labels = labels.size();
  return labels.data();
}

/**
 * gst_rdp_planes_get_labels:
 * @self: a #GstRdpPlanes
 *
 * The array of gst_rdp_planes_peek_labels() as bytes.
 *
 * Returns: (transfer full) (nullable): the memory of @self itself, not a copy; holds a reference on
 *   @self. %NULL where gst_rdp_planes_fetch_labels() says that they are lost
 *
 * Since: 0.2
 */
GBytes* gst_rdp_planes_get_labels(GstRdpPlanes* self) {
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), nullptr);

  const std::span<const guint8> labels = host_labels(self);
  if (self->arrays.lost()) return nullptr;
  return bytes_of(self, labels.data(), labels.size_bytes());
}

static GBytes* ply_of(GstRdpPlanes* self) {
  const rdp::meta::HullPly ply(
      {.info = &self->info, .planes = planes_of(self), .corners = corners_of(self)});
  auto* data = ply.size() > 0 ? static_cast<char*>(g_try_malloc(ply.size())) : nullptr;
  if (data == nullptr) {
    GST_ERROR("no memory for a PLY of %" G_GSIZE_FORMAT " corners", corners_of(self).size());
    return nullptr;
  }
  ply.write(data);
  return g_bytes_new_take(data, ply.size());
}

/**
 * gst_rdp_planes_to_ply:
 * @self: a #GstRdpPlanes
 *
 * Writes the hulls as a PLY file, binary little endian, in metres: a polygon for each plane with a
 * hull, in its own colour. Normals point to the origin's side, from which the planes were
 * seen; seen from there, corners go counter-clockwise. A hull with more than 255 corners becomes
 * several faces. Planes without a hull are left out. Labels are not needed.
 *
 * Returns: (transfer full) (nullable): the file, or %NULL where there is no memory for it
 *
 * Since: 0.2
 */
GBytes* gst_rdp_planes_to_ply(GstRdpPlanes* self) {
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), nullptr);

  return rdp::with_standard_floats([&] { return ply_of(self); });
}
