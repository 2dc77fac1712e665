// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_DEPTHTESTSRC_FRAMES_H_
#define RDP_TESTS_SUPPORT_DEPTHTESTSRC_FRAMES_H_

#include <cstring>
#include <string>
#include <vector>

#include "common/scene/test_pattern.h"
#include "tests/support/play_line.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

// depthtestsrc in a harness, and checks of its frames.
namespace depthtestsrc_frames {

using Options = rdp::TestPatternOptions;

inline std::string caps_of(const char* format, int width, int height,
                           const char* framerate = "30/1") {
  return std::string("video/x-raw,format=") + format + ",width=" + std::to_string(width) +
         ",height=" + std::to_string(height) + ",framerate=" + framerate;
}

// Fails unless the samples of `buffer` are those of this frame number with these options.
inline void check_frame(GstBuffer* buffer, GstCaps* caps, guint64 number, const Options& options) {
  GstVideoInfo info;
  fail_unless(gst_video_info_from_caps(&info, caps));
  GstVideoFrame frame;
  fail_unless(gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ));
  const bool bytes = GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_GRAY8;
  const int width = GST_VIDEO_INFO_WIDTH(&info);
  const int height = GST_VIDEO_INFO_HEIGHT(&info);
  const std::ptrdiff_t stride = width * (bytes ? 1 : 2);
  std::vector<std::byte> samples(static_cast<std::size_t>(stride * height));
  rdp::TestPatternRenderer().draw(number, options,
                                  {samples.data(), stride, width, height,
                                   bytes ? rdp::SampleType::kU8 : rdp::SampleType::kU16});
  for (int row = 0; row < height; ++row) {
    const auto* data = static_cast<const std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) +
                       row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0);
    fail_unless(std::memcmp(data, samples.data() + row * stride, static_cast<gsize>(stride)) == 0,
                "row %d of frame %" G_GUINT64_FORMAT " differs", row, number);
  }
  gst_video_frame_unmap(&frame);
}

// A harness, not yet playing, whose source makes `buffers` frames with these caps.
inline GstHarness* harness_for(const std::string& caps, int buffers) {
  GstHarness* harness = gst_harness_new("depthtestsrc");
  g_object_set(harness->element, "num-buffers", buffers, nullptr);
  gst_harness_set_sink_caps_str(harness, caps.c_str());
  return harness;
}

}  // namespace depthtestsrc_frames

#endif  // RDP_TESTS_SUPPORT_DEPTHTESTSRC_FRAMES_H_
