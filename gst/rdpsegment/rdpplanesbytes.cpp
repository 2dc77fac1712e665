/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Planes as bytes for files, sockets and other processes. */
#include <gio/gio.h>
#include <gst/rdpsegment/rdpplanesfields.h>
#include <gst/rdpsegment/rdpplanesprivate.h>

#include <cstring>

#include "common/boundary.h"
#include "common/planes/limits.h"

using rdp::meta::read_le;
using rdp::meta::write_le;

/* The serialised form, all little endian: a header, the planes, the corners, the labels, without
 * gaps. The format is described for readers in docs/metadata-planes.md. */
static constexpr char kMagic[4] = {'R', 'D', 'P', 'P'};
static constexpr guint32 kVersion = 1;
static constexpr gsize kHeaderSize = rdp::meta::kPlanesHeaderSize;

static void write_header(const GstRdpPlanes* self, guint8* out) {
  std::memset(out, 0, kHeaderSize);
  std::memcpy(out, kMagic, sizeof kMagic);
  write_le<guint32>(out + 4, kVersion);
  rdp::meta::write_fields(rdp::meta::kPlanesFields, kVersion, self->info, out);
  write_le<guint32>(out + 120, static_cast<guint32>(rdp::meta::planes_of(self).size()));
  write_le<guint32>(out + 124, static_cast<guint32>(rdp::meta::corners_of(self).size()));
}

/**
 * gst_rdp_planes_to_bytes:
 * @self: a #GstRdpPlanes
 *
 * Writes everything that @self holds in a form that does not depend on the machine, for
 * gst_rdp_planes_new_from_bytes().
 *
 * Returns: (transfer full) (nullable): the serialised planes, or %NULL where there is no memory for
 *   them, and where gst_rdp_planes_fetch_labels() says that the labels are lost
 *
 * Since: 0.1
 */
GBytes* gst_rdp_planes_to_bytes(GstRdpPlanes* self) {
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), nullptr);

  /* Whoever reads the bytes could not be told. */
  if (gst_rdp_planes_fetch_labels(self, nullptr) == FALSE) return nullptr;
  const auto planes = rdp::meta::planes_of(self);
  const auto corners = rdp::meta::corners_of(self);
  const auto labels = rdp::meta::host_labels(self);
  const gsize size = kHeaderSize + planes.size_bytes() + corners.size_bytes() + labels.size_bytes();
  auto* data = static_cast<guint8*>(g_try_malloc(size));
  if (data == nullptr) {
    GST_ERROR("no memory for %" G_GSIZE_FORMAT " bytes of serialised planes", size);
    return nullptr;
  }
  write_header(self, data);
  guint8* out = data + kHeaderSize;
  for (GstRdpPlane plane : planes) {
    plane._gst_reserved = 0;
    std::memcpy(out, &plane, sizeof plane);
    out += sizeof plane;
  }
  if (!corners.empty()) std::memcpy(out, corners.data(), corners.size_bytes());
  out += corners.size_bytes();
  if (!labels.empty()) std::memcpy(out, labels.data(), labels.size_bytes());
  return g_bytes_new_take(data, size);
}

/* What is wrong with planes that were made of bytes as they came. */
static const char* error_of(GstRdpPlanes* self) {
  const auto planes = rdp::meta::planes_of(self);
  const auto corners = rdp::meta::corners_of(self);
  const auto labels = rdp::meta::host_labels(self);
  const char* error = rdp::meta::planes_error(
      self->info,
      {planes.data(), planes.size(), corners.data(), corners.size(), labels.data(), labels.size()});
  for (const GstRdpPlane& plane : planes) {
    if (error == nullptr && plane._gst_reserved != 0) error = "a plane's last word must be 0";
  }
  return error;
}

/**
 * gst_rdp_planes_new_from_bytes:
 * @bytes: what gst_rdp_planes_to_bytes() has written
 * @error: where to put the reason
 *
 * Reads serialised planes. The bytes need not be trusted: everything is checked, and what is
 * allocated is no larger than @bytes.
 *
 * Returns: (transfer full) (nullable): the planes, or %NULL with @error set to
 *   %G_IO_ERROR_INVALID_DATA, %G_IO_ERROR_NOT_SUPPORTED for a version of the format that this
 *   library does not know, or %G_IO_ERROR_FAILED where there is no memory
 *
 * Since: 0.1
 */
GstRdpPlanes* gst_rdp_planes_new_from_bytes(GBytes* bytes, GError** error) {
  g_return_val_if_fail(bytes != nullptr, nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  if (size < kHeaderSize || std::memcmp(data, kMagic, sizeof kMagic) != 0) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "%" G_GSIZE_FORMAT
                " bytes that do not start like planes: expected RDPP and a "
                "header of %" G_GSIZE_FORMAT " bytes in all",
                size, kHeaderSize);
    return nullptr;
  }
  const guint32 version = read_le<guint32>(data + 4);
  if (version != kVersion) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                "planes of format version %u; this library reads version %u", version, kVersion);
    return nullptr;
  }
  if (const guint32 flags = rdp::meta::unknown_flags(rdp::meta::kPlanesFields, version, data)) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "invalid planes: unknown flags 0x%x",
                flags);
    return nullptr;
  }
  GstRdpPlanesInfo info = {};
  rdp::meta::read_fields(rdp::meta::kPlanesFields, version, data, &info);
  const gsize n_planes = read_le<guint32>(data + 120);
  const gsize n_corners = read_le<guint32>(data + 124);
  /* The two are below 2^32, so their sizes are far from overflowing; labels are what is left. */
  const guint64 before_labels = kHeaderSize + guint64{n_planes} * sizeof(GstRdpPlane) +
                                guint64{n_corners} * sizeof(GstRdpPlaneCorner);
  if (size < before_labels || size - before_labels != info.n_points) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "invalid planes: %" G_GSIZE_FORMAT " bytes, expected %" G_GUINT64_FORMAT
                " and %" G_GUINT64_FORMAT " labels",
                size, before_labels, info.n_points);
    return nullptr;
  }

  return rdp::contain(
      [&]() -> GstRdpPlanes* {
        const guint8* const planes = data + kHeaderSize;
        const guint8* const corners = planes + n_planes * sizeof(GstRdpPlane);
        g_autoptr(GstRdpPlanes) self = rdp::meta::new_planes(
            info, {reinterpret_cast<const GstRdpPlane*>(planes), n_planes,
                   reinterpret_cast<const GstRdpPlaneCorner*>(corners), n_corners,
                   data + before_labels, static_cast<gsize>(info.n_points)});
        if (const char* reason = error_of(self)) {
          g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "invalid planes: %s", reason);
          return nullptr;
        }
        return static_cast<GstRdpPlanes*>(g_steal_pointer(&self));
      },
      [&](const char* reason) -> GstRdpPlanes* {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED,
                    "no memory for planes of %" G_GUINT64_FORMAT " points: %s", info.n_points,
                    reason);
        return nullptr;
      });
}
