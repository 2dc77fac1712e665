/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Segmentations as bytes, and their validation. */
#include <gst/rdpsegment/rdpsegmentationfields.h>
#include <gst/rdpsegment/rdpsegmentationkind.h>
#include <gst/rdpsegment/rdpsegmentationprivate.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "common/rdp/parameters.h"
#include "gst/rdpsegment/private/serial_form.h"

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
  /* Checks all offsets before one is used as an index. */
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

namespace {

/* The header is followed by the offsets and the segments; docs/internals/metadata-formats.md
 * describes the format. The writer uses the lowest version that can represent the data, for readers
 * that know no later one. Classes are not written: they follow from the rest. */
struct SegmentationForm : SerialForm<SegmentationKind> {
  static constexpr const char* kMagic = "RDPS";
  static constexpr const char* kThings = "segmentation";
  static constexpr const auto& kFields = kSegmentationFields;
  static constexpr gsize kHeaderSizes[] = {0, 80, 96, 112, 136, 136};

  static Info start() {
    Info info = {};
    info.far_value = Parameters().far_value;
    return info;
  }
  static std::string expect(Info* info, const guint8* header, guint64* size);
  static std::string make(const Info& info, const guint8* header, const guint8* arrays,
                          GstRdpSegmentation** object);
};

guint32 version_for(const GstRdpSegmentationInfo& info) {
  if (info.merge_bounded != FALSE) return 5;
  if (has_ground(ground_plane_of(info))) return 4;
  const Parameters defaults;
  const bool no_classes = info.classify == FALSE && info.ground_slope == defaults.ground_slope &&
                          info.far_value == defaults.far_value;
  if (!no_classes) return 3;
  const bool split_only = info.merge_cost == 0 && info.max_gap == 0 && info.refine == FALSE &&
                          info.merge == FALSE && info.fit == GST_RDP_FIT_SQUARES;
  return split_only ? 1 : 2;
}

std::string SegmentationForm::expect(Info* info, const guint8* header, guint64* size) {
  /* Earlier versions of the library accepted and wrote larger numbers; no sample exceeds these. */
  info->min_value = std::min(info->min_value, kMaxSample);
  info->max_value = std::min(info->max_value, kMaxSample);
  if (const char* wrong = info_error(*info)) return wrong;
  const guint64 n_columns = read_le<guint32>(header + 68);
  const auto n_segments = read_le<guint64>(header + 72);
  /* A frame has at most as many segments as samples, so the sizes below cannot overflow. */
  if (n_columns != column_count(*info) || n_segments > n_columns * info->height) {
    return std::to_string(n_columns) + " columns and " + std::to_string(n_segments) +
           " segments for a frame of " + std::to_string(info->width) + "x" +
           std::to_string(info->height);
  }
  *size = (n_columns + 1) * sizeof(std::uint32_t) + n_segments * sizeof(Segment);
  return {};
}

std::string SegmentationForm::make(const Info& info, const guint8* header, const guint8* arrays,
                                   GstRdpSegmentation** object) {
  const gsize n_offsets = gsize{read_le<guint32>(header + 68)} + 1;
  const gsize n_segments = read_le<guint64>(header + 72);
  auto list = std::make_unique<SegmentList>();
  std::uint32_t* offsets = list->resize_columns(static_cast<int>(n_offsets) - 1);
  std::memcpy(offsets, arrays, n_offsets * sizeof *offsets);
  if (offsets[n_offsets - 1] != n_segments) return "the last offset is not the number of segments";
  Segment* segments = list->resize_segments();
  if (n_segments > 0) {
    std::memcpy(segments, arrays + n_offsets * sizeof *offsets, n_segments * sizeof *segments);
  }
  if (const char* wrong = arrays_error(info, {offsets, n_offsets}, {segments, n_segments})) {
    return wrong;
  }
  *object = new_segmentation(info, std::move(list));
  return {};
}

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_segmentation_to_bytes(GstRdpSegmentation* self) {
  using namespace rdp::meta;
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);

  /* Readers of the bytes could not tell lost segments from an empty frame. */
  if (gst_rdp_segmentation_fetch(self, nullptr) == FALSE) return nullptr;
  const rdp::SegmentArrays list = host_list(self);
  return serialised<SegmentationForm>(
      self->info, version_for(self->info), {as_bytes(list.offsets()), as_bytes(list.segments())},
      [&](guint8* header) {
        write_le<guint32>(header + 68, static_cast<guint32>(list.columns()));
        write_le<guint64>(header + 72, list.segment_count());
      });
}

GstRdpSegmentation* gst_rdp_segmentation_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::SegmentationForm>(bytes, error);
}
