/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Segmentations as bytes for files, sockets and other processes; and what makes one valid. */
#include <gio/gio.h>
#include <gst/rdpsegment/rdpsegmentationparameters.h>
#include <gst/rdpsegment/rdpsegmentationprivate.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "common/boundary.h"
#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"
#include "gst/rdpsegment/private/little_endian.h"

using rdp::meta::read_le;
using rdp::meta::write_le;

namespace rdp::meta {

/* The largest sample there is. */
static constexpr guint kMaxSample = 65535;

/* The number in an enumeration that was filled by C or by other bytes. It may be none of the
 * enumerators, which C++ does not allow to be read as one. */
template <typename Enum>
static guint32 number_of(const Enum& value) {
  static_assert(sizeof(Enum) == sizeof(guint32));
  guint32 number;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

const char* info_error(const GstRdpSegmentationInfo& info) {
  if (info.width < 1 || info.width > kMaxSide || info.height < 1 || info.height > kMaxSide) {
    return "width and height must be 1 to 16384";
  }
  if (!std::isfinite(info.epsilon) || info.epsilon < 0) return "epsilon must be 0 or more";
  if (!std::isfinite(info.sample_scale) || info.sample_scale <= 0) {
    return "sample_scale must be more than 0";
  }
  if (info.min_value > kMaxSample || info.max_value > kMaxSample) {
    return "min_value and max_value must be 0 to 65535, as samples are";
  }
  const guint32 domain = number_of(info.domain);
  if (domain != GST_RDP_DOMAIN_LINEAR && domain != GST_RDP_DOMAIN_INVERSE) {
    return "domain must be linear (0) or inverse (1)";
  }
  if (!std::isfinite(info.inverse_scale) || info.inverse_scale < 0 ||
      (domain == GST_RDP_DOMAIN_INVERSE && info.inverse_scale == 0)) {
    return "inverse_scale must be more than 0";
  }
  const guint32 median = number_of(info.median);
  if (median != GST_RDP_MEDIAN_NONE && median != GST_RDP_MEDIAN_3X3 &&
      median != GST_RDP_MEDIAN_5X5) {
    return "median must be none (0), 3x3 (3) or 5x5 (5)";
  }
  if (info.column_width < 1 || info.column_width > kMaxColumnWidth) {
    return "column_width must be 1 to 16";
  }
  const guint32 fit = number_of(info.fit);
  if (fit != GST_RDP_FIT_SQUARES && fit != GST_RDP_FIT_ABSOLUTE) {
    return "fit must be squares (0) or absolute (1)";
  }
  if (!std::isfinite(info.merge_cost) || info.merge_cost < 0) return "merge_cost must be 0 or more";
  if (info.max_gap > kMaxSide) return "max_gap must be 0 to 16384";
  if (!std::isfinite(info.ground_slope) || info.ground_slope < 0) {
    return "ground_slope must be 0 or more";
  }
  if (!std::isfinite(info.far_value)) return "far_value must be a number";
  if (!is_within_limits(ground_plane_of(info))) {
    return "ground_per_row must be more than 0, it and ground_per_column at most 2^44, and "
           "ground_offset at most 2^58, or all three 0";
  }
  return nullptr;
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
 * described for readers in docs/metadata.md. Version 2 adds to the header what is done after the
 * split, version 3 how classes are told, version 4 the ground plane that they are told by; what
 * says all with a lower version is written as that, and can be read by whoever knows no other.
 * Classes follow from the rest, and are not written. */
static constexpr char kMagic[4] = {'R', 'D', 'P', 'S'};
static constexpr guint32 kVersion = 4;
static constexpr gsize kHeaderSizes[kVersion + 1] = {0, 80, 96, 112, 136};
static constexpr guint32 kRefined = 1;
static constexpr guint32 kMerged = 2;
static constexpr guint32 kClassified = 4;
static constexpr guint32 kAbsolute = 8;

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
  const GstRdpSegmentationInfo& info = self->info;
  const rdp::SegmentArrays list = rdp::meta::host_list(self);
  std::memcpy(out, kMagic, sizeof kMagic);
  write_le<guint32>(out + 4, version_for(info));
  write_le<guint64>(out + 8, info.frame);
  write_le<guint32>(out + 16, info.width);
  write_le<guint32>(out + 20, info.height);
  write_le<gdouble>(out + 24, info.epsilon);
  write_le<gdouble>(out + 32, info.sample_scale);
  write_le<guint32>(out + 40, info.min_value);
  write_le<guint32>(out + 44, info.max_value);
  write_le<guint32>(out + 48, info.domain);
  write_le<guint32>(out + 52, info.median);
  write_le<gdouble>(out + 56, info.inverse_scale);
  write_le<guint32>(out + 64, info.column_width);
  write_le<guint32>(out + 68, static_cast<guint32>(list.columns()));
  write_le<guint64>(out + 72, list.segment_count());
  if (version_for(info) < 2) return;
  write_le<gdouble>(out + 80, info.merge_cost);
  write_le<guint32>(out + 88, info.max_gap);
  write_le<guint32>(out + 92, (info.refine != FALSE ? kRefined : 0) |
                                  (info.merge != FALSE ? kMerged : 0) |
                                  (info.classify != FALSE ? kClassified : 0) |
                                  (info.fit == GST_RDP_FIT_ABSOLUTE ? kAbsolute : 0));
  if (version_for(info) < 3) return;
  write_le<gdouble>(out + 96, info.ground_slope);
  write_le<gdouble>(out + 104, info.far_value);
  if (version_for(info) < 4) return;
  write_le<guint64>(out + 112, static_cast<guint64>(info.ground_offset));
  write_le<guint64>(out + 120, static_cast<guint64>(info.ground_per_column));
  write_le<guint64>(out + 128, static_cast<guint64>(info.ground_per_row));
}

/* Whether the bits mean something to this library. */
static bool flags_known(const guint8* in, guint32 version) {
  const guint32 known = kRefined | kMerged | kAbsolute | (version < 3 ? 0 : kClassified);
  return version < 2 || (read_le<guint32>(in + 92) & ~known) == 0;
}

static GstRdpSegmentationInfo read_info(const guint8* in, guint32 version) {
  GstRdpSegmentationInfo info = {};
  info.frame = read_le<guint64>(in + 8);
  info.width = read_le<guint32>(in + 16);
  info.height = read_le<guint32>(in + 20);
  info.epsilon = read_le<gdouble>(in + 24);
  info.sample_scale = read_le<gdouble>(in + 32);
  /* Earlier versions of the library took and wrote any number, and no sample is beyond these. */
  info.min_value = std::min(read_le<guint32>(in + 40), rdp::meta::kMaxSample);
  info.max_value = std::min(read_le<guint32>(in + 44), rdp::meta::kMaxSample);
  const guint32 domain = read_le<guint32>(in + 48);
  const guint32 median = read_le<guint32>(in + 52);
  std::memcpy(&info.domain, &domain,
              sizeof domain); /* any number, until info_error() has seen it */
  std::memcpy(&info.median, &median, sizeof median);
  info.inverse_scale = read_le<gdouble>(in + 56);
  info.column_width = read_le<guint32>(in + 64);
  info.far_value = rdp::Parameters().far_value;
  if (version < 2) return info;
  info.merge_cost = read_le<gdouble>(in + 80);
  info.max_gap = read_le<guint32>(in + 88);
  const guint32 flags = read_le<guint32>(in + 92);
  info.refine = (flags & kRefined) != 0 ? TRUE : FALSE;
  info.merge = (flags & kMerged) != 0 ? TRUE : FALSE;
  info.classify = (flags & kClassified) != 0 ? TRUE : FALSE;
  info.fit = (flags & kAbsolute) != 0 ? GST_RDP_FIT_ABSOLUTE : GST_RDP_FIT_SQUARES;
  if (version < 3) return info;
  info.ground_slope = read_le<gdouble>(in + 96);
  info.far_value = read_le<gdouble>(in + 104);
  if (version < 4) return info;
  info.ground_offset = static_cast<gint64>(read_le<guint64>(in + 112));
  info.ground_per_column = static_cast<gint64>(read_le<guint64>(in + 120));
  info.ground_per_row = static_cast<gint64>(read_le<guint64>(in + 128));
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

  if (!flags_known(data, version)) {
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
