/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Planes as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpplanesprivate.h>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

struct PlanesForm : ArrayForm<PlanesForm, PlanesKind, PlanesRows> {
  static constexpr const char* kMagic = "RDPP";
  static constexpr const char* kThings = "planes";
  static constexpr const auto& kFields = kPlanesFields;
  static constexpr gsize kHeaderSizes[] = {0, 128};

  /* The counts of planes and corners are below 2^32, so their sizes cannot overflow. */
  static std::string count(const Info& info, Arrays* arrays) {
    arrays->n_labels = static_cast<gsize>(info.n_points);
    return info.n_points > G_MAXSIZE / 2 ? "too many points" : "";
  }
  static void complete(const Arrays& arrays, guint8* data) {
    auto* written = reinterpret_cast<GstRdpPlane*>(data + kHeaderSizes[1]);
    for (gsize i = 0; i < arrays.n_planes; ++i) written[i]._gst_reserved = 0;
  }

  static std::string wrong(const Info& info, const Arrays& arrays) {
    if (const char* error = planes_error(info, arrays)) return error;
    for (const GstRdpPlane& plane : std::span(arrays.planes, arrays.n_planes)) {
      if (plane._gst_reserved != 0) return "a plane's last word must be 0";
    }
    return {};
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_planes_to_bytes(GstRdpPlanes* self) {
  g_return_val_if_fail(GST_IS_RDP_PLANES(self), nullptr);

  /* Readers of the bytes could not tell lost labels from empty ones. */
  if (gst_rdp_planes_fetch_labels(self, nullptr) == FALSE) return nullptr;
  return rdp::meta::PlanesForm::write(self->info, rdp::meta::arrays_here(*self));
}

GstRdpPlanes* gst_rdp_planes_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::PlanesForm>(bytes, error);
}
