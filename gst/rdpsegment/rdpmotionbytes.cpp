/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdpmotionfields.h>
#include <gst/rdpsegment/rdpmotionkind.h>
#include <gst/rdpsegment/rdpmotionprivate.h>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

/* That is written. A new one comes with its size of the header in kHeaderSizes. */
constexpr guint32 kVersion = 1;
constexpr gsize kSegmentsAt = 32; /* in the header: how many */
constexpr gsize kTracksAt = 36;
constexpr gsize kEgoAt = 40; /* twelve doubles */

/* Behind the header the segments, then the tracks. */
struct MotionForm : SerialForm<MotionKind> {
  static constexpr const char* kMagic = "RDPM";
  static constexpr const char* kThings = "motion";
  static constexpr const auto& kFields = kMotionFields;
  static constexpr gsize kHeaderSizes[] = {0, 140};

  static std::string expect(Info* info, const guint8* header, guint64* size) {
    for (std::size_t i = 0; i < std::size(info->ego); ++i) {
      info->ego[i] = read_le<gdouble>(header + kEgoAt + i * sizeof(gdouble));
    }
    *size = guint64{read_le<guint32>(header + kSegmentsAt)} * sizeof(GstRdpSegmentMotion) +
            guint64{read_le<guint32>(header + kTracksAt)} * sizeof(GstRdpTrackMotion);
    return {};
  }

  static std::string make(const Info& info, const guint8* header, const guint8* arrays,
                          GstRdpMotion** object) {
    const gsize n_segments = read_le<guint32>(header + kSegmentsAt);
    const guint8* const tracks = arrays + n_segments * sizeof(GstRdpSegmentMotion);
    /* Checked once they are copied: as they come they need not be aligned. */
    g_autoptr(GstRdpMotion) self =
        new_motion(info, {reinterpret_cast<const GstRdpSegmentMotion*>(arrays), n_segments,
                          reinterpret_cast<const GstRdpTrackMotion*>(tracks),
                          read_le<guint32>(header + kTracksAt)});
    const std::span segments = segments_of(*self);
    std::string error = motion_error(
        info, {segments.data(), segments.size(), tracks_of(*self).data(), tracks_of(*self).size()});
    if (error.empty()) *object = static_cast<GstRdpMotion*>(g_steal_pointer(&self));
    return error;
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_motion_to_bytes(GstRdpMotion* self) {
  using namespace rdp::meta;
  g_return_val_if_fail(GST_IS_RDP_MOTION(self), nullptr);

  const std::span segments = segments_of(*self);
  const std::span tracks = tracks_of(*self);
  return serialised<MotionForm>(
      self->info, kVersion, {as_bytes(segments), as_bytes(tracks)}, [&](guint8* data) {
        write_le<guint32>(data + kSegmentsAt, static_cast<guint32>(segments.size()));
        write_le<guint32>(data + kTracksAt, static_cast<guint32>(tracks.size()));
        for (std::size_t i = 0; i < std::size(self->info.ego); ++i) {
          write_le<gdouble>(data + kEgoAt + i * sizeof(gdouble), self->info.ego[i]);
        }
      });
}

GstRdpMotion* gst_rdp_motion_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::MotionForm>(bytes, error);
}
