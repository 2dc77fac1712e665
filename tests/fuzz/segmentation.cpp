// SPDX-License-Identifier: LGPL-2.1-or-later
// Segmentations from untrusted bytes: refused with a reason, or consistent. Segmentations from
// arrays: accepted if and only if they are valid, and unchanged after serialisation. Their JSON has
// the same numbers.
#include <gst/rdpsegment/rdpsegmentationkind.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "tests/fuzz/kind_check.h"

namespace {

using namespace rdp::fuzz;
using Kind = rdp::meta::SegmentationKind;

// True if rdpsegment can make `info`, by docs/metadata.md.
bool info_in_order(const GstRdpSegmentationInfo& info) {
  constexpr gint64 kMost = G_GINT64_CONSTANT(1) << 44;
  const auto below_most = [](gint64 v) { return v >= -kMost && v <= kMost; };
  const bool plane = info.ground_per_row > 0 && below_most(info.ground_per_row) &&
                     below_most(info.ground_per_column) && info.ground_offset >= -(kMost << 14) &&
                     info.ground_offset <= kMost << 14;
  const bool no_plane =
      info.ground_offset == 0 && info.ground_per_column == 0 && info.ground_per_row == 0;
  const auto positive = [](double v) { return std::isfinite(v) && v > 0; };
  const auto not_negative = [](double v) { return std::isfinite(v) && v >= 0; };
  guint32 domain;
  guint32 median;
  guint32 fit;
  std::memcpy(&domain, &info.domain, sizeof domain);
  std::memcpy(&median, &info.median, sizeof median);
  std::memcpy(&fit, &info.fit, sizeof fit);
  return info.width >= 1 && info.width <= 16384 && info.height >= 1 && info.height <= 16384 &&
         not_negative(info.epsilon) && positive(info.sample_scale) && info.min_value <= 65535 &&
         info.max_value <= 65535 && domain <= 1 && not_negative(info.inverse_scale) &&
         (domain == 0 || info.inverse_scale > 0) && (median == 0 || median == 3 || median == 5) &&
         info.column_width >= 1 && info.column_width <= 16 && not_negative(info.merge_cost) &&
         info.max_gap <= 16384 && fit <= 1 && not_negative(info.ground_slope) &&
         std::isfinite(info.far_value) && (plane || no_plane);
}

// True if the arrays describe the segments of a frame.
bool arrays_in_order(const GstRdpSegmentationInfo& info, const std::vector<guint32>& offsets,
                     const std::vector<GstRdpSegment>& segments) {
  const std::size_t columns = (info.width + info.column_width - 1) / info.column_width;
  if (offsets.size() != columns + 1 || offsets[0] != 0 || offsets[columns] != segments.size()) {
    return false;
  }
  for (std::size_t c = 0; c < columns; ++c) {
    if (offsets[c] > offsets[c + 1] || offsets[c + 1] > segments.size() ||
        offsets[c + 1] - offsets[c] > info.height) {
      return false;
    }
    for (std::size_t i = offsets[c]; i < offsets[c + 1]; ++i) {
      const GstRdpSegment& s = segments[i];
      const bool apart = i == offsets[c] || segments[i - 1].last_row <= s.first_row;
      if (s.first_row > s.last_row || s.last_row >= info.height || !apart ||
          !std::isfinite(s.first_value) || !std::isfinite(s.last_value)) {
        return false;
      }
    }
  }
  return true;
}

struct Content {
  GstRdpSegmentationInfo info;
  std::vector<guint32> offsets;
  std::vector<GstRdpSegment> segments;
  std::vector<guint8> classes;  // derived from the other members
};

// The getters' results, which must agree.
Content content_of(GstRdpSegmentation* self) {
  Content content{*gst_rdp_segmentation_get_info(self), {}, {}, {}};
  gsize n_offsets = 0;
  gsize n_segments = 0;
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(self, &n_offsets);
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(self, &n_segments);
  content.offsets.assign(offsets, offsets + n_offsets);
  if (n_segments > 0) content.segments.assign(segments, segments + n_segments);
  FUZZ_CHECK(gst_rdp_segmentation_get_n_columns(self) + 1 == n_offsets, "%zu offsets", n_offsets);
  FUZZ_CHECK(gst_rdp_segmentation_get_n_segments(self) == n_segments, "%zu segments", n_segments);
  for (guint c = 0; c + 1 < n_offsets; ++c) {
    gsize n = 0;
    const GstRdpSegment* column = gst_rdp_segmentation_get_column(self, c, &n);
    FUZZ_CHECK(n == offsets[c + 1] - offsets[c] && (n == 0 || column == segments + offsets[c]),
               "column %u is another one", c);
  }
  gsize n_classes = 0;
  const guint8* classes = gst_rdp_segmentation_peek_classes(self, &n_classes);
  FUZZ_CHECK(n_classes == (content.info.classify != FALSE ? n_segments : 0), "%zu classes",
             n_classes);
  if (n_classes > 0) content.classes.assign(classes, classes + n_classes);
  for (const guint8 c : content.classes) FUZZ_CHECK(c <= GST_RDP_SEGMENT_CLASS_FAR, "class %u", c);
  gdouble slope = 0;
  gdouble horizon = 0;
  const gboolean ground = gst_rdp_segmentation_get_ground(self, &slope, &horizon);
  FUZZ_CHECK(ground != FALSE || (slope == 0 && horizon == 0), "no ground, and a slope of %g",
             slope);
  FUZZ_CHECK(!std::isnan(slope) && slope >= 0 && !std::isnan(horizon), "a ground of %g, %g", slope,
             horizon);
  return content;
}

// Compares member by member, because structures have padding.
bool same_info(const GstRdpSegmentationInfo& a, const GstRdpSegmentationInfo& b) {
  return a.frame == b.frame && a.width == b.width && a.height == b.height &&
         a.epsilon == b.epsilon && a.sample_scale == b.sample_scale && a.min_value == b.min_value &&
         a.max_value == b.max_value && a.domain == b.domain && a.inverse_scale == b.inverse_scale &&
         a.median == b.median && a.column_width == b.column_width && a.merge_cost == b.merge_cost &&
         a.max_gap == b.max_gap && (a.refine == FALSE) == (b.refine == FALSE) &&
         (a.merge == FALSE) == (b.merge == FALSE) && a.fit == b.fit &&
         (a.merge_bounded == FALSE) == (b.merge_bounded == FALSE) &&
         (a.classify == FALSE) == (b.classify == FALSE) && a.ground_slope == b.ground_slope &&
         a.far_value == b.far_value;
}

void check_same(const Content& a, const Content& b) {
  FUZZ_CHECK(same_info(a.info, b.info), "the info is another one");
  FUZZ_CHECK(a.offsets == b.offsets, "the offsets are others");
  FUZZ_CHECK(a.segments.size() == b.segments.size(), "%zu segments", b.segments.size());
  FUZZ_CHECK(a.segments.empty() || std::memcmp(a.segments.data(), b.segments.data(),
                                               a.segments.size() * sizeof a.segments[0]) == 0,
             "the segments are others");
  FUZZ_CHECK(a.classes == b.classes, "the classes are others");
}

void check(GstRdpSegmentation* self) {
  const Content content = content_of(self);
  FUZZ_CHECK(info_in_order(content.info), "an info that is not in order was accepted");
  FUZZ_CHECK(arrays_in_order(content.info, content.offsets, content.segments),
             "arrays that are not in order were accepted");
  check_json(self, 1 + static_cast<int>(content.info.frame % 3));
}

GstRdpSegmentationInfo take_info(Input* input) {
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = 1 + input->below(6);
  info.height = 1 + input->below(20);
  info.column_width = 1 + input->below(3);
  info.frame = input->bits<guint64>();
  if (input->flag()) info.epsilon = input->real(0.0);
  if (input->flag()) info.sample_scale = input->real(0.0);
  if (input->flag()) info.inverse_scale = input->real(0.0);
  if (input->flag()) info.merge_cost = input->real(0.0);
  info.domain = input->flag() ? GST_RDP_DOMAIN_INVERSE : GST_RDP_DOMAIN_LINEAR;
  info.median = input->pick({GST_RDP_MEDIAN_NONE, GST_RDP_MEDIAN_3X3, GST_RDP_MEDIAN_5X5});
  info.min_value = input->bits<guint16>();
  info.max_value = input->bits<guint16>();
  info.refine = input->flag();
  info.merge = input->flag();
  info.fit = input->flag() ? GST_RDP_FIT_ABSOLUTE : GST_RDP_FIT_SQUARES;
  info.max_gap = input->pick<guint>({0, 1, 16384, 16385});
  info.classify = input->flag();
  if (input->flag()) info.ground_slope = input->real(0.0);
  if (input->flag()) info.far_value = input->flag() ? input->real(0.0) : -input->real(0.0);
  info.merge_bounded = input->flag();
  // Sometimes an arbitrary value.
  switch (input->below(16)) {
    case 7:
      (input->flag() ? info.min_value : info.max_value) = input->bits<guint32>();
      break;
    case 6:
      (input->flag() ? info.ground_slope : info.far_value) = input->bits<double>();
      break;
    case 0:
      info.width = input->bits<guint32>();
      break;
    case 1:
      info.height = input->bits<guint32>();
      break;
    case 2:
      info.column_width = input->bits<guint32>();
      break;
    case 3: {
      const auto number = input->bits<guint32>();
      std::memcpy(input->pick<void*>({&info.domain, &info.median, &info.fit}), &number,
                  sizeof number);
      break;
    }
    case 4:
      (input->flag() ? info.epsilon : info.inverse_scale) = input->bits<double>();
      break;
    case 5:
      (input->flag() ? info.sample_scale : info.merge_cost) = input->bits<double>();
      break;
    default:
      break;
  }
  return info;
}

// Segments that are mostly valid.
Content take_content(Input* input) {
  Content content{take_info(input), {0}, {}, {}};
  const std::size_t columns = content.info.column_width == 0
                                  ? 1
                                  : std::min<std::size_t>(40, (std::size_t{content.info.width} +
                                                               content.info.column_width - 1) /
                                                                  content.info.column_width);
  for (std::size_t c = 0; c < columns; ++c) {
    unsigned row = 0;
    for (int n = input->between(0, 5); n > 0 && row < content.info.height; --n) {
      GstRdpSegment segment;
      // Sometimes upwards.
      row += input->below(3) - (row > 0 && input->below(16) == 15 ? 1 : 0);
      segment.first_row = static_cast<guint16>(row);
      row += input->below(5);
      segment.last_row = static_cast<guint16>(row);
      segment.first_value = input->byte();
      segment.last_value = input->flag() ? input->bits<gfloat>() : 3.25F;
      content.segments.push_back(segment);
    }
    content.offsets.push_back(static_cast<guint32>(content.segments.size()));
  }
  if (input->below(8) == 7) {
    content.offsets[input->below(static_cast<guint32>(content.offsets.size()))] =
        input->bits<guint32>();
  }
  if (input->below(16) == 15) content.offsets.resize(input->below(8));
  return content;
}

// Returns null if they are invalid.
Ref<Kind> check_arrays(const Content& content) {
  const bool in_order = info_in_order(content.info) &&
                        arrays_in_order(content.info, content.offsets, content.segments);
  // Never a null pointer for the offsets: that is another programming error.
  const guint32 none = 0;
  rdp::fuzz::expect_criticals(!in_order);
  Ref<Kind> self(gst_rdp_segmentation_new(
      &content.info, content.offsets.empty() ? &none : content.offsets.data(),
      content.offsets.size(), content.segments.data(), content.segments.size()));
  rdp::fuzz::expect_criticals(false);
  FUZZ_CHECK((self != nullptr) == in_order, "arrays that are %s order were %s",
             in_order ? "in" : "not in", self != nullptr ? "accepted" : "refused");
  if (self == nullptr) return nullptr;
  const Content made = content_of(self.get());
  check_same({content.info, content.offsets, content.segments, made.classes}, made);
  const Bytes bytes = bytes_of<Kind>(self.get());
  const Ref<Kind> other = read<Kind>(bytes);
  FUZZ_CHECK(other != nullptr, "what was written is refused");
  check_same(made, content_of(other.get()));
  FUZZ_CHECK(bytes_of<Kind>(other.get()) == bytes, "written twice, other bytes");
  check_json(other.get(), 1);
  return self;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) { return rdp::fuzz::start(); }

// `versions`: a version 2 without more data than version 1 can hold is written as version 1.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_kind<Kind>(
      {data, size}, [](Input* input) { return check_arrays(take_content(input)); }, check, true);
  return 0;
}
