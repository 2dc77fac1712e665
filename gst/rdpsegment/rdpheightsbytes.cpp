/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heights as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdpheightsfields.h>
#include <gst/rdpsegment/rdpheightskind.h>
#include <gst/rdpsegment/rdpheightsprivate.h>

#include <span>
#include <string>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

/* That is written. A new one comes with its size of the header in kHeaderSizes. */
constexpr guint32 kVersion = 1;
constexpr gsize kHeadsAt = 60; /* in the header: how many */

/* Behind the header the heads. */
struct HeightsForm : SerialForm<HeightsKind> {
  static constexpr const char* kMagic = "RDPH";
  static constexpr const char* kThings = "heights";
  static constexpr const auto& kFields = kHeightsFields;
  static constexpr gsize kHeaderSizes[] = {0, 96};

  static std::string expect(const Info*, const guint8* header, guint64* size) {
    *size = guint64{read_le<guint32>(header + kHeadsAt)} * sizeof(GstRdpHead);
    return {};
  }

  static std::string make(const Info& info, const guint8* header, const guint8* arrays,
                          GstRdpHeights** object) {
    /* Checked once they are copied: as they come they need not be aligned. */
    g_autoptr(GstRdpHeights) self = new_heights(
        info, {reinterpret_cast<const GstRdpHead*>(arrays), read_le<guint32>(header + kHeadsAt)});
    std::string error = heights_error(info, heads_of(*self));
    if (error.empty()) *object = static_cast<GstRdpHeights*>(g_steal_pointer(&self));
    return error;
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_heights_to_bytes(GstRdpHeights* self) {
  using namespace rdp::meta;
  g_return_val_if_fail(GST_IS_RDP_HEIGHTS(self), nullptr);

  const std::span heads = heads_of(*self);
  return serialised<HeightsForm>(self->info, kVersion, {as_bytes(heads)}, [&](guint8* data) {
    write_le<guint32>(data + kHeadsAt, static_cast<guint32>(heads.size()));
  });
}

GstRdpHeights* gst_rdp_heights_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::HeightsForm>(bytes, error);
}
