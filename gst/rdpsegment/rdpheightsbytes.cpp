/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heights as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdpheightskind.h>
#include <gst/rdpsegment/rdpheightsprivate.h>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

struct HeightsForm : ArrayForm<HeightsForm, HeightsKind, HeightsRows> {
  static constexpr const char* kMagic = "RDPH";
  static constexpr const char* kThings = "heights";
  static constexpr const auto& kFields = kHeightsFields;
  static constexpr gsize kHeaderSizes[] = {0, 96, 104};

  /* The lowest version that can represent the arrays, for readers that know no later one. */
  static guint32 version(const Arrays& arrays) {
    return arrays.n_head_tracks > 0 || arrays.n_lost_heads > 0 ? 2 : 1;
  }

  static std::string wrong(const Info& info, const Arrays& arrays) {
    return heights_error(info, arrays);
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_heights_to_bytes(GstRdpHeights* self) {
  g_return_val_if_fail(GST_IS_RDP_HEIGHTS(self), nullptr);

  return rdp::meta::HeightsForm::write(self->info, rdp::meta::arrays_here(*self));
}

GstRdpHeights* gst_rdp_heights_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::HeightsForm>(bytes, error);
}
