/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Planes as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdpplanesfields.h>
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpplanesprivate.h>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

/* That is written. A new one comes with its size of the header in kHeaderSizes. */
constexpr guint32 kVersion = 1;

/* Behind the header the planes, the corners, the labels. */
struct PlanesForm : SerialForm<PlanesKind> {
  static constexpr const char* kMagic = "RDPP";
  static constexpr const char* kThings = "planes";
  static constexpr const auto& kFields = kPlanesFields;
  static constexpr gsize kHeaderSizes[] = {0, 128};

  /* The numbers of planes and corners are below 2^32, so that their sizes are far from overflowing.
   */
  static std::string expect(const Info* info, const guint8* header, guint64* size) {
    *size = guint64{read_le<guint32>(header + 120)} * sizeof(GstRdpPlane) +
            guint64{read_le<guint32>(header + 124)} * sizeof(GstRdpPlaneCorner);
    if (info->n_points > G_MAXUINT64 / 2) return "too many points";
    *size += info->n_points;
    return {};
  }
  static std::string make(const Info& info, const guint8* header, const guint8* arrays,
                          GstRdpPlanes** object);
};

std::string PlanesForm::make(const Info& info, const guint8* header, const guint8* arrays,
                             GstRdpPlanes** object) {
  const gsize n_planes = read_le<guint32>(header + 120);
  const gsize n_corners = read_le<guint32>(header + 124);
  const guint8* const corners = arrays + n_planes * sizeof(GstRdpPlane);
  const guint8* const labels = corners + n_corners * sizeof(GstRdpPlaneCorner);
  /* Checked once they are copied: as they come they need not be aligned. */
  g_autoptr(GstRdpPlanes) self =
      new_planes(info, {reinterpret_cast<const GstRdpPlane*>(arrays), n_planes,
                        reinterpret_cast<const GstRdpPlaneCorner*>(corners), n_corners, labels,
                        static_cast<gsize>(info.n_points)});
  const auto planes = planes_of(self);
  const char* error = planes_error(info, {planes.data(), planes.size(), corners_of(self).data(),
                                          n_corners, host_labels(self).data(), info.n_points});
  for (const GstRdpPlane& plane : planes) {
    if (error == nullptr && plane._gst_reserved != 0) error = "a plane's last word must be 0";
  }
  if (error != nullptr) return error;
  *object = static_cast<GstRdpPlanes*>(g_steal_pointer(&self));
  return {};
}

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_planes_to_bytes(GstRdpPlanes* self) {
  using namespace rdp::meta;
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), nullptr);

  /* Whoever reads the bytes could not be told. */
  if (gst_rdp_planes_fetch_labels(self, nullptr) == FALSE) return nullptr;
  const auto planes = planes_of(self);
  const auto corners = corners_of(self);
  return serialised<PlanesForm>(
      self->info, kVersion, {as_bytes(planes), as_bytes(corners), as_bytes(host_labels(self))},
      [&](guint8* data) {
        write_le<guint32>(data + 120, static_cast<guint32>(planes.size()));
        write_le<guint32>(data + 124, static_cast<guint32>(corners.size()));
        auto* written = reinterpret_cast<GstRdpPlane*>(data + PlanesForm::kHeaderSizes[1]);
        for (gsize i = 0; i < planes.size(); ++i) written[i]._gst_reserved = 0;
      });
}

GstRdpPlanes* gst_rdp_planes_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::PlanesForm>(bytes, error);
}
