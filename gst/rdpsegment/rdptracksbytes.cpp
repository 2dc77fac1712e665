/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tracks as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdptrackskind.h>
#include <gst/rdpsegment/rdptracksprivate.h>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

struct TracksForm : ArrayForm<TracksForm, TracksKind, TracksRows> {
  static constexpr const char* kMagic = "RDPT";
  static constexpr const char* kThings = "tracks";
  static constexpr const auto& kFields = kTracksFields;
  static constexpr gsize kHeaderSizes[] = {0, 40};

  static std::string wrong(const Info& info, const Arrays& arrays) {
    const char* error = tracks_error(info, arrays);
    return error != nullptr ? error : "";
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_tracks_to_bytes(GstRdpTracks* self) {
  g_return_val_if_fail(GST_IS_RDP_TRACKS(self), nullptr);

  /* Whoever reads the bytes could not be told. */
  if (gst_rdp_tracks_fetch(self, nullptr) == FALSE) return nullptr;
  return rdp::meta::TracksForm::write(self->info, rdp::meta::host_tracks(self));
}

GstRdpTracks* gst_rdp_tracks_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::TracksForm>(bytes, error);
}
