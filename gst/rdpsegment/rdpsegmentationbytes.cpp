/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Segmentations as bytes for files, sockets and other processes; and what makes one valid. */
#include <gio/gio.h>
#include <gst/rdpsegment/rdpsegmentationfields.h>
#include <gst/rdpsegment/rdpsegmentationprivate.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "common/boundary.h"
#include "common/rdp/parameters.h"

using rdp::meta::read_le;
using rdp::meta::write_le;

namespace rdp::meta {

const char* info_error(const GstRdpSegmentationInfo& info) {
  return fields_error(kSegmentationFields, info);
}

static const char* column_error(const GstRdpSegmentationInfo& info,
                                std::span<const Segment> segments) {
  if (segments.size() > info.height) return "a column has more segments than rows";
  unsigned previous_end = 0;
  for (const Segment& segment : segments) {
    if (segment.first_row > segment.last_row) return "a segment ends above its first row";
    if (segment.last_row >= info.height) return "a segment ends below the frame";
    if (segment.first_row < previous_end) return "a column's segments overlap or are out of order";
    if (!std::isfinite(segment.first_value) || !std::isfinite(segment.last_value)) {
      return "a segment's value is not a finite number";
    }
    previous_end = segment.last_row;
  }
  return nullptr;
}

const char* arrays_error(const GstRdpSegmentationInfo& info, std::span<const std::uint32_t> offsets,
                         std::span<const Segment> segments) {
  if (offsets.size() != column_count(info) + 1) {
    return "there must be width / column_width, rounded up, plus 1 offsets";
  }
  if (offsets.front() != 0) return "the first offset must be 0";
  if (offsets.back() != segments.size()) {
    return "the last offset must be the number of segments";
  }
  /* All of them, before any is used as an index. */
  for (std::size_t c = 1; c < offsets.size(); ++c) {
    if (offsets[c] < offsets[c - 1]) return "an offset is smaller than the one before it";
  }
  for (std::size_t c = 1; c < offsets.size(); ++c) {
    const char* error =
        column_error(info, segments.subspan(offsets[c - 1], offsets[c] - offsets[c - 1]));
    if (error != nullptr) return error;
  }
  return nullptr;
}

}  // namespace rdp::meta

/* The serialised form, all little endian. The arrays follow the header without a gap. The format is
 * described for readers in docs/metadata.md. What says all with a lower version is written as that,
 * and can be read by whoever knows no other. Classes follow from the rest, and are not written. */
static constexpr char kMagic[4] = {'R', 'D', 'P', 'S'};
static constexpr guint32 kVersion = rdp::meta::kSegmentationVersion;
static constexpr const auto& kHeaderSizes = rdp::meta::kSegmentationHeaderSizes;

static guint32 version_for(const GstRdpSegmentationInfo& info) {
  if (rdp::has_ground(rdp::meta::ground_plane_of(info))) return 4;
  const rdp::Parameters defaults;
  const bool no_classes = info.classify == FALSE && info.ground_slope == defaults.ground_slope &&
                          info.far_value == defaults.far_value;
  if (!no_classes) return 3;
  const bool split_only = info.merge_cost == 0 && info.max_gap == 0 && info.refine == FALSE &&
                          info.merge == FALSE && info.fit == GST_RDP_FIT_SQUARES;
  return split_only ? 1 : 2;
}

static void write_header(GstRdpSegmentation* self, guint8* out) {
  const guint32 version = version_for(self->info);
  const rdp::SegmentArrays list = rdp::meta::host_list(self);
  std::memset(out, 0, kHeaderSizes[version]);
  std::memcpy(out, kMagic, sizeof kMagic);
  write_le<guint32>(out + 4, version);
  rdp::meta::write_fields(rdp::meta::kSegmentationFields, version, self->info, out);
  write_le<guint32>(out + 68, static_cast<guint32>(list.columns()));
  write_le<guint64>(out + 72, list.segment_count());
}

static GstRdpSegmentationInfo read_info(const guint8* in, guint32 version) {
  GstRdpSegmentationInfo info = {};
  info.far_value = rdp::Parameters().far_value;
  rdp::meta::read_fields(rdp::meta::kSegmentationFields, version, in, &info);
  /* Earlier versions of the library took and wrote any number, and no sample is beyond these. */
  info.min_value = std::min(info.min_value, rdp::meta::kMaxSample);
  info.max_value = std::min(info.max_value, rdp::meta::kMaxSample);
  return info;
}

/**
 * gst_rdp_segmentation_to_bytes:
 * @self: a #GstRdpSegmentation
 *
 * Writes everything that @self holds in a form that does not depend on the machine, for
 * gst_rdp_segmentation_new_from_bytes().
 *
 * Returns: (transfer full) (nullable): the serialised segmentation, or %NULL where there is no
 *   memory for it, and where gst_rdp_segmentation_fetch() says that the segments are lost
 *
 * Since: 0.1
 */
