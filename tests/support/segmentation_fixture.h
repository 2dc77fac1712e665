// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_SEGMENTATION_FIXTURE_H_
#define RDP_TESTS_SUPPORT_SEGMENTATION_FIXTURE_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <vector>

// Segmentations made by hand, for tests that need one without running rdpsegment.

// Runs `call`, which must log a critical warning that matches `pattern` (with * and ?).
template <typename Call>
void expect_critical(const char* pattern, Call call) {
  g_test_expect_message("rdpsegment", G_LOG_LEVEL_CRITICAL, pattern);
  call();
  g_test_assert_expected_messages();
}

inline GstRdpSegmentationInfo info_of(guint width, guint height) {
  GstRdpSegmentationInfo info;
  gst_rdp_segmentation_info_init(&info);
  info.width = width;
  info.height = height;
  return info;
}

using Columns = std::vector<std::vector<GstRdpSegment>>;

// (transfer full), or null with a critical warning.
inline GstRdpSegmentation* new_segmentation(const GstRdpSegmentationInfo& info,
                                            const Columns& columns) {
  std::vector<guint32> offsets{0};
  std::vector<GstRdpSegment> segments;
  for (const auto& column : columns) {
    segments.insert(segments.end(), column.begin(), column.end());
    offsets.push_back(static_cast<guint32>(segments.size()));
  }
  return gst_rdp_segmentation_new(&info, offsets.data(), offsets.size(), segments.data(),
                                  segments.size());
}

// A frame of 3x10: two segments, none, one.
inline Columns three_columns() {
  return {{{0, 4, 10, 20}, {4, 9, 20, 7}}, {}, {{3, 3, 65535, 65535}}};
}

inline GstRdpSegmentation* new_three_columns(guint64 frame = 0) {
  GstRdpSegmentationInfo info = info_of(3, 10);
  info.frame = frame;
  return new_segmentation(info, three_columns());
}

#endif  // RDP_TESTS_SUPPORT_SEGMENTATION_FIXTURE_H_
