// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_CAMERA_H_
#define RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_CAMERA_H_

#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/video/video.h>

#include "common/scene/test_pattern.h"
#include "gst/elements/depthtestsrc/test_views.h"

namespace rdp::gst {

// Whether frames of this pattern show things at distances. Random samples do not, and where all is
// unknown nothing is shown.
bool has_distances(TestPattern pattern);

// The camera that such frames of this size and format are seen by. Of pictures, it is the same for
// both eyes, with the baseline between them; their samples measure nothing (unknown), nor do
// labels.
GstRdpCameraInfo test_camera_info(TestView view, TestPattern pattern, TestDomain domain,
                                  const GstVideoInfo& frames);

// The camera of the frames of a stream, made anew only where it changes.
class TestCameraKeeper {
 public:
  TestCameraKeeper() = default;
  ~TestCameraKeeper();
  TestCameraKeeper(const TestCameraKeeper&) = delete;
  TestCameraKeeper& operator=(const TestCameraKeeper&) = delete;

  // Null where the frames have none.
  GstRdpCamera* get(TestView view, const TestPatternOptions& options, const GstVideoInfo& frames);

 private:
  GstRdpCamera* camera_ = nullptr;
  // What it was made for.
  TestView view_{};
  TestPattern pattern_{};
  TestDomain domain_{};
  GstVideoFormat format_ = GST_VIDEO_FORMAT_UNKNOWN;
  int width_ = 0, height_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHTESTSRC_TEST_CAMERA_H_