GBytes* gst_rdp_segmentation_to_bytes(GstRdpSegmentation* self) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);

  /* Whoever reads the bytes could not be told. */
  if (gst_rdp_segmentation_fetch(self, nullptr) == FALSE) return nullptr;
  const std::span<const std::uint32_t> offsets = rdp::meta::host_list(self).offsets();
  const std::span<const rdp::Segment> segments = rdp::meta::host_list(self).segments();
  const gsize header_size = kHeaderSizes[version_for(self->info)];
  const gsize size = header_size + offsets.size_bytes() + segments.size_bytes();
  auto* data = static_cast<guint8*>(g_try_malloc(size));
  if (data == nullptr) {
    GST_ERROR("no memory for %" G_GSIZE_FORMAT " bytes of a serialised segmentation", size);
    return nullptr;
  }
  write_header(self, data);
  guint8* out = data + header_size;
  std::memcpy(out, offsets.data(), offsets.size_bytes());
  if (!segments.empty()) {
    std::memcpy(out + offsets.size_bytes(), segments.data(), segments.size_bytes());
  }
  return g_bytes_new_take(data, size);
}

/* Reads what follows a header that is in order. Throws std::bad_alloc. */
static const char* read_arrays(const GstRdpSegmentationInfo& info, const guint8* in,
                               gsize n_offsets, gsize n_segments, rdp::SegmentList* list) {
  std::uint32_t* offsets = list->resize_columns(static_cast<int>(n_offsets) - 1);
  std::memcpy(offsets, in, n_offsets * sizeof *offsets);
  if (offsets[n_offsets - 1] != n_segments) return "the last offset is not the number of segments";
  rdp::Segment* segments = list->resize_segments();
  if (n_segments > 0) {
    std::memcpy(segments, in + n_offsets * sizeof *offsets, n_segments * sizeof *segments);
  }
  return rdp::meta::arrays_error(info, {offsets, n_offsets}, {segments, n_segments});
}

/**
 * gst_rdp_segmentation_new_from_bytes:
 * @bytes: what gst_rdp_segmentation_to_bytes() has written
 * @error: where to put the reason
 *
 * Reads a serialised segmentation. The bytes need not be trusted: everything is checked, and what
 * is allocated is no larger than @bytes.
 *
 * Returns: (transfer full) (nullable): the segmentation, or %NULL with @error set to
 *   %G_IO_ERROR_INVALID_DATA, %G_IO_ERROR_NOT_SUPPORTED for a version of the format that this
 *   library does not know, or %G_IO_ERROR_FAILED where there is no memory
 *
 * Since: 0.1
 */
GstRdpSegmentation* gst_rdp_segmentation_new_from_bytes(GBytes* bytes, GError** error) {
  g_return_val_if_fail(bytes != nullptr, nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  if (size < kHeaderSizes[1] || std::memcmp(data, kMagic, sizeof kMagic) != 0) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "%" G_GSIZE_FORMAT " bytes that do not start like a segmentation", size);
    return nullptr;
  }
  const guint32 version = read_le<guint32>(data + 4);
  if (version < 1 || version > kVersion) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                "segmentation of format version %u; this library reads versions 1 to %u", version,
                kVersion);
    return nullptr;
  }
  const gsize header_size = kHeaderSizes[version];
  if (size < header_size) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "invalid segmentation: %" G_GSIZE_FORMAT " bytes end within the header", size);
    return nullptr;
  }

  if (rdp::meta::unknown_flags(rdp::meta::kSegmentationFields, version, data) != 0) {
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                        "invalid segmentation: unknown flags");
    return nullptr;
  }
  const GstRdpSegmentationInfo info = read_info(data, version);
  const char* wrong = rdp::with_standard_floats([&] { return rdp::meta::info_error(info); });
  if (wrong != nullptr) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "invalid segmentation: %s", wrong);
    return nullptr;
  }
  const guint64 n_columns = read_le<guint32>(data + 68);
  const guint64 n_segments = read_le<guint64>(data + 72);
  /* A frame cannot have more segments than samples, so the sizes below are far from overflowing. */
  if (n_columns != rdp::meta::column_count(info) || n_segments > n_columns * info.height) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "invalid segmentation: %" G_GUINT64_FORMAT " columns and %" G_GUINT64_FORMAT
                " segments for a frame of %ux%u",
                n_columns, n_segments, info.width, info.height);
    return nullptr;
  }
  const guint64 expected =
      header_size + (n_columns + 1) * sizeof(std::uint32_t) + n_segments * sizeof(rdp::Segment);
  if (size != expected) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "invalid segmentation: %" G_GSIZE_FORMAT " bytes where %" G_GUINT64_FORMAT
                " are needed",
                size, expected);
    return nullptr;
  }

  return rdp::contain(
      [&]() -> GstRdpSegmentation* {
        auto list = std::make_unique<rdp::SegmentList>();
        if (const char* reason =
                read_arrays(info, data + header_size, static_cast<gsize>(n_columns + 1),
                            static_cast<gsize>(n_segments), list.get())) {
          g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "invalid segmentation: %s",
                      reason);
          return nullptr;
        }
        return rdp::meta::new_segmentation(info, std::move(list));
      },
      [&](const char* reason) -> GstRdpSegmentation* {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED,
                    "no memory for a segmentation of %" G_GUINT64_FORMAT " segments: %s",
                    n_segments, reason);
        return nullptr;
      });
}
