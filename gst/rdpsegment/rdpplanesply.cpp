/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The hulls of planes as PLY, for MeshLab, Open3D, CloudCompare and others. */
#include <gst/rdpsegment/rdpplanesprivate.h>

#include "common/image/float_environment.h"
#include "gst/rdpsegment/private/hull_ply.h"

static GBytes* ply_of(GstRdpPlanes* self) {
  const rdp::meta::HullPly ply({.info = &self->info,
                                .planes = rdp::meta::planes_of(self),
                                .corners = rdp::meta::corners_of(self)});
  auto* data = ply.size() > 0 ? static_cast<char*>(g_try_malloc(ply.size())) : nullptr;
  if (data == nullptr) {
    GST_ERROR("no memory for a PLY of %" G_GSIZE_FORMAT " corners",
              rdp::meta::corners_of(self).size());
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

  return rdp::with_standard_floats([&] { return ply_of(self); });
}
