/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tracks as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdptrackskind.h>
#include <gst/rdpsegment/rdptracksprivate.h>

#include <algorithm>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

struct TracksForm : ArrayForm<TracksForm, TracksKind, TracksRows> {
  static constexpr const char* kMagic = "RDPT";
  static constexpr const char* kThings = "tracks";
  static constexpr const auto& kFields = kTracksFields;
  static constexpr gsize kHeaderSizes[] = {0, 40, 48};

  /* The lowest version that can represent the arrays, for readers that know no later one. */
  static guint32 version(const Arrays& arrays) {
    const std::span lost(arrays.lost, arrays.n_lost);
    const bool is_new =
        arrays.n_warps > 0 || std::ranges::any_of(lost, [](const GstRdpLostTrack& one) {
          return one.reason == GST_RDP_LOST_TEMPLATE;
        });
    return is_new ? 2 : 1;
  }

  static std::string expect(Info* info, const guint8* header, guint64* size) {
    const guint32 rest = read_le<guint32>(header + 4) > 1 ? read_le<guint32>(header + 44) : 0;
    if (rest != 0) return "expected 0 at byte 44, got " + std::to_string(rest);
    return ArrayForm::expect(info, header, size);
  }

  static std::string wrong(const Info& info, const Arrays& arrays) {
    const char* error = tracks_error(info, arrays);
    return error != nullptr ? error : "";
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_tracks_to_bytes(GstRdpTracks* self) {
  g_return_val_if_fail(GST_IS_RDP_TRACKS(self), nullptr);

  /* Readers of the bytes could not tell lost tracks from empty ones. */
  if (gst_rdp_tracks_fetch(self, nullptr) == FALSE) return nullptr;
  return rdp::meta::TracksForm::write(self->info, rdp::meta::host_tracks(self));
}

GstRdpTracks* gst_rdp_tracks_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::TracksForm>(bytes, error);
}
