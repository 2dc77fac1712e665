/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tracks as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdptracksfields.h>
#include <gst/rdpsegment/rdptrackskind.h>
#include <gst/rdpsegment/rdptracksprivate.h>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

/* That is written. A new one comes with its size of the header in kHeaderSizes. */
constexpr guint32 kVersion = 1;
constexpr gsize kTracksAt = 32; /* in the header: how many */
constexpr gsize kLostAt = 36;

/* Behind the header the tracks, then the lost ones. */
struct TracksForm : SerialForm<TracksKind> {
  static constexpr const char* kMagic = "RDPT";
  static constexpr const char* kThings = "tracks";
  static constexpr const auto& kFields = kTracksFields;
  static constexpr gsize kHeaderSizes[] = {0, 40};

  static std::string expect(const Info*, const guint8* header, guint64* size) {
    *size = guint64{read_le<guint32>(header + kTracksAt)} * sizeof(GstRdpTrack) +
            guint64{read_le<guint32>(header + kLostAt)} * sizeof(GstRdpLostTrack);
    return {};
  }

  static std::string make(const Info& info, const guint8* header, const guint8* arrays,
                          GstRdpTracks** object) {
    const gsize n_tracks = read_le<guint32>(header + kTracksAt);
    const guint8* const lost = arrays + n_tracks * sizeof(GstRdpTrack);
    /* Checked once they are copied: as they come they need not be aligned. */
    g_autoptr(GstRdpTracks) self = new_tracks(
        info, {reinterpret_cast<const GstRdpTrack*>(arrays), n_tracks,
               reinterpret_cast<const GstRdpLostTrack*>(lost), read_le<guint32>(header + kLostAt)});
    if (const char* error = tracks_error(info, host_tracks(self))) return error;
    *object = static_cast<GstRdpTracks*>(g_steal_pointer(&self));
    return {};
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_tracks_to_bytes(GstRdpTracks* self) {
  using namespace rdp::meta;
  g_return_val_if_fail(GST_IS_RDP_TRACKS(self), nullptr);

  /* Whoever reads the bytes could not be told. */
  if (gst_rdp_tracks_fetch(self, nullptr) == FALSE) return nullptr;
  const GstRdpTracksArrays& arrays = host_tracks(self);
  return serialised<TracksForm>(
      self->info, kVersion,
      {as_bytes(std::span(arrays.tracks, arrays.n_tracks)),
       as_bytes(std::span(arrays.lost, arrays.n_lost))},
      [&](guint8* data) {
        write_le<guint32>(data + kTracksAt, static_cast<guint32>(arrays.n_tracks));
        write_le<guint32>(data + kLostAt, static_cast<guint32>(arrays.n_lost));
      });
}

GstRdpTracks* gst_rdp_tracks_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::TracksForm>(bytes, error);
}
